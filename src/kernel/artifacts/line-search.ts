/** Finds a numbered line in a large file without reading all of it: the numbers only grow. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { hasErrorCode } from './write.ts';

/** Neither links are followed nor pipes waited for. */
export const plainly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A line begins with its number: what `createLineLog` writes. */
const head = /^\{"n":(\d{1,15}),/;
const probeBytes = 64 * 1024;
/** Smaller parts are quicker read than searched. */
const worthIt = 1024 * 1024;

/**
 * An offset at which a line begins, at or before the first line whose number is `n` or more. 0 where that cannot be
 * told: whoever reads from there passes over what comes before.
 */
export async function findLine(handle: FileHandle, size: number, n: number): Promise<number> {
  let low = 0;
  let high = size;
  while (n > 1 && high - low > worthIt) {
    const middle = Math.floor((low + high) / 2);
    const line = await lineAfter(handle, middle, high);
    // Nothing that could be read there: a very long line, or no line at all.
    if (line === undefined) return low;
    if (line.n < n) low = line.offset;
    else high = middle;
  }
  return low;
}

/** The first line that begins behind `offset` and tells its number; looked for in one piece. */
async function lineAfter(
  handle: FileHandle,
  offset: number,
  end: number,
): Promise<{ readonly n: number; readonly offset: number } | undefined> {
  const room = Buffer.alloc(Math.min(probeBytes, end - offset));
  const { bytesRead } = await handle.read(room, 0, room.length, offset);
  const bytes = room.subarray(0, bytesRead);
  for (let feed = bytes.indexOf(10); feed !== -1; feed = bytes.indexOf(10, feed + 1)) {
    const n = head.exec(bytes.toString('latin1', feed + 1, feed + 24))?.[1];
    if (n !== undefined) return { n: Number(n), offset: offset + feed + 1 };
  }
  return undefined;
}

/** Longer than a line may be, twice. */
const endBytes = 2 * 1024 * 1024;

export interface FileEnd {
  /** Number of the last whole line that tells one; 0 where there is none. */
  readonly lastN: number;
  /** It ends within a line. */
  readonly isTorn: boolean;
}

/** What the end of a file of numbered lines tells; a file that is not there has no lines. */
export async function readFileEnd(path: string): Promise<FileEnd> {
  const bytes = (await readTail(path, endBytes)) ?? Buffer.alloc(0);
  const isTorn = bytes.length > 0 && bytes.at(-1) !== 10;
  for (let end = bytes.lastIndexOf(10); end > 0;) {
    const feed = bytes.lastIndexOf(10, end - 1);
    const n = head.exec(bytes.toString('latin1', feed + 1, feed + 24))?.[1];
    if (n !== undefined) return { lastN: Number(n), isTorn };
    end = feed;
  }
  return { lastN: 0, isTorn };
}

async function readTail(path: string, length: number): Promise<Buffer | undefined> {
  const handle = await open(path, plainly).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(length, facts.size));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, facts.size - bytes.length);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

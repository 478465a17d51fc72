/**
 * Reads a file of numbered JSON lines that somebody else writes, perhaps at this moment, perhaps badly. Nothing that
 * stands in the file makes a reader throw: what is no line is left out and told as an anomaly; what has no line feed yet
 * is waited for.
 */
import { lstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { z } from 'zod';
import { findLine, plainly } from './line-search.ts';
import { hasErrorCode } from './write.ts';

export interface Numbered {
  readonly n: number;
}

export interface LineFile<T extends Numbered> {
  /** Absolute. */
  readonly path: string;
  /** Of a line: an object whose `n` is the number of the line. */
  readonly schema: z.ZodType<T>;
}

/** Longer ones are left out. */
export const maxLineBytes = 1024 * 1024;
/** What stands behind is not read. */
export const maxFileBytes = 200_000_000;
const chunkBytes = 256 * 1024;
/** Of what comes while it is read. Little, for most reads find nothing there. */
const leastChunkBytes = 2 * 1024;
/** So many are told of one file; then only that there are more. */
const maxAnomalies = 20;

/** Where a reader stands; made by `createReader`, changed by `readOn`. */
export interface LineReader<T extends Numbered> {
  readonly file: LineFile<T>;
  readonly say: (anomaly: string) => void;
  /** Of the line that comes next. */
  offset: number;
  /** Number of the line that was given last. */
  lastN: number;
  /** It begins, or has begun again, before what was given already: lines up to `lastN` are passed over. */
  isCatchingUp: boolean;
  identity: string | undefined;
  /** How long the file was when it had been read to its end; -1 where it was not. */
  seenBytes: number;
  told: number;
  isFull: boolean;
  /** `offset` lies within a line that is too long. */
  isSkipping: boolean;
}

export type Take<T> = (entry: T) => void | Promise<void>;

/** @param from number of the first line that is wanted */
export function createReader<T extends Numbered>(
  file: LineFile<T>,
  from: number,
  say: (anomaly: string) => void,
): LineReader<T> {
  const lastN = from - 1;
  const place = { offset: 0, lastN, isCatchingUp: true, identity: undefined, isFull: false, isSkipping: false };
  return { file, say, ...place, seenBytes: -1, told: 0 };
}

/** Whether there may be more to read than was read last. Cheap: for what is asked again and again. */
export function hasChanged<T extends Numbered>({ file, identity, seenBytes }: LineReader<T>): boolean {
  try {
    // One look costs some microseconds; asking for it in the background costs ten times that.
    const facts = lstatSync(file.path, { throwIfNoEntry: false });
    return facts === undefined ? identity !== undefined : identityOf(facts) !== identity || facts.size !== seenBytes;
  } catch {
    // Reading tells what is wrong.
    return true;
  }
}

/**
 * Gives every whole line that came since, in order, and waits for each to be taken. Where `take` throws, that line is
 * the first of the next call.
 * @param limit lines at most
 * @returns false when the limit ended it
 */
export async function readOn<T extends Numbered>(
  reader: LineReader<T>,
  take: Take<T>,
  limit = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const handle = await openPlain(reader);
  if (handle === undefined) return true;
  try {
    return await readFrom(reader, handle, take, limit);
  } finally {
    await handle.close();
  }
}

/** Undefined where there is nothing to read. */
async function openPlain<T extends Numbered>(reader: LineReader<T>): Promise<FileHandle | undefined> {
  try {
    return await open(reader.file.path, plainly);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) tell(reader, `cannot be opened (${codeOf(error)})`);
    else if (reader.identity !== undefined) {
      tell(reader, 'is gone');
      reader.identity = undefined;
      startAgain(reader);
    }
    return undefined;
  }
}

async function readFrom<T extends Numbered>(
  reader: LineReader<T>,
  handle: FileHandle,
  take: Take<T>,
  limit: number,
): Promise<boolean> {
  const facts = await handle.stat();
  if (!facts.isFile()) {
    tell(reader, 'is no plain file');
    return true;
  }
  const identity = identityOf(facts);
  if (reader.identity === undefined) reader.offset = await findLine(handle, facts.size, reader.lastN + 1);
  else if (reader.identity !== identity) restart(reader, 'was replaced by another one');
  else if (facts.size < reader.offset) restart(reader, 'became shorter');
  reader.identity = identity;
  reader.seenBytes = -1;
  let left = limit;
  for await (const { line, end } of linesFrom(reader, handle, facts.size)) {
    const entry = line === undefined ? undefined : parseLine(reader, line);
    if (entry !== undefined) {
      if (left === 0) return false;
      left -= 1;
      await take(entry);
      reader.lastN = entry.n;
    }
    reader.offset = end;
  }
  return true;
}

interface Line {
  /** Without its line feed; undefined for one that is too long. */
  readonly line: Buffer | undefined;
  /** Offset behind its line feed. */
  readonly end: number;
}

/** Whole lines from the reader's place on. */
async function* linesFrom<T extends Numbered>(
  reader: LineReader<T>,
  handle: FileHandle,
  size: number,
): AsyncGenerator<Line> {
  let position = reader.offset;
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = reader.isSkipping;
  reader.isSkipping = false;
  while (position < maxFileBytes) {
    const expected = Math.max(size - position, leastChunkBytes);
    const room = Buffer.allocUnsafe(Math.min(chunkBytes, expected, maxFileBytes - position));
    const { bytesRead } = await handle.read(room, 0, room.length, position);
    if (bytesRead === 0) {
      if (isTooLong) reader.offset = position;
      reader.isSkipping = isTooLong;
      reader.seenBytes = position;
      return;
    }
    const bytes = rest.length === 0 ? room.subarray(0, bytesRead) : Buffer.concat([rest, room.subarray(0, bytesRead)]);
    const base = position - rest.length;
    position += bytesRead;
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      const isLong = isTooLong || end - start > maxLineBytes;
      if (isLong) tell(reader, `has a line of more than ${maxLineBytes} bytes after line ${reader.lastN}`);
      yield { line: isLong ? undefined : bytes.subarray(start, end), end: base + end + 1 };
      isTooLong = false;
      start = end + 1;
    }
    rest = bytes.subarray(start);
    // Of a line that is too long only its end is waited for.
    isTooLong ||= rest.length > maxLineBytes;
    if (isTooLong) rest = Buffer.alloc(0);
  }
  if (!reader.isFull) tell(reader, `is longer than ${maxFileBytes} bytes; what follows is not read`);
  reader.isFull = true;
}

function parseLine<T extends Numbered>(reader: LineReader<T>, line: Buffer): T | undefined {
  const entry = reader.file.schema.safeParse(jsonOf(line)).data;
  if (entry === undefined) {
    if (line.length > 0) tell(reader, `has a line after line ${reader.lastN} that cannot be understood`);
    return undefined;
  }
  if (entry.n <= reader.lastN) {
    if (!reader.isCatchingUp) tell(reader, `has the line ${entry.n} twice`);
    return undefined;
  }
  reader.isCatchingUp = false;
  if (entry.n > reader.lastN + 1) tell(reader, `lacks the lines ${reader.lastN + 1} to ${entry.n - 1}`);
  return entry;
}

function jsonOf(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function restart<T extends Numbered>(reader: LineReader<T>, what: string): void {
  tell(reader, what);
  startAgain(reader);
}

function identityOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}

function startAgain<T extends Numbered>(reader: LineReader<T>): void {
  reader.offset = 0;
  reader.isCatchingUp = true;
  reader.isFull = false;
  reader.isSkipping = false;
}

function tell<T extends Numbered>(reader: LineReader<T>, what: string): void {
  reader.told += 1;
  const name = basename(reader.file.path);
  if (reader.told < maxAnomalies) reader.say(`${name} ${what}`);
  else if (reader.told === maxAnomalies) reader.say(`${name} has more of such faults; they are not told`);
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? 'unknown trouble');
}

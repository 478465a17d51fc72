/** Old session files and checkpoints are removed: one policy for the hall and for the helper. */
import { constants } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import { sessionsFolder } from './place.ts';

export const defaultAgeDays = 30;
const checkpointsFolder = '.gaia/memory/checkpoints';
const dayMs = 86_400_000;
/** Where the status stands in a session file: behind the seed's fields, before the charter. Bytes. */
const headBytes = 64 * 1024;

export interface Reaped {
  /** Relative to the root. */
  readonly path: string;
  /** Of a session file. */
  readonly id: string | undefined;
}

/**
 * Whether a session goes now: takes it away by `remove`, which answers false for one that was written meanwhile, or
 * leaves it.
 */
type RemoveSession = (id: string, remove: () => Promise<boolean>) => Promise<boolean>;

/**
 * @param days files whose last change is longer ago; councils that are not over stay for 30 days at least
 * @param apply false: only says what would go
 * @param removeSession of a hall, in which the council may walk
 * @returns what is gone, or would be, by path
 */
export async function reapSessions(
  ctx: ClockContext,
  root: string,
  days: number,
  apply: boolean,
  removeSession: RemoveSession = async (_id, remove) => remove(),
): Promise<Reaped[]> {
  const reaped: Reaped[] = [];
  for (const folder of [checkpointsFolder, sessionsFolder]) {
    if (!(await isRealFolder(root, folder))) continue;
    for (const path of await filesBelow(root, folder)) {
      const isSession = folder === sessionsFolder && path.endsWith('.yaml');
      const least = isSession && (await isOpen(root, path)) ? Math.max(days, defaultAgeDays) : days;
      const id = isSession ? path.slice(folder.length + 1, -'.yaml'.length) : undefined;
      const isOld = async (): Promise<boolean> => ctx.clock.nowMs() - (await changedMs(root, path)) > least * dayMs;
      if (!(await isOld())) continue;
      const remove = async (): Promise<boolean> => {
        if (!(await isOld())) return false;
        await rm(join(root, path), { force: true });
        return true;
      };
      const isGone = !apply || (await (id === undefined ? remove() : removeSession(id, remove)));
      if (isGone) reaped.push({ path, id });
    }
  }
  return reaped;
}

/** No link on the way: nothing is removed elsewhere. */
async function isRealFolder(root: string, folder: string): Promise<boolean> {
  const parts = folder.split('/');
  for (const [at] of parts.entries()) {
    const facts = await lstat(join(root, ...parts.slice(0, at + 1))).catch((error: unknown) => {
      if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    });
    if (facts?.isDirectory() !== true) return false;
  }
  return true;
}

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(root, path)));
    else if (entry.isFile()) found.push(path);
  }
  return found.toSorted();
}

/** What went meanwhile is never old. */
async function changedMs(root: string, path: string): Promise<number> {
  try {
    return (await lstat(join(root, path))).mtimeMs;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return Infinity;
    throw error;
  }
}

/** Somebody may go on with it. */
async function isOpen(root: string, path: string): Promise<boolean> {
  const head = (await readHead(join(root, path))).toString('utf8');
  const status = /^status: "?([a-z]+)/m.exec(head)?.[1];
  return status !== undefined && !['saved', 'aborted'].includes(status);
}

/** No more of it than that: it came with a repository, and may be of any size. */
async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

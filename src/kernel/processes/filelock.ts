/**
 * Locks between processes: a file that names its owner. It appears by `link`, so it is never seen half-written, and
 * it holds the owner's identity, so a lock whose owner has died is known as such.
 *
 * Taking over a dead owner's lock is itself done under a lock, named after the dead lock's own mark
 * (`<path>.over-<mark>`), taken in the same way. Its holder alone may replace the lock with that mark, and the dead
 * owner no longer does: what it saw is still there when it replaces it. Who comes late finds another mark and begins anew.
 */
import { link, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { ClockContext, IdContext } from '../clock/clock.ts';
import { faultPoint } from '../clock/fault.ts';
import { fail } from '../pure/errors.ts';
import { isSameProcess, ownIdentity, type ProcessIdentity, processIdentitySchema } from './identity.ts';

export interface FileLock {
  /** Gives the lock back. Safe to call twice. */
  release(): Promise<void>;
}

const noteSchema = z.object({ version: z.literal(1), mark: z.string(), owner: processIdentitySchema });
type LockNote = z.infer<typeof noteSchema>;

const pollMs = 25;
/** Locks on locks on locks: only crashes in the middle of a take-over, again and again, lead so deep. */
const maxDepth = 5;

/**
 * Tries once. The folder of `lockPath` must exist.
 * @returns the lock, or who holds it
 * @throws conflict when the file at `lockPath` is not a lock of this program
 */
export async function acquireFileLock(
  ctx: IdContext,
  lockPath: string,
  isAlive: Liveness = isSameProcess,
): Promise<FileLock | { readonly heldBy: ProcessIdentity }> {
  return acquireAt({ ids: ctx.ids, isAlive }, lockPath, 0);
}

/** Whether a process lives. It throws when that cannot be told. Another one than the system's is given only by tests. */
type Liveness = (owner: ProcessIdentity) => Promise<boolean>;
type AcquireContext = IdContext & { readonly isAlive: Liveness };

/** An owner of whom nothing can be learned keeps its lock. */
async function mayLive({ isAlive }: AcquireContext, owner: ProcessIdentity): Promise<boolean> {
  try {
    return await isAlive(owner);
  } catch {
    // The process table cannot be read; that is no word of its death.
    return true;
  }
}

/**
 * Runs `work` while holding the lock, waiting up to `waitMs` for it.
 * @throws unavailable when somebody else holds it for longer
 */
export async function withFileLock<T>(
  ctx: ClockContext & IdContext,
  lockPath: string,
  work: () => Promise<T>,
  options: { readonly waitMs: number },
): Promise<T> {
  const deadline = ctx.clock.monotonicMs() + options.waitMs;
  for (;;) {
    const answer = await acquireFileLock(ctx, lockPath);
    if ('release' in answer) {
      try {
        return await work();
      } finally {
        await answer.release();
      }
    }
    if (ctx.clock.monotonicMs() >= deadline) throw stillHeld(lockPath, answer.heldBy);
    await ctx.clock.sleep(pollMs);
  }
}

async function acquireAt(
  ctx: AcquireContext,
  path: string,
  depth: number,
): Promise<FileLock | { heldBy: ProcessIdentity }> {
  const mine: LockNote = { version: 1, mark: ctx.ids.random(12), owner: ownIdentity() };
  const draft = `${path}.${mine.mark}.tmp`;
  await writeDraft(draft, mine);
  try {
    for (;;) {
      faultPoint(`lock:before:${basename(path)}`);
      if (await linkIfFree(draft, path)) return lockOf(path, mine);
      const note = await readNote(path);
      if (note === undefined) continue;
      if (depth === maxDepth || (await mayLive(ctx, note.owner))) return { heldBy: note.owner };
      const over = await acquireAt(ctx, overPath(path, note), depth + 1);
      if (!('release' in over)) return { heldBy: over.heldBy };
      try {
        if ((await readNote(path))?.mark !== note.mark) continue;
        faultPoint(`lock:take-over:${basename(path)}`);
        await rename(draft, path);
        await sweepDrafts(ctx, path);
        return lockOf(path, mine);
      } finally {
        await over.release();
      }
    }
  } finally {
    await rm(draft, { force: true });
  }
}

function overPath(path: string, dead: LockNote): string {
  return join(dirname(path), `${basename(path).replace(/\.over-[a-z0-9]+$/, '')}.over-${dead.mark}`);
}

async function writeDraft(path: string, note: LockNote): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(note));
    // A lock that a power cut left empty would have no owner to be dead.
    await file.sync();
  } finally {
    await file.close();
  }
}

async function linkIfFree(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined when the lock was given back meanwhile. */
async function readNote(path: string): Promise<LockNote | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch (error) {
    throw fail(
      'conflict',
      `The lock file ${path} does not say who holds it.`,
      `When no other hall is running, remove it: rm '${path}'`,
      { path },
      error,
    );
  }
}

function lockOf(path: string, mine: LockNote): FileLock {
  let held = true;
  return {
    release: async () => {
      if (!held) return;
      held = false;
      if ((await readNote(path))?.mark === mine.mark) await rm(path, { force: true });
    },
  };
}

/** Removes what tries that died left beside the lock. */
async function sweepDrafts(ctx: AcquireContext, path: string): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(start) || !name.endsWith('.tmp')) continue;
    const owner = await readDraftOwner(join(folder, name));
    if (owner !== undefined && !(await mayLive(ctx, owner))) await rm(join(folder, name), { force: true });
  }
}

async function readDraftOwner(path: string): Promise<ProcessIdentity | undefined> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(path, 'utf8'))).owner;
  } catch {
    // Gone, or just being written by a living process: not ours to remove.
    return undefined;
  }
}

function stillHeld(path: string, owner: ProcessIdentity): Error {
  return fail(
    'unavailable',
    `${path} is locked by process ${owner.pid}, which is still running.`,
    `Wait for it to end; to see what it is: ps -p ${owner.pid}`,
    { path, pid: owner.pid },
  );
}

/** Follows a file of numbered JSON lines while it grows: by the system's signs, and by a slow look where none comes. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { BackgroundContext } from '../background/background.ts';
import { type ClockContext, untilCommonTick } from '../clock/clock.ts';
import { createLocks } from '../locks/locks.ts';
import type { LogContext } from '../log/log.ts';
import { createReader, hasChanged, type LineFile, type LineReader, type Numbered, readOn, type Take } from './lines.ts';

export interface LineFollower {
  /** Resolves when everything that stands in the file at the call has been taken. Rejects as the taker does. */
  catchUp(): Promise<void>;
  /** Resolves when nothing is given any more. Safe to call twice. */
  close(): Promise<void>;
}

export interface FollowOptions<T> {
  /** Number of the first line that is wanted. */
  readonly from: number;
  /** Waited for before the next line is given. What it refuses by throwing is given again a moment later. */
  readonly onEntry: Take<T>;
  readonly onAnomaly: (text: string) => void;
}

/** Between two looks without a sign. Milliseconds. */
const lookMs = 1_000;
/** The same where the system has told of a change before; on some disks it never does. */
const calmLookMs = 5_000;

interface Following<T extends Numbered> {
  readonly ctx: ClockContext & LogContext & BackgroundContext;
  readonly reader: LineReader<T>;
  readonly take: Take<T>;
  readonly locks: ReturnType<typeof createLocks>;
  watcher: FSWatcher | undefined;
  /** Its watch has told of a change. */
  hasTold: boolean;
  /** Ends the wait for the next look. */
  wake: AbortController;
  isDue: boolean;
  isClosed: boolean;
}

/** The file, and even its folder, may come later. */
export function followLines<T extends Numbered>(
  ctx: ClockContext & LogContext & BackgroundContext,
  file: LineFile<T>,
  options: FollowOptions<T>,
): LineFollower {
  const following: Following<T> = {
    ctx,
    reader: createReader(file, options.from, options.onAnomaly),
    take: options.onEntry,
    locks: createLocks(),
    watcher: undefined,
    hasTold: false,
    wake: new AbortController(),
    isDue: false,
    isClosed: false,
  };
  ctx.spawn(`follow ${file.path}`, async (stopping) => {
    const stop = (): void => nudge(following);
    stopping.addEventListener('abort', stop);
    while (!following.isClosed && !stopping.aborted) await lookAndWait(following);
    stopping.removeEventListener('abort', stop);
    endWatch(following);
  });
  return {
    catchUp: async () => look(following),
    close: async () => {
      following.isClosed = true;
      nudge(following);
      await following.locks.with('look', async () => endWatch(following));
    },
  };
}

async function lookAndWait<T extends Numbered>(following: Following<T>): Promise<void> {
  const { ctx, reader } = following;
  following.wake = new AbortController();
  following.isDue = false;
  startWatch(following);
  let waitMs = lookMs;
  try {
    if (hasChanged(reader)) await look(following);
    if (following.hasTold && reader.identity !== undefined) waitMs = calmLookMs;
  } catch (error) {
    ctx.log.warn(
      { err: error, file: reader.file.path, after: reader.lastN },
      'a line was not taken; it is given again',
    );
    following.isDue = false;
  }
  if (following.isDue) return;
  // Woken, or the time is over.
  await ctx.clock.sleep(untilCommonTick(ctx.clock, waitMs), following.wake.signal).catch(() => undefined);
}

async function look<T extends Numbered>(following: Following<T>): Promise<void> {
  await following.locks.with('look', async () => {
    await readOn(following.reader, async (entry) => {
      if (!following.isClosed) await following.take(entry);
    });
  });
}

/** Without a watch (no folder yet, or the system has none left) the slow look alone tells. */
function startWatch<T extends Numbered>(following: Following<T>): void {
  if (following.watcher !== undefined || following.isClosed) return;
  const { path } = following.reader.file;
  const name = basename(path);
  try {
    const watcher = watch(dirname(path), (_event, changed) => {
      if (changed !== null && changed !== name) return;
      following.hasTold = true;
      nudge(following);
    });
    watcher.on('error', () => endWatch(following));
    following.watcher = watcher;
  } catch (error) {
    following.ctx.log.debug({ err: error, path }, 'a file is looked at from time to time only');
  }
}

function endWatch<T extends Numbered>(following: Following<T>): void {
  following.watcher?.close();
  following.watcher = undefined;
  following.hasTold = false;
}

function nudge<T extends Numbered>(following: Following<T>): void {
  following.isDue = true;
  following.wake.abort();
}

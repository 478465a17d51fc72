/**
 * What a program's hooks tell: files in a folder of the terminal. Whoever writes there is not trusted: a file is read as
 * data, when it is a plain one of moderate size with the right name; all else is left alone or taken away unread.
 */
import {
  closeSync,
  constants,
  type FSWatcher,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readSync,
  watch,
} from 'node:fs';
import { mkdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BackgroundContext } from '../../background/background.ts';
import { hasErrorCode } from '../../artifacts/write.ts';
import { type ClockContext, untilCommonTick } from '../../clock/clock.ts';
import type { LogContext } from '../../log/log.ts';
import { z } from 'zod';
import type { Signal } from '../contract.ts';

/** A signal and the file it stands in. */
export interface ToldSignal {
  readonly signal: Signal;
  /** Unique within the terminal; grows with time. */
  readonly name: string;
}

export interface SignalWatch {
  /** Looks now, and resolves when all that stands there has been taken. */
  readonly look: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface SignalOptions {
  readonly folder: string;
  readonly readSignal: (json: unknown) => Signal | undefined;
  /** The file goes when this resolves. What is refused by throwing stays and is told again at the next look. */
  readonly take: (told: ToldSignal) => Promise<void>;
  /** Nobody tells anything any more: once what stands there is taken, nothing is looked for. */
  readonly isOver?: () => boolean;
  /** Told of words that wait behind refused ones, at each look and in their place among what is taken. */
  readonly putOff?: (told: ToldSignal) => Promise<void>;
}

const maxFileBytes = 2 * 1024 * 1024;
/** Longer words than these are no honest signal. UTF-16 units. */
const maxTextLength = 1_000_000;
/** In one look. What is more waits for the next. */
const maxEntries = 1_000;
/** Whatever else lies there: so many are passed over. */
const maxEntriesSeen = 20_000;
/** Where the system's signs stay away. Milliseconds. */
const slowLookMs = 5_000;
/** What was refused is told again after. Milliseconds. */
const refusedLookMs = 500;

/** `<nanoseconds since 1970>-<pid>.json` */
const fileName = /^\d{10,20}-\d{1,10}\.json$/;

const signalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('prompted'), text: z.string().max(maxTextLength) }),
  z.object({ kind: z.literal('spoke'), text: z.string().max(maxTextLength) }),
  z.object({ kind: z.literal('dialog'), text: z.string().max(maxTextLength) }),
  z.object({ kind: z.literal('started') }),
]);

interface Watching {
  readonly ctx: BackgroundContext & ClockContext & LogContext;
  readonly options: SignalOptions;
  watcher: FSWatcher | undefined;
  /** The look that runs, and whether another one is to follow it. */
  looking: Promise<void> | undefined;
  isDue: boolean;
  /** Something was refused in the last look. */
  isRefused: boolean;
  /** Wakes what waits for the slow look, with the end. */
  readonly end: AbortController;
}

/** Takes what stands there, then what comes. The folder is made where it is missing, for the person alone. */
export async function watchSignals(
  ctx: BackgroundContext & ClockContext & LogContext,
  options: SignalOptions,
): Promise<SignalWatch> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const watching: Watching = {
    ctx,
    options,
    watcher: undefined,
    looking: undefined,
    isDue: false,
    isRefused: false,
    end: new AbortController(),
  };
  startWatch(watching);
  ctx.spawn(`signals in ${options.folder}`, async (stopping) => lookNowAndThen(watching, stopping));
  return { look: async () => lookSoon(watching), close: async () => close(watching) };
}

function startWatch(watching: Watching): void {
  try {
    const watcher = watch(watching.options.folder, (_event, name) => {
      if (name === null || fileName.test(name)) lookInBackground(watching);
    });
    watcher.on('error', () => {
      watcher.close();
      watching.watcher = undefined;
    });
    watching.watcher = watcher;
  } catch (error) {
    watching.ctx.log.warn(
      { err: error, folder: watching.options.folder },
      'signals are looked for from time to time only',
    );
  }
}

async function lookNowAndThen(watching: Watching, stopping: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stopping, watching.end.signal]);
  const { ctx, options } = watching;
  while (!signal.aborted) {
    const isLast = options.isOver?.() === true;
    await lookSoon(watching);
    if (isLast && !watching.isRefused) break;
    // With those of all other terminals: one wake for all. Aborted by the end of the watch.
    await ctx.clock.sleep(untilCommonTick(ctx.clock, slowLookMs), signal).catch(() => undefined);
  }
  watching.watcher?.close();
  watching.watcher = undefined;
}

function lookInBackground(watching: Watching, afterMs = 0): void {
  const { ctx, options, end } = watching;
  if (watching.looking !== undefined && afterMs === 0) {
    watching.isDue = true;
    return;
  }
  ctx.spawn(`a signal in ${options.folder}`, async (stopping) => {
    // Aborted by the end of the watch: there is no look then.
    if (afterMs > 0) await ctx.clock.sleep(afterMs, AbortSignal.any([stopping, end.signal])).catch(() => undefined);
    if (!end.signal.aborted) await lookSoon(watching);
  });
}

/** One look at a time; who asks during one gets another that began after he asked. */
async function lookSoon(watching: Watching): Promise<void> {
  if (watching.looking !== undefined) {
    watching.isDue = true;
    return watching.looking;
  }
  watching.looking = lookUntilDone(watching).finally(() => {
    watching.looking = undefined;
  });
  return watching.looking;
}

async function lookUntilDone(watching: Watching): Promise<void> {
  do {
    watching.isDue = false;
    watching.isRefused = false;
    for (const name of namesIn(watching)) {
      if (watching.end.signal.aborted) return;
      if (!(await takeFile(watching, name, watching.isRefused))) watching.isRefused = true;
    }
  } while (watching.isDue && !watching.end.signal.aborted);
  if (watching.isRefused) lookInBackground(watching, refusedLookMs);
}

/** In the order of their time. At once: each of these steps costs some microseconds, and in the background ten times that. */
function namesIn({ ctx, options }: Watching): string[] {
  try {
    // A link in its place leads who knows where.
    if (!lstatSync(options.folder).isDirectory()) return [];
    const names = namesOf(options.folder).toSorted(byTime);
    return names.slice(0, maxEntries);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) ctx.log.warn({ err: error }, 'signals cannot be looked for');
    return [];
  }
}

function namesOf(path: string): string[] {
  const folder = opendirSync(path);
  try {
    const names: string[] = [];
    for (let seen = 0; seen < maxEntriesSeen; seen += 1) {
      const entry = folder.readSync();
      if (entry === null) break;
      if (fileName.test(entry.name)) names.push(entry.name);
    }
    return names;
  } finally {
    folder.closeSync();
  }
}

function byTime(a: string, b: string): number {
  const [one, other] = [timeOf(a), timeOf(b)];
  if (one !== other) return one < other ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Nanoseconds are more than a number holds: two of one turn may be told in the same microsecond. */
function timeOf(name: string): bigint {
  return BigInt(name.slice(0, name.indexOf('-')));
}

/**
 * @param isBehind words that were said before have been refused: to keep the order, later words wait
 * @returns false when it is to be told again
 */
async function takeFile(watching: Watching, name: string, isBehind: boolean): Promise<boolean> {
  const { ctx, options } = watching;
  const path = join(options.folder, name);
  try {
    const signal = readFile(watching, path);
    if (signal?.kind === 'spoke' && isBehind) {
      await options.putOff?.({ signal, name });
      return false;
    }
    if (signal !== undefined) await options.take({ signal, name });
    await takeAway(path);
    return true;
  } catch (error) {
    ctx.log.warn({ err: error, path }, 'a signal was not taken; it is looked at again');
    return false;
  }
}

/**
 * A folder is put aside as it is and goes with the terminal's: who writes there could put a link in its place while what
 * lies in it is removed, and then it would be somebody else's files.
 */
async function takeAway(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    // Linux and macOS say this of a folder.
    if (hasErrorCode(error, 'EISDIR', 'EPERM')) await rename(path, join(dirname(path), `.${basename(path)}.aside`));
    else if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
}

/** Undefined for what is no signal. */
function readFile({ ctx, options }: Watching, path: string): Signal | undefined {
  try {
    const text = readPlain(path);
    const signal = text === undefined ? undefined : options.readSignal(JSON.parse(text));
    if (signal !== undefined) return signalSchema.parse(signal);
    if (text === undefined) ctx.log.warn({ path }, 'a signal is no plain file of moderate size; it was taken away');
  } catch (error) {
    ctx.log.warn({ err: error, path }, 'a signal cannot be understood; it was taken away');
  }
  return undefined;
}

function readPlain(path: string): string | undefined {
  const facts = lstatSync(path);
  if (!facts.isFile() || facts.size > maxFileBytes) return undefined;
  // Not a link by now, nor a pipe that would be waited for.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) return undefined;
    const room = Buffer.allocUnsafe(facts.size + 1);
    let length = 0;
    while (length < room.length) {
      const bytes = readSync(file, room, length, room.length - length, length);
      if (bytes === 0) break;
      length += bytes;
    }
    return length > facts.size ? undefined : room.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

async function close(watching: Watching): Promise<void> {
  watching.end.abort();
  watching.watcher?.close();
  watching.watcher = undefined;
  await watching.looking;
}

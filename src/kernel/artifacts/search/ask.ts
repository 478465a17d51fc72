/**
 * The hall's side of the search thread. The thread is started at the first question and ended when nothing was asked for a
 * while, so that a hall in which nobody searches pays nothing.
 */
import { Worker } from 'node:worker_threads';
import type { BackgroundContext } from '../../background/background.ts';
import type { ClockContext } from '../../clock/clock.ts';
import { deferred, type Deferred } from '../../pure/deferred.ts';
import { fail } from '../../pure/errors.ts';
import type { FindRequest, Found } from './shapes.ts';
import type { Question, Told } from './thread.ts';

export interface SearchThread {
  /** Its program. */
  readonly program: () => Promise<URL>;
  worker: Worker | undefined;
  readonly waiting: Map<number, Deferred<Found | undefined>>;
  asked: number;
  isClosed: boolean;
}

type SearchThreadContext = BackgroundContext & ClockContext;

/** Milliseconds. */
const idleMs = 60_000;
const maxHeapMb = 96;

export function createSearchThread(program: () => Promise<URL>): SearchThread {
  return { program, worker: undefined, waiting: new Map(), asked: 0, isClosed: false };
}

/** @throws HallError `unavailable` where the texts cannot be searched */
export async function askSearch(ctx: SearchThreadContext, thread: SearchThread, request: FindRequest): Promise<Found> {
  return (await ask(ctx, thread, { find: request }))!;
}

/** Forgets what is kept of other projects than these. */
export async function keepSearched(
  ctx: SearchThreadContext,
  thread: SearchThread,
  home: string,
  names: readonly string[],
): Promise<void> {
  await ask(ctx, thread, { keepOnly: { home, names } });
}

/** Safe to call twice. Questions that are under way are refused. */
export async function closeSearch(thread: SearchThread): Promise<void> {
  thread.isClosed = true;
  await endWorker(thread, 'the hall stops');
}

async function ask(ctx: SearchThreadContext, thread: SearchThread, question: Question): Promise<Found | undefined> {
  const program = await thread.program();
  // From here to the question nothing else runs: no thread that was ended meanwhile is asked.
  const worker = startedWorker(thread, program);
  thread.asked += 1;
  const n = thread.asked;
  const answer = deferred<Found | undefined>();
  thread.waiting.set(n, answer);
  worker.postMessage({ n, question });
  try {
    return await answer.promise;
  } finally {
    endWhenIdle(ctx, thread, n);
  }
}

function startedWorker(thread: SearchThread, program: URL): Worker {
  if (thread.isClosed) throw broken('the hall stops');
  if (thread.worker) return thread.worker;
  const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb }, env: {}, execArgv: [] });
  worker.unref();
  thread.worker = worker;
  worker.on('message', (told: Told) => {
    const answer = thread.waiting.get(told.n);
    thread.waiting.delete(told.n);
    if ('reason' in told) answer?.reject(broken(told.reason));
    else answer?.resolve(told.found);
  });
  const ended = (reason: string) => (): void => {
    if (thread.worker === worker) refuseAll(thread, reason);
  };
  worker.on('error', (error) => ended(error instanceof Error ? error.message : String(error))());
  worker.on('exit', ended('its thread ended'));
  return worker;
}

function refuseAll(thread: SearchThread, reason: string): void {
  thread.worker = undefined;
  for (const answer of thread.waiting.values()) answer.reject(broken(reason));
  thread.waiting.clear();
}

async function endWorker(thread: SearchThread, reason: string): Promise<void> {
  const { worker } = thread;
  refuseAll(thread, reason);
  await worker?.terminate();
}

function endWhenIdle({ spawn, clock }: SearchThreadContext, thread: SearchThread, n: number): void {
  if (thread.asked !== n || thread.waiting.size > 0 || thread.isClosed) return;
  spawn('rest of the search', async (stopping) => {
    await clock.sleep(idleMs, stopping);
    if (thread.asked === n && thread.waiting.size === 0) await endWorker(thread, 'nothing was asked');
  });
}

function broken(reason: string): Error {
  return fail(
    'unavailable',
    `The texts could not be searched: ${reason}.`,
    'Try again; if it stays so, stop the hall, remove state/search/ in its home, and start it: what is in there is made anew.',
  );
}

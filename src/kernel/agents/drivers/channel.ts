/** A queue between a turn and its reader: pushing never waits, and what was pushed is given once, in order. */
import { deferred, type Deferred } from '../../pure/deferred.ts';

export interface Channel<T> {
  readonly values: T[];
  waiting: Deferred<IteratorResult<T, undefined>>[];
  isOver: boolean;
  /** Who waits until the reader has taken everything and asks for more. */
  readonly drained: Deferred<void>[];
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

export function openChannel<T>(): Channel<T> {
  return { values: [], waiting: [], isOver: false, drained: [] };
}

export function push<T>(channel: Channel<T>, value: T): void {
  if (channel.isOver) return;
  const reader = channel.waiting.shift();
  if (reader) reader.resolve({ done: false, value });
  else channel.values.push(value);
}

/** Nothing more comes; what is still in the queue is given first. */
export function endChannel<T>(channel: Channel<T>): void {
  channel.isOver = true;
  for (const reader of channel.waiting.splice(0)) reader.resolve(done);
  noteDrained(channel);
}

function noteDrained<T>({ drained }: Channel<T>): void {
  for (const waiting of drained.splice(0)) waiting.resolve();
}

/** Resolves when the reader has worked off what was pushed and asks for more, or has left, or nothing more comes. */
export async function whenRead<T>(channel: Channel<T>): Promise<void> {
  if (channel.isOver || (channel.values.length === 0 && channel.waiting.length > 0)) return;
  const waiting = deferred();
  channel.drained.push(waiting);
  await waiting.promise;
}

/**
 * The reader's side. Reading it twice at once is no fault but shares the values out.
 * @param onLeave runs when the reader leaves before the end (a `break`, a throw in its loop)
 */
export function readChannel<T>(channel: Channel<T>, onLeave: () => Promise<void>): AsyncIterableIterator<T, undefined> {
  const next = async (): Promise<IteratorResult<T, undefined>> => {
    if (channel.values.length > 0) return { done: false, value: channel.values.shift() as T };
    if (channel.isOver) return done;
    const reader = deferred<IteratorResult<T, undefined>>();
    channel.waiting.push(reader);
    noteDrained(channel);
    return reader.promise;
  };
  const leave = async (): Promise<IteratorResult<T, undefined>> => {
    channel.values.length = 0;
    if (!channel.isOver) await onLeave();
    return done;
  };
  const iterator: AsyncIterableIterator<T, undefined> = { next, return: leave, [Symbol.asyncIterator]: () => iterator };
  return iterator;
}

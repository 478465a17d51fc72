/** A queue between a turn and its reader: pushing never waits, and what was pushed is given once, in order. */
import { deferred, type Deferred } from '../../pure/deferred.ts';

export interface Channel<T> {
  readonly values: T[];
  waiting: Deferred<IteratorResult<T, undefined>>[];
  isOver: boolean;
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

export function openChannel<T>(): Channel<T> {
  return { values: [], waiting: [], isOver: false };
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

/**
 * One reader of the stream. It first reads from the files; when it has read everything there is, in that very moment,
 * it turns live and gets what is published into its buffer. So nothing is lost or doubled between the two, and a
 * long replay needs no memory.
 */
import type { LogContext } from '../log/log.ts';
import { deferred } from '../pure/deferred.ts';
import type { Cursor, HallEvent } from '../pure/events.ts';
import { type Mark, readSegment, type Segment } from './segments.ts';

export interface SubscribeOptions {
  /** Of the last event that the reader has; left out: from now on. */
  readonly after?: Cursor;
  /** With more than so many unread events a live reader is dropped. Default 1024. */
  readonly maxBuffered?: number;
  /** Only events for which it answers true. Must not throw. */
  readonly filter?: (event: HallEvent) => boolean;
}

/** To be iterated once. Leaving the loop closes it. */
export interface EventSubscription extends AsyncIterable<HallEvent> {
  /** True when events between `after` and the first one given are no longer kept. */
  readonly gap: boolean;
  /** Why it ended. One that was dropped catches up by a new subscription from the last event it has dealt with. */
  readonly ended: 'open' | 'closed' | 'dropped';
  /** Ends the iteration at once; unread events are not given. */
  close(): void;
}

/** What a subscription needs of the stream. */
export interface EventSource {
  readonly ctx: LogContext;
  readonly epoch: string;
  /** Number of the last event. */
  readonly seq: number;
  /** Oldest first, at least one. */
  readonly segments: readonly Segment[];
  /** Length of what is whole in the last segment. */
  readonly bytes: number;
  /** Places in the last segment, in order. */
  readonly marks: readonly Mark[];
  /** The last events, when the disk did not take them. */
  readonly unwritten: readonly HallEvent[];
  readonly subscribers: Set<Subscriber>;
  readonly isClosed: boolean;
}

export interface Subscriber {
  readonly filter: (event: HallEvent) => boolean;
  readonly maxBuffered: number;
  /** Number of the first event that it has not seen, while it reads from the files. */
  next: number;
  gap: boolean;
  ended: EventSubscription['ended'];
  isLive: boolean;
  /** It ends once it has read everything. */
  isDraining: boolean;
  buffer: HallEvent[];
  wake: () => void;
}

export function subscribeTo(source: EventSource, options: SubscribeOptions): EventSubscription {
  const start = decideStart(source, options.after);
  const subscriber: Subscriber = {
    filter: options.filter ?? (() => true),
    maxBuffered: options.maxBuffered ?? 1024,
    ...start,
    ended: 'open',
    isLive: start.next > source.seq,
    isDraining: source.isClosed,
    buffer: [],
    wake: () => {},
  };
  source.subscribers.add(subscriber);
  const events = deliver(source, subscriber);
  return {
    get gap() {
      return subscriber.gap;
    },
    get ended() {
      return subscriber.ended;
    },
    close: () => endNow(source, subscriber, 'closed'),
    [Symbol.asyncIterator]: () => events,
  };
}

function decideStart(source: EventSource, after: Cursor | undefined): { next: number; gap: boolean } {
  if (after === undefined) return { next: source.seq + 1, gap: false };
  const oldest = source.segments[0]?.firstSeq ?? source.seq + 1;
  // A cursor of another numbering, or of events that were lost with the machine's power: all that is kept is new.
  if (after.epoch !== source.epoch || after.seq > source.seq) return { next: oldest, gap: true };
  return { next: Math.max(after.seq + 1, oldest), gap: after.seq + 1 < oldest };
}

/** Hands over an event that was just published. One with a full buffer is dropped. */
export function offer(source: EventSource, subscriber: Subscriber, event: HallEvent): void {
  if (!subscriber.isLive || !subscriber.filter(event)) return;
  if (subscriber.buffer.length >= subscriber.maxBuffered) {
    endNow(source, subscriber, 'dropped');
    return;
  }
  subscriber.buffer.push(event);
  subscriber.wake();
}

/** Ends it when it has read everything: nothing more is going to be published. */
export function endWhenRead(subscriber: Subscriber): void {
  subscriber.isDraining = true;
  subscriber.wake();
}

function endNow(source: EventSource, subscriber: Subscriber, why: 'closed' | 'dropped'): void {
  if (subscriber.ended !== 'open') return;
  subscriber.ended = why;
  subscriber.buffer = [];
  source.subscribers.delete(subscriber);
  subscriber.wake();
}

async function* deliver(source: EventSource, subscriber: Subscriber): AsyncGenerator<HallEvent, undefined> {
  try {
    while (subscriber.ended === 'open') {
      if (!subscriber.isLive) {
        yield* replay(source, subscriber);
        // No waiting between this look and being live.
        subscriber.isLive = subscriber.next > source.seq;
        continue;
      }
      const event = subscriber.buffer.shift();
      if (event !== undefined) yield event;
      else if (subscriber.isDraining) return;
      else await nextWake(subscriber);
    }
  } finally {
    endNow(source, subscriber, 'closed');
  }
}

async function nextWake(subscriber: Subscriber): Promise<void> {
  const { promise, resolve } = deferred();
  subscriber.wake = resolve;
  await promise;
}

/** Gives what has been published up to now, from the files. */
async function* replay(source: EventSource, subscriber: Subscriber): AsyncGenerator<HallEvent> {
  const { seq: to, unwritten, bytes } = source;
  const kept = { segments: [...source.segments], marks: [...source.marks], unwritten, bytes };
  for await (const events of eventsFrom(source.ctx, kept, subscriber.next, to)) {
    for (const event of events) {
      if (event.seq < subscriber.next) continue;
      if (event.seq > subscriber.next) subscriber.gap = true;
      subscriber.next = event.seq + 1;
      if (subscriber.filter(event)) yield event;
      if (subscriber.ended !== 'open') return;
    }
  }
  if (subscriber.next <= to) subscriber.gap = true;
  subscriber.next = to + 1;
}

async function* eventsFrom(
  ctx: LogContext,
  kept: Pick<EventSource, 'segments' | 'marks' | 'unwritten' | 'bytes'>,
  from: number,
  to: number,
): AsyncGenerator<readonly HallEvent[]> {
  for (const [index, segment] of kept.segments.entries()) {
    const following = kept.segments[index + 1];
    if (segment.firstSeq > to) break;
    if (following !== undefined && following.firstSeq <= from) continue;
    const mark = following === undefined ? kept.marks.findLast(({ seq }) => seq <= from) : undefined;
    const end = following === undefined ? kept.bytes : Infinity;
    yield* readSegment(ctx, segment, { from, to, start: mark?.offset ?? 0, end });
  }
  yield kept.unwritten.filter(({ seq }) => seq >= from && seq <= to);
}

/**
 * The event stream for programs, as Server-Sent Events. Each event's `id` is its cursor, so a reader that comes back
 * with `Last-Event-ID` misses nothing. Nothing is read ahead of what the reader takes: one that stops reading fills
 * its buffer, is dropped, and catches up when it comes back.
 */
import type { ClockContext } from '../../kernel/clock/clock.ts';
import type { EventsContext, EventSubscription } from '../../kernel/events/events.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { parseCursor, printCursor, type HallEvent } from '../../kernel/pure/events.ts';
import type { OpenStream } from './streams.ts';

type StreamContext = ClockContext & EventsContext;

export interface EventRequest {
  /** Cursor of the last event that the reader has; undefined for: from now on. */
  readonly after: string | undefined;
  readonly subject: string | undefined;
  readonly project: string | undefined;
  readonly heartbeatMs: number;
  /** Counts the stream among what is open. @throws HallError `limit` */
  readonly open: () => OpenStream;
}

/** @throws HallError `invalid` for something that is no cursor; `limit` */
export function eventResponse(ctx: StreamContext, request: EventRequest): Response {
  const after = cursorOf(request.after);
  const stream = request.open();
  const { subject, project } = request;
  const subscription = ctx.events.subscribe({
    ...(after === undefined ? {} : { after }),
    filter: (event) =>
      (subject === undefined || event.subject === subject) && (project === undefined || event.project === project),
  });
  stream.signal.addEventListener('abort', () => subscription.close());
  const start = printCursor(after ?? ctx.events.cursor());
  return new Response(bodyOf(ctx, { subscription, stream, start, heartbeatMs: request.heartbeatMs }), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
  });
}

/** One event in the form of the stream. */
export function printServerEvent(event: HallEvent): string {
  return `id: ${printCursor(event)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

interface Reading {
  readonly subscription: EventSubscription;
  readonly stream: OpenStream;
  readonly start: string;
  readonly heartbeatMs: number;
}

function bodyOf(ctx: StreamContext, { subscription, stream, start, heartbeatMs }: Reading): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const events = subscription[Symbol.asyncIterator]();
  let waiting: Promise<IteratorResult<HallEvent>> | undefined;
  let last = start;
  let isGapTold = false;
  const tellGap = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (!subscription.gap || isGapTold) return;
    isGapTold = true;
    controller.enqueue(encoder.encode(`event: stream.gap\ndata: ${JSON.stringify({ after: last })}\n\n`));
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      // The empty event sets the reader's last id before anything has happened, so that a reader who loses its
      // connection early comes back to this place.
      controller.enqueue(encoder.encode(`retry: 1000\nid: ${start}\n\n`));
      tellGap(controller);
    },
    pull: async (controller) => {
      waiting ??= events.next();
      const next = await withinTime(ctx, waiting, heartbeatMs);
      // It may be found only while the files are read: a hole in the middle of what is kept.
      tellGap(controller);
      if (next === 'late') return controller.enqueue(encoder.encode(': still here\n\n'));
      waiting = undefined;
      if (next.done) {
        stream.leave();
        controller.close();
      } else {
        controller.enqueue(encoder.encode(printServerEvent(next.value)));
        last = printCursor(next.value);
      }
      return undefined;
    },
    cancel: () => {
      subscription.close();
      stream.leave();
    },
  });
}

/** The value of `promise`, or `late` when it takes longer than `ms`. The promise goes on. */
async function withinTime<T>(ctx: StreamContext, promise: Promise<T>, ms: number): Promise<T | 'late'> {
  const enough = new AbortController();
  const late = ctx.clock.sleep(ms, enough.signal).then(
    () => 'late' as const,
    // Aborted, because the value came first: nobody looks at this result then.
    () => 'late' as const,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    enough.abort();
  }
}

function cursorOf(text: string | undefined) {
  if (text === undefined || text === '') return undefined;
  const cursor = parseCursor(text);
  if (cursor) return cursor;
  throw fail(
    'invalid',
    `"${text.slice(0, 60)}" is no cursor.`,
    'Use the `id` of an event, or leave it out to begin now.',
  );
}

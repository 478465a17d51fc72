/**
 * The events of one page, in order and without gaps. Nothing is taken from the stream while the page has too much
 * waiting; a subscription that is dropped meanwhile is made anew from the last event that was sent, so that a slow
 * page costs no memory and misses nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventSubscription } from '../../../kernel/events/events.ts';
import { parseCursor, printCursor, type Cursor, type HallEvent } from '../../../kernel/pure/events.ts';
import type { ServerMessage } from '../../../kernel/pure/wire.ts';
import { say, send, type Session, type SocketContext } from './session.ts';

/** After so many events others get their turn, however many there are. */
const eventsATurn = 256;

/**
 * Sends events until the socket closes or the stream ends.
 * @param after the cursor that the page asked for; null for: from now on
 */
export async function followEvents(ctx: SocketContext, session: Session, after: string | null): Promise<void> {
  const { ws } = session;
  let last: Cursor | undefined = after === null ? ctx.events.cursor() : parseCursor(after);
  while (ws.readyState === ws.OPEN) {
    // No waiting between the look at the cursor and the subscription.
    last ??= sayGap(ctx, session);
    const subscription = ctx.events.subscribe({ after: last });
    const leave = (): void => subscription.close();
    ws.once('close', leave);
    last = subscription.gap ? undefined : await sendAll(ctx, session, subscription, last);
    ws.off('close', leave);
    if (last && subscription.ended === 'closed') return;
    subscription.close();
  }
}

/** The page is told to read everything anew. @returns from where events go on */
function sayGap(ctx: SocketContext, session: Session): Cursor {
  const cursor = ctx.events.cursor();
  say(ctx, session, { kind: 'gap', cursor: printCursor(cursor) });
  return cursor;
}

/** @returns the last event that was sent, or where it began; undefined when some after it can no longer be had */
async function sendAll(
  ctx: SocketContext,
  session: Session,
  subscription: EventSubscription,
  start: Cursor,
): Promise<Cursor | undefined> {
  let last = start;
  let sent = 0;
  for await (const event of subscription) {
    if (subscription.gap) return undefined;
    send(ctx, session, bytesOf(event));
    last = { epoch: event.epoch, seq: event.seq };
    sent += 1;
    if (session.room) await session.room.promise;
    else if (sent % eventsATurn === 0) await nextTurn();
  }
  return last;
}

/** Each event is printed once, however many pages follow. */
const printed = new WeakMap<HallEvent, Buffer>();

function bytesOf(event: HallEvent): Buffer {
  const known = printed.get(event);
  if (known) return known;
  const message: ServerMessage = { kind: 'event', event };
  const bytes = Buffer.from(JSON.stringify(message));
  printed.set(event, bytes);
  return bytes;
}

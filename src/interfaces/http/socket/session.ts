/** One open socket of the web client: how things are sent, how much waits to be taken, and when it has to end. */
import type { WebSocket } from 'ws';
import type { BackgroundContext } from '../../../kernel/background/background.ts';
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import type { EventsContext } from '../../../kernel/events/events.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import type { OperationRegistry } from '../../../kernel/operations/operations.ts';
import { deferred, type Deferred } from '../../../kernel/pure/deferred.ts';
import { closeCodes, type CallMessage, type ServerMessage } from '../../../kernel/pure/wire.ts';
import type { Admission } from '../admission.ts';
import type { Limits } from '../limits.ts';
import type { OpenStream } from '../streams.ts';

export type SocketContext = ClockContext & LogContext & EventsContext & BackgroundContext;

export interface SocketSettings {
  /** Between two pings; also how long an answer to one may take. Milliseconds. */
  readonly pingMs: number;
  /** How long a page may take nothing while too much waits for it. Milliseconds. */
  readonly stallMs: number;
  /** Bytes that may wait for a page before events and its own calls are held back. */
  readonly maxWaiting: number;
}

export const defaultSocketSettings: SocketSettings = { pingMs: 20_000, stallMs: 20_000, maxWaiting: 1024 * 1024 };

/** What is known of any socket of a page: whether it lives, reads, and may be here. */
export interface Tended {
  readonly ws: WebSocket;
  readonly settings: SocketSettings;
  /** Who it is, if they would still be let in now. */
  readonly readmit: () => Admission | undefined;
  /** When anything came from the page; this and the next two are monotonic milliseconds. */
  heardMs: number;
  pingedMs: number;
  /** When something that waited was taken. */
  takenMs: number;
  /** Set while more waits than is allowed; resolves when the page has taken it, or is gone. */
  room: Deferred<void> | undefined;
  /** Called when there is room again. */
  readonly goOn: () => void;
}

export interface Session extends Tended {
  readonly registry: OperationRegistry;
  readonly limits: Limits;
  readonly stream: OpenStream;
  isFollowing: boolean;
  callsUnderWay: number;
  /** Calls whose turn has not come, oldest first. While there are any, nothing more is read from the page. */
  readonly queued: CallMessage[];
}

export function say(ctx: SocketContext, session: Session, message: ServerMessage): void {
  send(ctx, session, JSON.stringify(message));
}

/** Sends text, if the socket is still open. When too much waits, nothing more is read from the page. */
export function send(ctx: ClockContext, session: Session, text: string | Buffer): void {
  if (put(ctx, session, text, false)) listen(session);
}

/** Sends something, if the socket is still open. @returns true when from now on there is no room, see `session.room` */
export function put(ctx: ClockContext, session: Tended, data: string | Uint8Array, binary: boolean): boolean {
  const { ws, settings } = session;
  if (ws.readyState !== ws.OPEN) return false;
  ws.send(data, { binary }, () => {
    session.takenMs = ctx.clock.monotonicMs();
    if (ws.bufferedAmount < settings.maxWaiting / 2) makeRoom(session);
  });
  if (ws.bufferedAmount < settings.maxWaiting || session.room) return false;
  session.takenMs = ctx.clock.monotonicMs();
  session.room = deferred();
  return true;
}

/** Goes on after there was no room: with what is to be sent, and with reading from the page. */
export function makeRoom(session: Tended): void {
  if (!session.room) return;
  session.room.resolve();
  session.room = undefined;
  session.goOn();
}

/** Reads from the page, or leaves what it says in the system's buffers, where it fills up on the page's own side. */
export function listen(session: Session): void {
  const { ws } = session;
  if (session.room || session.queued.length > 0) return ws.pause();
  if (!ws.isPaused) return undefined;
  // An answer to an earlier ping was not read meanwhile, so its absence says nothing.
  session.pingedMs = session.heardMs;
  return ws.resume();
}

/** Looks after a socket, now and then: one that is dead, does not read, or may no longer be here is closed. */
export function tend(ctx: ClockContext, session: Tended): void {
  const { ws, settings } = session;
  const now = ctx.clock.monotonicMs();
  if (!admissionOf(session)) return;
  if (session.room) {
    if (now - session.takenMs >= settings.stallMs) ws.close(closeCodes.tooSlow, 'The page takes nothing.');
  } else if (ws.isPaused) {
    // It waits for its own calls, and its answers to pings are not read.
  } else if (session.pingedMs > session.heardMs) {
    if (now - session.pingedMs >= settings.pingMs) ws.terminate();
  } else if (now - session.pingedMs >= settings.pingMs) {
    session.pingedMs = now;
    ws.ping();
  }
}

/** Who it is; undefined, and the socket is closed, when the sign-in has ended. */
export function admissionOf({ ws, readmit }: Pick<Tended, 'ws' | 'readmit'>): Admission | undefined {
  const admission = readmit();
  if (!admission) ws.close(closeCodes.signedOut, 'The sign-in has ended.');
  return admission;
}

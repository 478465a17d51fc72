/** What every kind of socket of the pages has in common: how it is let in, looked after, and closed with the hall. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { BackgroundContext } from '../../../kernel/background/background.ts';
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import { closeCodes } from '../../../kernel/pure/wire.ts';
import { securityHeaders } from '../app.ts';
import type { OpenStream, StreamKind, Streams } from '../streams.ts';
import type { TicketGrant } from '../tickets.ts';
import { makeRoom, tend, type SocketSettings, type Tended } from './session.ts';
import { refuseUpgrade, requireTicket, type UpgradeGuards, type UpgradeTerms } from './upgrade.ts';

export type KeeperContext = ClockContext & LogContext & BackgroundContext;

export interface SocketDoor {
  /** Makes a socket of a request, or refuses it. Never throws. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes all sockets with 1001 and resolves when they are gone; no new one is let in. Safe to call twice. */
  close(): Promise<void>;
}

export interface DoorGuards extends UpgradeGuards {
  readonly streams: Streams;
}

export type Purpose = Exclude<StreamKind, 'events'>;

/** Somebody who was let in. */
export interface Arrival<For extends Purpose> {
  readonly ws: WebSocket;
  readonly grant: TicketGrant;
  readonly purpose: ReturnType<typeof requireTicket<For>>['purpose'];
  readonly stream: OpenStream;
}

export interface DoorTerms<For extends Purpose, Session extends Tended> extends UpgradeTerms<For> {
  /** Of one message; a longer one closes the socket with 1009. */
  readonly messageBytes: number;
  readonly settings: SocketSettings;
  readonly begin: (arrival: Arrival<For>) => Session;
}

/** How long a page may take to answer a close. Milliseconds. */
const closeTimeout = 2000;
const goingAway = 1001;

interface OpenDoor<For extends Purpose, Session extends Tended> {
  readonly guards: DoorGuards;
  readonly terms: DoorTerms<For, Session>;
  readonly server: WebSocketServer;
  readonly sessions: Set<Session>;
  readonly closing: AbortController;
}

export function openDoor<For extends Purpose, Session extends Tended>(
  ctx: KeeperContext,
  guards: DoorGuards,
  terms: DoorTerms<For, Session>,
): SocketDoor {
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: terms.messageBytes,
    handleProtocols: () => terms.protocol,
    closeTimeout,
  };
  const door: OpenDoor<For, Session> = {
    guards,
    terms,
    server: new WebSocketServer(options),
    sessions: new Set(),
    closing: new AbortController(),
  };
  ctx.spawn('looking after the sockets', async (stopping) => await tendAll(ctx, door, stopping));
  return {
    upgrade: (request, socket, head) => upgrade(ctx, door, request, socket, head),
    close: () => closeDoor(door),
  };
}

async function tendAll<For extends Purpose>(
  ctx: KeeperContext,
  { closing, terms, sessions }: OpenDoor<For, Tended>,
  stopping: AbortSignal,
): Promise<void> {
  const over = AbortSignal.any([stopping, closing.signal]);
  while (!over.aborted) {
    await ctx.clock.sleep(terms.settings.pingMs / 4, over).catch((error: unknown) => {
      if (!over.aborted) throw error;
    });
    for (const session of sessions) tend(ctx, session);
  }
}

function upgrade<For extends Purpose, Session extends Tended>(
  ctx: KeeperContext,
  door: OpenDoor<For, Session>,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { guards, terms } = door;
  try {
    if (door.closing.signal.aborted) throw fail('unavailable', 'The hall is stopping.', 'guild-hall up --detach');
    const { grant, purpose, admission } = requireTicket(guards, terms, request);
    const stream = guards.streams.open(admission, terms.for);
    // However it ends, also when the upgrade itself fails.
    socket.once('close', stream.leave);
    door.server.handleUpgrade(request, socket, head, (ws) => keep(ctx, door, { ws, grant, purpose, stream }));
  } catch (error) {
    const facts = errorFactsOf(error);
    if (facts.code === 'internal') ctx.log.error({ err: error }, 'an upgrade failed');
    refuseUpgrade(socket, facts, securityHeaders);
  }
}

function keep<For extends Purpose, Session extends Tended>(
  ctx: KeeperContext,
  { sessions, terms }: OpenDoor<For, Session>,
  arrival: Arrival<For>,
): void {
  const { ws, stream } = arrival;
  const session = terms.begin(arrival);
  sessions.add(session);
  ws.on('pong', () => void (session.heardMs = ctx.clock.monotonicMs()));
  // What was wrong is in the close code, which the socket sends by itself: too large, no UTF-8, a broken frame.
  ws.on('error', (error) => ctx.log.info({ err: error }, 'a socket of a page was closed for what it sent'));
  ws.on('close', () => {
    sessions.delete(session);
    makeRoom(session);
  });
  stream.signal.addEventListener('abort', () => ws.close(closeCodes.signedOut, 'This browser was signed out.'));
}

async function closeDoor<For extends Purpose>({ closing, sessions }: OpenDoor<For, Tended>): Promise<void> {
  closing.abort();
  await Promise.all(
    [...sessions].map(async ({ ws }) => {
      const gone = deferred();
      ws.once('close', () => gone.resolve());
      ws.close(goingAway, 'The hall stops.');
      await gone.promise;
    }),
  );
}

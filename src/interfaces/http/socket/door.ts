/** The WebSocket door: one socket a page, over which it calls operations and follows events. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { OperationRegistry } from '../../../kernel/operations/operations.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import { closeCodes, socketLimits, socketProtocol } from '../../../kernel/pure/wire.ts';
import { securityHeaders } from '../app.ts';
import type { OpenStream, Streams } from '../streams.ts';
import type { TicketGrant } from '../tickets.ts';
import { receive, startCalls } from './messages.ts';
import {
  defaultSocketSettings,
  makeRoom,
  say,
  tend,
  type Session,
  type SocketContext,
  type SocketSettings,
} from './session.ts';
import { refuseUpgrade, requireTicket, type UpgradeGuards } from './upgrade.ts';

export interface SocketFace extends UpgradeGuards {
  readonly registry: OperationRegistry;
  readonly streams: Streams;
  /** Of the hall. */
  readonly version: string;
  /** When the hall was started; ISO 8601, UTC. */
  readonly startedAt: string;
}

export interface SocketDoor {
  /** Makes a socket of a request, or refuses it. Never throws. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes all sockets with 1001 and resolves when they are gone; no new one is let in. Safe to call twice. */
  close(): Promise<void>;
}

/** How long a page may take to answer a close. Milliseconds. */
const closeTimeout = 2000;
const goingAway = 1001;

interface OpenDoor {
  readonly face: SocketFace;
  readonly settings: SocketSettings;
  readonly server: WebSocketServer;
  readonly sessions: Set<Session>;
  readonly closing: AbortController;
}

export function openSocketDoor(
  ctx: SocketContext,
  face: SocketFace,
  settings: Partial<SocketSettings> = {},
): SocketDoor {
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: socketLimits.messageBytes,
    handleProtocols: () => socketProtocol,
    closeTimeout,
  };
  const door: OpenDoor = {
    face,
    settings: { ...defaultSocketSettings, ...settings },
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

async function tendAll(ctx: SocketContext, door: OpenDoor, stopping: AbortSignal): Promise<void> {
  const over = AbortSignal.any([stopping, door.closing.signal]);
  while (!over.aborted) {
    await ctx.clock.sleep(door.settings.pingMs / 4, over).catch((error: unknown) => {
      if (!over.aborted) throw error;
    });
    for (const session of door.sessions) tend(ctx, session);
  }
}

function upgrade(ctx: SocketContext, door: OpenDoor, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  try {
    if (door.closing.signal.aborted) throw fail('unavailable', 'The hall is stopping.', 'guild-hall up --detach');
    const { grant, admission } = requireTicket(door.face, request);
    const stream = door.face.streams.open(admission, 'socket');
    // However it ends, also when the upgrade itself fails.
    socket.once('close', stream.leave);
    door.server.handleUpgrade(request, socket, head, (ws) => openSession(ctx, door, ws, grant, stream));
  } catch (error) {
    const facts = errorFactsOf(error);
    if (facts.code === 'internal') ctx.log.error({ err: error }, 'an upgrade failed');
    refuseUpgrade(socket, facts, securityHeaders);
  }
}

function openSession(ctx: SocketContext, door: OpenDoor, ws: WebSocket, grant: TicketGrant, stream: OpenStream): void {
  const { registry, limits, version, startedAt } = door.face;
  const now = ctx.clock.monotonicMs();
  const session: Session = {
    ws,
    registry,
    limits,
    settings: door.settings,
    stream,
    readmit: grant.readmit,
    isFollowing: false,
    callsUnderWay: 0,
    queued: [],
    heardMs: now,
    pingedMs: now,
    takenMs: now,
    room: undefined,
    goOn: () => startCalls(ctx, session),
  };
  door.sessions.add(session);
  ws.on('message', (data, isBinary) => receive(ctx, session, data, isBinary));
  ws.on('pong', () => void (session.heardMs = ctx.clock.monotonicMs()));
  // What was wrong is in the close code, which the socket sends by itself: too large, no UTF-8, a broken frame.
  ws.on('error', (error) => ctx.log.info({ err: error }, 'a socket of a page was closed for what it sent'));
  ws.on('close', () => {
    door.sessions.delete(session);
    makeRoom(session);
  });
  stream.signal.addEventListener('abort', () => ws.close(closeCodes.signedOut, 'This browser was signed out.'));
  say(ctx, session, { kind: 'hello', version, startedAt, cursor: printCursor(ctx.events.cursor()) });
}

async function closeDoor(door: OpenDoor): Promise<void> {
  door.closing.abort();
  await Promise.all(
    [...door.sessions].map(async ({ ws }) => {
      const gone = deferred();
      ws.once('close', () => gone.resolve());
      ws.close(goingAway, 'The hall stops.');
      await gone.promise;
    }),
  );
}

/** The WebSocket door: one socket a page, over which it calls operations and follows events. */
import type { OperationRegistry } from '../../../kernel/operations/operations.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import { socketLimits, socketProtocol } from '../../../kernel/pure/wire.ts';
import { openDoor, type Arrival, type DoorGuards, type SocketDoor } from './keeper.ts';
import { receive, startCalls } from './messages.ts';
import { defaultSocketSettings, say, type Session, type SocketContext, type SocketSettings } from './session.ts';
import { socketPath } from './upgrade.ts';

export interface SocketFace extends DoorGuards {
  readonly registry: OperationRegistry;
  /** Of the hall. */
  readonly version: string;
  /** When the hall was started; ISO 8601, UTC. */
  readonly startedAt: string;
}

export function openSocketDoor(ctx: SocketContext, face: SocketFace, given: Partial<SocketSettings> = {}): SocketDoor {
  const settings = { ...defaultSocketSettings, ...given };
  return openDoor(ctx, face, {
    path: socketPath,
    protocol: socketProtocol,
    for: 'socket',
    messageBytes: socketLimits.messageBytes,
    settings,
    begin: (arrival) => begin(ctx, face, settings, arrival),
  });
}

function begin(
  ctx: SocketContext,
  { registry, limits, version, startedAt }: SocketFace,
  settings: SocketSettings,
  { ws, grant, stream }: Arrival<'socket'>,
): Session {
  const now = ctx.clock.monotonicMs();
  const session: Session = {
    ws,
    registry,
    limits,
    settings,
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
  ws.on('message', (data, isBinary) => receive(ctx, session, data, isBinary));
  say(ctx, session, { kind: 'hello', version, startedAt, cursor: printCursor(ctx.events.cursor()) });
  return session;
}

/**
 * The sessions of MCP clients. One belongs to the token that opened it, and ends with it, by the client's word, when
 * nothing was asked for long, or with the hall. Nothing of it is kept anywhere.
 */
import { HallError, type ErrorFacts } from '../../kernel/pure/errors.ts';
import { type Connection, openConnection } from './connection.ts';
import { heldResponse } from './held.ts';
import { parseMessage, refusalResponse } from './messages.ts';
import {
  defaultMcpSettings,
  type McpContext,
  type McpDoor,
  type McpParts,
  type McpRequest,
  type McpSettings,
} from './parts.ts';
import { toolsOf, type HallTool } from './tools.ts';

export type Sessions = McpDoor;

interface Session {
  readonly id: string;
  readonly key: string;
  readonly isAgent: boolean;
  readonly isStillAdmitted: () => boolean;
  readonly connection: Connection;
  /** Ids of requests that are not answered yet. */
  readonly inFlight: Set<string | number>;
  /** When something was asked or answered last; monotonic milliseconds. */
  usedMs: number;
}

interface Door {
  readonly parts: McpParts;
  readonly settings: McpSettings;
  readonly tools: ReadonlyMap<string, HallTool>;
  readonly sessions: Map<string, Session>;
}

export function openSessions(ctx: McpContext, parts: McpParts): Sessions {
  const settings = { ...defaultMcpSettings, ...parts.settings };
  const door: Door = { parts, settings, tools: toolsOf(parts.registry), sessions: new Map() };
  ctx.spawn('looking after MCP sessions', async (stopping) => {
    for (;;) {
      await ctx.clock.sleep(settings.sweepMs, stopping);
      await endWhere(door, (session) => isOver(ctx, door, session));
    }
  });
  return {
    answer: async (request) => await answer(ctx, door, request),
    endUnadmitted: () => ctx.spawn('ending MCP sessions', async () => await endWhere(door, isUnadmitted)),
    close: async () => await endWhere(door, () => true),
  };
}

async function answer(ctx: McpContext, door: Door, given: McpRequest): Promise<Response> {
  const { request, body } = given;
  if (request.method === 'DELETE') return await endByClient(door, given);
  if (request.method !== 'POST') return notAllowed();
  const message = parseMessage(request, body);
  if ('refusal' in message) return message.refusal;
  const session = message.isInitialize ? await beginSession(ctx, door, given) : findSession(door, given);
  if ('code' in session) return refusalResponse(statusOf(given), session, message.id);
  const { id } = message;
  session.usedMs = ctx.clock.monotonicMs();
  if (id === undefined) return await session.connection.take(request, body);
  const refusal = refusalOfRequest(door, session, id);
  if (refusal) return refusalResponse(refusal.code === 'limit' ? 429 : 400, refusal, id);
  const stream = given.open();
  session.inFlight.add(id);
  const ended = (): void => {
    session.inFlight.delete(id);
    session.usedMs = ctx.clock.monotonicMs();
  };
  try {
    return heldResponse(await session.connection.take(request, body), stream, ended);
  } catch (error) {
    stream.leave();
    ended();
    throw error;
  }
}

/** An id that is still to be answered would get the answer of another one. */
function refusalOfRequest({ settings }: Door, session: Session, id: string | number): ErrorFacts | undefined {
  if (session.inFlight.has(id)) {
    return {
      code: 'invalid',
      message: `A request with the id ${JSON.stringify(id).slice(0, 60)} runs already.`,
      hint: 'Give each an id of its own.',
    };
  }
  if (session.inFlight.size < settings.callsOfSession) return undefined;
  return {
    code: 'limit',
    message: `There are ${settings.callsOfSession} calls under way in this session already.`,
    hint: 'Wait until one of them is answered.',
  };
}

/** @throws HallError `limit` when there is no room that could be made */
async function beginSession(ctx: McpContext, door: Door, given: McpRequest): Promise<Session> {
  const { caller, key, isStillAdmitted, request } = given;
  const isAgent = caller.kind === 'agent';
  await makeRoom(door, key, isAgent);
  const id = ctx.ids.secret();
  const project = new URL(request.url).searchParams.get('project') ?? undefined;
  const connection = await openConnection(ctx, door, { id, caller, project });
  const session: Session = {
    id,
    key,
    isAgent,
    isStillAdmitted,
    connection,
    inFlight: new Set(),
    usedMs: ctx.clock.monotonicMs(),
  };
  door.sessions.set(id, session);
  return session;
}

/** Of the caller's own sessions the one that was idle longest goes; never another's. */
async function makeRoom(door: Door, key: string, isAgent: boolean): Promise<void> {
  const { settings } = door;
  const all = [...door.sessions.values()];
  const own = all.filter((session) => session.key === key);
  const isFull = isAgent && all.filter((session) => session.isAgent).length >= settings.sessionsOfAgents;
  if (own.length < settings.sessionsOfCaller && !isFull) return;
  const idle = own.filter(({ inFlight }) => inFlight.size === 0).toSorted((a, b) => a.usedMs - b.usedMs);
  const [oldest] = idle;
  if (!oldest) {
    throw new HallError({
      code: 'limit',
      message: `There are as many MCP sessions open as the hall takes: ${settings.sessionsOfCaller} of one caller, ${settings.sessionsOfAgents} of all agents.`,
      hint: 'End some of the programs that use it, or wait: a session without calls ends by itself.',
    });
  }
  await endWhere(door, (session) => session === oldest);
}

function findSession(door: Door, { request, key }: McpRequest): Session | ErrorFacts {
  const id = request.headers.get('mcp-session-id');
  const session = id === null ? undefined : door.sessions.get(id);
  // Another's session is as unknown as one that has ended.
  if (session && session.key === key) return session;
  return id === null
    ? {
        code: 'invalid',
        message: 'The request names no session.',
        hint: 'Begin with `initialize`, and send the `Mcp-Session-Id` of its answer.',
      }
    : {
        code: 'not_found',
        message: 'There is no such session, or it has ended.',
        hint: 'Begin a new one with `initialize`.',
      };
}

/** Of the protocol: 404 tells a client to begin anew. */
function statusOf({ request }: McpRequest): number {
  return request.headers.get('mcp-session-id') === null ? 400 : 404;
}

async function endByClient(door: Door, given: McpRequest): Promise<Response> {
  const session = findSession(door, given);
  if ('code' in session) return refusalResponse(statusOf(given), session);
  await endWhere(door, (each) => each === session);
  return new Response(null, { status: 204 });
}

function notAllowed(): Response {
  const facts: ErrorFacts = {
    code: 'invalid',
    message: 'The hall says nothing on its own here: it answers what is asked.',
    hint: 'Use POST.',
  };
  return refusalResponse(405, facts, undefined, { allow: 'POST, DELETE' });
}

function isUnadmitted({ isStillAdmitted }: Session): boolean {
  return !isStillAdmitted();
}

function isOver(ctx: McpContext, { settings }: Door, session: Session): boolean {
  const isIdle = session.inFlight.size === 0 && ctx.clock.monotonicMs() - session.usedMs >= settings.idleMs;
  return isIdle || isUnadmitted(session);
}

async function endWhere({ sessions }: Door, isMeant: (session: Session) => boolean): Promise<void> {
  const ending = [...sessions.values()].filter(isMeant);
  for (const { id } of ending) sessions.delete(id);
  await Promise.all(ending.map(async ({ connection }) => await connection.close()));
}

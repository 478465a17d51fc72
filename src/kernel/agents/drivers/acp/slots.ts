/** Processes by place: sessions of one project that work under the same rules share one. */
import * as acp from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';
import { type AcpContext, type AgentListener, type AgentOutcome, endAgent, startAgent } from './agent.ts';
import { applyUpdate } from './attach.ts';
import { findCaller } from './callers.ts';
import { type Door, openDoor } from './door.ts';
import { readForAgent, writeForAgent } from './files.ts';
import { nameOfCall, openForQuestion } from './map.ts';
import { answerPermission } from './permission.ts';
import { makePlace } from './places.ts';
import { permissionShape } from './shapes.ts';
import type { LiveSession, SessionState, Slot, Turn } from './state.ts';
import { give } from './turn.ts';
import { whenRead } from '../channel.ts';
import { acquireStart } from '../claude/starts.ts';
import { errorFactsOf, HallError } from '../../../pure/errors.ts';

const defaultHandshakeMs = 60_000;
/** Questions of one session at once. */
const maxQuestions = 100;
/** Files that are read and whose words the agent has not taken yet. */
const maxReads = 8;

/** What the sessions of one process have in common. */
function keyOf({ open }: SessionState): string {
  const { activity, cwd, access, network, model, plugins } = open;
  return JSON.stringify([
    activity.project,
    cwd,
    access,
    network ?? null,
    model.model,
    plugins ?? [],
    open.ask !== undefined,
  ]);
}

/** The process for the session: the one that runs, or a new one. */
export async function obtainSlot(
  ctx: AcpContext,
  session: SessionState,
): Promise<{ slot: Slot; outcome: AgentOutcome }> {
  const { driver } = session;
  driver.door ??= openDoor(ctx);
  const door = await driver.door;
  const key = keyOf(session);
  let slot = driver.slots.get(key);
  if (slot?.process !== undefined && isStale(slot)) {
    driver.slots.delete(key);
    const { process, users } = slot;
    for (const user of users) user.slot = undefined;
    ctx.spawn('end an agent that is replaced', async () => endAgent(ctx, process!));
    slot = undefined;
  }
  slot ??= newSlot(ctx, session, door, key);
  slot.users.add(session);
  session.slot = slot;
  const outcome = await slot.starting;
  if ('failure' in outcome && driver.slots.get(key) === slot) driver.slots.delete(key);
  return { slot, outcome };
}

/** Dead, or started under other settings of the sandbox; the latter only between turns. */
function isStale({ process, users }: Slot): boolean {
  if (process === undefined) return false;
  if (process.hasExited || process.fault !== undefined || process.connection.signal.aborted) return true;
  const isIdle = [...users].every(({ turn }) => turn?.process === undefined || turn.map.isOver);
  return isIdle && !process.enclosure.isCurrent();
}

function newSlot(ctx: AcpContext, session: SessionState, door: Door, key: string): Slot {
  const { driver } = session;
  const token = door.admit({ kind: 'model', callerOf: (request) => findCaller(ctx, slot, request) });
  const slot: Slot = {
    key,
    users: new Set(),
    live: new Map(),
    early: [],
    earlyBytes: 0,
    reads: new Set(),
    attaching: new Map(),
    process: undefined,
    dismiss: () => door.dismiss(token),
    starting: Promise.resolve().then(async () => {
      const outcome = await startIn(ctx, session, { slot, token, doorUrl: door.baseUrl });
      if ('process' in outcome) slot.process = outcome.process;
      else slot.dismiss();
      return outcome;
    }),
  };
  driver.slots.set(key, slot);
  return slot;
}

interface StartFacts {
  readonly slot: Slot;
  readonly token: string;
  readonly doorUrl: string;
}

async function startIn(
  ctx: AcpContext,
  { driver, open }: SessionState,
  { slot, token, doorUrl }: StartFacts,
): Promise<AgentOutcome> {
  const settings = driver.settings();
  const { entry, folder, recordsDir, sandbox } = driver;
  const release = await acquireStart(driver.starts, 'turn', settings.maxColdStarts, new AbortController().signal);
  try {
    const model = { baseUrl: doorUrl, token, model: open.model.model };
    const place = await makePlace({
      entry,
      settings: settings.agent,
      maxRetries: settings.maxRetries,
      folder,
      open,
      model,
    });
    const label = `${open.activity.project}/${entry.name}`;
    const handshakeMs = driver.handshakeMs ?? defaultHandshakeMs;
    const outcome = await startAgent(
      ctx,
      { entry, open, place, doorUrl, recordsDir, sandbox, handshakeMs, label },
      listenerOf(ctx, slot),
    );
    if ('process' in outcome)
      ctx.spawn('see an agent end', async () => void (await outcome.process.gone.finally(slot.dismiss)));
    return outcome;
  } catch (error) {
    if (!(error instanceof HallError)) ctx.log.error({ err: error }, 'an agent could not be made ready');
    return { failure: { errorClass: 'crashed', ...errorFactsOf(error), retryAfterMs: null } };
  } finally {
    release();
  }
}

/** Lets the session go; the process ends with its last one. */
export async function leaveSlot(ctx: AcpContext, session: SessionState): Promise<void> {
  const { slot, driver } = session;
  if (slot === undefined) return;
  await slot.starting;
  const { process } = slot;
  const own = [...slot.live.values()].filter(({ owner }) => owner === session);
  slot.users.delete(session);
  session.slot = undefined;
  if (slot.users.size === 0) {
    if (driver.slots.get(slot.key) === slot) driver.slots.delete(slot.key);
    if (process !== undefined) await endAgent(ctx, process);
    return;
  }
  for (const live of own) {
    slot.live.delete(live.id);
    if (process !== undefined && !process.hasExited && process.facts.canClose)
      await closeInAgent(ctx, process.connection, live);
  }
}

const closeGraceMs = 2_000;

async function closeInAgent(ctx: AcpContext, connection: acp.ClientConnection, live: LiveSession): Promise<void> {
  const closing = connection.agent
    .request(acp.methods.agent.session.close, { sessionId: live.id })
    .catch((error: unknown) => {
      ctx.log.debug({ err: error }, 'an agent did not close its session');
    });
  await Promise.race([closing, ctx.clock.sleep(closeGraceMs)]);
}

function listenerOf(ctx: AcpContext, slot: Slot): AgentListener {
  return {
    onUpdate: (params, bytes) => applyUpdate(ctx, slot, params, bytes),
    onPermission: async (params, signal) => onPermission(slot, params, signal),
    onRead: async (params, id) => {
      if (slot.reads.size >= maxReads) throw RequestError.internalError(undefined, 'It reads too many files at once.');
      slot.reads.add(id);
      return await readForAgent(ownerOf(slot, params.sessionId).open, params);
    },
    onAnswered: (id) => void slot.reads.delete(id),
    onWrite: async (params) => writeForAgent(ownerOf(slot, params.sessionId).open, params),
  };
}

function ownerOf(slot: Slot, sessionId: string): SessionState {
  const live = slot.live.get(sessionId);
  if (live === undefined) throw RequestError.resourceNotFound(sessionId);
  return live.owner;
}

async function onPermission(slot: Slot, params: unknown, signal: AbortSignal): Promise<acp.RequestPermissionResponse> {
  const read = permissionShape.safeParse(params);
  if (!read.success) throw RequestError.invalidParams({ details: "The question is not of the protocol's form." });
  const wire = read.data;
  const live = slot.live.get(wire.sessionId);
  const turn = live?.owner.turn;
  if (
    live === undefined ||
    turn === undefined ||
    turn.live !== live ||
    turn.map.isOver ||
    turn.questions >= maxQuestions
  ) {
    return { outcome: { outcome: 'cancelled' } };
  }
  return await askIn(turn, slot, wire, signal);
}

async function askIn(
  turn: Turn,
  slot: Slot,
  wire: Parameters<typeof answerPermission>[0],
  signal: AbortSignal,
): Promise<acp.RequestPermissionResponse> {
  give(turn, openForQuestion(turn.map, wire.toolCall));
  const name = nameOfCall(turn.map, wire.toolCall);
  const nobodyWaits = AbortSignal.any([turn.givenUp.signal, signal]);
  turn.questions += 1;
  try {
    // The reader is to know of the call before the person is asked.
    await Promise.race([whenRead(turn.events), aborted(nobodyWaits)]);
    return await answerPermission(wire, {
      open: turn.open,
      sandbox: slot.process?.enclosure.kind ?? 'none',
      name,
      isHallTool: turn.map.tools.has(name),
      signal: nobodyWaits,
      tell: (event) => give(turn, [event]),
    });
  } finally {
    turn.questions -= 1;
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

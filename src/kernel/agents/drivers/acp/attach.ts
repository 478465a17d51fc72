/** Makes sessions of the agent in its process, and takes up those that it has. */
import * as acp from '@agentclientprotocol/sdk';
import type { AgentCommand } from '../../contract.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';
import { type AcpContext, type AgentProcess, answerInTime, breakOff, failureAtEnd, seconds } from './agent.ts';
import { choicesOf, commandsOf, setMode } from './choices.ts';
import { toolPath } from './door.ts';
import { expired, failureOfLoad, failureOfRequest, failureOfTwice } from './failures.ts';
import { mapUpdate } from './map.ts';
import { hallServerName } from './names.ts';
import { newSessionShape, sessionStateShape, type UpdateWire, updateShape } from './shapes.ts';
import type { Attached, LiveSession, SessionState, Slot, Turn } from './state.ts';
import { give, heard } from './turn.ts';
import { callerOf } from './callers.ts';

/** Of what is told of sessions that are not known yet. */
const maxEarlyBytes = 1024 * 1024;

/** The session of that id in the process, taken up where it is not there yet; without an id a new one. */
export async function attach(
  ctx: AcpContext,
  session: SessionState,
  slot: Slot,
  process: AgentProcess,
  resume: AgentSessionId | undefined,
): Promise<Attached> {
  if (resume === undefined) return await beginSession(ctx, session, slot, process);
  const under = slot.attaching.get(resume);
  if (under !== undefined) await under;
  const known = slot.live.get(resume);
  if (known?.owner === session) return { live: known };
  const attaching = takeUp(ctx, session, slot, process, resume);
  slot.attaching.set(resume, attaching);
  try {
    return await attaching;
  } finally {
    slot.attaching.delete(resume);
  }
}

async function beginSession(
  ctx: AcpContext,
  session: SessionState,
  slot: Slot,
  process: AgentProcess,
): Promise<Attached> {
  try {
    const params = await paramsOf(ctx, session, process);
    const answer = await orBrokenOff(
      ctx,
      process,
      process.connection.agent.request(acp.methods.agent.session.new, params),
    );
    const read = newSessionShape.safeParse(answer);
    if (!read.success)
      return { failure: failureOfRequest(session.driver.entry, meterOf(session), new Error('It gave no session.')) };
    const id = read.data.sessionId as AgentSessionId;
    if (slot.live.has(id)) return { failure: failureOfTwice(session.driver.entry) };
    const live = addLive(session, slot, id, false);
    takeState(live, read.data);
    const { early } = slot;
    slot.early = [];
    slot.earlyBytes = 0;
    for (const { sessionId, params } of early) if (sessionId === id) applyUpdate(ctx, slot, params, 0);
    return { live };
  } catch (error) {
    if (!(error instanceof acp.RequestError)) return { failure: await failureAtEnd(ctx, process) };
    return { failure: failureOfRequest(session.driver.entry, meterOf(session), error) };
  }
}

function meterOf({ open }: SessionState) {
  return { model: open.model.model, limits: open.limits };
}

async function takeUp(
  ctx: AcpContext,
  session: SessionState,
  slot: Slot,
  process: AgentProcess,
  resume: AgentSessionId,
): Promise<Attached> {
  const { canResume, canLoad } = process.facts;
  if (!canResume && !canLoad) return { failure: expired() };
  const params = { ...(await paramsOf(ctx, session, process)), sessionId: resume };
  const live = addLive(session, slot, resume, true);
  live.hasBegun = true;
  const { session: methods } = acp.methods.agent;
  try {
    const { agent } = process.connection;
    const asked: Promise<unknown> = canResume
      ? agent.request(methods.resume, params)
      : agent.request(methods.load, params);
    const answer = await orBrokenOff(ctx, process, asked);
    takeState(live, sessionStateShape.safeParse(answer ?? {}).data ?? {});
    return { live };
  } catch (error) {
    slot.live.delete(resume);
    if (!(error instanceof acp.RequestError)) return { failure: await failureAtEnd(ctx, process) };
    ctx.log.info(
      { agent: session.driver.entry.name, code: error.code, said: error.message.slice(0, 200) },
      'an agent could not take a session up',
    );
    return { failure: failureOfLoad(session.driver.entry, error) };
  }
}

/** An agent that owes an answer for too long is ended: whoever waits for the session, or would close it, would wait for ever. */
export async function orBrokenOff<Answer>(
  ctx: AcpContext,
  process: AgentProcess,
  asked: Promise<Answer>,
): Promise<Answer> {
  const answer = await answerInTime(ctx, process.answerMs, asked);
  if (answer !== 'late') return answer as Answer;
  breakOff(ctx, process, `it did not answer a request of the hall within ${seconds(process.answerMs)}`);
  // It fails with the end of the process.
  return await asked;
}

function addLive(session: SessionState, slot: Slot, id: AgentSessionId, hasBegun: boolean): LiveSession {
  const live: LiveSession = {
    id,
    slot,
    owner: session,
    offer: { modes: undefined, config: [] },
    commands: [],
    title: '',
    hasBegun,
    contextUsed: null,
    contextWindow: null,
    costUsd: null,
  };
  slot.live.set(id, live);
  return live;
}

function takeState(live: LiveSession, state: ReturnType<typeof sessionStateShape.parse>): void {
  if (state.modes !== undefined && state.modes !== null) live.offer.modes = state.modes;
  if (state.configOptions !== undefined && state.configOptions !== null) live.offer.config = state.configOptions;
}

async function paramsOf(ctx: AcpContext, session: SessionState, process: AgentProcess): Promise<acp.NewSessionRequest> {
  const { open, driver } = session;
  const door = await driver.door!;
  const { metaOf } = driver.entry;
  session.callToken ??= door.admit({ kind: 'model', callerOf: ({ body }) => callerOf(ctx, session, body) });
  const servers = [...(open.mcpServers ?? [])];
  if (open.tools.length > 0) {
    session.toolToken ??= door.admit({ kind: 'tools', tools: open.tools, aside: open.aside });
    const headers = [{ name: 'Authorization', value: `Bearer ${session.toolToken}` }];
    servers.unshift({ name: hallServerName, url: `${door.baseUrl}${toolPath}`, headers });
  }
  if (servers.length > 0 && !process.facts.takesHttpServers) {
    ctx.log.warn(
      { agent: driver.entry.name, servers: servers.map(({ name }) => name) },
      'an agent takes no MCP servers over HTTP; it works without',
    );
    servers.length = 0;
  }
  return {
    cwd: open.cwd,
    mcpServers: servers.map(({ name, url, headers }) => ({ type: 'http', name, url, headers: [...headers] })),
    ...(metaOf === undefined ? {} : { _meta: metaOf(open, session.callToken) }),
  };
}

/** What an agent tells of one of its sessions. */
export function applyUpdate(ctx: AcpContext, slot: Slot, params: unknown, bytes: number): void {
  const read = updateShape.safeParse(params);
  if (!read.success) {
    ctx.log.debug({ kind: kindOf(params) }, 'an update of an agent was not understood');
    return;
  }
  const { sessionId, update } = read.data;
  const live = slot.live.get(sessionId);
  if (live === undefined) {
    slot.earlyBytes += bytes;
    if (slot.earlyBytes <= maxEarlyBytes) slot.early.push({ sessionId, params });
    return;
  }
  const { turn } = live.owner;
  const running = turn?.live === live && !turn.map.isOver ? turn : undefined;
  if (running !== undefined && !heard(ctx, running, bytes)) return;
  applyToSession(live, update, running);
  // While it is taken up no turn runs in it: what was said is told again then, and is no news.
  if (running !== undefined) give(running, mapUpdate(running.map, update));
}

function kindOf(params: unknown): string {
  const kind = (params as { update?: { sessionUpdate?: unknown } } | null | undefined)?.update?.sessionUpdate;
  return typeof kind === 'string' ? kind.slice(0, 60) : 'none';
}

function applyToSession(live: LiveSession, update: UpdateWire, turn: Turn | undefined): void {
  switch (update.sessionUpdate) {
    case 'available_commands_update':
      live.commands = commandsOf(update);
      if (turn !== undefined) tellCommands(live, turn);
      return;
    case 'current_mode_update':
      if (!setMode(live.offer, update.currentModeId) || turn === undefined) return;
      give(turn, [{ type: 'mode', mode: update.currentModeId }]);
      tellChoices(live, turn);
      return;
    case 'config_option_update':
      live.offer.config = update.configOptions;
      if (turn !== undefined) tellChoices(live, turn);
      return;
    case 'session_info_update':
      // Made of the hall's own note to the agent, it is no title.
      if (update.title?.startsWith('<system-reminder') !== true) live.title = update.title ?? live.title;
      if (turn !== undefined) tellTitle(live, turn);
      return;
    case 'usage_update':
      live.contextUsed = update.used;
      live.contextWindow = update.size > 0 ? update.size : live.contextWindow;
      if (update.cost?.currency === 'USD') live.costUsd = update.cost.amount;
      return;
    default:
  }
}

/** Tells the reader what has changed of the session since the last time. */
export function tellState(live: LiveSession, turn: Turn): void {
  tellChoices(live, turn);
  tellCommands(live, turn);
  tellTitle(live, turn);
}

// Each alone: to compare all of it at every small update would take the hall's time from everybody.

function tellChoices({ owner, offer }: LiveSession, turn: Turn): void {
  const choices = choicesOf(offer, owner.driver.entry.takesGateway);
  if (JSON.stringify(choices) !== JSON.stringify(owner.toldChoices ?? [])) give(turn, [{ type: 'choices', choices }]);
  owner.toldChoices = choices;
}

function tellCommands(live: LiveSession, turn: Turn): void {
  const { owner } = live;
  const commands = commandsWith(owner, live);
  if (JSON.stringify(commands) !== JSON.stringify(owner.toldCommands)) give(turn, [{ type: 'commands', commands }]);
  owner.toldCommands = commands;
}

function tellTitle({ owner, title }: LiveSession, turn: Turn): void {
  if (title !== owner.toldTitle) give(turn, [{ type: 'title', title }]);
  owner.toldTitle = title;
}

/** The hall's own skills first; they stand before what the agent calls by the same name. */
function commandsWith({ skills }: SessionState, live: LiveSession): AgentCommand[] {
  const own = skills.map(({ command }) => command);
  return [...own, ...live.commands.filter(({ name }) => !own.some((command) => command.name === name))];
}

/** One turn: a prompt goes to a session of the agent, its updates become events, and it ends in exactly one way. */
import * as acp from '@agentclientprotocol/sdk';
import { deferred } from '../../../pure/deferred.ts';
import type { AgentEvent, AgentUsage, OpenOptions, PromptPart } from '../../contract.ts';
import { endChannel, openChannel, push } from '../channel.ts';
import { decideSilence } from '../claude/failures.ts';
import { type AcpContext, type AgentProcess, breakOff, failureAtEnd, killAgent } from './agent.ts';
import type { AcpEntry } from './entry.ts';
import {
  type Failure,
  failureInWords,
  failureOfLimit,
  failureOfModel,
  failureOfRequest,
  failureOfStop,
} from './failures.ts';
import { createMapState, finishTurn, type LastEvent } from './map.ts';
import { createMeter, usageOf } from './meter.ts';
import { promptResponseShape } from './shapes.ts';
import type { LiveSession, Turn } from './state.ts';

/** How long an agent may take to end its turn when asked, before it is killed. Milliseconds; about 100 is usual. */
const interruptGraceMs = 3_000;
/** Updates of one turn, and events that nobody has read yet. */
const maxTurnBytes = 64 * 1024 * 1024;
const maxUnread = 200_000;

export interface TurnOptions {
  readonly entry: AcpEntry;
  readonly open: OpenOptions;
  readonly prompt: string | readonly PromptPart[];
  readonly maxRetries: number;
}

export function createTurn({ entry, open, prompt, maxRetries }: TurnOptions): Turn {
  return {
    open,
    entry,
    prompt,
    events: openChannel(),
    map: createMapState(new Set(open.tools.map(({ name }) => name))),
    // Those that can be told how often try two more of a refused request.
    meter: createMeter(open.model.model, open.limits, maxRetries + 2),
    givenUp: new AbortController(),
    over: new AbortController(),
    gone: deferred(),
    live: undefined,
    process: undefined,
    asked: 'nothing',
    silentMs: 0,
    questions: 0,
    lastLifeMs: 0,
    bytes: 0,
    costBefore: null,
  };
}

export function give(turn: Turn, events: readonly AgentEvent[]): void {
  for (const event of events) push(turn.events, event);
  if (!turn.map.isOver || turn.over.signal.aborted) return;
  endChannel(turn.events);
  turn.givenUp.abort();
  turn.over.abort();
}

/** The agent was heard of. @returns false when the turn has heard too much */
export function heard(ctx: AcpContext, turn: Turn, bytes: number): boolean {
  turn.lastLifeMs = ctx.clock.monotonicMs();
  turn.bytes += bytes;
  if (turn.bytes <= maxTurnBytes && turn.events.values.length <= maxUnread) return true;
  if (turn.process !== undefined) breakOff(ctx, turn.process, 'it said more in one turn than the hall takes');
  return false;
}

/** Sends the prompt and ends the turn by what comes of it. */
export async function converse(
  ctx: AcpContext,
  turn: Turn,
  process: AgentProcess,
  blocks: acp.ContentBlock[],
): Promise<void> {
  const live = turn.live!;
  turn.process = process;
  turn.costBefore = live.costUsd;
  turn.lastLifeMs = ctx.clock.monotonicMs();
  ctx.spawn('watch an agent for silence', async () => watchForSilence(ctx, turn));
  try {
    const answer = await process.connection.agent.request(acp.methods.agent.session.prompt, {
      sessionId: live.id,
      prompt: blocks,
    });
    const read = promptResponseShape.safeParse(answer);
    const usage = usageOfTurn(turn, read.data?.usage);
    finish(turn, endOf(turn, failureOfAnswer(turn, read.data?.stopReason ?? 'nothing')), usage);
  } catch (error) {
    finish(turn, endOf(turn, await failureOfRefusal(ctx, turn, process, error)), usageOfTurn(turn, undefined));
  }
}

function failureOfAnswer(turn: Turn, stopReason: string): Failure | undefined {
  const { meter, map, open, entry } = turn;
  if (entry.takesGateway && meter.failure !== undefined) return failureOfModel(meter);
  const stopped = failureOfStop(stopReason, open.limits);
  if (stopped !== undefined || map.aside === '' || entry.takesGateway) return stopped;
  const inWords = failureInWords(entry, meter, map.aside);
  // It only began like a failure.
  if (inWords === undefined) give(turn, [{ type: 'text', text: map.aside }]);
  return inWords;
}

async function failureOfRefusal(ctx: AcpContext, turn: Turn, process: AgentProcess, error: unknown): Promise<Failure> {
  if (!(error instanceof acp.RequestError)) return await failureAtEnd(ctx, process);
  if (turn.entry.takesGateway && turn.meter.failure !== undefined) return failureOfModel(turn.meter);
  return failureOfRequest(turn.entry, turn.meter, error);
}

/** The last event: what came, unless the hall itself asked for the end. */
function endOf(turn: Turn, failed: Failure | undefined): LastEvent {
  const { asked, map, process, silentMs } = turn;
  const { sessionId } = map;
  const error = (failure: Failure): LastEvent => ({ type: 'error', ...failure, sessionId });
  if (process?.fault !== undefined && failed !== undefined) return error(failed);
  if (asked === 'limit') return error(failureOfLimit(turn.meter));
  if (asked === 'silence') return error(decideSilence(silentMs));
  if (asked !== 'nothing') return { type: 'end', reason: 'interrupted', sessionId };
  return failed === undefined ? { type: 'end', reason: 'done', sessionId } : error(failed);
}

function finish(turn: Turn, last: LastEvent, usage: AgentUsage | null): void {
  give(turn, finishTurn(turn.map, last, usage));
}

/** Ends a turn that never came to its prompt. */
export function finishEarly(turn: Turn, failed?: Failure): void {
  finish(turn, endOf(turn, failed), usageOfTurn(turn, undefined));
}

type SaidUsage = NonNullable<ReturnType<typeof promptResponseShape.parse>['usage']>;

/** By the hall's own count; by the agent's word where its model is its own. */
function usageOfTurn(turn: Turn, said: SaidUsage | null | undefined): AgentUsage | null {
  const { live, entry, meter } = turn;
  const contextWindow = live?.contextWindow ?? null;
  if (entry.takesGateway) {
    const usage = usageOf(meter);
    return usage === null ? null : { ...usage, contextWindow };
  }
  if (said === null || said === undefined) return null;
  const cost = live?.costUsd ?? null;
  return {
    inputTokens: said.inputTokens,
    outputTokens: said.outputTokens,
    cacheReadTokens: said.cachedReadTokens ?? 0,
    cacheWriteTokens: said.cachedWriteTokens ?? 0,
    costUsd: cost === null ? null : Math.max(0, cost - (turn.costBefore ?? 0)),
    contextWindow,
    contextUsed: live?.contextUsed ?? null,
  };
}

/** Resolves when the last event has been given. */
async function whenOver({ over: { signal } }: Turn): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = deferred();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}

async function sleepWhileOpen(ctx: AcpContext, turn: Turn, ms: number): Promise<void> {
  try {
    await ctx.clock.sleep(ms, turn.over.signal);
  } catch (error) {
    // Woken because the turn is over, which the caller looks at itself.
    if (!turn.over.signal.aborted) throw error;
  }
}

/** Ends a turn of which nothing was heard for its limit, while no tool runs and no person is asked. */
async function watchForSilence(ctx: AcpContext, turn: Turn): Promise<void> {
  const { silenceMs } = turn.open.limits;
  while (!turn.map.isOver) {
    const isBusy = turn.map.openCalls.size > 0 || turn.questions > 0;
    const silentMs = isBusy ? 0 : ctx.clock.monotonicMs() - turn.lastLifeMs;
    if (silentMs >= silenceMs) {
      turn.silentMs = silentMs;
      await interruptTurn(ctx, turn, 'silence');
      return;
    }
    await sleepWhileOpen(ctx, turn, silenceMs - silentMs);
  }
}

/** Ends the turn soon, by asking and then by force; resolves when its last event has been given. */
export async function interruptTurn(
  ctx: AcpContext,
  turn: Turn,
  why: 'interrupt' | 'silence' | 'limit',
): Promise<void> {
  if (turn.map.isOver) return;
  if (turn.asked !== 'nothing') return whenOver(turn);
  turn.asked = why;
  turn.givenUp.abort();
  const { live, process } = turn;
  if (process === undefined || live === undefined) {
    finishEarly(turn);
    return;
  }
  ctx.spawn('interrupt an agent', async () => askToStop(ctx, process, live));
  await sleepWhileOpen(ctx, turn, interruptGraceMs);
  if (!turn.over.signal.aborted) await killAgent(ctx, process);
  await whenOver(turn);
}

async function askToStop(ctx: AcpContext, process: AgentProcess, live: LiveSession): Promise<void> {
  try {
    await process.connection.agent.notify(acp.methods.agent.session.cancel, { sessionId: live.id });
  } catch (error) {
    // Its process ended first; the turn ends by that.
    ctx.log.debug({ err: error }, 'an interrupt was not taken');
  }
}

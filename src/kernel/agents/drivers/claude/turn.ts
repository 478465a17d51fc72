/** One turn: a prompt goes to one process, its messages become events, and it ends in exactly one way. */
import type { Query, SDKMessage, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { type Deferred, deferred } from '../../../pure/deferred.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';
import type { AgentEvent, OpenOptions } from '../../contract.ts';
import { type Channel, endChannel, openChannel, push, whenRead } from '../channel.ts';
import { decideCrash, type Failure } from './failures.ts';
import { announceCall, createMapState, finishTurn, mapSdkMessage, type MapState } from './map.ts';
import {
  type AgentProcess,
  discardAgentProcess,
  endAgentProcess,
  killAgentProcess,
  type ProcessContext,
  type StartOutcome,
} from './process.ts';
import type { PromptContent } from './prompting.ts';

export interface Turn {
  /** What is news of the session when it has begun: told right after it. */
  readonly newsOf: (sessionId: AgentSessionId) => Promise<readonly AgentEvent[]>;
  readonly events: Channel<AgentEvent>;
  readonly map: MapState;
  readonly silenceMs: number;
  readonly onSdkMessage: ((message: SDKMessage) => void) | undefined;
  /** Aborts when the turn is to be given up before its process is ready. */
  readonly givenUp: AbortController;
  /** Aborts when the last event has been given. */
  readonly over: AbortController;
  /** Resolves when the process of the turn is gone too. */
  readonly gone: Deferred<void>;
  process: AgentProcess | undefined;
  query: Query | undefined;
  /** Whether any process has taken the prompt. */
  wasHeard: boolean;
  /** When the agent was last heard of; later than now while it waits for an announced retry. Monotonic milliseconds. */
  lastLifeMs: number;
}

/** How long an agent may take to end its turn when asked, before it is killed. Milliseconds; about 30 is usual. */
const interruptGraceMs = 3_000;

/** How long an agent may take to be gone after its turn. Milliseconds; about 40 is usual. */
const lingerMs = 5_000;

export function createTurn(
  open: OpenOptions,
  onSdkMessage?: (message: SDKMessage) => void,
  newsOf: Turn['newsOf'] = async () => [],
): Turn {
  return {
    newsOf,
    events: openChannel(),
    map: createMapState({ model: open.model.model, limits: open.limits, cwd: open.cwd }),
    silenceMs: open.limits.silenceMs,
    onSdkMessage,
    givenUp: new AbortController(),
    over: new AbortController(),
    gone: deferred(),
    process: undefined,
    query: undefined,
    wasHeard: false,
    lastLifeMs: 0,
  };
}

/**
 * Runs the turn and resolves when its process is gone. Failures become events.
 * @param obtain a process that is ready, or why there is none
 */
export async function runTurn(
  ctx: ProcessContext,
  turn: Turn,
  readPrompt: () => Promise<PromptContent>,
  obtain: () => Promise<StartOutcome>,
): Promise<void> {
  try {
    const content = await readPrompt();
    let isServed = false;
    // A process that was made ready may have died unnoticed; the prompt that it never took goes to a new one.
    for (let tries = 2; !isServed && tries > 0; tries -= 1) {
      const outcome = await obtain();
      isServed = 'failure' in outcome || (await serve(ctx, turn, content, outcome.process, tries === 2));
      if ('failure' in outcome) finishWith(turn, outcome.failure);
    }
  } catch (error) {
    ctx.log.error({ err: error }, 'a turn failed in the driver');
    finishWith(turn, decideCrash(error instanceof Error ? error.message : String(error), ''));
  } finally {
    turn.gone.resolve();
  }
}

/** @returns false when the process died before it had taken the prompt, and another may be tried */
async function serve(
  ctx: ProcessContext,
  turn: Turn,
  content: PromptContent,
  process: AgentProcess,
  mayTryAgain: boolean,
): Promise<boolean> {
  if (turn.map.isOver) {
    await discardAgentProcess(ctx, process);
    return true;
  }
  // Its messages end when its streams do, which a program that has stopped would hold open for ever.
  ctx.spawn('see an agent end', async () => {
    await whenOver(turn);
    await endAgentProcess(ctx, process, lingerMs);
  });
  const failure = await converse(ctx, turn, content, process);
  const isStillborn = mayTryAgain && !turn.wasHeard && !turn.map.isOver && turn.map.asked === 'nothing';
  if (!isStillborn) finishWith(turn, failure);
  await endAgentProcess(ctx, process);
  return !isStillborn;
}

/** @returns what to say if the turn is not over by then */
async function converse(
  ctx: ProcessContext,
  turn: Turn,
  content: PromptContent,
  process: AgentProcess,
): Promise<Failure> {
  turn.process = process;
  process.serve({
    onDenied: ({ callId, name, input, reason }) =>
      give(turn, [{ type: 'permission', callId, name, input, answer: 'denied', reason }]),
    onAsked: async (callId, name, input) => {
      give(turn, announceCall(turn.map, callId, name, input));
      await whenRead(turn.events);
    },
    sessionId: () => turn.map.sessionId,
    over: turn.over.signal,
  });
  turn.lastLifeMs = ctx.clock.monotonicMs();
  if (!turn.query) ctx.spawn('watch an agent for silence', async () => watchForSilence(ctx, turn));
  try {
    turn.query = process.warm.query(inputOf(turn, content));
    for await (const message of turn.query) {
      turn.wasHeard = true;
      turn.lastLifeMs = ctx.clock.monotonicMs() + (isRetry(message) ? message.retry_delay_ms : 0);
      turn.onSdkMessage?.(message);
      await giveMapped(turn, mapSdkMessage(turn.map, message));
    }
    return decideCrash('it ended without a result', process.stderrTail);
  } catch (error) {
    // After a result this is only its echo, and the turn is over already.
    return decideCrash(error instanceof Error ? error.message : String(error), process.stderrTail);
  }
}

/** Right behind the session comes what is news of it. */
async function giveMapped(turn: Turn, events: readonly AgentEvent[]): Promise<void> {
  const begun = events.find((event) => event.type === 'session');
  give(turn, begun === undefined ? events : [...events, ...(await turn.newsOf(begun.sessionId))]);
}

function isRetry(message: { type: string; subtype?: string }): message is { type: string; retry_delay_ms: number } {
  return message.type === 'system' && message.subtype === 'api_retry';
}

/** One message, then silence until the turn is over: ending the input earlier would make `interrupt` impossible. */
async function* inputOf(turn: Turn, content: PromptContent): AsyncGenerator<SDKUserMessage> {
  yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
  await whenOver(turn);
}

/** Resolves when the last event has been given. */
export async function whenOver(turn: Turn): Promise<void> {
  const { signal } = turn.over;
  if (signal.aborted) return;
  const { promise, resolve } = deferred();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}

function give(turn: Turn, events: readonly AgentEvent[]): void {
  for (const event of events) push(turn.events, event);
  if (!turn.map.isOver || turn.over.signal.aborted) return;
  endChannel(turn.events);
  turn.over.abort();
}

/** Ends the turn by a failure, unless it is over, or the hall itself asked for its end. */
function finishWith(turn: Turn, failure: Failure): void {
  const { asked, sessionId } = turn.map;
  give(
    turn,
    asked === 'nothing' ? finishTurn(turn.map, { type: 'error', ...failure, sessionId }) : finishTurn(turn.map),
  );
}

/** Ends a turn of which nothing was heard for its limit, while no tool runs and no retry is waited for. */
export async function watchForSilence(ctx: ProcessContext, turn: Turn): Promise<void> {
  while (!turn.map.isOver) {
    const silentMs = turn.map.openCalls.size > 0 ? 0 : ctx.clock.monotonicMs() - turn.lastLifeMs;
    if (silentMs >= turn.silenceMs) {
      turn.map.silentMs = silentMs;
      await interruptTurn(ctx, turn, 'silence');
      return;
    }
    await sleepWhileOpen(ctx, turn, turn.silenceMs - silentMs);
  }
}

async function sleepWhileOpen(ctx: ProcessContext, turn: Turn, ms: number): Promise<void> {
  try {
    await ctx.clock.sleep(ms, turn.over.signal);
  } catch (error) {
    // Woken because the turn is over, which the caller looks at itself.
    if (!turn.over.signal.aborted) throw error;
  }
}

/** Ends the turn soon, by asking and then by force; resolves when its last event has been given. */
export async function interruptTurn(ctx: ProcessContext, turn: Turn, why: 'interrupt' | 'silence'): Promise<void> {
  if (turn.map.isOver) return;
  if (turn.map.asked !== 'nothing') return whenOver(turn);
  turn.map.asked = why;
  turn.givenUp.abort();
  const { query, process } = turn;
  if (!query || !process) {
    give(turn, finishTurn(turn.map));
    return;
  }
  ctx.spawn('interrupt an agent', async () => askToStop(ctx, query));
  await sleepWhileOpen(ctx, turn, interruptGraceMs);
  if (!turn.over.signal.aborted) await killAgentProcess(ctx, process);
  await whenOver(turn);
}

async function askToStop(ctx: ProcessContext, query: Query): Promise<void> {
  try {
    await query.interrupt();
  } catch (error) {
    // Its process ended first; the turn ends by that.
    ctx.log.debug({ err: error }, 'an interrupt was not taken');
  }
}

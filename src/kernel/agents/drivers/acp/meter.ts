/**
 * What a turn asked of its model, seen at the hall's own door: calls, tokens, costs, failures. It is how a limit is held,
 * a retry is announced and a failure is known, whatever the agent's program says of it.
 */
import { costOf, type TokenCounts } from '../../gateway/prices.ts';
import type { AgentEvent, AgentLimits, AgentUsage } from '../../contract.ts';
import { classOfRetry } from '../claude/failures.ts';

/** How a model call ended that gave no whole answer. */
export interface CallFailure {
  /** null: the answer broke off. */
  readonly status: number | null;
  /** The service's own words. */
  readonly text: string;
  readonly retryAfterMs: number | null;
}

export interface Meter {
  readonly model: string;
  readonly limits: AgentLimits;
  calls: number;
  tries: number;
  counts: TokenCounts;
  /** Tokens of the last call. */
  contextUsed: number | null;
  contextWindow: number | null;
  /** Of the last call; undefined when it went well. */
  failure: CallFailure | undefined;
  /** Monotonic milliseconds. */
  failedAtMs: number;
  /** Tries of one call that failed in passing, before the turn fails: some agents never give up by themselves. */
  readonly maxTries: number;
  /** The limit that this turn has reached. */
  reached: 'max_turns' | 'budget' | 'tries' | undefined;
}

const noCounts: TokenCounts = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export function createMeter(model: string, limits: AgentLimits, maxTries: number): Meter {
  return {
    model,
    limits,
    calls: 0,
    tries: 0,
    counts: noCounts,
    contextUsed: null,
    contextWindow: null,
    failure: undefined,
    failedAtMs: 0,
    maxTries,
    reached: undefined,
  };
}

/** US dollars so far; null where the price of the model is not known. */
export function spentUsd(meter: Meter): number | null {
  return costOf(meter.model, meter.counts);
}

/**
 * The turn wants to call its model.
 * @returns what to tell of it, or that it may not
 */
export function startCall(meter: Meter, nowMs: number): { readonly events: AgentEvent[] } | 'refused' {
  const { limits, failure } = meter;
  // A call that failed is tried again: that is not one more.
  if (failure === undefined) {
    if (meter.calls >= limits.maxTurns) meter.reached = 'max_turns';
    const spent = spentUsd(meter);
    if (limits.maxBudgetUsd !== null && spent !== null && spent >= limits.maxBudgetUsd) meter.reached = 'budget';
    if (meter.reached !== undefined) return 'refused';
    meter.calls += 1;
    meter.tries = 0;
    return { events: [] };
  }
  if (meter.tries >= meter.maxTries) {
    meter.reached = 'tries';
    return 'refused';
  }
  meter.tries += 1;
  const delayMs = Math.max(0, Math.round(nowMs - meter.failedAtMs));
  const errorClass = classOfRetry(failure.status === null ? 'invalid_request' : '', failure.status ?? 500);
  return { events: [{ type: 'retry', attempt: meter.tries, errorClass, delayMs }] };
}

/** A call that is no step of the turn has ended: it costs, and says nothing of how the turn stands. */
export function countAside(meter: Meter, counts: TokenCounts): void {
  meter.counts = added(meter.counts, counts);
}

function added(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}

/** A call has ended. @param failure undefined when its whole answer came */
export function endCall(meter: Meter, counts: TokenCounts, failure: CallFailure | undefined, nowMs: number): void {
  meter.failure = failure;
  if (failure !== undefined) meter.failedAtMs = nowMs;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = counts;
  meter.counts = added(meter.counts, counts);
  const read = inputTokens + cacheReadTokens + cacheWriteTokens;
  if (read > 0) meter.contextUsed = read + outputTokens;
}

/** What the turn used; null when no model call was counted. */
export function usageOf(meter: Meter): AgentUsage | null {
  const { counts, contextUsed, contextWindow } = meter;
  if (Object.values(counts).every((count) => count === 0)) return null;
  return { ...counts, costUsd: spentUsd(meter), contextWindow, contextUsed };
}

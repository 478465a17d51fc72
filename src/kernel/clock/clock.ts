/** Time and fresh ids. Nothing else in the program reads the clock or makes random values (lint holds this). */
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleepFor } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since 1970, wall clock. */
  nowMs(): number;
  /** ISO 8601 in UTC, to the millisecond. */
  nowIso(): string;
  /** Milliseconds from a fixed but arbitrary start; never goes back. For measuring. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface IdSource {
  /** `length` characters of [a-z0-9], not guessable. */
  random(length: number): string;
  /** 32 random bytes in base64url: for tokens. */
  secret(): string;
}

export interface ClockContext {
  readonly clock: Clock;
}

export interface IdContext {
  readonly ids: IdSource;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  nowIso: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    await sleepFor(ms, undefined, signal ? { signal } : undefined);
  },
};

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

export const systemIds: IdSource = {
  random: (length) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join(''),
  secret: () => randomBytes(32).toString('base64url'),
};

/**
 * How long to wait, at most `ms`, so that everybody who waits like this wakes at one moment: a wake of the process costs
 * more than what is looked at in it.
 */
export function untilCommonTick(clock: Pick<Clock, 'monotonicMs'>, ms: number): number {
  return Math.max(1, Math.ceil(ms - (clock.monotonicMs() % ms)));
}

/**
 * How much may be asked of the hall. Each admission has a bucket of calls, which fills again all the time; an empty one
 * refuses. Wrong tokens share one bucket, so that guessing is slow, and the right token works meanwhile.
 */
import type { ClockContext } from '../../kernel/clock/clock.ts';
import type { ErrorFacts } from '../../kernel/pure/errors.ts';
import { admissionKey, type Admission } from './admission.ts';

export interface LimitSettings {
  readonly callsPerSecond: number;
  /** Calls at once, after a rest. */
  readonly burst: number;
  readonly wrongTokensPerMinute: number;
  /** Event streams and sockets of one admission together. */
  readonly streams: number;
  /** Sockets of one admission. */
  readonly sockets: number;
  /** Terminals that one admission has on the screen, over all of its pages. */
  readonly terminals: number;
}

export const defaultLimits: LimitSettings = {
  callsPerSecond: 50,
  burst: 200,
  wrongTokensPerMinute: 100,
  streams: 64,
  sockets: 32,
  terminals: 24,
};

export interface Limits {
  readonly settings: LimitSettings;
  /** Counts a call. @returns why it may not be made; undefined when it may */
  refusalOfCall(admission: Admission): ErrorFacts | undefined;
  /** Counts a wrong token or ticket. @returns what to say in place of `unauthorized` when there were too many */
  refusalOfWrongToken(): ErrorFacts | undefined;
}

export function createLimits(ctx: ClockContext, settings: Partial<LimitSettings> = {}): Limits {
  const all = { ...defaultLimits, ...settings };
  const calls: Rate = { capacity: all.burst, perSecond: all.callsPerSecond };
  const wrong: Rate = { capacity: all.wrongTokensPerMinute, perSecond: all.wrongTokensPerMinute / 60 };
  const buckets = new Map<string, Bucket>();
  const wrongTokens = fullBucket(ctx, wrong);
  return {
    settings: all,
    refusalOfCall: (admission) => {
      const waitMs = takeOne(ctx, calls, bucketOf(ctx, calls, buckets, admissionKey(admission)));
      return waitMs === undefined ? undefined : tooManyCalls(all, waitMs);
    },
    refusalOfWrongToken: () => {
      const waitMs = takeOne(ctx, wrong, wrongTokens);
      return waitMs === undefined ? undefined : tooManyWrongTokens(waitMs);
    },
  };
}

interface Rate {
  readonly capacity: number;
  readonly perSecond: number;
}

interface Bucket {
  left: number;
  /** When `left` was counted; monotonic milliseconds. */
  atMs: number;
}

function fullBucket(ctx: ClockContext, rate: Rate): Bucket {
  return { left: rate.capacity, atMs: ctx.clock.monotonicMs() };
}

function bucketOf(ctx: ClockContext, rate: Rate, buckets: Map<string, Bucket>, key: string): Bucket {
  const known = buckets.get(key);
  if (known) return known;
  // A full one is worth as much as none: those of admissions that ended go with it.
  for (const [old, bucket] of buckets) if (refill(ctx, rate, bucket) >= rate.capacity) buckets.delete(old);
  const fresh = fullBucket(ctx, rate);
  buckets.set(key, fresh);
  return fresh;
}

/** @returns undefined when one was taken; else milliseconds until there is one */
function takeOne(ctx: ClockContext, rate: Rate, bucket: Bucket): number | undefined {
  const left = refill(ctx, rate, bucket);
  if (left < 1) return ((1 - left) / rate.perSecond) * 1000;
  bucket.left = left - 1;
  return undefined;
}

function refill(ctx: ClockContext, rate: Rate, bucket: Bucket): number {
  const now = ctx.clock.monotonicMs();
  bucket.left = Math.min(rate.capacity, bucket.left + ((now - bucket.atMs) / 1000) * rate.perSecond);
  bucket.atMs = now;
  return bucket.left;
}

/** Whole seconds to wait, under the name by which every door finds them (HTTP: `Retry-After`). */
function retryAfter(waitMs: number): { readonly retryAfterSeconds: number } {
  return { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}

function tooManyCalls(settings: LimitSettings, waitMs: number): ErrorFacts {
  return {
    code: 'limit',
    message: `More calls came than the hall takes: ${settings.burst} at once, ${settings.callsPerSecond} a second after that.`,
    hint: 'Wait a second and send it again; follow events in place of asking over and over.',
    details: retryAfter(waitMs),
  };
}

function tooManyWrongTokens(waitMs: number): ErrorFacts {
  return {
    code: 'limit',
    message: 'Too many wrong tokens were tried within a minute.',
    hint: 'Use the text of the file `token` in the hall’s home, or sign in anew: guild-hall open',
    details: retryAfter(waitMs),
  };
}

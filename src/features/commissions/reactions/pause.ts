/** Waiting that may be cut short. */
import type { ClockContext } from '../../../kernel/clock/clock.ts';

/** Resolves after `ms`, or as soon as `signal` says that nobody waits any more. */
export async function pause(ctx: ClockContext, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await ctx.clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

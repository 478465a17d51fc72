/** Waiting that may be cut short. */
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import type { OpenSession, SessionsContext } from '../context.ts';

/** When the disk takes nothing, it is tried again so much later. Milliseconds. */
export const againMs = 3_000;

/** Resolves after `ms`, or when `signal` aborts. */
export async function pause(ctx: ClockContext, ms: number, signal: AbortSignal): Promise<void> {
  // Cut short it is over, which is all that there is to know.
  await ctx.clock.sleep(ms, signal).catch(() => undefined);
}

/** The end of a turn is told when it is on disk; a full disk is waited for. What the next start finds unfinished it ends. */
export async function untilWritten(
  ctx: SessionsContext,
  session: OpenSession,
  stopping: AbortSignal,
  write: () => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if (stopping.aborted || session.isGone) throw error;
      ctx.log.error({ err: error, session: session.id }, 'the end of a turn cannot be written; it is tried again');
      await pause(ctx, againMs, stopping);
    }
  }
}

/** Cancelling: at once where nothing runs, else the process is asked to end, then forced. */
import { HallError } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord } from '../contract.ts';
import { findLive, wakeQueue } from '../reactions/live.ts';
import { rebuildRun } from '../reactions/rebuilding.ts';
import { changeStatus } from '../reactions/status.ts';
import { decideMove } from '../rules.ts';
import { requireCommission } from '../store/files.ts';
import { commissionLock, type CommissionRef } from '../store/place.ts';
import { dropWish } from '../store/wish.ts';
import { beginEnding, carryThrough } from './ending.ts';
import { pause } from '../reactions/pause.ts';

/** How long the answer waits for a process that ends when it is asked. Milliseconds. */
const answerWithinMs = 3_000;

/**
 * Cancels. A pending or blocked one at once; one that runs is cancelled for good when this resolves, and its end may
 * still be under way. Where a result was submitted it ends as completed.
 * @throws conflict for one that has ended
 */
export async function cancelCommission(
  ctx: CommissionsContext,
  ref: CommissionRef,
  reason = '',
): Promise<CommissionRecord> {
  const attempt = await ctx.locks.with(commissionLock(ref), () => cancelWaiting(ctx, ref, reason));
  if (attempt === undefined) wakeQueue(ctx);
  else await cancelRunning(ctx, ref, attempt, reason);
  return requireCommission(ref.project, ref.id);
}

/** @returns the attempt that runs, where one does */
async function cancelWaiting(ctx: CommissionsContext, ref: CommissionRef, reason: string): Promise<number | undefined> {
  const record = await requireCommission(ref.project, ref.id);
  const words = reason || 'Cancelled by the person';
  const move = decideMove(record, 'cancelled', words, ctx.clock.nowIso(), record.attempt);
  if (!move.ok) throw new HallError(move.refusal);
  if (record.status === 'dispatched' || record.status === 'in_progress') {
    // Where nothing is known of it but what its record says, it can be ended all the same.
    await rebuildRun(ctx, ref, record);
    return Math.max(1, record.attempt);
  }
  const set = { queuedAt: null, completedAt: ctx.clock.nowIso() };
  await changeStatus(ctx, ref, 'cancelled', words, { attempt: record.attempt, set });
  await dropWish(ctx, ref);
  return undefined;
}

async function cancelRunning(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  reason: string,
): Promise<void> {
  const graceMs = ctx.config().commissions.graceSeconds * 1000;
  const words = reason || 'Cancelled by the person';
  if (!(await beginEnding(ctx, ref, attempt, { cause: 'cancel', reason: words, graceMs }))) return;
  // The set-up steps back by itself; whoever watches the process leaves the end to this one.
  findLive(ctx, ref)?.leaving.abort();
  const answered = new AbortController();
  ctx.spawn(`cancel commission ${ref.id}`, async (stopping) => {
    try {
      await carryThrough(ctx, ref, attempt, stopping);
    } finally {
      answered.abort();
    }
  });
  await pause(ctx, answerWithinMs, answered.signal);
}

/** Another attempt at what failed or was cancelled: pending again, then as usual. */
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord, TimelineEntry } from '../contract.ts';
import { changeStatus } from '../reactions/status.ts';
import { decideMove } from '../rules.ts';
import { requireCommission } from '../store/files.ts';
import { branchOf, commissionLock, type CommissionRef } from '../store/place.ts';
import { runOf } from '../store/run.ts';
import { keepWish } from '../store/wish.ts';
import { missingOf } from '../reactions/waiting.ts';
import { pumpQueue } from './dispatching.ts';

/**
 * Has a failed or cancelled commission tried again, afresh; what there was stays in its timeline and on its branches.
 * @param reason kept in the timeline, and told to the next attempt
 * @throws conflict for one that is in another state, or whose end is not finished yet
 */
export async function redispatchCommission(
  ctx: CommissionsContext,
  ref: CommissionRef,
  reason = '',
): Promise<CommissionRecord> {
  await ctx.locks.with(commissionLock(ref), () => makePending(ctx, ref, reason));
  await pumpQueue(ctx);
  return requireCommission(ref.project, ref.id);
}

async function makePending(ctx: CommissionsContext, ref: CommissionRef, reason: string): Promise<void> {
  const record = await requireCommission(ref.project, ref.id);
  const words = reason || 'Dispatched again by the person';
  const now = ctx.clock.nowIso();
  // One that never started is tried for the first time.
  const attempt = record.branch === null ? Math.max(1, record.attempt) : record.attempt + 1;
  if (record.status !== 'failed' && record.status !== 'cancelled') throw notEnded(record, attempt, now);
  const run = await runOf(ctx, ref).read();
  if (run !== undefined && run.step !== 'waiting') throw stillEnding(ref);
  const missing = await missingOf(ctx, ref.project, record);
  const marker: TimelineEntry = {
    timestamp: now,
    attempt,
    event: 'attempt',
    branch: branchOf(ref, attempt),
    reason: words,
  };
  const set = {
    queuedAt: now,
    attempt,
    branch: branchOf(ref, attempt),
    currentProgress: '',
    result: null,
    completedAt: null,
    merge: { state: 'none' as const, files: [] },
    mergedFrom: null,
    reviewedAt: null,
  };
  await keepWish(ctx, ref, now);
  await changeStatus(ctx, ref, 'pending', words, { attempt, before: [marker], set });
  // Only now: a hall that is killed before that tries again when it was to.
  await runOf(ctx, ref).remove();
  if (missing.length > 0) {
    const why = `Waits for ${missing.slice(0, 5).join(', ')}`;
    await changeStatus(ctx, ref, 'blocked', why, { attempt });
  }
}

function notEnded(record: CommissionRecord, attempt: number, now: string): Error {
  const move = decideMove(record, 'pending', 'Dispatched again', now, attempt);
  if (!move.ok) return new HallError(move.refusal);
  return fail(
    'conflict',
    `Commission ${record.id} is ${record.status}; only what failed or was cancelled is tried again.`,
    `See: guild-hall commission show ${record.id}`,
    { id: record.id, status: record.status },
  );
}

function stillEnding(ref: CommissionRef): Error {
  return fail('conflict', `The last attempt of commission ${ref.id} is still being ended.`, 'Try again in a moment.', {
    id: ref.id,
  });
}

/** Tries what is due now, and tells when the next one is. Milliseconds from now; undefined: none waits. */
export async function retryDue(ctx: CommissionsContext, ref: CommissionRef): Promise<number | undefined> {
  const run = await runOf(ctx, ref).read();
  if (run?.step !== 'waiting' || run.retry === null) return undefined;
  const leftMs = Date.parse(run.retry.at) - ctx.clock.nowMs();
  if (leftMs > 0) return leftMs;
  const { reason } = run.retry;
  const { status } = await requireCommission(ref.project, ref.id);
  if (status === 'failed') await redispatchCommission(ctx, ref, reason);
  else await ctx.locks.with(commissionLock(ref), () => runOf(ctx, ref).remove());
  return undefined;
}

/** The person has looked at finished work. */
import { fail } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionAnswer, CommissionMerged } from '../contract.ts';
import { announce, announceTimeline, wakeQueue } from '../reactions/live.ts';
import { commitRecord } from '../reactions/status.ts';
import { changeCommission, requireCommission } from '../store/files.ts';
import { commissionLock, type CommissionRef } from '../store/place.ts';
import { dismissMerge } from './merging.ts';
import { mergeAgain } from './merging-again.ts';
import { answerOf } from './standing.ts';

/**
 * It no longer waits for the person: finished work, or a failure that is left as it is. Done again, nothing changes.
 * @throws HallError `conflict` for what is neither completed nor failed
 */
export async function reviewCommission(
  ctx: CommissionsContext,
  ref: CommissionRef,
  text: string,
): Promise<CommissionAnswer> {
  const record = await ctx.locks.with(commissionLock(ref), async () => {
    const present = await requireCommission(ref.project, ref.id);
    if (present.status !== 'completed' && present.status !== 'failed') throw notFinished(ref.id, present.status);
    if (present.reviewedAt !== null) return present;
    const reviewedAt = ctx.clock.nowIso();
    const entry = { timestamp: reviewedAt, attempt: present.attempt, event: 'review' as const, text };
    const changed = await changeCommission(ref.project, ref.id, { reviewedAt }, [entry]);
    await commitRecord(ctx, ref, `Review commission ${ref.id}`);
    announceTimeline(ctx, ref, changed.added);
    announce(ctx, ref, 'commission.changed', { id: ref.id, what: 'review' });
    return changed.record;
  });
  // One less waits for the person: the queue may go on.
  wakeQueue(ctx);
  return await answerOf(ctx, ref, record);
}

function notFinished(id: string, status: string | null): Error {
  return fail(
    'conflict',
    `Commission ${id} is ${status ?? 'not readable'}; only what is completed, or has failed, is looked at.`,
    `See: guild-hall commission show ${id}`,
    { id, status },
  );
}

/** Tries again to merge what is completed. */
export async function mergeWork(
  ctx: CommissionsContext,
  ref: CommissionRef,
  options: { readonly allowSecrets: boolean },
): Promise<CommissionMerged> {
  const { commit } = await mergeAgain(ctx, ref, options);
  return { ...(await answerOf(ctx, ref, await requireCommission(ref.project, ref.id))), commit };
}

export async function dismissWork(ctx: CommissionsContext, ref: CommissionRef): Promise<CommissionAnswer> {
  return await answerOf(ctx, ref, await dismissMerge(ctx, ref));
}

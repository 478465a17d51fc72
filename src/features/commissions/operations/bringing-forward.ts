/** A record that stands behind what was done, and is to say what became of it. */
import type { CommissionsContext } from '../context.ts';
import { changeStatus } from '../reactions/status.ts';
import { statusOfTimeline } from '../rules.ts';
import { readCommission } from '../store/files.ts';
import { branchOf, type CommissionRef } from '../store/place.ts';
import type { CommissionRun } from '../store/run.ts';

/**
 * A record that went before it was committed as dispatched comes back as it was before that; its attempt has been all
 * the same. The caller holds the commission's lock.
 */
export async function bringForward(
  ctx: CommissionsContext,
  ref: CommissionRef,
  { attempt }: CommissionRun,
): Promise<void> {
  const record = await readCommission(ref.project, ref.id);
  if (record?.status !== 'pending' || statusOfTimeline(record.timeline) !== 'pending') return;
  const set = { queuedAt: null, attempt, branch: branchOf(ref, attempt) };
  await changeStatus(ctx, ref, 'dispatched', 'A place was free', { attempt, set, isCommitted: false });
}

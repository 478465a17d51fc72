/** The merge that the person asks for again, after a conflict, a failed check or a secret. */
import { fail } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord } from '../contract.ts';
import { wakeDependencies } from '../reactions/live.ts';
import { requireCommission } from '../store/files.ts';
import { runOf } from '../store/run.ts';
import type { CommissionRef } from '../store/place.ts';
import { mergeCommission, type MergeOptions, type MergeResult } from './merging.ts';
import { releaseAttempt } from './saving.ts';

/**
 * Tries again; what is merged already is answered as it stands.
 * @throws conflict for what is not completed, is still ending, or was given up
 */
export async function mergeAgain(
  ctx: CommissionsContext,
  ref: CommissionRef,
  options: MergeOptions = {},
): Promise<MergeResult> {
  const record = await requireCommission(ref.project, ref.id);
  if (record.merge.state === 'dismissed') throw givenUp(record);
  if ((await runOf(ctx, ref).read()) !== undefined) throw stillEnding(record);
  const result = await mergeCommission(ctx, ref, { ...options, isAgain: true });
  await releaseAttempt(ctx, ref, record.attempt);
  if (result.state === 'merged') wakeDependencies(ctx, ref.project.name);
  return result;
}

function givenUp({ id, branch }: CommissionRecord): Error {
  return fail(
    'conflict',
    `You gave up merging commission ${id}.`,
    `Its branch is still there; merge it by hand: git merge ${branch ?? ''}`.trim(),
    { id, branch },
  );
}

function stillEnding({ id }: CommissionRecord): Error {
  return fail(
    'conflict',
    `Commission ${id} is still ending; it is merged by itself.`,
    `Wait for it: guild-hall commission wait ${id}`,
    { id },
  );
}

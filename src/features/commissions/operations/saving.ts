/** What an attempt leaves behind: its work is kept on its branch, then its place is given back. */
import { join } from 'node:path';
import { faultPoint } from '../../../kernel/clock/fault.ts';
import { branchTip, deleteBranch } from '../../../kernel/git/branches.ts';
import { exists } from '../../../kernel/git/paths.ts';
import { removeTree } from '../../../kernel/git/removal.ts';
import { saveEverything } from '../../../kernel/git/saving.ts';
import { removeWorktree } from '../../../kernel/git/worktrees.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import { commissionKind } from '../contract.ts';
import { attemptFiles } from '../store/attempt.ts';
import { readCommission } from '../store/files.ts';
import { mergingLock, mergingOf, readMerging } from '../store/merging.ts';
import { attemptFolder, branchOf, type CommissionRef, ownerOf, worktreeOf } from '../store/place.ts';

/**
 * Commits what lies uncommitted or untracked in the attempt's worktree to its branch; hooks do not run. Its processes
 * have ended. A worktree that is gone has nothing left to keep. Done again it changes nothing.
 * @returns tip of the branch; null where there is none
 */
export async function saveRest(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<string | null> {
  return ctx.locks.with(mergingLock(ref), () => saveRestLocked(ctx, ref, attempt));
}

/** The same for who holds the merging lock. */
export async function saveRestLocked(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
): Promise<string | null> {
  const before = await readMerging(ctx, ref, attempt);
  // What stands in the worktree since then a check has left there.
  if (before.isChecking) return before.saved;
  const { path: repo } = ref.project;
  await saveEverything(ctx, {
    repo,
    worktree: worktreeOf(ctx, ref, attempt),
    owner: ownerOf(ref, attempt),
    message: `Keep the rest of commission ${ref.id}`,
    trailer: `${commissionKind} ${ref.id}`,
  });
  const saved = (await branchTip(ctx, repo, branchOf(ref, attempt))) ?? null;
  faultPoint('commission:before:saved');
  await mergingOf(ctx, ref).write({ ...before, saved });
  return saved;
}

/**
 * Removes the attempt's worktree and its agent's own files; what the worktree holds is on the branch first. A branch that
 * was merged goes, unless config.yaml keeps it or it moved since; one that was not stays. Done again it changes nothing.
 * @param options.despiteOthers what stands in its place and was made for somebody else is left alone, and no trouble
 */
export async function releaseAttempt(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  { despiteOthers = false } = {},
): Promise<void> {
  await ctx.locks.with(mergingLock(ref), async () => {
    const state = await mergingOf(ctx, ref).read();
    const path = worktreeOf(ctx, ref, attempt);
    if (state?.attempt !== attempt && (await exists(path))) await saveRestLocked(ctx, ref, attempt);
    await Promise.all([removePlace(ctx, ref, attempt, despiteOthers), removeAgentFiles(ctx, ref, attempt)]);
    faultPoint('commission:before:released');
    if ((await mergingOf(ctx, ref).read())?.attempt === attempt) await mergingOf(ctx, ref).remove();
  });
}

/** The worktree, then the branch: while it is checked out, git does not let go of it. */
async function removePlace(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  despiteOthers: boolean,
): Promise<void> {
  const place = { repo: ref.project.path, path: worktreeOf(ctx, ref, attempt), owner: ownerOf(ref, attempt) };
  await removeWorktree(ctx, place).catch((error: unknown) => {
    if (!despiteOthers || typeof errorFactsOf(error).details?.['madeFor'] !== 'string') throw error;
    ctx.log.warn({ err: error, commission: ref.id }, 'the place of an attempt is that of another one; it is left');
  });
  faultPoint('commission:after:worktree');
  await dropMergedBranch(ctx, ref, attempt);
}

async function dropMergedBranch(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<void> {
  const record = await readCommission(ref.project, ref.id);
  if (record?.merge.state !== 'merged' || record.attempt !== attempt || record.mergedFrom === null) return;
  if (ctx.config().keepMergedBranches) return;
  await deleteBranch(ctx, ref.project.path, branchOf(ref, attempt), record.mergedFrom);
}

async function removeAgentFiles(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<void> {
  const folder = attemptFolder(ctx, ref, attempt);
  for (const name of [attemptFiles.agent, attemptFiles.tmp]) {
    await removeTree(join(folder, name));
  }
}

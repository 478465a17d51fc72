/** What the work of a commission changes in the project: from its worktree, its branch, or the commit of its merge. */
import { branchTip } from '../../../kernel/git/branches.ts';
import { type Diff, type DiffLimits, diffTrees } from '../../../kernel/git/diff.ts';
import { fileHistory } from '../../../kernel/git/history.ts';
import { type ChangedFile, changedFiles, mergeBase } from '../../../kernel/git/read.ts';
import type { GitContext } from '../../../kernel/git/run.ts';
import { changesInCheckout, withSnapshot } from '../../../kernel/git/snapshot.ts';
import { ownsWorktree } from '../../../kernel/git/worktrees.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionDiff, CommissionRecord } from '../contract.ts';
import { requireCommission } from '../store/files.ts';
import { branchOf, commissionPath, type CommissionRef, ownerOf, worktreeOf } from '../store/place.ts';
import { runOf } from '../store/run.ts';

const diffLimits: DiffLimits = { perFile: 200_000, inAll: 2_000_000, files: 1000 };

/** Where the work of an attempt is, and from which commit it began. */
interface Work {
  readonly base: string;
  readonly tip: string;
  /** Undefined where it is gone: the branch has what there is. */
  readonly worktree: string | undefined;
}

/** Undefined for what has not begun, and where nothing of it is left. */
async function findWork(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<Work | undefined> {
  if (attempt === 0) return undefined;
  const { path: repo, integrationBranch } = ref.project;
  const tip = await branchTip(ctx, repo, branchOf(ref, attempt));
  if (tip === undefined) return await findMerge(ctx, ref, attempt);
  // A branch that stands where it was made, on the integration branch, began there.
  const run = await runOf(ctx, ref).read();
  const isUnmoved = run?.attempt === attempt && run.base === tip;
  const base = isUnmoved ? tip : await mergeBase(ctx, repo, integrationBranch, tip);
  if (base === undefined) return undefined;
  const path = worktreeOf(ctx, ref, attempt);
  // Only where git's own folder is still the one that the hall made: what an agent put in its place is not asked.
  const isOurs = await ownsWorktree(ctx, { path, owner: ownerOf(ref, attempt) });
  return { base, tip, worktree: isOurs ? path : undefined };
}

/** The newest commits that touched the record, of which one can be the merge. */
const maxCommits = 50;

/** The merge's own commit, where the branch went with it. */
async function findMerge(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<Work | undefined> {
  const { path: repo, integrationBranch: branch } = ref.project;
  const record = await requireCommission(ref.project, ref.id);
  if (record.merge.state !== 'merged' || record.attempt !== attempt) return undefined;
  const commits = await fileHistory(ctx, repo, { branch, path: commissionPath(ref.id), max: maxCommits });
  const message = `Commission ${ref.id}: ${record.title.replaceAll(/\s+/g, ' ')}`;
  const merge = commits.find(({ subject }) => subject === message);
  return merge === undefined ? undefined : { base: `${merge.commit}^`, tip: merge.commit, worktree: undefined };
}

/** What its page says of its work. What cannot be compared is left out, so that the rest is shown all the same. */
export async function changesOfWork(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
): Promise<readonly ChangedFile[]> {
  try {
    const work = await findWork(ctx, ref, attempt);
    if (work === undefined) return [];
    const changes =
      work.worktree === undefined
        ? await changedFiles(ctx, ref.project.path, work.base, work.tip)
        : await changesInCheckout(ctx, work.worktree, work.base);
    return changes.filter(({ path }) => path !== commissionPath(ref.id));
  } catch (error) {
    ctx.log.warn({ err: error, commission: ref.id }, 'the work of a commission cannot be compared');
    return [];
  }
}

/** The whole work as text, bounded; what is uncommitted comes as it would be committed. */
export async function diffCommission(
  ctx: CommissionsContext,
  ref: CommissionRef,
  wanted?: number,
): Promise<CommissionDiff> {
  const attempt = requireAttempt(await requireCommission(ref.project, ref.id), wanted);
  const known = { id: ref.id, project: ref.project.name, attempt };
  const work = await findWork(ctx, ref, attempt);
  if (work === undefined) return { ...known, base: null, files: [], more: 0 };
  const { base, tip, worktree } = work;
  const leaveOut = (path: string): boolean => path === commissionPath(ref.id);
  const compare = (git: GitContext, to: string): Promise<Diff> =>
    diffTrees(git, ref.project.path, { from: base, to, leaveOut }, diffLimits);
  const { files, more } = await (worktree === undefined ? compare(ctx, tip) : withSnapshot(ctx, worktree, compare));
  return { ...known, base, files: files.map((file) => ({ ...file })), more };
}

/** The last one where none is named. @throws HallError `not_found` for one that there was not */
export function requireAttempt({ id, attempt }: CommissionRecord, wanted: number | undefined): number {
  if (wanted === undefined || wanted <= attempt) return wanted ?? attempt;
  const had = attempt === 0 ? 'no attempt' : `${attempt} attempt${attempt === 1 ? '' : 's'}`;
  throw fail(
    'not_found',
    `Commission ${id} has had ${had}; there is no number ${wanted}.`,
    `See: guild-hall commission show ${id}`,
    { id, attempt },
  );
}

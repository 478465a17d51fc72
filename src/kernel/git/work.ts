/** What an activity made and is not merged: in its worktree, or on its branch where the worktree is gone. */
import { branchTip } from './branches.ts';
import { type Diff, type DiffLimits, diffTrees } from './diff.ts';
import { type ChangedFile, changedFiles, mergeBase } from './read.ts';
import type { GitContext } from './run.ts';
import { changesInCheckout, withSnapshot } from './snapshot.ts';
import { ownsWorktree } from './worktrees.ts';

/** Where an activity works. Paths are absolute. */
export interface WorkPlace {
  readonly repo: string;
  readonly integrationBranch: string;
  readonly branch: string;
  readonly worktree: string;
  /** For whom the worktree was made. */
  readonly owner: string;
  /** The commit at which the branch was made, where it is known. */
  readonly madeAt?: string | null | undefined;
}

/** Where the work is, and from which commit it began. */
export interface Work {
  readonly repo: string;
  readonly base: string;
  readonly tip: string;
  /** Undefined where it is gone: the branch has what there is. */
  readonly worktree: string | undefined;
}

/** A diff as a page can show it. */
const diffLimits: DiffLimits = { perFile: 200_000, inAll: 2_000_000, files: 1000 };

/** Undefined where there is no such branch, or it shares nothing with the integration branch. */
export async function findWork(ctx: GitContext, place: WorkPlace): Promise<Work | undefined> {
  const { repo, integrationBranch, branch, worktree: path, owner, madeAt } = place;
  const tip = await branchTip(ctx, repo, branch);
  if (tip === undefined) return undefined;
  // A branch that stands where it was made, on the integration branch, began there.
  const base = madeAt === tip ? tip : await mergeBase(ctx, repo, integrationBranch, tip);
  if (base === undefined) return undefined;
  // Only where git's own folder is still the one that the hall made: what an agent put in its place is not asked.
  const isOurs = await ownsWorktree(ctx, { path, owner });
  return { repo, base, tip, worktree: isOurs ? path : undefined };
}

/** What it changes, by path; uncommitted work included. */
export async function changesOfWork(ctx: GitContext, work: Work): Promise<readonly ChangedFile[]> {
  if (work.worktree !== undefined) return changesInCheckout(ctx, work.worktree, work.base);
  return changedFiles(ctx, work.repo, work.base, work.tip);
}

/** The whole of it as text, bounded; what is uncommitted comes as it would be committed. @param leaveOut paths */
export async function diffOfWork(ctx: GitContext, work: Work, leaveOut: (path: string) => boolean): Promise<Diff> {
  const { repo, base, tip, worktree } = work;
  const compare = (git: GitContext, to: string): Promise<Diff> =>
    diffTrees(git, repo, { from: base, to, leaveOut }, diffLimits);
  return worktree === undefined ? compare(ctx, tip) : withSnapshot(ctx, worktree, compare);
}

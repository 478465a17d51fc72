/** Branches: where they point, and taking one away. */
import { listWorktrees } from './listing.ts';
import { foldersOf, isCheckedOut, looseTip } from './native.ts';
import { requireBranchName, requireRevision } from './paths.ts';
import { type GitContext, git, runGit } from './run.ts';

/** The commit that `branch` points to, or undefined when there is no such branch. */
export async function branchTip(ctx: GitContext, repo: string, branch: string): Promise<string | undefined> {
  const ref = `refs/heads/${requireBranchName(branch)}`;
  const folders = await foldersOf(repo);
  const tip = folders === undefined ? undefined : await looseTip(folders.commonDir, ref);
  if (tip !== undefined) return tip;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const result = await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1] });
  return result.exitCode === 0 ? result.stdout.trim() : undefined;
}

/** Makes a branch that is not there. One that is there stays as it is. */
export async function makeBranch(ctx: GitContext, repo: string, branch: string, commit: string): Promise<void> {
  const ref = `refs/heads/${requireBranchName(branch)}`;
  if ((await branchTip(ctx, repo, branch)) !== undefined) return;
  await git(ctx, repo, ['update-ref', ref, requireRevision(commit), '0'.repeat(40)]);
}

/** True when `ancestor` is `descendant` or one of those before it. */
export async function isAncestor(
  ctx: GitContext,
  repo: string,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', requireRevision(ancestor), requireRevision(descendant)];
  return (await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1] })).exitCode === 0;
}

/**
 * Deletes a branch that still points to `expectedTip` and is checked out nowhere.
 * @returns `kept`: it points elsewhere, so it may hold work that nobody looked at, or somebody has it checked out;
 *   `gone`: there was none
 */
export async function deleteBranch(
  ctx: GitContext,
  repo: string,
  branch: string,
  expectedTip: string,
): Promise<'deleted' | 'kept' | 'gone'> {
  const tip = await branchTip(ctx, repo, branch);
  if (tip === undefined) return 'gone';
  const isExpected = tip === expectedTip;
  // Git itself deletes a branch below the feet of a checkout, which then has no commit at all.
  const isInUse = isExpected && (await isInAnyCheckout(ctx, repo, branch));
  if (!isExpected || isInUse) return 'kept';
  const args = ['update-ref', '-d', `refs/heads/${branch}`, expectedTip];
  const { exitCode, stderr } = await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1, 128] });
  if (exitCode === 0) return 'deleted';
  if (/but expected/.test(stderr)) return 'kept';
  if (/unable to resolve reference/.test(stderr)) return 'gone';
  // Asked again, so that the failure is told in the usual way.
  await git(ctx, repo, args);
  return 'deleted';
}

async function isInAnyCheckout(ctx: GitContext, repo: string, branch: string): Promise<boolean> {
  const folders = await foldersOf(repo);
  const known = folders === undefined ? undefined : await isCheckedOut(folders.commonDir, `refs/heads/${branch}`);
  return known ?? (await listWorktrees(ctx, repo)).some((entry) => entry.branch === branch);
}

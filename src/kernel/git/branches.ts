/** Branches: where they point, and taking one away. */
import { fail } from '../pure/errors.ts';
import { requireBranchName, requireRevision } from './paths.ts';
import { type GitContext, git, runGit } from './run.ts';

/** The commit that `branch` points to, or undefined when there is no such branch. */
export async function branchTip(ctx: GitContext, repo: string, branch: string): Promise<string | undefined> {
  const ref = `refs/heads/${requireBranchName(branch)}`;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const result = await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1] });
  return result.exitCode === 0 ? result.stdout.trim() : undefined;
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
 * Deletes a branch that still points to `expectedTip`. One that is gone already is fine.
 * @throws conflict when it points elsewhere: it may hold work that nobody looked at
 */
export async function deleteBranch(ctx: GitContext, repo: string, branch: string, expectedTip: string): Promise<void> {
  const tip = await branchTip(ctx, repo, branch);
  if (tip === undefined) return;
  if (tip !== expectedTip) {
    throw fail(
      'conflict',
      `The branch ${branch} has moved since it was looked at, so it was not deleted.`,
      `See what is on it: git -C '${repo}' log '${branch}'`,
      { branch, tip, expectedTip },
    );
  }
  await git(ctx, repo, ['update-ref', '-d', `refs/heads/${branch}`, expectedTip]);
}

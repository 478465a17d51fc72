/** Giving a branch away. Nothing else of the hall speaks with another machine through git. */
import { requireBranchName } from './paths.ts';
import { type GitContext, git } from './run.ts';

/** Names of the remotes, as the person's settings have them. */
export async function listRemotes(ctx: GitContext, repo: string): Promise<string[]> {
  return (await git(ctx, repo, ['remote'])).split('\n').filter((name) => name !== '');
}

/** Pushes one branch under its own name, never by force; runs no hooks. @throws HallError in git's own words */
export async function pushBranch(ctx: GitContext, repo: string, remote: string, branch: string): Promise<void> {
  const ref = `refs/heads/${requireBranchName(branch)}`;
  await git(ctx, repo, ['push', '--porcelain', '--end-of-options', remote, `${ref}:${ref}`]);
}

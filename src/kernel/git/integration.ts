/** The integration branch and its checkout: made once, and put right whenever they are not as they should be. */
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../artifacts/write.ts';
import { fail } from '../pure/errors.ts';
import { readProcessIdentity } from '../processes/identity.ts';
import { branchTip } from './branches.ts';
import { readCheckoutOf } from './checkout.ts';
import { followTip } from './follow.ts';
import { commonDirOf, findMoved, findRegistration, readGitFile, writeMarker } from './marker.ts';
import { exists, requireBranchName, requireUnderHome } from './paths.ts';
import { removeTree } from './removal.ts';
import { type GitContext, git, gitWord, runGit } from './run.ts';
import { addWorktree, type HomeContext, removeWorktree } from './worktrees.ts';

export interface IntegrationRequest {
  readonly repo: string;
  readonly branch: string;
  /** Absolute, below the home. */
  readonly worktree: string;
}

/**
 * Makes the integration branch (at what the person has checked out) and its checkout, where they are missing; mends
 * them after the repository or the home was moved, the checkout deleted, its registration pruned, or a crash.
 * Files in the checkout that are not committed stay.
 * @returns `created`: the branch was made just now
 * @throws conflict when the branch is checked out elsewhere, or something else stands at `worktree`
 */
export async function ensureIntegration(
  ctx: GitContext & HomeContext,
  request: IntegrationRequest,
): Promise<{ readonly created: boolean }> {
  const path = await requireUnderHome(ctx.home.root, request.worktree);
  const created = await ensureBranch(ctx, request.repo, request.branch);
  const place: IntegrationRequest = { ...request, worktree: path };
  if (await wasPruned(ctx, place)) await registerAnew(ctx, place);
  await addWorktree(ctx, {
    repo: request.repo,
    path,
    branch: request.branch,
    startPoint: request.branch,
    scope: 'full',
    owner: ownerOf(request.branch),
  });
  const checkout = await readCheckoutOf(ctx, path, request.branch);
  await sweepIndexCopies(checkout.gitDir);
  await followTip(ctx, checkout);
  return { created };
}

/** Removes the checkout with everything in it, or what is half-made of it; the branch stays. */
export async function removeIntegration(ctx: GitContext & HomeContext, request: IntegrationRequest): Promise<void> {
  await removeWorktree(ctx, { repo: request.repo, path: request.worktree, owner: ownerOf(request.branch) });
}

function ownerOf(branch: string): string {
  return `integration:${branch}`;
}

async function ensureBranch(ctx: GitContext, repo: string, branch: string): Promise<boolean> {
  if ((await branchTip(ctx, repo, requireBranchName(branch))) !== undefined) return false;
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const head = await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1, 128] });
  if (head.exitCode !== 0) {
    throw fail(
      'conflict',
      `The repository ${repo} has no commit yet, so there is nothing to begin from.`,
      `Make the first one: git -C '${repo}' commit --allow-empty -m "First"`,
      { repo },
    );
  }
  const none = '0'.repeat(40);
  await git(ctx, repo, ['update-ref', '-m', 'guild-hall: begin', `refs/heads/${branch}`, head.stdout.trim(), none]);
  return true;
}

/** The folder is still there, but the repository has forgotten it: `git worktree prune` ran while it was out of reach. */
async function wasPruned(ctx: GitContext, { repo, worktree }: IntegrationRequest): Promise<boolean> {
  const pointsTo = await readGitFile(worktree);
  if (pointsTo === undefined) return false;
  const commonDir = await commonDirOf(ctx, repo);
  const isKnown = (await findRegistration(commonDir, worktree)) ?? (await findMoved(commonDir, worktree));
  return isKnown === undefined && dirname(pointsTo) === join(commonDir, 'worktrees') && !(await exists(pointsTo));
}

/** Registers a worktree elsewhere and hands its registration to the folder, whose files are not touched. */
async function registerAnew(ctx: GitContext, { repo, branch, worktree }: IntegrationRequest): Promise<void> {
  const aside = `${worktree}.attach`;
  const commonDir = await commonDirOf(ctx, repo);
  await removeTree(aside);
  if ((await findRegistration(commonDir, aside)) !== undefined) {
    await git(ctx, repo, ['worktree', 'remove', '--force', '--force', aside]);
  }
  await git(ctx, repo, ['worktree', 'add', '--quiet', '--no-checkout', aside, branch]);
  const gitDir = (await readGitFile(aside)) ?? '';
  // The index first: without it the files would look as if none of them were known.
  await gitWord(ctx, aside, ['read-tree', 'HEAD']);
  await writeMarker(gitDir, { owner: ownerOf(branch), branch });
  await writeAtomically(join(worktree, '.git'), `gitdir: ${gitDir}\n`);
  await git(ctx, repo, ['worktree', 'repair', worktree]);
  await removeTree(aside);
}

/** Removes the copies of the index that processes that died left behind. */
async function sweepIndexCopies(gitDir: string): Promise<void> {
  for (const name of await readdir(gitDir)) {
    const pid = /^guild-hall-index-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || (await readProcessIdentity(Number(pid))) !== undefined) continue;
    await rm(join(gitDir, name), { force: true });
  }
}

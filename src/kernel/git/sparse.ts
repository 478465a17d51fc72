/**
 * Sparse worktrees: only `.lore/` is checked out. Git keeps such settings by worktree only when the repository's own
 * settings allow it (`extensions.worktreeConfig`), which the person is told and can have undone.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commonDirOf } from './marker.ts';
import { exists } from './paths.ts';
import { type GitContext, git, longTimeoutMs, runGit } from './run.ts';

const setting = 'extensions.worktreeConfig';

/**
 * Makes a worktree that has no files yet sparse, and checks its files out.
 * @returns true when the repository's settings were changed for it
 */
export async function makeSparse(ctx: GitContext, repo: string, worktree: string): Promise<boolean> {
  const wasSet = await isSet(ctx, repo);
  await git(ctx, worktree, ['sparse-checkout', 'set', '--no-cone', '/.lore/']);
  await git(ctx, worktree, ['read-tree', '-m', '-u', 'HEAD'], { timeoutMs: longTimeoutMs });
  return !wasSet;
}

/**
 * Checks out every file of a worktree that has none yet. Git (2.36 and newer) gives a new worktree the sparse patterns
 * that the repository's own checkout has; they are taken away from this worktree, and from no other.
 */
export async function makeFull(
  ctx: GitContext,
  place: { readonly repo: string; readonly worktree: string; readonly gitDir: string },
): Promise<void> {
  await dropPatterns(ctx, place);
  await git(ctx, place.worktree, ['read-tree', '-m', '-u', 'HEAD'], { timeoutMs: longTimeoutMs });
}

/** Only some files of the worktree are checked out. @param gitDir the worktree's own folder below `.git/worktrees` */
export async function isSparse(gitDir: string): Promise<boolean> {
  return exists(join(gitDir, 'info', 'sparse-checkout'));
}

/** Checks out the rest of a worktree that was made sparse; what stands in it besides stays. */
export async function makeWide(ctx: GitContext, worktree: string): Promise<void> {
  await git(ctx, worktree, ['sparse-checkout', 'disable'], { asStored: true, timeoutMs: longTimeoutMs });
}

/** Without the file of patterns git checks out everything, also where `core.sparseCheckout` is set for all worktrees. */
export async function dropPatterns(
  ctx: GitContext,
  { repo, worktree, gitDir }: { readonly repo: string; readonly worktree: string; readonly gitDir: string },
): Promise<void> {
  const patterns = join(gitDir, 'info', 'sparse-checkout');
  if (!(await exists(patterns))) return;
  await rm(patterns, { force: true });
  // Only where settings by worktree are allowed: else the person's own would be changed.
  if (await isSet(ctx, repo)) await git(ctx, worktree, ['config', '--worktree', 'core.sparseCheckout', 'false']);
}

/**
 * Takes back what `makeSparse` changed in the repository's settings.
 * @returns false when it was not set, or something else in the repository still needs it; then nothing is changed
 */
export async function undoSparseConfig(ctx: GitContext, repo: string): Promise<boolean> {
  if (!(await isSet(ctx, repo))) return false;
  const commonDir = await commonDirOf(ctx, repo);
  const folders = [commonDir, ...(await foldersIn(join(commonDir, 'worktrees')))];
  for (const folder of folders) if (await exists(join(folder, 'config.worktree'))) return false;
  await git(ctx, repo, ['config', '--local', '--unset', setting]);
  return true;
}

async function isSet(ctx: GitContext, repo: string): Promise<boolean> {
  const args = ['config', '--local', '--type=bool', '--get', setting];
  const { exitCode, stdout } = await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1] });
  return exitCode === 0 && stdout.trim() === 'true';
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

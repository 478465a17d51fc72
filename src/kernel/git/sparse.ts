/**
 * Sparse worktrees: only `.lore/` is checked out. Git keeps such settings by worktree only when the repository's own
 * settings allow it (`extensions.worktreeConfig`), which the person is told and can have undone.
 */
import { readdir } from 'node:fs/promises';
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

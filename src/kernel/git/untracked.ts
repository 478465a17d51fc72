/** Files that git does not know yet, also those inside repositories that an agent made or cloned below its worktree. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from './paths.ts';
import { type GitContext, git, splitNul } from './run.ts';

/**
 * Paths of files that are neither tracked nor ignored, relative to the checkout. Git would record a repository within
 * as a bare pointer to a commit that exists nowhere else; its files are listed instead, so that the work is kept.
 */
export async function listUntracked(ctx: GitContext, checkout: string, indexFile: string): Promise<string[]> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard'];
  return filesOf(ctx, checkout, '', splitNul(await git(ctx, checkout, args, { indexFile })));
}

async function filesOf(ctx: GitContext, checkout: string, prefix: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const path = `${prefix}${name}`.replace(/\/$/, '');
    if (!(await exists(join(checkout, path)))) continue;
    const facts = await lstat(join(checkout, path));
    if (!facts.isDirectory()) {
      found.push(path);
      continue;
    }
    const args = ['ls-files', '-z', '--deduplicate', '--cached', '--others', '--exclude-standard'];
    const within = splitNul(await git(ctx, join(checkout, path), args));
    found.push(...(await filesOf(ctx, checkout, `${path}/`, within)));
  }
  return found;
}

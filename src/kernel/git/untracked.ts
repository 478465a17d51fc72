/** Files that git does not know yet, also those inside repositories that an agent made or cloned below its worktree. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { localKind } from './local.ts';
import { type GitContext, git, gitWord, splitNul } from './run.ts';

/** Artifacts are work whatever the person's git ignores: many keep this folder out of their own commits. */
const alwaysKept = '.lore';

/**
 * Paths of files that are neither tracked nor ignored (below `.lore/` also ignored ones), relative to the checkout. Git would record a repository within
 * as a bare pointer to a commit that exists nowhere else; its files are listed instead, so that the work is kept.
 */
export async function listUntracked(ctx: GitContext, checkout: string, indexFile?: string): Promise<string[]> {
  const others = ['ls-files', '-z', '--others'];
  const options = indexFile === undefined ? {} : { indexFile };
  const [usual, artifacts] = await Promise.all([
    git(ctx, checkout, [...others, '--exclude-standard'], options),
    git(ctx, checkout, [...others, '--', alwaysKept], options),
  ]);
  return filesAmong(ctx, checkout, [...new Set([...splitNul(usual), ...splitNul(artifacts)])]);
}

/** Those of what git listed that are files or links; of a repository within, what it holds. */
export async function filesAmong(ctx: GitContext, checkout: string, listed: readonly string[]): Promise<string[]> {
  return filesOf(ctx, checkout, '', listed);
}

/** So many artifacts are looked at before git is asked. */
const maxArtifacts = 5000;

/**
 * Whether there may be artifacts besides the known ones: ignored ones, that is. Only then git is asked for them.
 * @param known paths, relative to the checkout
 */
export async function holdsOtherArtifacts(checkout: string, known: ReadonlySet<string>): Promise<boolean> {
  const folders = [alwaysKept];
  let count = 0;
  if ((await localKind(checkout, alwaysKept)) !== 'folder') return false;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(checkout, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      count += 1;
      if (count > maxArtifacts || entry.name === '.git') return true;
      if (entry.isDirectory()) folders.push(path);
      else if (!known.has(path)) return true;
    }
  }
  return false;
}

async function filesOf(ctx: GitContext, checkout: string, prefix: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const path = `${prefix}${name}`.replace(/\/$/, '');
    const kind = await localKind(checkout, path);
    if (kind === 'file' || kind === 'link') found.push(path);
    if (kind === 'folder') found.push(...(await filesWithin(ctx, checkout, path)));
  }
  return found;
}

/**
 * Of a repository within, as if it were a folder of this one: what that repository says of itself an agent wrote, so it
 * is neither read nor obeyed.
 */
async function filesWithin(ctx: GitContext, checkout: string, path: string): Promise<string[]> {
  const gitDir = await gitWord(ctx, checkout, ['rev-parse', '--absolute-git-dir']);
  const options = { gitDir, indexFile: join(gitDir, 'guild-hall-no-index') };
  const args = ['ls-files', '-z', '--others', '--exclude-standard'];
  const within = splitNul(await git(ctx, join(checkout, path), args, options));
  return filesOf(ctx, checkout, `${path}/`, within);
}

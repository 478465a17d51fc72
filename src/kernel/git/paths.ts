/** Names that go into git calls: paths of a repository, branches, revisions. */
import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fail } from '../pure/errors.ts';

/**
 * Refuses what is no path of a file in a repository: empty, absolute, leading out, or into `.git`.
 * Blanks, line ends, any letters and leading dashes are fine.
 */
export function requireRepositoryPath(path: string): string {
  const parts = path.split('/');
  const isBad =
    path.includes('\0') || parts.some((part) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part));
  if (!isBad) return path;
  throw fail(
    'invalid',
    `${JSON.stringify(path)} is not a path inside a repository.`,
    'Give a path relative to its root, with single slashes, without "..", and not inside .git.',
    { path },
  );
}

/** Refuses what git might read as an option or as something other than one branch. Git itself checks the rest. */
export function requireBranchName(branch: string): string {
  if (
    /^[^-/](?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)|\/\.|[\s~^:?*[\\\u007f]))[^\u0000-\u0020]*$/.test(branch) &&
    !/[/.]$/.test(branch)
  )
    return branch;
  throw fail(
    'invalid',
    `${JSON.stringify(branch)} is not a branch name.`,
    'Use letters, digits, hyphens and slashes.',
    {
      branch,
    },
  );
}

/** Refuses a revision that git would read as an option, or as a path of one. */
export function requireRevision(revision: string): string {
  if (revision !== '' && !revision.startsWith('-') && !/[\0\n:]/.test(revision)) return revision;
  throw fail('invalid', `${JSON.stringify(revision)} is not a revision.`, 'Give a commit, a tree or a branch.', {
    revision,
  });
}

/**
 * Refuses a place for a worktree that is not below the home, also when a link on the way leads out of it.
 * @returns the absolute path with links on the way resolved
 */
export async function requireUnderHome(home: string, path: string): Promise<string> {
  const realHome = await realpath(home);
  const real = await realPathOf(resolve(path));
  const inside = relative(realHome, real);
  if (isAbsolute(path) && inside !== '' && !inside.startsWith(`..${sep}`) && inside !== '..' && !isAbsolute(inside)) {
    return real;
  }
  throw fail(
    'forbidden',
    `${path} is not below the hall's home ${home}; worktrees are made and removed only there.`,
    'This is a fault of the program, or the home was moved while the hall ran: stop it and start it again.',
    { home, path },
  );
}

/** `realpath` for a path whose last parts need not exist; the last part itself is not followed. */
async function realPathOf(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  try {
    return join(await realpath(parent), path.slice(parent.length));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return join(await realPathOf(parent), path.slice(parent.length));
  }
}

/** True when something is there, be it a link that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

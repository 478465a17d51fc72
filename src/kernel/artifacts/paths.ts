/** Paths that come from outside (agents, artifacts, requests), kept inside a root: symbolic links included. */
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative as relativePath, sep } from 'node:path';
import { fail } from '../pure/errors.ts';
import { hasErrorCode } from './write.ts';

const forbiddenCharacters = /[\p{Cc}\\]/u;

/**
 * The absolute path of `relative` below `root`. Links inside the root are resolved, so that what is written through
 * the answer lands in the linked file. The target need not exist; `root` must.
 * @throws `invalid` for what is not a plain relative path (empty, absolute, `..`, NUL, backslash, control characters);
 *   `forbidden` where a link leads out of the root
 */
export async function resolveInside(root: string, relative: string): Promise<string> {
  requirePlainPath(relative);
  const realRoot = await realpath(root);
  let real = realRoot;
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.');
  for (const [index, part] of parts.entries()) {
    const next = await realPathOfPart(join(real, part), relative);
    if (next === undefined) {
      real = join(real, ...parts.slice(index));
      break;
    }
    if (!isInside(realRoot, next)) throw leadsOut(relative);
    real = next;
  }
  return join(root, relativePath(realRoot, real));
}

/** True when `path` is `root` or lies below it. Both absolute; compared as text, links are not looked at. */
export function isInside(root: string, path: string): boolean {
  const way = relativePath(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function requirePlainPath(relative: string): void {
  const reason = reasonAgainst(relative);
  if (reason === undefined) return;
  throw fail(
    'invalid',
    `The path ${JSON.stringify(relative.slice(0, 200))} ${reason}; expected a path relative to the project.`,
    'Give a path such as .lore/notes/plan.md.',
  );
}

function reasonAgainst(relative: string): string | undefined {
  if (relative.length > 4096) return 'is too long';
  if (forbiddenCharacters.test(relative)) return 'has a backslash or a control character';
  if (isAbsolute(relative)) return 'is absolute';
  const parts = relative.split('/');
  if (parts.includes('..')) return 'has ".." in it';
  if (parts.every((part) => part === '' || part === '.')) return 'names nothing';
  return undefined;
}

/** The real path of an existing file or folder; undefined where nothing is. */
async function realPathOfPart(path: string, relative: string): Promise<string | undefined> {
  try {
    const facts = await lstat(path);
    return facts.isSymbolicLink() ? await realpath(path) : path;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return await pathOfNothing(path, relative);
    if (hasErrorCode(error, 'ENOTDIR')) return undefined;
    if (hasErrorCode(error, 'ELOOP', 'EACCES')) throw leadsOut(relative);
    if (hasErrorCode(error, 'ENAMETOOLONG')) throw tooLong(relative);
    throw error;
  }
}

/** A link to nothing exists by itself: writing to it would make a file wherever it points. A file may have come just now. */
async function pathOfNothing(path: string, relative: string): Promise<string | undefined> {
  const facts = await lstat(path).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (facts?.isSymbolicLink() === true) throw leadsOut(relative);
  return facts === undefined ? undefined : path;
}

function leadsOut(relative: string) {
  return fail(
    'forbidden',
    `The path ${JSON.stringify(relative)} goes through a symbolic link that leads out of the project, or to nothing.`,
    'Name the file itself, inside the project, or replace the link by a file.',
  );
}

function tooLong(relative: string) {
  return fail(
    'invalid',
    `The path ${JSON.stringify(relative.slice(0, 80))}… has a part with more than 255 bytes.`,
    'Choose a shorter name.',
  );
}

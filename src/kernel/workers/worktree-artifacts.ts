/** The plain case of `ArtifactAccess`: the artifacts of one worktree, read and written in place. */
import { join } from 'node:path';
import { resolveInside } from '../artifacts/paths.ts';
import { withPinnedFile, withPinnedFolder } from '../artifacts/pinned.ts';
import { listArtifacts } from '../artifacts/read.ts';
import { hasErrorCode, readTextIfExists, writeAtomically } from '../artifacts/write.ts';
import { createLocks } from '../locks/locks.ts';
import { fail } from '../pure/errors.ts';
import type { ArtifactAccess } from './contract.ts';

const artifactsFolder = '.lore';
const writes = createLocks();

/**
 * Reads below `.lore/` of the worktree and writes Markdown there; everything else is refused with a hint.
 * @param root the worktree, absolute
 */
export function createWorktreeArtifacts(root: string): ArtifactAccess {
  return {
    list: (under) => listBelow(root, under),
    read: (path) => readBelow(root, path),
    write: (path, content) => writeBelow(root, path, content),
  };
}

async function listBelow(root: string, under = artifactsFolder) {
  const path = normalisePath(under);
  if (path !== artifactsFolder) await resolveArtifact(root, path);
  return await listArtifacts(root, path);
}

async function readBelow(root: string, given: string): Promise<string> {
  const path = normalisePath(given);
  const text = await readText(root, await resolveArtifact(root, path), path);
  if (text !== undefined) return text;
  throw fail('not_found', `There is no artifact ${path}.`, 'See which there are with list_artifacts.', { path });
}

async function readText(root: string, file: string | undefined, path: string): Promise<string | undefined> {
  try {
    return file === undefined ? undefined : await withPinnedFile(root, file, readTextIfExists);
  } catch (error) {
    if (!hasErrorCode(error, 'EISDIR')) throw error;
    throw fail('invalid', `${path} is a folder.`, `See what is in it: list_artifacts under ${path}.`, { path });
  }
}

async function writeBelow(root: string, given: string, content: string): Promise<{ path: string }> {
  const path = normalisePath(given);
  if (!path.endsWith('.md')) {
    throw fail(
      'invalid',
      `${path} is no Markdown file; artifacts end in .md.`,
      `Write it as ${path.replace(/\.[^./]*$/, '')}.md. Other files belong to the checkout: use the Write tool if you have it.`,
      { path },
    );
  }
  const file = (await resolveArtifact(root, path)) ?? join(root, path);
  try {
    // One after the other, as they were called: the pinned path says nothing of which file it is.
    await writes.with(file, async () => withPinnedFolder(root, file, async (at) => writeAtomically(at, content)));
  } catch (error) {
    if (!hasErrorCode(error, 'ENOTDIR', 'EISDIR', 'EEXIST')) throw error;
    throw fail(
      'conflict',
      `${path} cannot be written: a part of it is a file, or it is a folder.`,
      'Choose another path.',
      { path },
    );
  }
  return { path };
}

/** `.lore/…` with plain slashes, or a refusal that says how the path would be right. */
function normalisePath(given: string): string {
  const parts = given.split('/').filter((part) => part !== '' && part !== '.');
  if (parts[0] === artifactsFolder && !given.startsWith('/')) return parts.join('/');
  const isPlain = !given.startsWith('/') && !parts.includes('..');
  throw fail(
    'forbidden',
    `${JSON.stringify(given.slice(0, 200))} is not among the artifacts; those are the files below ${artifactsFolder}/.`,
    isPlain
      ? `Did you mean ${[artifactsFolder, ...parts].join('/')}?`
      : `Give a path such as ${artifactsFolder}/notes/plan.md.`,
    { path: given.slice(0, 200) },
  );
}

/**
 * Looked at from the worktree and from `.lore` itself, since a link may lead to another place of the worktree.
 * Undefined while there is no `.lore` yet.
 */
async function resolveArtifact(root: string, path: string): Promise<string | undefined> {
  const folder = await resolveInside(root, artifactsFolder);
  const rest = path.slice(artifactsFolder.length + 1);
  try {
    return await resolveInside(folder, rest);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    await resolveInside(root, path);
    return undefined;
  }
}

/** What stands at a path of a checkout. Links are never followed, neither at the end of the path nor on the way. */
import type { Stats } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { linkMode } from './read.ts';

export type LocalFile =
  | { readonly kind: 'missing' | 'folder' | 'other' }
  /** Something that is no folder stands where a folder of the path should be. */
  | { readonly kind: 'blocked'; readonly by: string }
  | { readonly kind: 'file' | 'link'; readonly mode: string; readonly bytes: Buffer };

interface Standing {
  readonly kind: LocalFile['kind'];
  readonly facts?: Stats;
  readonly by?: string;
}

/** What kind of thing it is; its content is not read. */
export async function localKind(root: string, path: string): Promise<LocalFile['kind']> {
  return (await look(root, path)).kind;
}

export async function readLocalFile(root: string, path: string): Promise<LocalFile> {
  const { kind, facts, by = '' } = await look(root, path);
  if (kind === 'blocked') return { kind, by };
  if (facts === undefined || (kind !== 'file' && kind !== 'link')) return { kind: kind as 'missing' };
  const whole = join(root, path);
  if (kind === 'link') return { kind, mode: linkMode, bytes: await readlink(whole, { encoding: 'buffer' }) };
  return { kind, mode: (facts.mode & 0o100) === 0 ? '100644' : '100755', bytes: await readFile(whole) };
}

async function look(root: string, path: string): Promise<Standing> {
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count += 1) {
    const parent = parts.slice(0, count).join('/');
    const facts = await lstat(join(root, parent)).catch(ifMissing);
    if (facts === undefined) return { kind: 'missing' };
    if (!facts.isDirectory()) return { kind: 'blocked', by: parent };
  }
  const facts = await lstat(join(root, path)).catch(ifMissing);
  if (facts === undefined) return { kind: 'missing' };
  if (facts.isDirectory()) return { kind: 'folder' };
  if (facts.isSymbolicLink()) return { kind: 'link', facts };
  return facts.isFile() ? { kind: 'file', facts } : { kind: 'other' };
}

/** True when every file below `folder` (which is `path` in the repository) is one of `known`. */
export async function holdsOnly(folder: string, path: string, known: ReadonlySet<string>): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const below = `${path}/${entry.name}`;
    const isKnown = entry.isDirectory() ? await holdsOnly(join(folder, entry.name), below, known) : known.has(below);
    if (!isKnown) return false;
  }
  return true;
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}

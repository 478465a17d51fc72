/** Which files are on a shelf now. At once, not in the background: this runs on a thread of its own. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { hasErrorCode } from '../write.ts';
import type { Shelf } from './shapes.ts';

export interface ShelvedFile {
  shelf: Shelf;
  /** Of all sources of a project, the only one with this key. */
  readonly key: string;
  readonly kind: string;
  readonly id: string | null;
  readonly path: string | null;
  /** Absolute. */
  readonly file: string;
  readonly size: number;
  readonly changedMs: number;
  readonly inode: number;
  /** When anything of it was changed, its name too; milliseconds. */
  readonly touchedMs: number;
  /** Tells one state of the file from another. */
  readonly sign: string;
}

export type ShelvedFiles = ReadonlyMap<string, ShelvedFile>;

/** Deeper folders, and more files than these, are not looked into. */
const deepest = 40;
const mostFiles = 200_000;

/**
 * Plain files only; a folder that cannot be read has none.
 * @param before what was found last: of what is the same no new facts are made
 */
export function filesOn(shelf: Shelf, before: ShelvedFiles): ShelvedFile[] {
  const walk: Walk = {
    shelf,
    before,
    top: join(shelf.root, shelf.folder),
    names: shelf.names.map((name) => new RegExp(name, 'u')),
    found: [],
  };
  if (isRealFolder(shelf)) enter(walk, '', 0, null);
  return walk.found;
}

/** No part of the way below the root is a link: the repository could have made it. */
function isRealFolder({ root, folder }: Shelf): boolean {
  const parts = folder.split('/').filter((part) => part !== '');
  return parts.every((_part, at) => {
    const facts = lstatSync(join(root, ...parts.slice(0, at + 1)), { throwIfNoEntry: false });
    return facts?.isDirectory() === true;
  });
}

interface Walk {
  readonly shelf: Shelf;
  readonly before: ShelvedFiles;
  /** Absolute. */
  readonly top: string;
  readonly names: readonly RegExp[];
  readonly found: ShelvedFile[];
}

function enter(walk: Walk, below: string, depth: number, id: string | null): void {
  const { shelf, top, names, found } = walk;
  for (const entry of entriesOf(join(top, below))) {
    if (found.length >= mostFiles) return;
    const match = names[depth]?.exec(entry.name);
    if (names.length > 0 && !match) continue;
    const named = match?.groups?.['id'] ?? id;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (goesDeeper(names, depth, entry.name)) enter(walk, path, depth + 1, named);
    } else if (entry.isFile() && isWanted(shelf, depth, entry.name, named)) {
      const file = fileOf(walk, `${top}/${path}`, path, named);
      if (file !== undefined) found.push(file);
    }
  }
}

function goesDeeper(names: readonly RegExp[], depth: number, name: string): boolean {
  return names.length === 0 ? name !== '.git' && depth < deepest : depth < names.length - 1;
}

function isWanted({ names, titles }: Shelf, depth: number, name: string, id: string | null): boolean {
  if (titles !== undefined && (id === null || !titles.has(id))) return false;
  return names.length === 0 ? /\.md$/i.test(name) : depth === names.length - 1;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // It went, or may not be read: what is in it cannot be found.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG')) return [];
    throw error;
  }
}

function fileOf({ shelf, before }: Walk, found: string, below: string, id: string | null): ShelvedFile | undefined {
  const file = shelf.instead === undefined ? found : shelf.instead.replaceAll('<id>', id ?? '');
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (facts?.isFile() !== true) return undefined;
  const key = `${shelf.name}/${below}`;
  const known = before.get(key);
  if (known && isSame(known, facts)) {
    // What it is called may have changed.
    known.shelf = shelf;
    return known;
  }
  const path = shelf.shownBelow === undefined ? null : `${shelf.shownBelow}${below}`;
  const other = path === null ? undefined : shelf.others?.find(({ under }) => path.startsWith(under));
  return {
    shelf,
    key,
    kind: other?.kind ?? shelf.kind,
    id: other === undefined ? id : basename(below).replace(/\.md$/i, ''),
    path,
    file,
    size: facts.size,
    changedMs: facts.mtimeMs,
    inode: facts.ino,
    touchedMs: facts.ctimeMs,
    sign: `${facts.ino} ${facts.mtimeMs} ${facts.ctimeMs} ${facts.size}`,
  };
}

function isSame(known: ShelvedFile, { ino, mtimeMs, ctimeMs, size }: Stats): boolean {
  return known.inode === ino && known.changedMs === mtimeMs && known.touchedMs === ctimeMs && known.size === size;
}

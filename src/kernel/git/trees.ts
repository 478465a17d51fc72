/** A tree with some files put into it, by one call of git: without an index, and however large the rest of it is. */
import { createHash } from 'node:crypto';
import type { IndexEntry } from './checkout.ts';
import { looseObject } from './native.ts';
import { type GitContext, git } from './run.ts';

/** One line of a tree. Names are bytes, one character each. */
interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly oid: string;
}

interface Put {
  readonly parts: readonly string[];
  readonly mode: string;
  readonly oid: string;
}

const folderMode = '40000';
const submoduleMode = '160000';

/**
 * What stands in the way of a file gives way, as with `git update-index --replace`.
 * @returns undefined where it is not done this way: something is to be taken out, or a tree on the way is packed
 */
export async function putIntoTree(
  ctx: GitContext,
  place: { readonly cwd: string; readonly commonDir: string },
  tree: string,
  entries: readonly IndexEntry[],
): Promise<string | undefined> {
  if (entries.some(({ mode }) => mode === '0')) return undefined;
  const puts = entries.map(({ path, mode, oid }) => ({ parts: bytesOf(path).split('/'), mode, oid }));
  const made: TreeEntry[][] = [];
  const wanted = await edit(place.commonDir, tree, puts, made);
  if (wanted === undefined) return undefined;
  const input = Buffer.from(made.map(printForMaking).join('\0'), 'latin1');
  // What is below is in the repository, or git would not have given the tree that it is taken from.
  const said = await git(ctx, place.cwd, ['mktree', '--batch', '--missing', '-z'], { input });
  const isAsExpected = said === made.map((lines) => `${nameOf(lines)}\n`).join('');
  return isAsExpected ? wanted : undefined;
}

/** Trees are put into `made` after those that they hold. @param tree undefined: there is none yet */
async function edit(
  commonDir: string,
  tree: string | undefined,
  puts: readonly Put[],
  made: TreeEntry[][],
): Promise<string | undefined> {
  const before = tree === undefined ? [] : await readTree(commonDir, tree);
  if (before === undefined) return undefined;
  const after = new Map(before.map((entry) => [entry.name, entry]));
  for (const [name, own] of byFirstPart(puts)) {
    const [one] = own;
    if (own.length === 1 && one?.parts.length === 1) {
      after.set(name, { mode: one.mode, name, oid: one.oid });
      continue;
    }
    // A file that is also a folder.
    if (own.some(({ parts }) => parts.length === 1)) return undefined;
    const known = after.get(name);
    const below = known?.mode === folderMode ? known.oid : undefined;
    const rest = own.map(({ parts, mode, oid }) => ({ parts: parts.slice(1), mode, oid }));
    const oid = await edit(commonDir, below, rest, made);
    if (oid === undefined) return undefined;
    after.set(name, { mode: folderMode, name, oid });
  }
  const lines = [...after.values()].toSorted((a, b) => (sortedName(a) < sortedName(b) ? -1 : 1));
  made.push(lines);
  return nameOf(lines);
}

function byFirstPart(puts: readonly Put[]): Map<string, Put[]> {
  const groups = new Map<string, Put[]>();
  for (const put of puts) {
    const known = groups.get(put.parts[0]!);
    if (known === undefined) groups.set(put.parts[0]!, [put]);
    else known.push(put);
  }
  return groups;
}

/** Undefined also for one that is not as git writes them: its name fits whatever somebody put into it. */
async function readTree(commonDir: string, tree: string): Promise<TreeEntry[] | undefined> {
  const found = await looseObject(commonDir, tree);
  if (found?.type !== 'tree') return undefined;
  const text = found.content.toString('latin1');
  const entries: TreeEntry[] = [];
  for (let at = 0; at < text.length;) {
    const blank = text.indexOf(' ', at);
    const end = text.indexOf('\0', blank);
    if (blank === -1 || end === -1 || end + 21 > text.length) return undefined;
    const oid = found.content.subarray(end + 1, end + 21).toString('hex');
    entries.push({ mode: text.slice(at, blank), name: text.slice(blank + 1, end), oid });
    at = end + 21;
  }
  return entries;
}

/** Git sorts folders as if their names ended with a slash. */
function sortedName({ mode, name }: TreeEntry): string {
  return mode === folderMode ? `${name}/` : name;
}

function nameOf(lines: readonly TreeEntry[]): string {
  const content = Buffer.concat(
    lines.flatMap(({ mode, name, oid }) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(oid, 'hex')]),
  );
  return createHash('sha1').update(`tree ${content.length}\0`).update(content).digest('hex');
}

function printForMaking(lines: readonly TreeEntry[]): string {
  const kindOf = (mode: string): string => (mode === folderMode ? 'tree' : mode === submoduleMode ? 'commit' : 'blob');
  return lines.map(({ mode, name, oid }) => `${mode} ${kindOf(mode)} ${oid}\t${name}\0`).join('');
}

function bytesOf(path: string): string {
  return Buffer.from(path).toString('latin1');
}

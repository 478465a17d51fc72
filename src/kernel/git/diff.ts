/** Changes as unified text, bounded: what two trees differ in, for a person to read. */
import { batchesOf } from './batches.ts';
import { objectSizes } from './objects.ts';
import { parseRawChanges, submoduleMode, type TreeChange, treeChanges } from './read.ts';
import { requireRevision } from './paths.ts';
import { type GitContext, git } from './run.ts';

export interface FileDiff {
  readonly path: string;
  /** A, D, M or T (its kind changed). */
  readonly status: string;
  /** No text to compare. */
  readonly isBinary: boolean;
  /** The hunks, each line with its sign; empty for what is binary, cut altogether or changed only in its mode. */
  readonly text: string;
  /** The text is not all of the change, or there is none because of the bounds. */
  readonly isCut: boolean;
  /** Lines; of what is cut altogether 0. */
  readonly added: number;
  readonly removed: number;
}

export interface DiffLimits {
  /** Characters of text a file, and in all. */
  readonly perFile: number;
  readonly inAll: number;
  /** Files. */
  readonly files: number;
}

/** Larger files are not compared at all. Bytes, of both sides together. */
const comparedBytes = 4 * 1024 * 1024;
/** So much is compared by one call of git. */
const batchBytes = 16 * 1024 * 1024;
const batchFiles = 200;

export interface Diff {
  readonly files: readonly FileDiff[];
  /** How many changed files are not named. */
  readonly more: number;
}

/** @param leaveOut paths that are not looked at */
export async function diffTrees(
  ctx: GitContext,
  repo: string,
  range: { readonly from: string; readonly to: string; readonly leaveOut?: (path: string) => boolean },
  limits: DiffLimits,
): Promise<Diff> {
  const changes = await treeChanges(ctx, repo, range.from, range.to);
  const wanted = changes.filter(({ path }) => range.leaveOut?.(path) !== true);
  const named = wanted.slice(0, limits.files);
  const sections = await readSections(ctx, repo, range, await compared(ctx, repo, named));
  const files: FileDiff[] = [];
  let room = limits.inAll;
  for (const change of named) {
    const section = sections.get(change.path);
    const file = fileDiff(change, section, Math.min(limits.perFile, room));
    room -= file.text.length;
    files.push(file);
  }
  return { files, more: wanted.length - named.length };
}

/** Those that git is asked to compare: not what changed its kind (git prints that as two), and nothing huge. */
async function compared(ctx: GitContext, repo: string, changes: readonly TreeChange[]): Promise<Sized[]> {
  const plain = changes.filter(
    ({ status, oldMode, newMode }) => status !== 'T' && ![oldMode, newMode].includes(submoduleMode),
  );
  const names = plain.flatMap(({ oldOid, newOid }) => [oldOid, newOid]);
  const sizes = await objectSizes(ctx, repo, names);
  return plain
    .map((change, index) => ({ ...change, size: (sizes[2 * index] ?? 0) + (sizes[2 * index + 1] ?? 0) }))
    .filter(({ size }) => size <= comparedBytes);
}

interface Sized extends TreeChange {
  readonly size: number;
}

async function readSections(
  ctx: GitContext,
  repo: string,
  range: { readonly from: string; readonly to: string },
  files: readonly Sized[],
): Promise<ReadonlyMap<string, string>> {
  const sections = new Map<string, string>();
  const how = ['--raw', '-z', '-p', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--unified=3'];
  for (const batch of batchesOf(files, { bytes: batchBytes, files: batchFiles })) {
    const args = ['diff-tree', '-r', ...how, '--no-abbrev', requireRevision(range.from), requireRevision(range.to)];
    const paths = batch.map(({ path }) => path);
    const output = await git(ctx, repo, [...args, '--', ...paths], { maxOutputBytes: 4 * batchBytes });
    for (const [path, section] of sectionsOf(output)) sections.set(path, section);
  }
  return sections;
}

/**
 * First the list of what follows, ended by an empty record, then a section for each, in the same order; two for one that
 * changed its kind. A path that is asked for may bring others: a folder that came in the place of a file.
 */
function sectionsOf(output: string): [string, string][] {
  const end = output.indexOf('\0\0');
  if (end === -1) return [];
  // Each line of a hunk begins with its sign, so that none can begin like a section.
  const found = output.slice(end + 2).split(/(?<=\n)(?=diff --git )/);
  let next = 0;
  return parseRawChanges(output.slice(0, end + 1)).map(({ path, status }) => {
    const section = found[next] ?? '';
    next += status === 'T' ? 2 : 1;
    return [path, section];
  });
}

function fileDiff({ path, status }: TreeChange, section: string | undefined, room: number): FileDiff {
  const known = { path, status };
  if (section === undefined) return { ...known, isBinary: false, text: '', isCut: true, added: 0, removed: 0 };
  const start = section.search(/(?<=\n)@@ /);
  const isBinary = start === -1 && section.includes('\nBinary files ');
  const whole = start === -1 ? '' : section.slice(start);
  const text = whole.length <= room ? whole : whole.slice(0, whole.lastIndexOf('\n', room) + 1);
  const count = (sign: '+' | '-'): number => whole.split('\n').filter((line) => line.startsWith(sign)).length;
  return { ...known, isBinary, text, isCut: text !== whole, added: count('+'), removed: count('-') };
}

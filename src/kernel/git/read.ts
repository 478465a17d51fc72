/** Reading: trees, files at a revision, what changed. Nothing here changes anything. */
import { type GitContext, git, gitWord, runGit, splitNul } from './run.ts';
import { requireRepositoryPath, requireRevision } from './paths.ts';

/** One path that differs between two trees. `status` is git's letter: A, D, M or T (its kind changed). */
export interface ChangedFile {
  readonly path: string;
  readonly status: string;
}

/** A changed path with what it is on both sides; modes as git writes them, `000000` for nothing. */
export interface TreeChange extends ChangedFile {
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldOid: string;
  readonly newOid: string;
}

/** Modes of tree entries that are not plain files. */
export const linkMode = '120000';
export const submoduleMode = '160000';

/** The tree of a revision. */
export async function treeOf(ctx: GitContext, repo: string, revision: string): Promise<string> {
  return gitWord(ctx, repo, ['rev-parse', '--verify', '--end-of-options', `${requireRevision(revision)}^{tree}`]);
}

/** The best common ancestor, or undefined when the two share no history. */
export async function mergeBase(ctx: GitContext, repo: string, a: string, b: string): Promise<string | undefined> {
  const args = ['merge-base', requireRevision(a), requireRevision(b)];
  const result = await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1] });
  return result.exitCode === 0 ? result.stdout.trim() : undefined;
}

/** Files that differ from revision `from` to revision `to`. A moved file shows as one deleted and one added. */
export async function changedFiles(ctx: GitContext, repo: string, from: string, to: string): Promise<ChangedFile[]> {
  const changes = await treeChanges(ctx, repo, from, to);
  return changes.map(({ path, status }) => ({ path, status }));
}

/** The tree without a file. */
export async function emptyTree(ctx: GitContext, repo: string): Promise<string> {
  return gitWord(ctx, repo, ['mktree'], { input: '' });
}

/** What `tip` changed since it left `branch`. Where the two share nothing all of it is new. */
export async function changesSince(
  ctx: GitContext,
  repo: string,
  branch: string,
  tip: string,
): Promise<{ readonly base: string; readonly changes: TreeChange[] }> {
  const base = (await mergeBase(ctx, repo, branch, tip)) ?? (await emptyTree(ctx, repo));
  return { base, changes: await treeChanges(ctx, repo, base, tip) };
}

export async function treeChanges(ctx: GitContext, repo: string, from: string, to: string): Promise<TreeChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--ignore-submodules=none'];
  return parseRawChanges(await git(ctx, repo, [...args, requireRevision(from), requireRevision(to), '--']));
}

/** Reads what git prints with `--raw -z`, renames not looked for. */
export function parseRawChanges(output: string): TreeChange[] {
  const pieces = splitNul(output);
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const [oldMode = '', newMode = '', oldOid = '', newOid = '', status = ''] = pieces[at]!.slice(1).split(' ');
    changes.push({ path: pieces[at + 1]!, status, oldMode, newMode, oldOid, newOid });
  }
  return changes;
}

/** The text of a file at a revision, or undefined when it is not there. For a link: what it points to. */
export async function readFileAt(
  ctx: GitContext,
  repo: string,
  revision: string,
  path: string,
): Promise<string | undefined> {
  return (await readBytesAt(ctx, repo, revision, path))?.toString('utf8');
}

/** The bytes of a file at a revision, or undefined when it is not there. */
export async function readBytesAt(
  ctx: GitContext,
  repo: string,
  revision: string,
  path: string,
): Promise<Buffer | undefined> {
  const [bytes] = await readObjects(ctx, repo, [`${requireRevision(revision)}:${requireRepositoryPath(path)}`]);
  return bytes;
}

/** The sizes of several objects in bytes, undefined for each that is not there. */
export async function objectSizes(
  ctx: GitContext,
  repo: string,
  names: readonly string[],
): Promise<(number | undefined)[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\0`).join('');
  const output = await git(ctx, repo, ['cat-file', '--batch-check=size %(objectsize)', '-z'], { input });
  const lines = output.split('\n');
  return names.map((_, index) => {
    const size = /^size (\d+)$/.exec(lines[index] ?? '')?.[1];
    return size === undefined ? undefined : Number(size);
  });
}

/** The bytes of several blobs in one call, undefined for each that is not there or is no blob. */
export async function readObjects(
  ctx: GitContext,
  repo: string,
  names: readonly string[],
): Promise<(Buffer | undefined)[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\0`).join('');
  const output = await git(ctx, repo, ['cat-file', '--batch', '-z'], { input, encoding: 'latin1' });
  const found: (Buffer | undefined)[] = [];
  let at = 0;
  for (const name of names) {
    // What was asked for is echoed when it is missing, and may itself hold line ends.
    const missing = `${Buffer.from(name).toString('latin1')} missing\n`;
    if (output.startsWith(missing, at)) {
      found.push(undefined);
      at += missing.length;
      continue;
    }
    const headEnd = output.indexOf('\n', at);
    const [, type, size] = output.slice(at, headEnd).split(' ');
    const end = headEnd + 1 + Number(size);
    found.push(type === 'blob' ? Buffer.from(output.slice(headEnd + 1, end), 'latin1') : undefined);
    at = end + 1;
  }
  return found;
}

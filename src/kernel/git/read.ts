/** Reading: trees, files at a revision, what changed. Nothing here changes anything. */
import { branchTip } from './branches.ts';
import { sinceParting } from './lineage.ts';
import { readObjects } from './objects.ts';
import { askOnce, keyOfObjects, type Remembered } from './remembered.ts';
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
  const key = keyOfObjects(repo, a, b);
  const ask = async (): Promise<string | undefined> => {
    const parted = key === undefined ? undefined : await sinceParting(repo, a, b);
    if (parted !== undefined) return parted.base;
    const args = ['merge-base', requireRevision(a), requireRevision(b)];
    const result = await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1] });
    return result.exitCode === 0 ? result.stdout.trim() : undefined;
  };
  // None is no answer for good: a history that was cut short may be deepened.
  return askOnce(mergeBases, key, ask, (base) => base !== undefined);
}

const mergeBases: Remembered<string | undefined> = { answers: new Map(), max: 200 };
const changesOfTrees: Remembered<TreeChange[]> = { answers: new Map(), max: 50 };
/** A longer answer is asked for again. Paths. */
const maxChangesKept = 1000;

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
  const head = (await branchTip(ctx, repo, branch)) ?? branch;
  const base = (await mergeBase(ctx, repo, head, tip)) ?? (await emptyTree(ctx, repo));
  return { base, changes: await treeChanges(ctx, repo, base, tip) };
}

export async function treeChanges(ctx: GitContext, repo: string, from: string, to: string): Promise<TreeChange[]> {
  const ask = async (): Promise<TreeChange[]> => {
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--ignore-submodules=none'];
    return parseRawChanges(await git(ctx, repo, [...args, requireRevision(from), requireRevision(to), '--']));
  };
  return askOnce(changesOfTrees, keyOfObjects(repo, from, to), ask, ({ length }) => length <= maxChangesKept);
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

/**
 * Making the files of a checkout follow its branch, after the branch was moved without it.
 *
 * What the checkout was last made to be is read from its index, not from memory: so a crash at any moment between
 * the move and the last file is repaired by following again. Files that git does not know, and files whose content is
 * neither the old one nor the new one, stay as they are.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../pure/errors.ts';
import { someAtOnce } from '../pure/some-at-once.ts';
import {
  type Checkout,
  type IndexCopy,
  type IndexEntry,
  readCheckoutOf,
  setIndexEntries,
  withIndexCopy,
} from './checkout.ts';
import { holdsOnly, type LocalFile, localKind, readLocalFile } from './local.ts';
import { readObjects } from './objects.ts';
import { submoduleMode, treeChanges, type TreeChange } from './read.ts';
import { type GitContext, git, gitWord, longTimeoutMs, runGit, splitNul } from './run.ts';

export interface Followed {
  /** Paths that differ on the branch and were left as they stood in the checkout, because they were changed there. */
  readonly keptLocal: readonly string[];
}

export interface FollowHints {
  /** The tree that the checkout is known to have been at. */
  readonly from?: string;
  /** Entries of the new tree whose files already hold the new content. */
  readonly settled?: readonly IndexEntry[];
}

/** Repairs a checkout that did not follow its branch. Does nothing, quickly, when it did. */
export async function followIntegration(
  ctx: GitContext,
  request: { readonly integrationWorktree: string; readonly branch: string },
): Promise<Followed> {
  const checkout = await readCheckoutOf(ctx, request.integrationWorktree, request.branch);
  return followTip(ctx, checkout);
}

const tries = 5;
/** How many moves back a checkout may have stayed behind and still be recognised; one move may bring any number of commits. */
const rememberedMoves = 50;
/** The same by the history itself, for a branch whose log was cleared or is not kept. Commits. */
const rememberedCommits = 200;

/** Makes index and files of `checkout` those of its tip. */
export async function followTip(ctx: GitContext, checkout: Checkout, hints: FollowHints = {}): Promise<Followed> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const followed = await withIndexCopy(ctx, checkout, async (copy) => {
      const done = await followInCopy(ctx, checkout, copy, attempt === 0 ? hints : withoutSettled(hints));
      if (done === 'already') return { keptLocal: [] };
      return done !== 'blocked' && (await copy.install(checkout.tree)) ? done : undefined;
    });
    if (followed !== undefined) return followed;
  }
  throw fail(
    'conflict',
    `The checkout ${checkout.path} could not be brought to its branch: its files change all the time, or block it.`,
    `See what is in the way: git -C '${checkout.path}' status`,
    { path: checkout.path },
  );
}

/** What was settled was so a moment ago only; where the checkout came from stays true. */
function withoutSettled({ from }: FollowHints): FollowHints {
  return from === undefined ? {} : { from };
}

async function followInCopy(
  ctx: GitContext,
  checkout: Checkout,
  { file: indexFile, treeBefore }: IndexCopy,
  hints: FollowHints,
): Promise<Followed | 'already' | 'blocked'> {
  const from = await treeBefore(checkout.tree, ...(hints.from === undefined ? [] : [hints.from]));
  if (from === checkout.tree) return 'already';
  const isKnown = from === hints.from || (await wasEverTip(ctx, checkout, from));
  if (isKnown) {
    const { settled = [] } = hints;
    const [isInWay] = await Promise.all([
      standsInWay(ctx, checkout, from, settled),
      setIndexEntries(ctx, checkout.path, indexFile, settled),
    ]);
    if (!isInWay && (await moveFiles(ctx, checkout, indexFile, from))) return { keptLocal: [] };
  }
  const { keptLocal, entries } = await settle(ctx, checkout, { indexFile, from, isKnown });
  await setIndexEntries(ctx, checkout.path, indexFile, entries);
  // What is settled is now the same on both sides of the step, so git has nothing to do there.
  const rest = await gitWord(ctx, checkout.path, ['write-tree'], { indexFile });
  return (await moveFiles(ctx, checkout, indexFile, rest)) ? { keptLocal } : 'blocked';
}

/** Whether something stands where a new file is to come: what git is told to ignore it would overwrite in its own step. */
async function standsInWay(
  ctx: GitContext,
  { path: root, tree }: Checkout,
  from: string,
  settled: readonly IndexEntry[],
): Promise<boolean> {
  const known = new Set(settled.map(({ path }) => path));
  const changes = await treeChanges(ctx, root, from, tree);
  const fresh = changes.filter(({ path, status }) => status === 'A' && !known.has(path));
  const kinds = await someAtOnce(fresh, 16, async ({ path }) => localKind(root, path));
  return kinds.some((kind) => kind !== 'missing');
}

/** Git's own step from one tree to another; it does nothing at all when a file would be lost. */
async function moveFiles(ctx: GitContext, checkout: Checkout, indexFile: string, from: string): Promise<boolean> {
  const args = ['read-tree', '-m', '-u', from, checkout.tree];
  const options = { cwd: checkout.path, indexFile, timeoutMs: longTimeoutMs };
  const { exitCode, stderr } = await runGit(ctx, { ...options, args, okExitCodes: [0, 1, 128] });
  if (exitCode === 0) return true;
  if (/not uptodate|would be (?:overwritten|removed)|would lose untracked|Cannot merge/.test(stderr)) return false;
  await git(ctx, checkout.path, args, options);
  return true;
}

/** An index that no commit of the branch ever had was changed by somebody: then every difference is theirs to keep. */
async function wasEverTip(ctx: GitContext, checkout: Checkout, tree: string): Promise<boolean> {
  const { ref, tip, path: cwd } = checkout;
  const trees = ['rev-list', '--no-commit-header', '--format=%T'];
  const options = { cwd, okExitCodes: [0, 128] };
  if (ref !== null) {
    const moves = await runGit(ctx, {
      ...options,
      args: [...trees, '-g', `--max-count=${rememberedMoves}`, ref, '--'],
    });
    const known = moves.stdout.split('\n').slice(0, -1);
    if (known.includes(tree)) return true;
    // The oldest entry names the commit that was before it too.
    const args = ['rev-parse', '--verify', '--quiet', `${ref}@{${known.length}}^{tree}`];
    if (known.length > 0 && (await runGit(ctx, { ...options, args, okExitCodes: [0, 1, 128] })).stdout.trim() === tree)
      return true;
  }
  const commits = await git(ctx, cwd, [...trees, `--max-count=${rememberedCommits}`, tip, '--']);
  return commits.split('\n').includes(tree);
}

interface Standing {
  readonly indexFile: string;
  readonly from: string;
  readonly isKnown: boolean;
}

/** Decides, for each path that moves and is not as the index says, whether its file gives way. */
async function settle(
  ctx: GitContext,
  checkout: Checkout,
  standing: Standing,
): Promise<{ keptLocal: string[]; entries: IndexEntry[] }> {
  const changes = await treeChanges(ctx, checkout.path, standing.from, checkout.tree);
  const dirty = standing.isKnown ? await dirtyPaths(ctx, checkout, standing.indexFile) : undefined;
  const open = changes.filter(({ path, status }) => dirty === undefined || dirty.has(path) || status === 'A');
  const contents = await readObjects(
    ctx,
    checkout.path,
    open.map(({ newMode, newOid }) => (newMode === submoduleMode ? '0'.repeat(40) : newOid)),
  );
  const leaving = new Set(changes.filter(({ status }) => status === 'D').map(({ path }) => path));
  for (const path of dirty ?? []) leaving.delete(path);
  const keptLocal: string[] = [];
  const entries: IndexEntry[] = [];
  for (const [at, change] of open.entries()) {
    const local = await readLocalFile(checkout.path, change.path);
    const answer = await decide(checkout, change, local, { content: contents[at], leaving, isKnown: standing.isKnown });
    if (answer === 'give way') continue;
    if (answer === 'keep') keptLocal.push(change.path);
    const isGone = change.status === 'D';
    entries.push({ mode: isGone ? '0' : change.newMode, oid: change.newOid, path: change.path });
  }
  return { keptLocal, entries };
}

interface Arriving {
  /** Undefined for a file that goes, and for a submodule. */
  readonly content: Buffer | undefined;
  /** Paths that are about to be removed, as they are known to git. */
  readonly leaving: ReadonlySet<string>;
  readonly isKnown: boolean;
}

async function decide(
  checkout: Checkout,
  change: TreeChange,
  local: LocalFile,
  arriving: Arriving,
): Promise<'give way' | 'same' | 'keep'> {
  if (local.kind === 'missing') return 'give way';
  if (local.kind === 'blocked') return arriving.leaving.has(local.by) ? 'give way' : 'keep';
  if (local.kind === 'folder') {
    const isLeaving = await holdsOnly(join(checkout.path, change.path), change.path, arriving.leaving);
    return isLeaving ? 'give way' : 'keep';
  }
  if (change.status === 'D' || arriving.content === undefined) return 'keep';
  if (local.kind === 'file' || local.kind === 'link') {
    const isSame = local.mode === change.newMode && local.bytes.equals(arriving.content);
    if (isSame) return 'same';
    // What a broken-off checkout left of the new content, and nothing besides.
    const isBeginning = local.kind === 'file' && arriving.content.subarray(0, local.bytes.length).equals(local.bytes);
    if (!isBeginning || !arriving.isKnown) return 'keep';
    await rm(join(checkout.path, change.path), { force: true });
    return 'give way';
  }
  return 'keep';
}

/** Paths whose files are not what the index says they are. */
async function dirtyPaths(ctx: GitContext, checkout: Checkout, indexFile: string): Promise<Set<string>> {
  const refresh = ['update-index', '-q', '--refresh'];
  await runGit(ctx, { cwd: checkout.path, args: refresh, indexFile, okExitCodes: [0, 1], timeoutMs: longTimeoutMs });
  const args = ['diff-files', '-z', '--name-only', '--ignore-submodules=all'];
  return new Set(splitNul(await git(ctx, checkout.path, args, { indexFile })));
}

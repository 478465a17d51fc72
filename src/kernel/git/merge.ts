/** The way of finished work: all of an activity's branch becomes one commit of the integration branch. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../pure/errors.ts';
import { branchTip } from './branches.ts';
import {
  type Checkout,
  type IndexEntry,
  moveBranch,
  readCheckoutOf,
  setIndexEntries,
  withEmptyIndex,
} from './checkout.ts';
import { followTip } from './follow.ts';
import { sinceParting } from './lineage.ts';
import { readLocalFile } from './local.ts';
import { mergeCommits, type MergeOutcome } from './mergetree.ts';
import { commitTree, composeMessage, type CommitText, firstLine, tipTrailer, trailersOf } from './message.ts';
import { foldersOf, looseTreeOf } from './native.ts';
import { requireBranchName, requireRepositoryPath } from './paths.ts';
import { emptyTree, mergeBase, treeChanges } from './read.ts';
import { type GitContext, git, gitWord } from './run.ts';
import { putIntoTree } from './trees.ts';

export interface SquashRequest extends CommitText {
  readonly repo: string;
  readonly integrationBranch: string;
  readonly integrationWorktree: string;
  readonly activityBranch: string;
  /** The commit of that branch that was looked at: it is merged, whatever the branch holds since. Left out: its tip. */
  readonly lookedAt?: string;
  /** Path → whole text of files that the integration side alone decides: what the activity did to them does not count. */
  readonly overlay: Readonly<Record<string, string>>;
  /** Paths of the overlay whose files the caller writes when it is merged, whatever stands in them now. */
  readonly writtenAfter?: readonly string[];
  /** Files that count as if the activity had written these bytes in place of its own. */
  readonly instead?: readonly ReplacedFile[];
  /** Files and folders whose changes by the activity are left behind; they stay as they are on the integration side. */
  readonly dropPaths?: readonly string[];
}

export interface ReplacedFile {
  readonly path: string;
  /** As git writes it. */
  readonly mode: string;
  readonly bytes: Uint8Array;
}

export type SquashOutcome =
  | {
      readonly kind: 'merged';
      /** The one commit that holds the work; the integration branch's own tip when there was nothing to take over. */
      readonly commit: string;
      readonly activityTip: string;
      /** Nothing was different, or the work had been merged before: no commit was made. */
      readonly isEmpty: boolean;
      /** Files that the merge changed and that stay as they stood in the integration checkout, not yet committed. */
      readonly keptLocal: readonly string[];
    }
  /** Nothing was changed anywhere. */
  | { readonly kind: 'conflict'; readonly files: readonly string[]; readonly activityTip: string };

const tries = 5;

/**
 * Merges an activity's branch into the integration branch as one commit, then lets the integration checkout follow.
 * Repeating it, also after a crash at any moment, makes no second commit. The caller holds the project's lock.
 */
export async function squashMerge(ctx: GitContext, request: SquashRequest): Promise<SquashOutcome> {
  const worktree = request.integrationWorktree;
  for (const path of Object.keys(request.overlay)) requireRepositoryPath(path);
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const [checkout, activityTip] = await Promise.all([
      readCheckoutOf(ctx, worktree, request.integrationBranch),
      findTip(ctx, worktree, request),
    ]);
    await requireNotInUse(checkout, request);
    const [before, fresh, entries] = await Promise.all([
      findMerged(ctx, checkout, activityTip),
      mergeActivity(ctx, checkout, activityTip, request),
      storeOverlay(ctx, checkout, request.overlay),
    ]);
    const merge: MergeOutcome = before === undefined ? fresh : { kind: 'clean', tree: checkout.tree };
    if (merge.kind === 'conflict') return { kind: 'conflict', files: merge.files, activityTip };
    const tree = await editTree(ctx, checkout, merge.tree, entries);
    if (tree === checkout.tree) {
      const { keptLocal } = await followTip(ctx, checkout);
      return { kind: 'merged', commit: before ?? checkout.tip, activityTip, isEmpty: true, keptLocal };
    }
    const commit = await commitMerged(ctx, checkout, { tree, activityTip, text: request });
    if (commit === undefined) continue;
    const settled = await settledOf(checkout, entries, request);
    const { keptLocal } = await followTip(ctx, { ...checkout, tip: commit, tree }, { from: checkout.tree, settled });
    return { kind: 'merged', commit, activityTip, isEmpty: false, keptLocal };
  }
  throw fail(
    'unavailable',
    `The branch ${request.integrationBranch} was moved by somebody else, again and again, during a merge.`,
    'Repeat when the other git is done.',
    { branch: request.integrationBranch },
  );
}

async function findTip(ctx: GitContext, repo: string, request: SquashRequest): Promise<string> {
  const { lookedAt, activityBranch } = request;
  const tip = lookedAt === undefined ? await branchTip(ctx, repo, activityBranch) : await commitOf(repo, lookedAt);
  if (tip !== undefined) return tip;
  const name = lookedAt ?? `refs/heads/${requireBranchName(activityBranch)}`;
  return gitWord(ctx, repo, ['rev-parse', '--verify', `${name}^{commit}`]);
}

/** The commit itself, where it is one that can be read without a process. */
async function commitOf(repo: string, oid: string): Promise<string | undefined> {
  const folders = await foldersOf(repo);
  return folders !== undefined && (await looseTreeOf(folders.commonDir, oid)) !== undefined ? oid : undefined;
}

/** Undefined when the integration branch was moved meanwhile. */
async function commitMerged(
  ctx: GitContext,
  checkout: Checkout,
  merged: { readonly tree: string; readonly activityTip: string; readonly text: CommitText },
): Promise<string | undefined> {
  const { path: cwd, tip } = checkout;
  const text = composeMessage(merged.text, { [tipTrailer]: merged.activityTip });
  const commit = await commitTree(ctx, cwd, { tree: merged.tree, parents: [tip], text });
  const why = firstLine(merged.text.message);
  const hasMoved = await moveBranch(ctx, cwd, { ref: checkout.ref!, to: commit, from: tip, why });
  return hasMoved ? commit : undefined;
}

/** The commit that already took over exactly this tip of the activity: a crash came between it and what follows. */
async function findMerged(ctx: GitContext, checkout: Checkout, activityTip: string): Promise<string | undefined> {
  // The same words in a title, or within the text, are somebody's words.
  const isMerge = (message: string): boolean => trailersOf(message).includes(`${tipTrailer}: ${activityTip}`);
  const since = await sinceParting(checkout.path, checkout.tip, activityTip);
  if (since !== undefined) return [...since.messages].find(([, message]) => isMerge(message))?.[0];
  const grep = ['--fixed-strings', `--grep=${tipTrailer}: ${activityTip}`, '--no-commit-header', '--format=%H%n%B%x00'];
  const found = await git(ctx, checkout.path, ['rev-list', ...grep, checkout.tip, `^${activityTip}`, '--']);
  const commit = found.split('\0').find(isMerge);
  return commit?.trim().split('\n', 1)[0];
}

async function mergeActivity(
  ctx: GitContext,
  checkout: Checkout,
  activityTip: string,
  request: SquashRequest,
): Promise<MergeOutcome> {
  const cwd = checkout.path;
  const dropped = request.dropPaths ?? [];
  const theirs = await withFiles(ctx, checkout, activityTip, request.instead ?? []);
  if (dropped.length === 0) {
    const outcome = await mergeCommits(ctx, cwd, checkout.tip, theirs);
    if (outcome.kind === 'clean') return outcome;
  }
  const without = await withoutPaths(ctx, checkout, theirs, [...Object.keys(request.overlay), ...dropped]);
  return mergeCommits(ctx, cwd, checkout.tip, without);
}

/** The activity's tip, as it would be had the activity written these files. */
async function withFiles(
  ctx: GitContext,
  checkout: Checkout,
  activityTip: string,
  files: readonly ReplacedFile[],
): Promise<string> {
  if (files.length === 0) return activityTip;
  const cwd = checkout.path;
  const entries: IndexEntry[] = [];
  for (const { path, mode, bytes } of files) {
    requireRepositoryPath(path);
    const oid = await gitWord(ctx, cwd, ['hash-object', '-w', '--stdin', '--no-filters'], { input: bytes });
    entries.push({ mode, oid, path });
  }
  const tree = await editTree(ctx, checkout, activityTip, entries);
  return commitTree(ctx, cwd, { tree, parents: [activityTip], text: 'A step of a merge\n' });
}

/** The activity's tip, as it would be had the activity never touched `paths` (files, or folders with all below). */
async function withoutPaths(
  ctx: GitContext,
  checkout: Checkout,
  activityTip: string,
  paths: readonly string[],
): Promise<string> {
  const cwd = checkout.path;
  // Where the two share nothing, all of the activity's files are its doing.
  const base = (await mergeBase(ctx, cwd, checkout.tip, activityTip)) ?? (await emptyTree(ctx, cwd));
  const isTaken = (path: string): boolean => paths.some((taken) => path === taken || path.startsWith(`${taken}/`));
  const changes = (await treeChanges(ctx, cwd, activityTip, base)).filter(({ path }) => isTaken(path));
  if (changes.length === 0) return activityTip;
  const entries = changes.map(({ status, newMode, newOid, path }) => ({
    mode: status === 'D' ? '0' : newMode,
    oid: newOid,
    path,
  }));
  const tree = await editTree(ctx, checkout, activityTip, entries);
  return commitTree(ctx, cwd, { tree, parents: [activityTip], text: 'A step of a merge\n' });
}

async function editTree(
  ctx: GitContext,
  checkout: Checkout,
  tree: string,
  entries: readonly IndexEntry[],
): Promise<string> {
  if (entries.length === 0) return tree;
  const place = { cwd: checkout.path, commonDir: commonDirFrom(checkout) };
  const put = await putIntoTree(ctx, place, tree, entries);
  if (put !== undefined) return put;
  return withEmptyIndex(checkout.gitDir, async (indexFile) => {
    await git(ctx, checkout.path, ['read-tree', tree], { indexFile });
    await setIndexEntries(ctx, checkout.path, indexFile, entries);
    return gitWord(ctx, checkout.path, ['write-tree'], { indexFile });
  });
}

async function storeOverlay(
  ctx: GitContext,
  checkout: Checkout,
  overlay: Readonly<Record<string, string>>,
): Promise<IndexEntry[]> {
  const store = async ([path, content]: [string, string]): Promise<IndexEntry> => {
    const args = ['hash-object', '-w', '--stdin', `--path=${path}`];
    return { mode: '100644', oid: await gitWord(ctx, checkout.path, args, { input: content }), path };
  };
  return Promise.all(Object.entries(overlay).map(store));
}

/** Files of the overlay with which nothing is to be done: they hold just this text, or the caller sees to it. */
async function settledOf(
  checkout: Checkout,
  entries: readonly IndexEntry[],
  { overlay, writtenAfter = [] }: SquashRequest,
): Promise<IndexEntry[]> {
  const settled: IndexEntry[] = [];
  for (const entry of entries) {
    const local = await readLocalFile(checkout.path, entry.path);
    if (local.kind !== 'file') continue;
    const isWritten = local.mode === entry.mode && local.bytes.equals(Buffer.from(overlay[entry.path]!));
    if (isWritten || writtenAfter.includes(entry.path)) settled.push(entry);
  }
  return settled;
}

/** A linked worktree keeps its own things in `<common>/worktrees/<name>`. */
function commonDirFrom({ gitDir }: Checkout): string {
  return dirname(dirname(gitDir));
}

/** Moving a branch that the person has checked out would show all of the work backwards in their own folder. */
async function requireNotInUse(checkout: Checkout, request: SquashRequest): Promise<void> {
  const head = await readFile(join(commonDirFrom(checkout), 'HEAD'), 'utf8');
  if (head.trim() !== `ref: refs/heads/${request.integrationBranch}`) return;
  throw fail(
    'conflict',
    `The branch ${request.integrationBranch} is checked out in ${request.repo}; the hall needs it for itself.`,
    `Put your own branch there, then repeat: git -C '${request.repo}' switch main`,
    { repo: request.repo, branch: request.integrationBranch },
  );
}

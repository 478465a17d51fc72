/** Bringing the person's branch into the integration branch. */
import { fail } from '../pure/errors.ts';
import { branchTip, isAncestor } from './branches.ts';
import { type Checkout, moveBranch, readCheckoutOf } from './checkout.ts';
import { followTip } from './follow.ts';
import { mergeTrees, type MergeOutcome } from './mergetree.ts';
import { commitTree, composeMessage } from './message.ts';
import { mergeBase, treeOf } from './read.ts';
import { type GitContext, git, runGit } from './run.ts';

/** The person's branch as it was when it was last brought in. Kept by the caller from one time to the next. */
export interface FoldedIn {
  readonly commit: string;
  readonly tree: string;
}

export type SyncOutcome =
  | { readonly kind: 'up-to-date'; readonly remembered: FoldedIn }
  | {
      readonly kind: 'synced';
      readonly commit: string;
      readonly remembered: FoldedIn;
      readonly keptLocal: readonly string[];
    }
  /** Nothing was changed. */
  | { readonly kind: 'conflict'; readonly files: readonly string[] };

export interface SyncRequest {
  readonly repo: string;
  readonly integrationBranch: string;
  readonly integrationWorktree: string;
  readonly personBranch: string;
  readonly remembered: FoldedIn | undefined;
}

/** Commits of the integration branch that are looked at to find what the person's branch already holds of it. */
const lookBack = 100;

/**
 * Brings in what the person's branch has that was not brought in before: the difference between its tree then and now,
 * so that work of the integration branch that came into it squashed, picked or rebased is neither repeated nor in
 * conflict with itself. The caller holds the project's lock.
 */
export async function syncIntegration(ctx: GitContext, request: SyncRequest): Promise<SyncOutcome> {
  const checkout = await readCheckoutOf(ctx, request.integrationWorktree, request.integrationBranch);
  const cwd = checkout.path;
  const commit = await branchTip(ctx, cwd, request.personBranch);
  if (commit === undefined) throw noSuchBranch(request);
  const remembered: FoldedIn = { commit, tree: await treeOf(ctx, cwd, commit) };
  const isKnown = commit === request.remembered?.commit || (await isAncestor(ctx, cwd, commit, checkout.tip));
  if (isKnown) {
    await followTip(ctx, checkout);
    return { kind: 'up-to-date', remembered };
  }
  if (await isAncestor(ctx, cwd, checkout.tip, commit))
    return moveTo(ctx, checkout, remembered, commit, remembered.tree);
  const before = await treeBefore(ctx, checkout, request.remembered, commit);
  const merge = await mergeDifference(ctx, checkout, before, remembered);
  if (merge.kind === 'conflict') return merge;
  const text = composeMessage({ message: `Bring in ${request.personBranch}`, trailer: `sync ${request.personBranch}` });
  const parents = [checkout.tip, commit];
  const made = await commitTree(ctx, cwd, { tree: merge.tree, parents, text });
  return moveTo(ctx, checkout, remembered, made, merge.tree);
}

async function moveTo(
  ctx: GitContext,
  checkout: Checkout,
  remembered: FoldedIn,
  to: string,
  tree: string,
): Promise<SyncOutcome> {
  const move = { ref: checkout.ref!, to, from: checkout.tip, why: 'sync' };
  if (!(await moveBranch(ctx, checkout.path, move))) throw moved(checkout);
  const { keptLocal } = await followTip(ctx, { ...checkout, tip: to, tree }, { from: checkout.tree });
  return { kind: 'synced', commit: to, remembered, keptLocal };
}

/** The person's tree as the integration branch last knew it; git's empty tree when it never did. */
async function treeBefore(
  ctx: GitContext,
  checkout: Checkout,
  remembered: FoldedIn | undefined,
  commit: string,
): Promise<string> {
  const cwd = checkout.path;
  if (remembered !== undefined && (await hasObject(ctx, cwd, remembered.tree))) return remembered.tree;
  const base = await mergeBase(ctx, cwd, checkout.tip, commit);
  if (base !== undefined) return treeOf(ctx, cwd, base);
  return (await git(ctx, cwd, ['mktree'], { input: '' })).trim();
}

async function hasObject(ctx: GitContext, cwd: string, oid: string): Promise<boolean> {
  const args = ['cat-file', '-e', `${oid}^{tree}`];
  return (await runGit(ctx, { cwd, args, okExitCodes: [0, 1, 128] })).exitCode === 0;
}

async function mergeDifference(
  ctx: GitContext,
  checkout: Checkout,
  before: string,
  now: FoldedIn,
): Promise<MergeOutcome> {
  const cwd = checkout.path;
  const held = await findHeld(ctx, checkout, before, now);
  const base = held ?? before;
  return mergeTrees(ctx, cwd, { base, ours: checkout.tree, theirs: now.tree });
}

/**
 * The tree of the integration branch that the person's branch holds whole (laid on it once more, it changes nothing)
 * and that is nearest to it. From there on only what differs is news on either side: also that a file was deleted here
 * after it had been taken over there.
 */
async function findHeld(
  ctx: GitContext,
  checkout: Checkout,
  before: string,
  now: FoldedIn,
): Promise<string | undefined> {
  const cwd = checkout.path;
  const touched = await pathsChanged(ctx, cwd, before, now.tree);
  let nearest: { readonly tree: string; readonly distance: number } | undefined;
  for (const tree of await ownTrees(ctx, checkout, now.commit)) {
    const own = await pathsChanged(ctx, cwd, before, tree);
    // Work on a path that the person's branch did not touch cannot be in it.
    if (own.size === 0 || [...own].some((path) => !touched.has(path))) continue;
    const distance = (await pathsChanged(ctx, cwd, tree, now.tree)).size;
    if (distance >= (nearest?.distance ?? Infinity)) continue;
    const again = await mergeTrees(ctx, cwd, { base: before, ours: now.tree, theirs: tree });
    if (again.kind === 'clean' && again.tree === now.tree) nearest = { tree, distance };
    if (nearest?.distance === 0) break;
  }
  return nearest?.tree;
}

/** Newest first, each once. */
async function ownTrees(ctx: GitContext, checkout: Checkout, person: string): Promise<Set<string>> {
  const args = [
    'rev-list',
    '--first-parent',
    `--max-count=${lookBack}`,
    '--no-commit-header',
    '--format=%T',
    checkout.tip,
    `^${person}`,
    '--',
  ];
  const output = await git(ctx, checkout.path, args);
  return new Set(output.split('\n').filter((tree) => tree !== ''));
}

async function pathsChanged(ctx: GitContext, cwd: string, from: string, to: string): Promise<Set<string>> {
  const output = await git(ctx, cwd, [
    'diff-tree',
    '-r',
    '-z',
    '--name-only',
    '--no-renames',
    '--ignore-submodules=none',
    from,
    to,
    '--',
  ]);
  return new Set(output.split('\0').filter((path) => path !== ''));
}

function noSuchBranch(request: SyncRequest): Error {
  return fail(
    'not_found',
    `There is no branch ${request.personBranch} in ${request.repo}.`,
    `See which there are: git -C '${request.repo}' branch`,
    { branch: request.personBranch },
  );
}

function moved(checkout: Checkout): Error {
  return fail(
    'unavailable',
    `The branch of ${checkout.path} was moved by somebody else during the sync.`,
    'Repeat when the other git is done.',
    { path: checkout.path },
  );
}

/** Merges that are computed without a checkout: nothing is changed, so a conflict costs nothing to undo. */
import { commitTree } from './message.ts';
import { foldersOf } from './native.ts';
import { requireRevision } from './paths.ts';
import { type GitContext, runGit, splitNul } from './run.ts';

export type MergeOutcome =
  | { readonly kind: 'clean'; readonly tree: string }
  /** Paths on which both sides disagree, each once, sorted. */
  | { readonly kind: 'conflict'; readonly files: readonly string[] };

/** Merges two commits on their common ancestor. */
export async function mergeCommits(ctx: GitContext, repo: string, ours: string, theirs: string): Promise<MergeOutcome> {
  const key = await keyOf(repo, ours, theirs);
  const ahead = ctx.objects === undefined ? begun.get(key) : undefined;
  begun.delete(key);
  const isFresh = ahead !== undefined && ctx.clock.monotonicMs() - ahead.atMs < freshMs;
  return (isFresh ? await ahead.outcome : undefined) ?? merge(ctx, repo, ours, theirs);
}

/** Merges computed before they are asked for, by repository and commits. */
const begun = new Map<string, { readonly atMs: number; readonly outcome: Promise<MergeOutcome | undefined> }>();
/** What is older may have been cleared away by git meanwhile. Milliseconds. */
const freshMs = 10_000;
const maxBegun = 20;

/**
 * Begins a merge that will be asked for in a moment, while something else is done. Resolves when it is computed; what
 * failed is asked for anew by whoever needs it.
 */
export async function beginMerge(ctx: GitContext, repo: string, ours: string, theirs: string): Promise<void> {
  const key = await keyOf(repo, ours, theirs);
  const outcome = merge(ctx, repo, ours, theirs).catch(() => undefined);
  begun.set(key, { atMs: ctx.clock.monotonicMs(), outcome });
  for (const oldest of [...begun.keys()].slice(0, Math.max(0, begun.size - maxBegun))) begun.delete(oldest);
  await outcome;
}

/** Commits of the same names in another repository have made nothing in this one. */
async function keyOf(repo: string, ours: string, theirs: string): Promise<string> {
  return [(await foldersOf(repo))?.commonDir ?? repo, ours, theirs].join('\0');
}

async function merge(ctx: GitContext, repo: string, ours: string, theirs: string): Promise<MergeOutcome> {
  const options = ['--write-tree', '-z', '--name-only', '--no-messages', '--allow-unrelated-histories'];
  const args = ['merge-tree', ...options, requireRevision(ours), requireRevision(theirs)];
  const { exitCode, stdout } = await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1] });
  const [tree = '', ...files] = splitNul(stdout);
  return exitCode === 0 ? { kind: 'clean', tree } : { kind: 'conflict', files: [...new Set(files)].toSorted() };
}

/** Merges two trees on a third one, whatever their history is. */
export async function mergeTrees(
  ctx: GitContext,
  repo: string,
  trees: { readonly base: string; readonly ours: string; readonly theirs: string },
): Promise<MergeOutcome> {
  // Git merges commits only (before 2.40): these three are never pointed to, and go with the next cleaning.
  const text = 'A step of a merge\n';
  const base = await commitTree(ctx, repo, { tree: trees.base, parents: [], text });
  const ours = await commitTree(ctx, repo, { tree: trees.ours, parents: [base], text });
  const theirs = await commitTree(ctx, repo, { tree: trees.theirs, parents: [base], text });
  // Equal trees in the same second make one and the same commit, which git merges with nothing to do.
  return mergeCommits(ctx, repo, ours, theirs);
}

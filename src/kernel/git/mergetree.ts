/** Merges that are computed without a checkout: nothing is changed, so a conflict costs nothing to undo. */
import { type Ahead, begin, takeBegun } from './ahead.ts';
import { commitTree } from './message.ts';
import { foldersOf } from './native.ts';
import { requireRevision } from './paths.ts';
import { type GitContext, git, runGit, splitNul } from './run.ts';

export type MergeOutcome =
  | { readonly kind: 'clean'; readonly tree: string }
  /** Paths on which both sides disagree, each once, sorted. */
  | { readonly kind: 'conflict'; readonly files: readonly string[] };

/** Merges two commits on their common ancestor. */
export async function mergeCommits(ctx: GitContext, repo: string, ours: string, theirs: string): Promise<MergeOutcome> {
  // With a store of its own the context would not see what was stored without.
  const ahead = ctx.objects === undefined ? await takeBegun(ctx, merges, await keyOf(repo, ours, theirs)) : undefined;
  return ahead ?? merge(ctx, repo, ours, theirs);
}

const merges: Ahead<MergeOutcome> = { begun: new Map() };

/** Begins a merge that will be asked for in a moment. Resolves when it is computed. */
export async function beginMerge(ctx: GitContext, repo: string, ours: string, theirs: string): Promise<void> {
  await begin(ctx, merges, await keyOf(repo, ours, theirs), () => merge(ctx, repo, ours, theirs));
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
  // Not a conflict, but a commit that is not there: asked again, so that it is told in the usual way.
  if (tree === '') await git(ctx, repo, args);
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

/** What stands in a checkout now, uncommitted work included. Looking changes nothing of the checkout and its index. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type IndexCopy, readCheckout, withIndexCopy } from './checkout.ts';
import { requireRevision } from './paths.ts';
import { type ChangedFile, parseRawChanges } from './read.ts';
import { type GitContext, git, gitWord } from './run.ts';
import { stageEverything } from './staging.ts';
import { listUntracked } from './untracked.ts';

/**
 * The tree that a commit of everything in the checkout would have, for as long as `work` takes. What is stored for it
 * goes with it: a look leaves nothing in the person's repository, where a secret that was taken out again would stay.
 * @param work is given the context by which the tree can be read
 */
export async function withSnapshot<T>(
  ctx: GitContext,
  worktree: string,
  work: (ctx: GitContext, tree: string) => Promise<T>,
): Promise<T> {
  return withSnapshots(ctx, worktree, [worktree], (aside, trees) => work(aside, trees[0]!));
}

/** The same of several checkouts of one repository. @param beside a checkout of it, by which the objects are kept meanwhile */
export async function withSnapshots<T>(
  ctx: GitContext,
  beside: string,
  worktrees: readonly string[],
  work: (ctx: GitContext, trees: readonly string[]) => Promise<T>,
): Promise<T> {
  const checkouts = await Promise.all(worktrees.map((worktree) => readCheckout(ctx, worktree)));
  const { gitDir: own } = await readCheckout(ctx, beside);
  const also = await gitWord(ctx, beside, ['rev-parse', '--path-format=absolute', '--git-path', 'objects']);
  const folder = await mkdtemp(join(own, `guild-hall-objects-${process.pid}-`));
  try {
    const aside = { clock: ctx.clock, log: ctx.log, objects: { folder, also } };
    const trees: string[] = [];
    for (const checkout of checkouts) {
      const stage = ({ file }: IndexCopy): Promise<string> => stageEverything(aside, checkout.path, file, 'left');
      trees.push(await withIndexCopy(aside, checkout, stage, { despiteLock: true }));
    }
    return await work(aside, trees);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Files that differ from revision `base` to what stands in the checkout, by path. A moved one is one deleted and one added. */
export async function changesInCheckout(ctx: GitContext, worktree: string, base: string): Promise<ChangedFile[]> {
  const how = ['--raw', '-z', '--no-renames', '--no-abbrev', '--no-ext-diff', '--no-textconv', '--no-relative'];
  const [tracked, untracked] = await Promise.all([
    git(ctx, worktree, ['diff', ...how, '--ignore-submodules=dirty', requireRevision(base), '--']),
    listUntracked(ctx, worktree),
  ]);
  const changes = new Map(parseRawChanges(tracked).map(({ path, status }) => [path, status]));
  // What was only taken out of the index is still there.
  for (const path of untracked) changes.set(path, changes.has(path) ? 'M' : 'A');
  return [...changes].map(([path, status]) => ({ path, status })).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** What stands in a checkout now, uncommitted work included. Looking changes nothing of the checkout and its index. */
import { readCheckout, withIndexCopy } from './checkout.ts';
import { stageEverything } from './commit.ts';
import { requireRevision } from './paths.ts';
import { type ChangedFile, parseRawChanges } from './read.ts';
import { type GitContext, git } from './run.ts';
import { listUntracked } from './untracked.ts';

/** The tree that a commit of everything in the checkout would have. */
export async function snapshotTree(ctx: GitContext, worktree: string): Promise<string> {
  const { path, gitDir } = await readCheckout(ctx, worktree);
  const stage = (indexFile: string): Promise<string> => stageEverything(ctx, path, indexFile);
  return withIndexCopy(ctx, gitDir, stage, { despiteLock: true });
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

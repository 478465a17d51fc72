/** What a person wrote into the integration checkout and nobody committed yet, as something else is merged into it. */
import { readCheckoutOf } from './checkout.ts';
import { commitFiles } from './commit.ts';
import { localKind } from './local.ts';
import type { GitContext } from './run.ts';

/**
 * Commits what stands in these files of the integration checkout, so that a merge takes both sides in, or tells of a
 * conflict: what is not committed it would not see. The caller holds the project's lock.
 * @throws conflict for a checkout on which somebody put another branch: what is there belongs to that one
 */
export async function keepEditedByHand(
  ctx: GitContext,
  project: { readonly integrationBranch: string; readonly integrationWorktree: string },
  paths: readonly string[],
): Promise<void> {
  const worktree = project.integrationWorktree;
  const kinds = await Promise.all(paths.map((path) => localKind(worktree, path)));
  const there = paths.filter((_path, at) => kinds[at] === 'file' || kinds[at] === 'link');
  if (there.length === 0) return;
  await readCheckoutOf(ctx, worktree, project.integrationBranch);
  await commitFiles(ctx, {
    worktree,
    paths: there,
    message: 'Keep artifacts edited by hand',
    trailer: 'artifact edit',
  });
}

/** The files of a save as one commit on the integration branch. */
import { commitFiles } from '../../../kernel/git/commit.ts';
import { followIntegration } from '../../../kernel/git/follow.ts';
import { fileHistory } from '../../../kernel/git/history.ts';
import { councilKind } from '../contract/kind.ts';
import type { CouncilRef } from '../store/place.ts';
import type { SavingContext } from './context.ts';

/** Whether a council works on the integration branch; else it was started in place, and nothing is committed. */
export function isOnBranch({ root, project }: CouncilRef): boolean {
  return root === project.integrationWorktree;
}

/** The checkout as its branch is, before the first file is read. The caller holds the integration lock. */
export async function followBranch(ctx: SavingContext, { project }: CouncilRef): Promise<void> {
  const { integrationWorktree, integrationBranch: branch } = project;
  await followIntegration(ctx, { integrationWorktree, branch });
}

/**
 * @param paths relative to the root; those that are gone are committed as gone
 * @returns the commit: this one, or the one of an earlier try that had all of them; null for no files
 */
export async function commitSave(
  ctx: SavingContext,
  ref: CouncilRef,
  paths: readonly string[],
  message: string,
): Promise<string | null> {
  if (paths.length === 0) return null;
  const trailer = `${councilKind} ${ref.id}`;
  const { integrationWorktree: worktree, integrationBranch: branch } = ref.project;
  const commit = await commitFiles(ctx, { worktree, paths, message, trailer });
  if (commit !== undefined) return commit;
  const [earlier] = await fileHistory(ctx, worktree, { branch, path: paths.at(-1)!, max: 1 });
  return earlier?.trailer === trailer ? earlier.commit : null;
}

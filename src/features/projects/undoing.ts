/** Taking back what a failed registration did to a repository. */
import { branchTip, deleteBranch } from '../../kernel/git/branches.ts';
import { type IntegrationRequest, removeIntegration } from '../../kernel/git/integration.ts';
import { exists } from '../../kernel/git/paths.ts';
import { gitWord } from '../../kernel/git/run.ts';
import type { ProjectsContext } from './context.ts';

/** How it stood before. */
interface Before {
  readonly hadBranch: boolean;
  readonly hadCheckout: boolean;
  /** What the person has checked out: where a new integration branch begins. */
  readonly head: string;
}

/**
 * Runs `work`, which may make the integration branch and its checkout. When it fails, what was not there before is
 * removed: the checkout, and the branch if nothing was committed to it. The failure is thrown on.
 */
export async function orUndo<T>(ctx: ProjectsContext, place: IntegrationRequest, work: () => Promise<T>): Promise<T> {
  const before: Before = {
    hadBranch: (await branchTip(ctx, place.repo, place.branch)) !== undefined,
    hadCheckout: await exists(place.worktree),
    head: await gitWord(ctx, place.repo, ['rev-parse', '--verify', 'HEAD^{commit}']),
  };
  try {
    return await work();
  } catch (error) {
    await undo(ctx, place, before).catch((problem: unknown) =>
      ctx.log.warn({ err: problem, ...place }, 'what a failed registration made could not be removed'),
    );
    throw error;
  }
}

async function undo(ctx: ProjectsContext, place: IntegrationRequest, before: Before): Promise<void> {
  if (!before.hadCheckout) await removeIntegration(ctx, place);
  if (before.hadBranch || (await branchTip(ctx, place.repo, place.branch)) !== before.head) return;
  await deleteBranch(ctx, place.repo, place.branch, before.head);
}

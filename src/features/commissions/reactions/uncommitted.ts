/** Records that a killed hall had written and not committed, and of which nothing is under way. */
import { commitFiles } from '../../../kernel/git/commit.ts';
import { integrationLock, listProjects } from '../../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import { commissionKind } from '../contract.ts';
import { readKnownCommissions } from '../store/known.ts';
import { commissionPath } from '../store/place.ts';
import { runOf } from '../store/run.ts';

/** Commits them, one commit a project; where none is left nothing happens. Returns at once. */
export function commitWhatWasLeft(ctx: CommissionsContext): void {
  ctx.spawn('commit records that were left', async (stopping) => {
    for (const project of listProjects(ctx)) {
      if (stopping.aborted) return;
      try {
        const { commissions } = await readKnownCommissions(ctx.engine.known, project);
        const runs = await Promise.all(commissions.map(({ id }) => runOf(ctx, { project, id }).read()));
        const still = commissions.filter(({ problems }, at) => problems.length === 0 && runs[at] === undefined);
        await ctx.locks.with(integrationLock(project.name), () =>
          commitFiles(ctx, {
            worktree: project.integrationWorktree,
            paths: still.map(({ id }) => commissionPath(id)),
            message: 'Keep what was written of commissions',
            trailer: `${commissionKind} records`,
          }),
        );
      } catch (error) {
        const { message } = errorFactsOf(error);
        ctx.log.warn({ project: project.name, reason: message }, 'records that were left could not be committed');
      }
    }
  });
}

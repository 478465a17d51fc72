/** What the commissions under way are doing, for who looks at all that runs. */
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import type { ActivityBranch } from '../../forecast/contract.ts';
import type { RunningActivity, RunningState } from '../../overview/contract.ts';
import type { CommissionsContext } from '../context.ts';
import { commissionKind, type CommissionView } from '../contract.ts';
import { findLive } from '../reactions/live.ts';
import { readKnownCommissions } from '../store/known.ts';
import { branchOf, ownerOf, worktreeOf } from '../store/place.ts';
import { isUnderWay } from './standing.ts';

const states: Readonly<Record<NonNullable<CommissionView['phase']>, RunningState>> = {
  setting_up: 'opening',
  running: 'answering',
  ending: 'closing',
  merging: 'closing',
  cancelling: 'closing',
};

/** Of one project, or of all. Fast: records are read anew only when their files changed. */
export async function runningCommissions(ctx: CommissionsContext, wanted?: string): Promise<RunningActivity[]> {
  const running: RunningActivity[] = [];
  for (const project of listProjects(ctx)) {
    if (wanted !== undefined && project.name !== wanted) continue;
    const { commissions } = await readKnownCommissions(ctx.engine.known, project);
    for (const record of commissions) {
      const { id, title, worker, status, timeline } = record;
      const phase = findLive(ctx, { project, id })?.phase ?? null;
      if (!isUnderWay(record) && phase === null) continue;
      const since = timeline.findLast((entry) => entry.event === 'status')?.timestamp ?? record.createdAt;
      const state = phase === null ? (status === 'dispatched' ? 'opening' : 'answering') : states[phase];
      running.push({ kind: commissionKind, id, title, project: project.name, worker, state, since });
    }
  }
  return running;
}

/** Those of a project that are under way and have a branch. */
export async function branchesOfCommissions(ctx: CommissionsContext, project: Project): Promise<ActivityBranch[]> {
  const { commissions } = await readKnownCommissions(ctx.engine.known, project);
  return commissions.filter(isUnderWay).map(({ id, title, attempt }) => {
    const ref = { project, id };
    const worktree = worktreeOf(ctx, ref, attempt);
    return { kind: commissionKind, id, title, branch: branchOf(ref, attempt), worktree, owner: ownerOf(ref, attempt) };
  });
}

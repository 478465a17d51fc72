/** Whether a worker can be activated at all: tried before a process is started, so that a failure costs none. */
import { activateWorker } from '../../../kernel/workers/activate.ts';
import { requireWorker } from '../../../kernel/workers/catalogue.ts';
import type { ActivityFace, WorkerCatalogue } from '../../../kernel/workers/contract.ts';
import { createWorktreeArtifacts } from '../../../kernel/workers/worktree-artifacts.ts';
import type { CommissionsContext } from '../context.ts';
import { commissionKind, type CommissionRecord } from '../contract.ts';
import { activityOf, type CommissionRef, worktreeOf } from '../store/place.ts';

/** @throws `not_found` for a missing worker or toolbox, `conflict` for a broken package; each named */
export async function tryActivation(
  ctx: CommissionsContext,
  ref: CommissionRef,
  record: CommissionRecord,
  catalogue: WorkerCatalogue,
): Promise<void> {
  const worker = requireWorker(catalogue, record.worker);
  const face: ActivityFace = {
    ref: activityOf(ref),
    kindLabel: commissionKind,
    contextText: '',
    context: {
      activity: commissionKind,
      commissionId: ref.id,
      prompt: record.prompt,
      dependencies: record.dependencies,
      attempt: record.attempt,
    },
    toolbox: [],
    artifacts: createWorktreeArtifacts(worktreeOf(ctx, ref, record.attempt)),
    decisions: { record: async () => {} },
  };
  await activateWorker(ctx, catalogue, worker.name, ref.project, face);
}

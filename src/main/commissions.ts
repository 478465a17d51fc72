/** Joins the commissions: their operations, what they do at the start of the hall, what they tell of artifacts. */
import type { CommissionsContext, EnclosedPlace, WorkerProgram } from '../features/commissions/context.ts';
import { commissionKind, commissionsFolder } from '../features/commissions/contract.ts';
import { commissionRecords } from '../features/commissions/operations/hand-edits.ts';
import { branchesOfCommissions, runningCommissions } from '../features/commissions/operations/running.ts';
import { waitingCommissions } from '../features/commissions/operations/waiting.ts';
import { bindCommissionOperations } from '../features/commissions/operations.ts';
import { followWork } from '../features/commissions/reactions/following.ts';
import { createEngine } from '../features/commissions/reactions/live.ts';
import { recoverCommissions } from '../features/commissions/reactions/recovery.ts';
import { leaveWorkers } from '../features/commissions/reactions/leaving.ts';
import { readKnownCommissions } from '../features/commissions/store/known.ts';
import type { Enclosure } from '../kernel/agents/sandbox/contract.ts';
import { stewardName } from '../features/steward/contract.ts';
import { requireProject } from '../kernel/projects/projects.ts';
import { ensureToken } from '../kernel/projects/token.ts';
import type { HallToolboxes } from '../kernel/workers/contract.ts';
import type { HallContext } from './context.ts';
import { type HallFeature, recordFoldersOf } from './feature.ts';
import type { Foresee } from './forecast.ts';
import { printPass } from './passes.ts';
import { workerProgram } from './worker-program.ts';

export function joinCommissions(
  hall: HallContext & { readonly hallToolboxes: HallToolboxes },
  features: readonly HallFeature[],
  foresee: Foresee,
  program: WorkerProgram = workerProgram(),
): HallFeature {
  const engine = createEngine();
  const ctx: CommissionsContext = {
    ...hall,
    engine,
    workerProgram: program,
    hallPass: async ({ project, id }, attempt, worker) =>
      worker === stewardName
        ? printPass(await ensureToken(hall, hall.home), { project: project.name, kind: commissionKind, id, attempt })
        : undefined,
    recordFolders: () => recordFoldersOf(features),
    conflictsOf: async ({ project, id }) => await foresee({ kind: commissionKind, project: project.name, id }),
    enclose: async (place) => await enclose(hall, place),
  };
  let following: { close(): Promise<void> } | undefined;
  return {
    name: 'commissions',
    operations: bindCommissionOperations(ctx),
    recover: async () => {
      await recoverCommissions(ctx);
      following = await followWork(ctx);
    },
    stop: async () => {
      await following?.close();
      await leaveWorkers(ctx);
    },
    // What is still being ended or merged is open, whatever its state says already.
    running: async (project) => (await runningCommissions(ctx, project)).map(({ kind, id }) => `${kind} ${id}`),
    activityKind: commissionKind,
    endCommand: (id) => `guild-hall commission cancel ${id}`,
    isUnderWay: ({ project, id, attempt }) => {
      const live = engine.live.get(`${project}/${id}`);
      return live?.attempt === attempt && (live.phase === 'running' || live.phase === 'setting_up');
    },
    branches: async (project) => await branchesOfCommissions(ctx, requireProject(ctx, project)),
    activities: async (project) => await runningCommissions(ctx, project),
    waiting: async () => await waitingCommissions(ctx),
    records: commissionRecords(ctx),
    recordFolder: { folder: commissionsFolder },
    producersOf: async (project, path) => await commissionsLinking(ctx, project, path),
  };
}

async function commissionsLinking(ctx: CommissionsContext, project: string, path: string) {
  const { commissions } = await readKnownCommissions(ctx.engine.known, requireProject(ctx, project));
  const linking = commissions.filter(({ linkedArtifacts }) => linkedArtifacts.includes(path));
  return linking.map(({ id, title }) => ({ kind: commissionKind, id, title }));
}

/** A place for the check before a merge: it may write what the worker wrote, and a folder of its own. */
async function enclose(hall: HallContext, { project, cwd, tmp }: EnclosedPlace): Promise<Enclosure> {
  const access = { root: cwd, write: true };
  return hall.sandbox.enter({ project, cwd, access, writable: [tmp], gatewayUrl: hall.gateway.baseUrl });
}

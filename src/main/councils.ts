/** Joins the councils: their operations, who makes their agents speak, what they do at the start of the hall. */
import { join } from 'node:path';
import type { CouncilsContext } from '../features/councils/context.ts';
import { councilKind } from '../features/councils/contract.ts';
import { bindCouncilOperations } from '../features/councils/operations.ts';
import { runningCouncils } from '../features/councils/operations/running.ts';
import { waitingCouncils } from '../features/councils/operations/waiting.ts';
import { recoverCouncils, restCouncils } from '../features/councils/reactions/recovery.ts';
import { sessionsFolder } from '../features/councils/store/place.ts';
import { councilTurns } from '../features/councils/turns/turns.ts';
import type { HallToolboxes } from '../kernel/workers/contract.ts';
import type { HallContext } from './context.ts';
import { type HallFeature, recordFoldersOf } from './feature.ts';
import { packageRoot } from './package.ts';

type CouncilsHall = HallContext & { readonly hallToolboxes: HallToolboxes };

/** @param features of the hall, filled in by the time something runs */
export function joinCouncils(hall: CouncilsHall, features: readonly HallFeature[]): HallFeature {
  const ctx: CouncilsContext = {
    ...hall,
    turns: councilTurns,
    liveCouncils: new Map(),
    knownSessions: new Map(),
    recordFolders: () => recordFoldersOf(features).map(({ folder }) => folder),
    councilPrompts: join(packageRoot(), 'src', 'features', 'councils', 'prompts'),
  };
  return {
    name: 'councils',
    operations: bindCouncilOperations(ctx),
    recover: async () => await recoverCouncils(ctx),
    stop: async () => await restCouncils(ctx),
    running: async (project) => (await runningCouncils(ctx, project)).map(({ kind, id }) => `${kind} ${id}`),
    activityKind: councilKind,
    endCommand: (id) => `guild-hall council answer ${id} abort`,
    activities: async (project) => await runningCouncils(ctx, project),
    waiting: async () => await waitingCouncils(ctx),
    // Sessions are the hall's alone: what a worker wrote there on its branch stays there.
    recordFolder: { folder: sessionsFolder },
  };
}

/** Joins the meetings: their operations, what they do at the start of the hall, what they tell of artifacts. */
import { join } from 'node:path';
import { meetingKind } from '../features/meetings/contract.ts';
import { bindMeetingOperations } from '../features/meetings/operations.ts';
import { meetingRecordFolder } from '../features/meetings/operations/foreign.ts';
import { meetingRecords, meetingsHolding } from '../features/meetings/operations/hand-edits.ts';
import { branchesOfMeetings, runningMeetings } from '../features/meetings/operations/running.ts';
import { type KnowingContext, waitingMeetings } from '../features/meetings/operations/waiting.ts';
import { recoverMeetings } from '../features/meetings/reactions/recovery.ts';
import { watchRequests } from '../features/meetings/reactions/requests.ts';
import { newestFirst } from '../features/meetings/store/files.ts';
import { readKnownMeetings } from '../features/meetings/store/known.ts';
import { listProjects, requireProject } from '../kernel/projects/projects.ts';
import type { HallToolboxes } from '../kernel/workers/contract.ts';
import type { HallContext } from './context.ts';
import { type HallFeature, recordFoldersOf } from './feature.ts';
import type { Foresee } from './forecast.ts';
import { memoryOfCouncils } from './council-memory.ts';
import { packageRoot } from './package.ts';

export function joinMeetings(
  hall: HallContext & { readonly hallToolboxes: HallToolboxes },
  features: readonly HallFeature[],
  foresee: Foresee,
): HallFeature {
  const ctx: KnowingContext = {
    ...hall,
    hallMemory: memoryOfCouncils(hall),
    knownMeetings: new Map(),
    recordFolders: () => recordFoldersOf(features),
    conflictsOf: async (meeting) => await foresee({ kind: meetingKind, ...meeting }),
    liveMeetings: new Map(),
    announcedRequests: new Set(),
    meetingPrompts: join(packageRoot(), 'src', 'features', 'meetings', 'prompts'),
  };
  let watch: { close(): Promise<void> } | undefined;
  return {
    name: 'meetings',
    operations: bindMeetingOperations(ctx),
    recover: async () => {
      watch = await watchRequests(ctx);
      await recoverMeetings(ctx);
    },
    stop: async () => {
      await Promise.all([...ctx.liveMeetings.values()].map(async (live) => live.pump));
      await watch?.close();
    },
    running: async (project) => {
      const projects = project === undefined ? listProjects(ctx) : [requireProject(ctx, project)];
      const read = await Promise.all(projects.map((each) => readKnownMeetings(ctx.knownMeetings, each)));
      const open = read.flatMap(({ meetings }) => meetings.filter(({ status }) => status === 'open'));
      return newestFirst(open).map((meeting) => `${meetingKind} ${meeting.id}`);
    },
    activityKind: meetingKind,
    branches: async (project) => await branchesOfMeetings(ctx, requireProject(ctx, project)),
    activities: async (project) => await runningMeetings(ctx, project),
    producersOf: async (project, path) => {
      const { meetings } = await readKnownMeetings(ctx.knownMeetings, requireProject(ctx, project));
      const linking = meetings.filter((meeting) => meeting.linkedArtifacts.includes(path));
      return linking.map((meeting) => ({ kind: meetingKind, id: meeting.id, title: meeting.title }));
    },
    records: meetingRecords(ctx),
    recordFolder: meetingRecordFolder(ctx),
    elsewhere: async (project, path) => await meetingsHolding(ctx, requireProject(ctx, project), path),
    waiting: async () => await waitingMeetings(ctx),
  };
}

/** Joins the meetings: their operations, what they do at the start of the hall, what they tell of artifacts. */
import { join } from 'node:path';
import type { MeetingsContext } from '../features/meetings/context.ts';
import { meetingKind } from '../features/meetings/contract.ts';
import { bindMeetingOperations } from '../features/meetings/operations.ts';
import { listMeetings, meetingsLinking } from '../features/meetings/operations/reading.ts';
import { recoverMeetings } from '../features/meetings/reactions/recovery.ts';
import { watchRequests } from '../features/meetings/reactions/requests.ts';
import { listProjects, requireProject } from '../kernel/projects/projects.ts';
import type { HallContext } from './context.ts';
import type { HallFeature } from './feature.ts';
import { packageRoot } from './package.ts';

export function joinMeetings(hall: HallContext): HallFeature {
  const ctx: MeetingsContext = {
    ...hall,
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
      const { meetings } = await listMeetings(projects, 'open');
      return meetings.map((meeting) => `${meetingKind} ${meeting.id}`);
    },
    producersOf: async (project, path) => {
      const found = await meetingsLinking(requireProject(ctx, project), path);
      return found.map((meeting) => ({ kind: meetingKind, id: meeting.id, title: meeting.title }));
    },
  };
}

/** What the open meetings are doing. */
import { stat } from 'node:fs/promises';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import type { ActivityBranch } from '../../forecast/contract.ts';
import type { RunningActivity } from '../../overview/contract.ts';
import { type MeetingId, meetingKind } from '../contract.ts';
import { decideActivity } from '../rules.ts';
import { listStates, readMeeting, stateOf, transcriptFile } from '../store/files.ts';
import { readKnownMeetings } from '../store/known.ts';
import { branchOf, keyOf, ownerOf, worktreeOf } from '../store/place.ts';
import type { KnowingContext } from './waiting.ts';

/** Only what has working state is looked at, so that many closed meetings cost nothing. */
export async function runningMeetings(ctx: KnowingContext, wanted?: string): Promise<RunningActivity[]> {
  const projects = new Map(listProjects(ctx).map((project) => [String(project.name), project]));
  const states = (await listStates(ctx)).filter(
    ({ project }) => projects.has(project) && (wanted === undefined || project === wanted),
  );
  const read = await Promise.all(
    states.map(async ({ project, id }) => await readOne(ctx, { project: projects.get(project)!, id })),
  );
  return read.filter((activity) => activity !== undefined);
}

/** The open meetings of a project that have a branch. */
export async function branchesOfMeetings(ctx: KnowingContext, project: Project): Promise<ActivityBranch[]> {
  const { meetings } = await readKnownMeetings(ctx.knownMeetings, project);
  return meetings
    .filter(({ status }) => status === 'open')
    .map(({ id, title }) => {
      const ref = { project, id };
      const place = { branch: branchOf(ref), worktree: worktreeOf(ctx, ref), owner: ownerOf(ref) };
      return { kind: meetingKind, id, title, ...place };
    });
}

type Ref = { readonly project: ReturnType<typeof listProjects>[number]; readonly id: MeetingId };

/** One that cannot be read is left out, and the others are told; what is wrong is told of the project. */
async function readOne(ctx: KnowingContext, ref: Ref): Promise<RunningActivity | undefined> {
  try {
    return await activityOf(ctx, ref);
  } catch (error) {
    ctx.log.warn({ err: error, meeting: ref.id }, 'an open meeting cannot be read');
    return undefined;
  }
}

async function activityOf(ctx: KnowingContext, ref: Ref): Promise<RunningActivity | undefined> {
  const [state, meeting, spokenAt] = await Promise.all([
    stateOf(ctx, ref).read(),
    readMeeting(ref.project, ref.id),
    spokenLast(transcriptFile(ctx, ref.id)),
  ]);
  // Closed with a conflict: that waits in the inbox, and nothing of it runs.
  if (state === undefined || meeting === undefined || state.phase === 'conflict') return undefined;
  const { running, queue, phase } = state;
  // What runs is asked of this process: it changes in the moment in which the end is told, the file after that.
  const isAnswering = ctx.liveMeetings.get(keyOf(ref))?.turnRuns === true;
  const since = isAnswering ? (running?.since ?? running?.at ?? ctx.clock.nowIso()) : undefined;
  const facts = {
    phase,
    answeringSince: since ?? queue[0]?.at ?? null,
    spokenAt,
    openedAt: meeting.log.findLast(({ event }) => event === 'opened')?.timestamp ?? ctx.clock.nowIso(),
  };
  const doing = decideActivity(facts, ctx.clock.nowMs(), Date.parse);
  const { title, worker } = meeting;
  return { kind: meetingKind, id: ref.id, title, project: ref.project.name, worker, ...doing };
}

/** When the transcript last grew, ISO 8601; null where there is none. */
async function spokenLast(file: string): Promise<string | null> {
  try {
    return (await stat(file)).mtime.toISOString();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

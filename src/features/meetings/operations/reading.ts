/** What a person sees of meetings. Nothing here changes a file. */
import { exists } from '../../../kernel/git/paths.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import type { MeetingsContext } from '../context.ts';
import type { MeetingList, MeetingStatus, MeetingView, QueuedMessage, RunningTurn, TurnView } from '../contract.ts';
import { emptyTurn, usageOfEntries } from '../fold/turns.ts';
import { keyOf, type MeetingRef, worktreeOf } from '../store/place.ts';
import {
  artifactFile,
  type MeetingState,
  newestFirst,
  readMeetings,
  readTranscript,
  requireMeeting,
  stateOf,
} from '../store/files.ts';
import { showWork } from './work.ts';

/** Meetings of the given projects, newest first; what is no meeting there is told beside them. */
export async function listMeetings(
  projects: readonly Project[],
  status: MeetingStatus | undefined,
): Promise<MeetingList> {
  const read = await Promise.all(projects.map((project) => readMeetings(project)));
  return {
    meetings: newestFirst(read.flatMap(({ meetings }) => meetings)).filter(
      (meeting) => status === undefined || meeting.status === status,
    ),
    problems: read.flatMap(({ problems }) => problems),
  };
}

export async function showMeeting(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingView> {
  // In one step: events after the cursor are what comes on top of these words. Files are read later, and may know more.
  const cursor = printCursor(ctx.events.cursor());
  const shown = ctx.liveMeetings.get(keyOf(ref))?.stream?.view;
  const meeting = await requireMeeting(ref.project, ref.id);
  const state = await stateOf(ctx, ref).read();
  const { entries } = await readTranscript(ctx, ref.id);
  const worktree = worktreeOf(ctx, ref);
  const work = await showWork(ctx, ref, meeting);
  return {
    meeting,
    phase: state?.phase ?? null,
    worktree: (await exists(worktree)) ? worktree : null,
    recordFile: await artifactFile(ref.project, ref.id),
    turns: [...entries],
    running: state?.running ? runningTurn(await masked(ctx, state.running), shown) : null,
    queue: await Promise.all((state?.queue ?? []).map((message) => masked(ctx, message))),
    changedFiles: [...work.changedFiles],
    artifacts: [...work.artifacts],
    conflicts: await conflictsOf(ctx, ref, meeting),
    draft: state?.draft ?? null,
    drafting: state?.drafting ?? null,
    isSandboxed: meeting.status === 'open' ? ctx.sandbox.state().kind !== 'none' : null,
    usage: entries.length === 0 ? meeting.usage : usageOfEntries(entries),
    cursor,
  };
}

/** Only of what is open: for the rest git has the last word. */
async function conflictsOf(
  ctx: MeetingsContext,
  { project, id }: MeetingRef,
  { status }: MeetingView['meeting'],
): Promise<MeetingView['conflicts']> {
  if (status !== 'open' || ctx.conflictsOf === undefined) return [];
  return [...(await ctx.conflictsOf({ project: project.name, id }))];
}

/** As the events and the transcript have it, so that nothing on a screen changes when it is read anew. */
async function masked<Message extends QueuedMessage>(ctx: MeetingsContext, message: Message): Promise<Message> {
  return { ...message, text: await ctx.scrub(message.text) };
}

function runningTurn(running: NonNullable<MeetingState['running']>, shown: TurnView | undefined): RunningTurn {
  const { turn, messageId, text, at } = running;
  const view = shown?.turn === turn ? shown : emptyTurn(turn);
  return { turn, messageId, text, at, since: running.since ?? at, view };
}

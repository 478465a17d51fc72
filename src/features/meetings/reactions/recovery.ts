/**
 * What is still to do when the hall starts: every meeting that was in the middle of something goes on from its files.
 * A turn that had shown nothing is started again; one that had is ended as cut off, with what it had shown.
 */
import { writeAtomically } from '../../../kernel/artifacts/write.ts';
import { commitFiles } from '../../../kernel/git/commit.ts';
import { readFileAt } from '../../../kernel/git/read.ts';
import { integrationLock, listProjects, type Project } from '../../../kernel/projects/projects.ts';
import { parseCursor } from '../../../kernel/pure/events.ts';
import { emptyMaskState } from '../../../kernel/secrets/stream.ts';
import type { MeetingsContext } from '../context.ts';
import {
  type AnswerMark,
  meetingKind,
  type MeetingRecord,
  type TranscriptEntry,
  type TurnEvent,
  type TurnView,
} from '../contract.ts';
import { emptyTurn, foldTurnEvent } from '../fold/turns.ts';
import { closingLock, finishClosing } from '../operations/closing.ts';
import { dropDrafting } from '../operations/drafting.ts';
import { forgetConflict } from '../operations/merging.ts';
import { rollBackOpening } from '../operations/opening.ts';
import { decideInterruptedTurn } from '../rules.ts';
import {
  artifactFile,
  changeState,
  ensureMeetingFolders,
  listStates,
  mendTranscript,
  type MeetingState,
  readMeeting,
  readMeetings,
  readTranscript,
  stateOf,
} from '../store/files.ts';
import { meetingLock, type MeetingRef } from '../store/place.ts';
import { meetingPath } from '../store/record.ts';
import { type Ending, type Kept, keepAnswer } from './answers.ts';
import { announce } from './live.ts';
import { wakeMeeting } from './turns.ts';

/** Goes through all meetings once. A meeting that cannot be recovered is logged and does not keep the others. */
export async function recoverMeetings(ctx: MeetingsContext): Promise<void> {
  await ensureMeetingFolders(ctx);
  const projects = listProjects(ctx);
  for (const { project: name, id } of await listStates(ctx)) {
    const project = projects.find((candidate) => candidate.name === name);
    // The project was taken off the list: its files wait until it is registered again.
    if (project === undefined) continue;
    await guarded(ctx, id, () => recoverFromState(ctx, { project, id }));
  }
  for (const project of projects) {
    await guarded(ctx, project.name, () => ensureStates(ctx, project));
    await guarded(ctx, project.name, () => commitRequests(ctx, project));
  }
}

async function guarded(ctx: MeetingsContext, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    ctx.log.error({ err: error, what }, 'a meeting could not be recovered; its files are as they were');
  }
}

async function recoverFromState(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const state = await stateOf(ctx, ref).read();
  if (state === undefined) return;
  await mendTranscript(ctx, ref.id);
  if (state.phase === 'opening') {
    await rollBackOpening(ctx, ref, 'The hall stopped while the meeting was being opened', state.firstMessage);
    return;
  }
  await restoreRecord(ctx, ref);
  if (state.phase === 'closing' && state.running) await recoverTurn(ctx, ref, state.running, 'end');
  if (state.phase === 'open') await recoverOpen(ctx, ref, state);
  else if (state.phase === 'conflict') await recoverConflict(ctx, ref);
  else
    ctx.spawn(`close ${ref.id}`, () =>
      ctx.locks.with(closingLock(ref), async () => void (await finishClosing(ctx, ref))),
    );
}

/** A record that was deleted from the worktree comes back as it was committed last. */
async function restoreRecord(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const { project, id } = ref;
  if ((await readMeeting(project, id)) !== undefined) return;
  const committed = await readFileAt(ctx, project.path, project.integrationBranch, meetingPath(id));
  if (committed === undefined) return;
  await writeAtomically(await artifactFile(project, id), committed);
  ctx.log.warn({ meeting: id }, 'the record of a meeting was gone; it is restored from the integration branch');
}

async function recoverOpen(ctx: MeetingsContext, ref: MeetingRef, state: MeetingState): Promise<void> {
  const record = await readMeeting(ref.project, ref.id);
  if (record?.status !== 'open') {
    ctx.log.warn(
      { meeting: ref.id, status: record?.status },
      'the record of an open meeting was changed by hand; its working state is kept',
    );
    return;
  }
  if (state.running) await recoverTurn(ctx, ref, state.running);
  if (state.drafting !== null) await dropDrafting(ctx, ref, 'The hall stopped while they were written.');
  wakeMeeting(ctx, ref);
}

/** A conflict that was given up, but whose clean-up was cut off. */
async function recoverConflict(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const record = await readMeeting(ref.project, ref.id);
  if (record?.merge.state === 'dismissed') await forgetConflict(ctx, ref, record);
}

async function recoverTurn(
  ctx: MeetingsContext,
  ref: MeetingRef,
  running: NonNullable<MeetingState['running']>,
  always?: 'end',
): Promise<void> {
  const { entries } = await readTranscript(ctx, ref.id);
  const answer = entries.find((entry) => entry.speaker === 'assistant' && entry.turn === running.turn);
  const shown = await replayTurn(ctx, ref, running.turn, running.cursor);
  const hadPieces = shown.text !== '' || shown.tools.length > 0;
  if (answer === undefined && (always ?? decideInterruptedTurn(hadPieces)) === 'again') return;
  await ctx.locks.with(meetingLock(ref), async () => {
    const stream = { view: shown, masking: emptyMaskState, usage: undefined };
    const { event, kept } = answer ? endOfEntry(answer) : await keepAnswer(ctx, ref, stream, cutOff(ref), 'cut-off');
    // An end that readers have had already is not told again.
    if (shown.state === 'running') announce(ctx, ref, 'meeting.turn', { turn: running.turn, event, kept });
    await changeState(ctx, ref, (now) => ({ ...now, running: null }));
  });
}

function cutOff(ref: MeetingRef): Extract<Ending, { type: 'error' }> {
  const reason = 'The hall stopped in the middle of this answer. Say "go on" to have it finished.';
  return { type: 'error', reason, hint: `guild-hall meeting say ${ref.id} "go on"` };
}

/** How a turn ended, by its entry in the transcript. */
function endOfEntry({ at, mark, text, usage, error, hint }: TranscriptEntry): Kept {
  const kept = { at, mark: mark as AnswerMark, text, usage };
  if (error === null) return { event: { type: 'turn_end', interrupted: mark === 'interrupted' }, kept };
  return { event: { type: 'error', reason: error, hint: hint ?? 'Say it again.' }, kept };
}

/** What readers had been shown of a turn before the hall stopped, from the hall's kept events. */
async function replayTurn(ctx: MeetingsContext, ref: MeetingRef, turn: number, from: string): Promise<TurnView> {
  let view = emptyTurn(turn);
  const after = parseCursor(from);
  const head = ctx.events.cursor();
  // Events of another numbering are gone: nothing of the turn can be shown again.
  if (after === undefined || after.epoch !== head.epoch || after.seq >= head.seq) return view;
  const subscription = ctx.events.subscribe({ after });
  for await (const event of subscription) {
    if (
      event.type === 'meeting.turn' &&
      event.subject === `${meetingKind}:${ref.id}` &&
      event.project === ref.project.name
    ) {
      const data = event.data as { turn: number; event: TurnEvent };
      if (data.turn === turn) view = foldTurnEvent(view, data.event);
    }
    if (event.seq >= head.seq) break;
  }
  subscription.close();
  return view;
}

/** An open meeting without working state (its home was restored, the state folder deleted) gets it anew. */
async function ensureStates(ctx: MeetingsContext, project: Project): Promise<void> {
  const { meetings } = await readMeetings(project);
  for (const meeting of meetings.filter((candidate) => candidate.status === 'open')) {
    await guarded(ctx, meeting.id, () => ensureState(ctx, project, meeting));
  }
}

async function ensureState(ctx: MeetingsContext, project: Project, meeting: MeetingRecord): Promise<void> {
  const file = stateOf(ctx, { project, id: meeting.id });
  if ((await file.read()) !== undefined) return;
  const { entries } = await readTranscript(ctx, meeting.id);
  await file.write({
    project: project.name,
    id: meeting.id,
    phase: 'open',
    fromRequest: false,
    firstMessage: '',
    firstMessageId: entries.find(({ speaker }) => speaker === 'user')?.mark ?? '',
    base: null,
    turn: Math.max(0, ...entries.map((entry) => entry.turn)),
    queue: [],
    said: [],
    running: null,
    draft: null,
    drafting: null,
    closing: null,
  });
}

/** Requests that lie uncommitted in the worktree (by hand, or cut off) would be missing from branches made from the tip. */
async function commitRequests(ctx: MeetingsContext, project: Project): Promise<void> {
  const { meetings } = await readMeetings(project);
  const paths = meetings.filter(({ status }) => status === 'requested').map(({ path }) => path);
  if (paths.length === 0) return;
  await ctx.locks.with(integrationLock(project.name), () =>
    commitFiles(ctx, {
      worktree: project.integrationWorktree,
      paths,
      message: 'Keep meeting requests',
      trailer: meetingKind,
    }),
  );
}

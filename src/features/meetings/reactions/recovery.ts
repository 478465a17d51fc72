/**
 * What is still to do when the hall starts: every meeting that was in the middle of something goes on from its files.
 * A turn that had shown nothing is started again; one that had is ended as cut off, with what it had shown.
 */
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import { parseCursor, printCursor } from '../../../kernel/pure/events.ts';
import type { MeetingsContext } from '../context.ts';
import { type MeetingId, meetingKind, type TurnEvent } from '../contract.ts';
import { emptyTurn, entryOfTurn, foldTurnEvent, type TurnView } from '../fold/turns.ts';
import { rollBackOpening } from '../operations/opening.ts';
import { finishClosing } from '../operations/closing.ts';
import { decideInterruptedTurn } from '../rules.ts';
import {
  appendEntry,
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
import { announce } from './live.ts';
import { wakeMeeting } from './turns.ts';

/** Goes through all meetings once. A meeting that cannot be recovered is logged and does not keep the others. */
export async function recoverMeetings(ctx: MeetingsContext): Promise<void> {
  await ensureMeetingFolders(ctx);
  const projects = listProjects(ctx);
  for (const id of await listStates(ctx)) {
    try {
      await recoverFromState(ctx, projects, id);
    } catch (error) {
      ctx.log.error({ err: error, meeting: id }, 'a meeting could not be recovered; its files are as they were');
    }
  }
  for (const project of projects) await ensureStates(ctx, project);
}

async function recoverFromState(ctx: MeetingsContext, projects: readonly Project[], id: MeetingId): Promise<void> {
  const state = await stateOf(ctx, id).read();
  const project = projects.find((candidate) => candidate.name === state?.project);
  // The project was taken off the list: its files wait until it is registered again.
  if (state === undefined || project === undefined) return;
  const ref: MeetingRef = { project, id };
  await mendTranscript(ctx, id);
  if (state.phase === 'opening')
    await rollBackOpening(ctx, ref, 'The hall stopped while the meeting was being opened', state.firstMessage);
  else if (state.phase === 'closing')
    ctx.spawn(`close ${id}`, async () => void (await ctx.locks.with(`closing:${id}`, () => finishClosing(ctx, ref))));
  else if (state.phase === 'open') await recoverOpen(ctx, ref, state);
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
  wakeMeeting(ctx, ref);
}

async function recoverTurn(
  ctx: MeetingsContext,
  ref: MeetingRef,
  running: NonNullable<MeetingState['running']>,
): Promise<void> {
  const { entries } = await readTranscript(ctx, ref.id);
  const answered = entries.some((entry) => entry.speaker === 'assistant' && entry.turn === running.turn);
  const shown = await replayTurn(ctx, ref, running.turn, running.cursor);
  const hadPieces = shown.text !== '' || shown.tools.length > 0;
  if (!answered && decideInterruptedTurn(hadPieces) === 'again') return;
  const reason = 'The hall stopped in the middle of this answer. Say "go on" to have it finished.';
  await ctx.locks.with(meetingLock(ref.id), async () => {
    const entry = entryOfTurn(shown, ctx.clock.nowIso());
    if (!answered) await appendEntry(ctx, ref.id, { ...entry, text: await ctx.scrub(entry.text), error: reason });
    await changeState(ctx, ref.id, (now) => ({ ...now, running: null }));
  });
  const ending: TurnEvent = answered
    ? { type: 'turn_end', interrupted: false }
    : { type: 'error', reason, hint: `guild-hall meeting say ${ref.id} "go on"` };
  announce(ctx, ref, 'meeting.turn', { turn: running.turn, event: ending });
}

/** What readers had been shown of a turn before the hall stopped, from the hall's kept events. */
async function replayTurn(ctx: MeetingsContext, ref: MeetingRef, turn: number, from: string): Promise<TurnView> {
  let view = emptyTurn(turn);
  const after = parseCursor(from);
  const head = ctx.events.cursor();
  if (after === undefined || printCursor(head) === from) return view;
  const subscription = ctx.events.subscribe({ after });
  for await (const event of subscription) {
    if (event.type === 'meeting.turn' && event.subject === `${meetingKind}:${ref.id}`) {
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
    const file = stateOf(ctx, meeting.id);
    if ((await file.read()) !== undefined) continue;
    const { entries } = await readTranscript(ctx, meeting.id);
    const turn = Math.max(0, ...entries.map((entry) => entry.turn));
    await file.write({
      project: project.name,
      id: meeting.id,
      phase: 'open',
      fromRequest: false,
      firstMessage: '',
      base: null,
      turn,
      queue: [],
      running: null,
      closing: null,
    });
  }
}

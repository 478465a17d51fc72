/**
 * Turns: the messages of a meeting are answered one at a time, in order. A message is on disk before it is
 * acknowledged, and an answer is on disk before its end is announced.
 */
import { deferred } from '../../../kernel/pure/deferred.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { AgentSessionId } from '../../../kernel/pure/ids.ts';
import { rememberFrom } from '../../../kernel/secrets/find.ts';
import { emptyMaskState, withKnown } from '../../../kernel/secrets/stream.ts';
import type { MeetingsContext, TurnStream } from '../context.ts';
import type { MeetingRecord } from '../contract.ts';
import { emptyTurn } from '../fold/turns.ts';
import {
  appendEntry,
  changeState,
  editMeeting,
  type MeetingState,
  questionEntry,
  readMeeting,
  readTranscript,
  requireMeeting,
  stateOf,
} from '../store/files.ts';
import { summariseForRenewal } from '../summary.ts';
import { meetingLock, type MeetingRef } from '../store/place.ts';
import { type Ending, keepAnswer } from './answers.ts';
import { announce, interruptLive, liveOf } from './live.ts';
import { showPiece, showRest } from './pieces.ts';
import { ensureSession } from './session.ts';

type RunningTurn = NonNullable<MeetingState['running']>;

/** Starts answering what is queued, unless that is under way already. */
export function wakeMeeting(ctx: MeetingsContext, ref: MeetingRef): void {
  const live = liveOf(ctx, ref);
  if (live.pump) return;
  const finished = deferred();
  live.pump = finished.promise;
  ctx.spawn(`meeting ${ref.id}`, async (stopping) => {
    try {
      await answerQueue(ctx, ref, stopping);
    } finally {
      // Another pump may have begun since this one found nothing more to do.
      if (live.pump === finished.promise) live.pump = undefined;
      finished.resolve();
    }
  });
}

async function answerQueue(ctx: MeetingsContext, ref: MeetingRef, stopping: AbortSignal): Promise<void> {
  for (;;) {
    const turn = stopping.aborted ? undefined : await takeNext(ctx, ref);
    if (turn === undefined) return;
    await answerTurn(ctx, ref, turn, stopping);
  }
}

/** The next message becomes the running turn: first in the state, then in the transcript. */
async function takeNext(ctx: MeetingsContext, ref: MeetingRef): Promise<RunningTurn | undefined> {
  const live = liveOf(ctx, ref);
  return ctx.locks.with(meetingLock(ref), async () => {
    const state = await stateOf(ctx, ref).read();
    const message = state?.queue[0];
    if (state === undefined || state.phase !== 'open' || (state.running === null && message === undefined)) {
      // Cleared under the lock: a message queued from now on finds no pump and starts one.
      live.pump = undefined;
      return undefined;
    }
    const running = state.running ?? {
      ...message!,
      turn: state.turn + 1,
      since: ctx.clock.nowIso(),
      cursor: printCursor(ctx.events.cursor()),
    };
    if (state.running === null) {
      await changeState(ctx, ref, (now) => ({ ...now, queue: now.queue.slice(1), turn: running.turn, running }));
    }
    await appendQuestion(ctx, ref, running);
    live.turnRuns = true;
    live.isInterruptWanted = false;
    return running;
  });
}

/** Adds the person's words to the transcript, unless a crash came between that and the note that it was done. */
async function appendQuestion(ctx: MeetingsContext, ref: MeetingRef, running: RunningTurn): Promise<void> {
  const { entries } = await readTranscript(ctx, ref.id);
  if (entries.some((entry) => entry.speaker === 'user' && entry.mark === running.messageId)) return;
  const { messageId, text, at, turn } = running;
  await appendEntry(ctx, ref.id, questionEntry({ turn, messageId, text, at }));
}

async function answerTurn(
  ctx: MeetingsContext,
  ref: MeetingRef,
  running: RunningTurn,
  stopping: AbortSignal,
): Promise<void> {
  const { turn, messageId, text, at } = running;
  const live = liveOf(ctx, ref);
  const masking = withKnown({ ...emptyMaskState, known: live.known }, rememberFrom(text));
  const stream: TurnStream = { view: emptyTurn(turn), masking, usage: undefined };
  live.stream = stream;
  announce(ctx, ref, 'meeting.turn_started', { turn, messageId, text, at, since: running.since ?? at });
  const interrupt = (): void => ctx.spawn(`interrupt ${ref.id}`, () => interruptLive(ctx, ref));
  stopping.addEventListener('abort', interrupt, { once: true });
  let ending: Ending;
  try {
    ending = await streamAnswer(ctx, ref, running, stream);
  } catch (error) {
    ctx.log.error({ err: error, meeting: ref.id, turn }, 'a turn failed outside the agent');
    const { message, hint } = errorFactsOf(error);
    ending = { type: 'error', reason: message, hint };
  } finally {
    stopping.removeEventListener('abort', interrupt);
  }
  await finishTurn(ctx, ref, running, stream, ending);
}

/** Lets the agent answer. A session that can no longer be resumed is replaced once, unseen by the person. */
async function streamAnswer(
  ctx: MeetingsContext,
  ref: MeetingRef,
  running: RunningTurn,
  stream: TurnStream,
): Promise<Ending> {
  const record = await requireMeeting(ref.project, ref.id);
  const resumed = record.sessionId;
  // A later turn without a session (the first one failed before it had any) is told what was said, like a renewed one.
  const earlier = resumed === null && running.turn > 1 ? await earlierWords(ctx, ref, running) : '';
  const first = await promptAgent(ctx, ref, record, { text: running.text, resume: resumed, earlier }, stream);
  if (first.kind !== 'expired' || resumed === null) return first.ending;
  const renewed = { text: running.text, resume: null, earlier: await earlierWords(ctx, ref, running) };
  const second = await promptAgent(ctx, ref, record, renewed, stream, (fresh) => logRenewal(ctx, ref, resumed, fresh));
  return second.ending;
}

async function earlierWords(ctx: MeetingsContext, ref: MeetingRef, running: RunningTurn): Promise<string> {
  const { entries } = await readTranscript(ctx, ref.id);
  return summariseForRenewal(entries.filter((entry) => entry.turn < running.turn));
}

type PromptOutcome = { readonly kind: 'ended' | 'expired'; readonly ending: Ending };

async function promptAgent(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
  ask: { readonly text: string; readonly resume: AgentSessionId | null; readonly earlier: string },
  stream: TurnStream,
  onSession: (sessionId: AgentSessionId) => Promise<void> = async () => {},
): Promise<PromptOutcome> {
  const session = await ensureSession(ctx, ref, record, ask.earlier);
  let known = record.sessionId;
  const events = session.prompt(ask.text, ask.resume === null ? {} : { resume: ask.resume });
  if (liveOf(ctx, ref).isInterruptWanted) await session.interrupt();
  for await (const event of events) {
    if (event.type === 'session' && event.sessionId !== known) {
      known = event.sessionId;
      await ctx.locks.with(meetingLock(ref), () => editMeeting(ref.project, ref.id, { set: { session_id: known } }));
      await onSession(event.sessionId);
    } else if (event.type === 'end') {
      return { kind: 'ended', ending: { type: 'turn_end', interrupted: event.reason === 'interrupted' } };
    } else if (event.type === 'error') {
      const ending: Ending = { type: 'error', reason: event.message, hint: event.hint };
      return { kind: event.errorClass === 'expired_session' ? 'expired' : 'ended', ending };
    } else if (event.type === 'usage') stream.usage = event.usage;
    else showPiece(ctx, ref, stream, event);
  }
  const reason = 'The agent ended its turn without saying how it ended.';
  return { kind: 'ended', ending: { type: 'error', reason, hint: 'Say it again; `guild-hall logs` has the details.' } };
}

async function logRenewal(
  ctx: MeetingsContext,
  ref: MeetingRef,
  old: AgentSessionId,
  fresh: AgentSessionId,
): Promise<void> {
  const at = ctx.clock.nowIso();
  const reason = `Session ${old} could no longer be resumed; ${fresh} goes on from a summary of the transcript`;
  const entry = { timestamp: at, event: 'session_renewed', reason };
  await ctx.locks.with(meetingLock(ref), () => editMeeting(ref.project, ref.id, { append: { meeting_log: [entry] } }));
  announce(ctx, ref, 'meeting.session_renewed', { id: ref.id, oldSession: old, newSession: fresh, at, reason });
}

/** Transcript first, then the end is announced, then the state is cleared; at last the next turn is made ready. */
async function finishTurn(
  ctx: MeetingsContext,
  ref: MeetingRef,
  running: RunningTurn,
  stream: TurnStream,
  ending: Ending,
): Promise<void> {
  const live = liveOf(ctx, ref);
  const { turn } = running;
  await ctx.locks.with(meetingLock(ref), async () => {
    showRest(ctx, ref, stream);
    const { event, kept } = await keepAnswer(ctx, ref, stream, ending);
    if (kept?.usage) announce(ctx, ref, 'meeting.turn_usage', { turn, ...kept.usage });
    live.stream = undefined;
    live.known = stream.masking.known;
    announce(ctx, ref, 'meeting.turn', { turn, event, kept });
    live.turnRuns = false;
    await changeState(ctx, ref, (state) => ({ ...state, running: null }));
  });
  const record = await readMeeting(ref.project, ref.id);
  if (ending.type === 'turn_end' && record?.status === 'open' && record.sessionId !== null) {
    live.session?.prepare(record.sessionId);
  }
}

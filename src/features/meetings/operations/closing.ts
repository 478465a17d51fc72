/**
 * Closing a meeting. Each step can be done again: a second press, or a start of the hall after a crash, goes on from
 * wherever the first one stopped.
 */
import { branchTip } from '../../../kernel/git/branches.ts';
import { lookThroughBranch } from '../../../kernel/git/look-through.ts';
import { saveEverything } from '../../../kernel/git/saving.ts';
import { integrationLock } from '../../../kernel/projects/projects.ts';
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import { locateSecrets } from '../../../kernel/secrets/locate.ts';
import type { MeetingsContext } from '../context.ts';
import { type MeetingClosed, type MeetingRecord, meetingKind } from '../contract.ts';
import { wellFormed } from '../../../kernel/pure/text.ts';
import { composeNotes, type NotesSource, writeParts } from '../notes.ts';
import { announce, interruptLive, liveOf } from '../reactions/live.ts';
import { decideClose, decideMove } from '../rules.ts';
import {
  appendEntry,
  changeState,
  closingOf,
  editMeeting,
  questionEntry,
  readTranscript,
  requireMeeting,
  stateOf,
} from '../store/files.ts';
import { branchOf, keyOf, meetingLock, type MeetingRef, ownerOf, worktreeOf } from '../store/place.ts';
import { lookRequest, stepBack } from './checking.ts';
import { notesSource, partsStillTrue } from './drafting.ts';
import { closedFacts, mergeAndClean } from './merging.ts';

/** One close of a meeting at a time; dismissing a conflict takes the same lock. */
export function closingLock(ref: MeetingRef): string {
  return `closing:${keyOf(ref)}`;
}

export interface Closing {
  /** The person's own notes, to be kept as they are. */
  readonly notes?: string | undefined;
  /** What looks like a secret in them, or in files of the branch, is meant. */
  readonly allowSecrets?: boolean | undefined;
}

/** Closes, or says again how it was closed; after a conflict it tries the merge again. */
export async function closeMeeting(
  ctx: MeetingsContext,
  ref: MeetingRef,
  wanted: Closing = {},
): Promise<MeetingClosed> {
  const notes = wanted.notes === undefined ? undefined : wellFormed(wanted.notes.replaceAll('\r\n', '\n')).trim();
  if (notes !== undefined && wanted.allowSecrets !== true) await requireNoSecrets(notes);
  return ctx.locks.with(closingLock(ref), async () => {
    const record = await requireMeeting(ref.project, ref.id);
    const state = await stateOf(ctx, ref).read();
    if (state === undefined && record.status === 'closed') return closedBefore(ctx, ref, record, notes);
    const taken = await ctx.locks.with(meetingLock(ref), () => beginClosing(ctx, ref, { ...wanted, notes }));
    const closed = await finishClosing(ctx, ref);
    if (notes === undefined || taken === notes) return closed;
    return closedBefore(ctx, ref, await requireMeeting(ref.project, ref.id), notes);
  });
}

/** A repeat is answered as the first time. Other notes than those that were written then are not lost unseen. */
async function closedBefore(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
  notes: string | undefined,
): Promise<MeetingClosed> {
  if (notes === undefined || notes === record.notesSummary.trim()) return closedFacts(ctx, ref, record, null);
  throw fail(
    'conflict',
    `Meeting ${ref.id} was closed before with other notes; yours were not written.`,
    `Add your words to its record, the file that this names: guild-hall meeting show ${ref.id}`,
  );
}

/** The person's words are not changed: where one looks like a secret they are asked. */
async function requireNoSecrets(notes: string): Promise<void> {
  const secrets = await locateSecrets(notes);
  if (secrets.length === 0) return;
  const places = secrets.slice(0, 5).map(({ line, kind }) => `line ${line} (${kind})`);
  throw fail(
    'conflict',
    `It looks as if there is a secret in the notes, at ${places.join(', ')}; the meeting is still open.`,
    'Take it out, or close all the same with --allow-secrets: it will be in the history of the repository for good.',
    { kind: 'secrets', secrets },
  );
}

/**
 * From here on the close is carried to its end, whatever happens to the hall. The caller holds the meeting's lock.
 * @returns the notes that it is closed with, as far as they are known
 */
async function beginClosing(
  ctx: MeetingsContext,
  ref: MeetingRef,
  { notes, allowSecrets }: Closing,
): Promise<string | null> {
  const record = await requireMeeting(ref.project, ref.id);
  const phase = (await stateOf(ctx, ref).read())?.phase;
  const may = decideClose(record, phase);
  if (!may.ok) throw new HallError(may.refusal);
  if (phase === 'open') {
    const move = decideMove(record, 'close', 'Closed by the person', ctx.clock.nowIso());
    if (!move.ok) throw new HallError(move.refusal);
  }
  const after = await changeState(ctx, ref, (state) => ({
    ...state,
    phase: 'closing',
    drafting: null,
    closing: closingAgain(closingOf(state), { notes, allowSecrets }),
  }));
  if (phase !== 'closing') announce(ctx, ref, 'meeting.closing', { id: ref.id });
  return closingOf(after).notes;
}

/** A merge that was made is not made again; one that is still to be made sees the record, and the notes, as they are now. */
function closingAgain(before: ReturnType<typeof closingOf>, { notes, allowSecrets }: Closing): typeof before {
  if (before.merged !== null) return before;
  const given = notes === undefined ? {} : { notes, notesFailed: false };
  return { ...before, final: null, ...given, allowSecrets: before.allowSecrets || allowSecrets === true };
}

/** Everything from a closing state to the end. Also what the start of the hall calls for one that was cut off. */
export async function finishClosing(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingClosed> {
  if (closingOf(await stateOf(ctx, ref).read()).merged === null) {
    await endTurns(ctx, ref);
    await saveRest(ctx, ref);
    await stopAtSecrets(ctx, ref);
    await ensureNotes(ctx, ref);
  }
  return ctx.locks.with(meetingLock(ref), () =>
    ctx.locks.with(integrationLock(ref.project.name), () => mergeAndClean(ctx, ref)),
  );
}

/** Before the notes are made: a close that is going to stop costs no model call. */
async function stopAtSecrets(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const tip = await branchTip(ctx, ref.project.path, branchOf(ref));
  if (tip === undefined || closingOf(await stateOf(ctx, ref).read()).allowSecrets) return;
  const { secrets } = await lookThroughBranch(ctx, lookRequest(ctx, ref, tip));
  if (secrets.length > 0) throw await ctx.locks.with(meetingLock(ref), () => stepBack(ctx, ref, secrets));
}

/** Interrupts what runs, waits for its entry in the transcript, and keeps the words that nobody answered. */
async function endTurns(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const live = liveOf(ctx, ref);
  if (live.turnRuns) await interruptLive(ctx, ref);
  while (live.pump) await live.pump;
  await ctx.locks.with(meetingLock(ref), () => keepUnanswered(ctx, ref));
  await live.session?.close();
}

async function keepUnanswered(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const state = await stateOf(ctx, ref).read();
  if (state === undefined) return;
  const { entries } = await readTranscript(ctx, ref.id);
  const waiting = [
    ...(state.running ? [state.running] : []),
    ...state.queue.map((message, index) => ({ ...message, turn: state.turn + index + 1 })),
  ];
  for (const { messageId, text, at, turn } of waiting) {
    const message = { turn, messageId, text, at };
    if (entries.every((entry) => entry.mark !== messageId)) await appendEntry(ctx, ref.id, questionEntry(message));
    announce(ctx, ref, 'meeting.message_unanswered', message);
  }
  if (waiting.length === 0) return;
  await changeState(ctx, ref, (now) => ({ ...now, queue: [], running: null, turn: waiting.at(-1)!.turn }));
}

/** Commits what lies uncommitted or untracked in the worktree to the meeting's branch. */
async function saveRest(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  await saveEverything(ctx, {
    repo: ref.project.path,
    worktree: worktreeOf(ctx, ref),
    owner: ownerOf(ref),
    message: `Keep the rest of meeting ${ref.id}`,
    trailer: `${meetingKind} ${ref.id}`,
  });
}

/**
 * Notes are made once: a close that goes on after a crash, or after a conflict, uses the same ones. Those that the person
 * gave are there already; those that were drafted, and after which nothing was said, are used with today's facts.
 */
async function ensureNotes(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const state = await stateOf(ctx, ref).read();
  if (state === undefined)
    throw fail('conflict', `Meeting ${ref.id} is not being closed.`, 'See: guild-hall meeting list');
  const { linked, notes } = closingOf(state);
  if (linked && notes !== null) return;
  const source = await notesSource(ctx, ref);
  await ensureLinks(ctx, ref, source);
  if (notes !== null) return;
  const parts = partsStillTrue(state) ?? (await writeParts(ctx, ref, source));
  const text = await composeNotes(ctx, parts, source);
  await changeClosing(ctx, ref, { notes: text, notesFailed: parts.problem !== null });
}

async function ensureLinks(ctx: MeetingsContext, ref: MeetingRef, { produced, record }: NotesSource): Promise<void> {
  const missingLinks = produced.filter((path) => !record.linkedArtifacts.includes(path));
  await ctx.locks.with(meetingLock(ref), async () => {
    if (missingLinks.length > 0) await editMeeting(ref.project, ref.id, { append: { linked_artifacts: missingLinks } });
  });
  await changeClosing(ctx, ref, { linked: true });
}

async function changeClosing(
  ctx: MeetingsContext,
  ref: MeetingRef,
  change: Partial<ReturnType<typeof closingOf>>,
): Promise<void> {
  await ctx.locks.with(meetingLock(ref), () =>
    changeState(ctx, ref, (now) => ({ ...now, closing: { ...closingOf(now), ...change } })),
  );
}

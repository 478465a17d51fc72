/**
 * Closing a meeting. Each step can be done again: a second press, or a start of the hall after a crash, goes on from
 * wherever the first one stopped.
 */
import { commitAll } from '../../../kernel/git/commit.ts';
import { branchTip } from '../../../kernel/git/branches.ts';
import { exists } from '../../../kernel/git/paths.ts';
import { changedFiles, mergeBase } from '../../../kernel/git/read.ts';
import { integrationLock } from '../../../kernel/projects/projects.ts';
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import type { MeetingsContext } from '../context.ts';
import { type MeetingClosed, type MeetingRecord, meetingKind, meetingsFolder } from '../contract.ts';
import { makeNotes } from '../notes.ts';
import { announce, interruptLive, liveOf } from '../reactions/live.ts';
import { decideClose, decideMove, normaliseLink } from '../rules.ts';
import {
  appendEntry,
  changeState,
  closingOf,
  editMeeting,
  questionEntry,
  readMeetings,
  readTranscript,
  requireMeeting,
  stateOf,
} from '../store/files.ts';
import { branchOf, keyOf, meetingLock, type MeetingRef, worktreeOf } from '../store/place.ts';
import { meetingPath } from '../store/record.ts';
import { closedFacts, mergeAndClean } from './merging.ts';

/** One close of a meeting at a time; dismissing a conflict takes the same lock. */
export function closingLock(ref: MeetingRef): string {
  return `closing:${keyOf(ref)}`;
}

/** Closes, or says again how it was closed; after a conflict it tries the merge again. */
export async function closeMeeting(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingClosed> {
  return ctx.locks.with(closingLock(ref), async () => {
    const record = await requireMeeting(ref.project, ref.id);
    const state = await stateOf(ctx, ref).read();
    if (state === undefined && record.status === 'closed') return closedFacts(ctx, ref, record, null);
    await ctx.locks.with(meetingLock(ref), () => beginClosing(ctx, ref));
    return finishClosing(ctx, ref);
  });
}

/** From here on the close is carried to its end, whatever happens to the hall. The caller holds the meeting's lock. */
async function beginClosing(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const record = await requireMeeting(ref.project, ref.id);
  const phase = (await stateOf(ctx, ref).read())?.phase;
  const may = decideClose(record, phase);
  if (!may.ok) throw new HallError(may.refusal);
  if (phase === 'open') {
    const move = decideMove(record, 'close', 'Closed by the person', ctx.clock.nowIso());
    if (!move.ok) throw new HallError(move.refusal);
  }
  await changeState(ctx, ref, (state) => ({
    ...state,
    phase: 'closing',
    // A merge that was made is not made again; one that is still to be made sees the record as it is then.
    closing: { ...closingOf(state), final: closingOf(state).merged === null ? null : closingOf(state).final },
  }));
  if (phase !== 'closing') announce(ctx, ref, 'meeting.closing', { id: ref.id });
}

/** Everything from a closing state to the end. Also what the start of the hall calls for one that was cut off. */
export async function finishClosing(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingClosed> {
  if (closingOf(await stateOf(ctx, ref).read()).merged === null) {
    await endTurns(ctx, ref);
    await saveRest(ctx, ref);
    await ensureNotes(ctx, ref);
  }
  return ctx.locks.with(meetingLock(ref), () =>
    ctx.locks.with(integrationLock(ref.project.name), () => mergeAndClean(ctx, ref)),
  );
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
  const worktree = worktreeOf(ctx, ref);
  // A worktree that is gone has nothing uncommitted left to keep; the branch has the rest.
  if (!(await exists(worktree))) return;
  const message = `Keep the rest of meeting ${ref.id}`;
  await commitAll(ctx, { worktree, message, trailer: `${meetingKind} ${ref.id}` });
}

/** Notes are made once: a close that goes on after a crash, or after a conflict, uses the same ones. */
async function ensureNotes(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const state = await stateOf(ctx, ref).read();
  if (state === undefined)
    throw fail('conflict', `Meeting ${ref.id} is not being closed.`, 'See: guild-hall meeting list');
  if (closingOf(state).notes !== null) return;
  const record = await requireMeeting(ref.project, ref.id);
  const { entries } = await readTranscript(ctx, ref.id);
  const produced = await producedArtifacts(ctx, ref, record);
  const notes = await makeNotes(ctx, ref, { record, entries, produced, followUps: await followUpsOf(ref) });
  await ctx.locks.with(meetingLock(ref), async () => {
    const missingLinks = produced.filter((path) => !record.linkedArtifacts.includes(path));
    if (missingLinks.length > 0) await editMeeting(ref.project, ref.id, { append: { linked_artifacts: missingLinks } });
    await changeState(ctx, ref, (now) => ({
      ...now,
      closing: { ...closingOf(now), notes: notes.text, notesFailed: notes.failed },
    }));
  });
}

/** Requests that were made in this meeting: each names it among its related artifacts. */
async function followUpsOf(ref: MeetingRef): Promise<readonly MeetingRecord[]> {
  const { meetings } = await readMeetings(ref.project);
  return meetings.filter((meeting) => meeting.related.includes(meetingPath(ref.id)));
}

/** What the meeting's branch changed, then what was linked; records of meetings themselves are left out. */
async function producedArtifacts(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
): Promise<readonly string[]> {
  const { path: repo, integrationBranch } = ref.project;
  const tip = await branchTip(ctx, repo, branchOf(ref));
  const base = tip === undefined ? undefined : await mergeBase(ctx, repo, integrationBranch, tip);
  const changed = base === undefined || tip === undefined ? [] : await changedFiles(ctx, repo, base, tip);
  const written = changed
    .filter((file) => file.status !== 'D' && !file.path.startsWith(`${meetingsFolder}/`))
    .map((file) => file.path);
  return [...new Set([...written, ...record.linkedArtifacts.map((path) => normaliseLink(path) ?? path)])];
}

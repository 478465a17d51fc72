/** Notes before the close: drafted for the person to look at, kept in the working state, made again when more was said. */
import { branchTip } from '../../../kernel/git/branches.ts';
import { changedFiles, mergeBase } from '../../../kernel/git/read.ts';
import { HallError } from '../../../kernel/pure/errors.ts';
import type { MeetingsContext } from '../context.ts';
import { type MeetingRecord, meetingsFolder, type NotesDraft } from '../contract.ts';
import { composeNotes, type NotesParts, type NotesSource, writeParts } from '../notes.ts';
import { announce } from '../reactions/live.ts';
import { decideNotes, normaliseLink } from '../rules.ts';
import {
  changeState,
  type MeetingState,
  readMeetings,
  readTranscript,
  requireMeeting,
  stateOf,
} from '../store/files.ts';
import { branchOf, keyOf, meetingLock, type MeetingRef } from '../store/place.ts';
import { meetingPath } from '../store/record.ts';

/**
 * The notes as they would be written now. What was drafted and is still true is given back with today's facts, without
 * a model call, unless `again` asks for other words.
 */
export async function draftNotes(ctx: MeetingsContext, ref: MeetingRef, again: boolean): Promise<NotesDraft> {
  return ctx.locks.with(`drafting:${keyOf(ref)}`, async () => {
    const parts = await beginDrafting(ctx, ref, again);
    try {
      return await finishDrafting(ctx, ref, parts);
    } catch (error) {
      await dropDrafting(ctx, ref, 'They could not be written.');
      throw error;
    }
  });
}

/** What can be used again of the last draft; else tells that new notes are being written. */
async function beginDrafting(ctx: MeetingsContext, ref: MeetingRef, again: boolean): Promise<NotesParts | undefined> {
  return ctx.locks.with(meetingLock(ref), async () => {
    const state = await requireOpen(ctx, ref);
    const known = again || state === undefined ? undefined : partsStillTrue(state);
    if (known !== undefined) return known;
    const at = ctx.clock.nowIso();
    await changeState(ctx, ref, (now) => ({ ...now, drafting: at }));
    announce(ctx, ref, 'meeting.notes_drafting', { id: ref.id, at });
    return undefined;
  });
}

async function finishDrafting(ctx: MeetingsContext, ref: MeetingRef, known?: NotesParts): Promise<NotesDraft> {
  const source = await notesSource(ctx, ref);
  const parts = known ?? (await writeParts(ctx, ref, source));
  const text = await composeNotes(ctx, parts, source);
  const turn = lastTurn(source);
  const draft = { text, at: ctx.clock.nowIso(), by: parts.by, problem: parts.problem, turn };
  await ctx.locks.with(meetingLock(ref), async () => {
    await requireOpen(ctx, ref);
    const { summary, questions } = parts;
    await changeState(ctx, ref, (now) => ({ ...now, drafting: null, draft: { ...draft, summary, questions } }));
    announce(ctx, ref, 'meeting.notes_drafted', { id: ref.id, draft });
  });
  return draft;
}

/** Tells that the drafting came to nothing. A close has told it already, and has its own notes. */
export async function dropDrafting(ctx: MeetingsContext, ref: MeetingRef, reason: string): Promise<void> {
  await ctx.locks.with(meetingLock(ref), async () => {
    const state = await stateOf(ctx, ref).read();
    if (state?.phase !== 'open' || state.drafting === null) return;
    await changeState(ctx, ref, (now) => ({ ...now, drafting: null }));
    announce(ctx, ref, 'meeting.notes_dropped', { id: ref.id, reason });
  });
}

async function requireOpen(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingState | undefined> {
  const state = await stateOf(ctx, ref).read();
  const may = decideNotes(await requireMeeting(ref.project, ref.id), state?.phase);
  if (!may.ok) throw new HallError(may.refusal);
  return state;
}

/** The words of a draft after which nothing was said: neither a turn nor a message that waits for one. */
export function partsStillTrue(state: MeetingState): NotesParts | undefined {
  const { draft, turn, queue, running } = state;
  const isTrue = draft !== null && draft.turn === turn && queue.length === 0 && running === null;
  return isTrue && draft.problem === null ? draft : undefined;
}

function lastTurn({ entries }: NotesSource): number {
  return Math.max(0, ...entries.filter(({ speaker }) => speaker === 'assistant').map(({ turn }) => turn));
}

/** What notes are made from, as it is now. */
export async function notesSource(ctx: MeetingsContext, ref: MeetingRef): Promise<NotesSource> {
  const record = await requireMeeting(ref.project, ref.id);
  const { entries } = await readTranscript(ctx, ref.id);
  return {
    record,
    entries,
    produced: await producedArtifacts(ctx, ref, record),
    followUps: await followUpsOf(ref),
  };
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

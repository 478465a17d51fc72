/**
 * Closing a meeting. Each step can be done again: a second press, or a start of the hall after a crash, goes on from
 * wherever the first one stopped.
 */
import { access } from 'node:fs/promises';
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import { writeAtomically } from '../../../kernel/artifacts/write.ts';
import { branchTip, deleteBranch } from '../../../kernel/git/branches.ts';
import { commitAll } from '../../../kernel/git/commit.ts';
import { changedFiles, mergeBase, readFileAt } from '../../../kernel/git/read.ts';
import { squashMerge } from '../../../kernel/git/merge.ts';
import { removeWorktree } from '../../../kernel/git/worktrees.ts';
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import type { MeetingsContext } from '../context.ts';
import { type MeetingClosed, type MeetingRecord, meetingKind, meetingsFolder } from '../contract.ts';
import { makeNotes, type Notes } from '../notes.ts';
import { announce, liveOf, releaseLive } from '../reactions/live.ts';
import { removeAgentFiles } from '../reactions/session.ts';
import { decideMove, normaliseLink } from '../rules.ts';
import {
  artifactFile,
  appendEntry,
  changeState,
  editMeeting,
  type MeetingState,
  readTranscript,
  removeTranscript,
  requireMeeting,
  stateOf,
} from '../store/files.ts';
import { finalArtifact } from '../store/final.ts';
import {
  branchOf,
  commitRecord,
  integrationLock,
  meetingLock,
  type MeetingRef,
  ownerOf,
  worktreeOf,
} from '../store/place.ts';
import { meetingPath, recordOfDocument } from '../store/record.ts';

/** Closes, or says again how it was closed; after a conflict it tries the merge again. */
export async function closeMeeting(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingClosed> {
  return ctx.locks.with(`closing:${ref.id}`, async () => {
    const record = await requireMeeting(ref.project, ref.id);
    const state = await stateOf(ctx, ref.id).read();
    if (state === undefined && record.status === 'closed') return closedFacts(record, null, false);
    if (state?.phase !== 'closing' && state?.phase !== 'conflict') await beginClosing(ctx, ref, record);
    return finishClosing(ctx, ref);
  });
}

async function beginClosing(ctx: MeetingsContext, ref: MeetingRef, record: MeetingRecord): Promise<void> {
  const move = decideMove(record, 'close', 'Closed by the person', ctx.clock.nowIso());
  if (!move.ok) throw new HallError(move.refusal);
  await ctx.locks.with(meetingLock(ref.id), () =>
    changeState(ctx, ref.id, (state) => ({ ...state, phase: 'closing', closing: { notes: null, notesFailed: false } })),
  );
  announce(ctx, ref, 'meeting.closing', { id: ref.id });
}

/** Everything from a closing state to the end. Also what the start of the hall calls for one that was cut off. */
export async function finishClosing(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingClosed> {
  await endTurns(ctx, ref);
  await saveRest(ctx, ref);
  const tip = await branchTip(ctx, ref.project.path, branchOf(ref));
  const state = await ensureNotes(ctx, ref, tip);
  return ctx.locks.with(meetingLock(ref.id), () =>
    ctx.locks.with(integrationLock(ref.project), () => mergeAndClean(ctx, ref, state, tip)),
  );
}

/** Interrupts what runs, waits for its entry in the transcript, and keeps the words that nobody answered. */
async function endTurns(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const live = liveOf(ctx, ref.id);
  await interruptUntilIdle(ctx, ref);
  await ctx.locks.with(meetingLock(ref.id), async () => {
    const state = await stateOf(ctx, ref.id).read();
    const { entries } = await readTranscript(ctx, ref.id);
    const waiting = [...(state?.running ? [state.running] : []), ...(state?.queue ?? [])];
    for (const [index, { messageId, text, at }] of waiting.entries()) {
      if (entries.some((entry) => entry.mark === messageId)) continue;
      const turn = (state?.turn ?? 0) + index + (state?.running ? 0 : 1);
      await appendEntry(ctx, ref.id, { speaker: 'user', turn, at, mark: messageId, text, tools: [], error: null });
    }
    if (waiting.length > 0)
      await changeState(ctx, ref.id, (now) => ({
        ...now,
        queue: [],
        running: null,
        turn: now.turn + now.queue.length,
      }));
  });
  await live.session?.close();
}

/** An interrupt that comes before the agent has begun its turn would be lost; so it is said again until the turn ends. */
async function interruptUntilIdle(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const live = liveOf(ctx, ref.id);
  const patience = new AbortController();
  const ended = live.pump?.finally(() => patience.abort());
  while (live.pump) {
    if (live.turnRuns) await live.session?.interrupt();
    // The sleep is cut short when the turn ends; that is what was waited for.
    await Promise.race([ended, ctx.clock.sleep(250, patience.signal).catch(() => undefined)]);
  }
}

/** Commits what lies uncommitted or untracked in the worktree to the meeting's branch. */
async function saveRest(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const worktree = worktreeOf(ctx, ref);
  if (!(await isThere(worktree))) return;
  await commitAll(ctx, {
    worktree,
    message: `Keep the rest of meeting ${ref.id}`,
    trailer: `${meetingKind} ${ref.id}`,
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    // A worktree that is gone has nothing uncommitted left to keep; the branch has the rest.
    return false;
  }
}

/** Notes are made once: a close that goes on after a crash, or after a conflict, uses the same ones. */
async function ensureNotes(ctx: MeetingsContext, ref: MeetingRef, tip: string | undefined): Promise<MeetingState> {
  const state = await stateOf(ctx, ref.id).read();
  if (state !== undefined && state.closing !== null && state.closing.notes !== null) return state;
  const record = await requireMeeting(ref.project, ref.id);
  const { entries } = await readTranscript(ctx, ref.id);
  const produced = await producedArtifacts(ctx, ref, record, tip);
  const notes: Notes = await makeNotes(ctx, ref, record, entries, produced);
  return ctx.locks.with(meetingLock(ref.id), async () => {
    const missingLinks = produced.filter((path) => !record.linkedArtifacts.includes(path));
    if (missingLinks.length > 0) await editMeeting(ref.project, ref.id, { append: { linked_artifacts: missingLinks } });
    return changeState(ctx, ref.id, (now) => ({ ...now, closing: { notes: notes.text, notesFailed: notes.failed } }));
  });
}

/** What the meeting's branch changed, then what was linked; records of meetings themselves are left out. */
async function producedArtifacts(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
  tip: string | undefined,
): Promise<readonly string[]> {
  const { path: repo, integrationBranch } = ref.project;
  const base = tip === undefined ? undefined : await mergeBase(ctx, repo, integrationBranch, tip);
  const changed = base === undefined || tip === undefined ? [] : await changedFiles(ctx, repo, base, tip);
  const written = changed
    .filter((file) => file.status !== 'D' && !file.path.startsWith(`${meetingsFolder}/`))
    .map((file) => file.path);
  return [...new Set([...written, ...record.linkedArtifacts.map((path) => normaliseLink(path) ?? path)])];
}

async function mergeAndClean(
  ctx: MeetingsContext,
  ref: MeetingRef,
  state: MeetingState,
  tip: string | undefined,
): Promise<MeetingClosed> {
  const { project } = ref;
  const before = await mergedAlready(ctx, ref);
  if (before !== undefined) return cleanAfterMerge(ctx, ref, state, before);
  const final = await finalArtifact(ctx, ref, state, { state: 'merged', files: [] }, tip ?? null);
  const record = recordOfDocument(project.name, ref.id, parseArtifact(final, meetingPath(ref.id)));
  const merged = await squashMerge(ctx, {
    repo: project.path,
    integrationBranch: project.integrationBranch,
    integrationWorktree: project.integrationWorktree,
    activityBranch: tip === undefined ? project.integrationBranch : branchOf(ref),
    message: `Meeting ${ref.id}: ${record.title.replaceAll('\n', ' ')}`,
    trailer: `${meetingKind} ${ref.id}`,
    overlay: { [meetingPath(ref.id)]: final },
  });
  if (merged.kind === 'conflict') return leaveConflict(ctx, ref, state, merged.files, tip ?? null);
  await writeAtomically(artifactFile(project, ref.id), final);
  return cleanAfterMerge(ctx, ref, state, { record, commit: merged.commit });
}

/** The merge of an earlier, cut-off close: the integration branch's own copy of the record says so. */
async function mergedAlready(
  ctx: MeetingsContext,
  ref: MeetingRef,
): Promise<{ record: MeetingRecord; commit: string } | undefined> {
  const { project } = ref;
  const committed = await readFileAt(ctx, project.path, project.integrationBranch, meetingPath(ref.id));
  if (committed === undefined) return undefined;
  const record = recordOfDocument(project.name, ref.id, parseArtifact(committed, meetingPath(ref.id)));
  if (record.merge.state !== 'merged') return undefined;
  await writeAtomically(artifactFile(project, ref.id), committed);
  return { record, commit: (await branchTip(ctx, project.path, project.integrationBranch)) ?? '' };
}

/** Closed, not merged: the branch and the transcript stay, the record says which files, the person can retry. */
async function leaveConflict(
  ctx: MeetingsContext,
  ref: MeetingRef,
  state: MeetingState,
  files: readonly string[],
  tip: string | null,
): Promise<MeetingClosed> {
  const { project } = ref;
  const final = await finalArtifact(ctx, ref, state, { state: 'merge_conflict', files: [...files] }, tip);
  await writeAtomically(artifactFile(project, ref.id), final);
  await commitRecord(ctx, ref, `Close meeting ${ref.id} with a conflict`);
  await releaseLive(ctx, ref);
  await removeWorktree(ctx, { repo: project.path, path: worktreeOf(ctx, ref), owner: ownerOf(ref) });
  await removeAgentFiles(ctx, ref);
  await changeState(ctx, ref.id, (now) => ({ ...now, phase: 'conflict' }));
  announce(ctx, ref, 'meeting.merge_conflict', { id: ref.id, files: [...files], branch: branchOf(ref) });
  return closedFacts(await requireMeeting(ref.project, ref.id), null, true);
}

async function cleanAfterMerge(
  ctx: MeetingsContext,
  ref: MeetingRef,
  state: MeetingState,
  done: { readonly record: MeetingRecord; readonly commit: string },
): Promise<MeetingClosed> {
  const { project } = ref;
  await releaseLive(ctx, ref);
  await removeWorktree(ctx, { repo: project.path, path: worktreeOf(ctx, ref), owner: ownerOf(ref) });
  const tip = await branchTip(ctx, project.path, branchOf(ref));
  if (tip !== undefined && !ctx.config().keepMergedBranches) await deleteBranch(ctx, project.path, branchOf(ref), tip);
  const keep = ctx.config().keepTranscripts || state.closing?.notesFailed === true;
  if (!keep) await removeTranscript(ctx, ref.id);
  await removeAgentFiles(ctx, ref);
  await stateOf(ctx, ref.id).remove();
  announce(ctx, ref, 'meeting.closed', { id: ref.id, merge: done.record.merge, commit: done.commit });
  return closedFacts(done.record, done.commit, keep);
}

/** Gives a conflicting merge up. The branch is kept and named; the transcript goes. */
export async function dismissConflict(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingRecord> {
  const record = await ctx.locks.with(meetingLock(ref.id), async () => {
    const before = await requireMeeting(ref.project, ref.id);
    if (before.merge.state !== 'merge_conflict') {
      throw fail(
        'conflict',
        `Meeting ${ref.id} has no merge conflict to dismiss.`,
        `See: guild-hall meeting show ${ref.id}`,
      );
    }
    const entry = {
      timestamp: ctx.clock.nowIso(),
      event: 'dismissed',
      reason: `The person gave up merging; ${branchOf(ref)} is kept`,
    };
    const after = await editMeeting(ref.project, ref.id, {
      set: { merge: { state: 'dismissed', files: before.merge.files } },
      append: { meeting_log: [entry] },
    });
    await ctx.locks.with(integrationLock(ref.project), () =>
      commitRecord(ctx, ref, `Dismiss the conflict of meeting ${ref.id}`),
    );
    return after;
  });
  await removeTranscript(ctx, ref.id);
  await stateOf(ctx, ref.id).remove();
  announce(ctx, ref, 'meeting.record_changed', { id: ref.id, what: 'conflict dismissed' });
  return record;
}

function closedFacts(record: MeetingRecord, commit: string | null, transcriptKept: boolean): MeetingClosed {
  const { id, project, merge, path, branch, notesSummary } = record;
  return {
    id,
    project,
    status: 'closed',
    merge,
    commit,
    branch: merge.state === 'merged' ? null : branch,
    path,
    notes: notesSummary,
    transcriptKept,
  };
}

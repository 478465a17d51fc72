/** The last part of a close: the merge, and the clean-up after it, or the conflict. The caller holds the locks. */
import { branchTip, deleteBranch } from '../../../kernel/git/branches.ts';
import { keepEditedByHand } from '../../../kernel/git/hand-edits.ts';
import { lookThroughBranch } from '../../../kernel/git/look-through.ts';
import { exists } from '../../../kernel/git/paths.ts';
import { type ReplacedFile, squashMerge, type SquashOutcome } from '../../../kernel/git/merge.ts';
import { recordChangesOnBranch } from '../../../kernel/git/records.ts';
import { removeWorktree } from '../../../kernel/git/worktrees.ts';
import { writeAtomically } from '../../../kernel/artifacts/write.ts';
import { integrationLock } from '../../../kernel/projects/projects.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { MeetingsContext } from '../context.ts';
import { type MeetingClosed, type MeetingRecord, meetingKind, type MergeFacts } from '../contract.ts';
import { announce, releaseLive } from '../reactions/live.ts';
import { removeAgentFiles } from '../reactions/session.ts';
import {
  artifactFile,
  changeState,
  closingOf,
  editMeeting,
  type MeetingState,
  missing,
  removeTranscript,
  requireMeeting,
  stateOf,
  transcriptFile,
} from '../store/files.ts';
import { finalArtifact } from '../store/final.ts';
import { branchOf, commitRecord, meetingLock, type MeetingRef, ownerOf, worktreeOf } from '../store/place.ts';
import { meetingPath } from '../store/record.ts';
import { lookRequest, stepBack } from './checking.ts';

type Closing = ReturnType<typeof closingOf>;

export async function mergeAndClean(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingClosed> {
  const state = await stateOf(ctx, ref).read();
  if (state === undefined) throw missing(ref.project, ref.id);
  const { merged: before } = closingOf(state);
  if (before !== null) return cleanUp(ctx, ref, closingOf(state), before);
  const tip = await branchTip(ctx, ref.project.path, branchOf(ref));
  if (tip === undefined) return closeWithoutBranch(ctx, ref);
  const { masked, secrets } = await lookThroughBranch(ctx, lookRequest(ctx, ref, tip));
  if (secrets.length > 0 && !closingOf(state).allowSecrets) throw await stepBack(ctx, ref, secrets);
  const closing = await ensureFinal(ctx, ref, state, tip);
  const outcome = await mergeWork(ctx, ref, { final: closing.final, tip, masked });
  if (outcome.kind === 'conflict') return leaveConflict(ctx, ref, outcome.files, outcome.activityTip);
  await writeAtomically(await artifactFile(ref.project, ref.id), closing.final);
  const merged = { commit: outcome.commit, tip: outcome.activityTip };
  await changeClosing(ctx, ref, { merged });
  return cleanUp(ctx, ref, closing, merged);
}

/** The record as the merge will write it, kept before the merge is tried: done again, the merge makes the same commit. */
async function ensureFinal(
  ctx: MeetingsContext,
  ref: MeetingRef,
  state: MeetingState,
  tip: string,
): Promise<Closing & { readonly final: string }> {
  const known = closingOf(state).final;
  const final = known ?? (await finalArtifact(ctx, ref, state, { state: 'merged', files: [] }, tip));
  const after = known === null ? await changeClosing(ctx, ref, { final }) : state;
  return { ...closingOf(after), final };
}

async function changeClosing(ctx: MeetingsContext, ref: MeetingRef, change: Partial<Closing>): Promise<MeetingState> {
  return changeState(ctx, ref, (now) => ({ ...now, closing: { ...closingOf(now), ...change } }));
}

/** What the worker did to records is left behind: the hall alone writes those. Its requests come along. */
async function mergeWork(
  ctx: MeetingsContext,
  ref: MeetingRef,
  { final, tip, masked }: { final: string; tip: string; masked: readonly ReplacedFile[] },
): Promise<SquashOutcome> {
  const { project } = ref;
  const record = await requireMeeting(project, ref.id);
  const own = meetingPath(ref.id);
  const folders = ctx.recordFolders();
  const changes = await recordChangesOnBranch(ctx, { project, tip, author: record.worker, folders, own });
  await keepEditedByHand(ctx, project, changes.artifacts);
  return squashMerge(ctx, {
    repo: project.path,
    integrationBranch: project.integrationBranch,
    integrationWorktree: project.integrationWorktree,
    activityBranch: branchOf(ref),
    message: `Meeting ${ref.id}: ${record.title.replaceAll(/\s+/g, ' ')}`,
    trailer: `${meetingKind} ${ref.id}`,
    overlay: { ...changes.admitted, [own]: final },
    instead: masked,
    dropPaths: changes.leftBehind,
  });
}

/** Somebody deleted the branch: there is nothing to merge, and the record says so. */
async function closeWithoutBranch(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingClosed> {
  await writeEnd(ctx, ref, { state: 'dismissed', files: [] }, `Close meeting ${ref.id}, whose branch is gone`);
  const state = await stateOf(ctx, ref).read();
  return cleanUp(ctx, ref, closingOf(state), { commit: '', tip: null });
}

/** Closed, not merged: the branch and the transcript stay, the record says which files, the person can retry. */
async function leaveConflict(
  ctx: MeetingsContext,
  ref: MeetingRef,
  files: readonly string[],
  tip: string,
): Promise<MeetingClosed> {
  await writeEnd(
    ctx,
    ref,
    { state: 'merge_conflict', files: [...files] },
    `Close meeting ${ref.id} with a conflict`,
    tip,
  );
  await releasePlace(ctx, ref);
  await changeState(ctx, ref, (now) => ({
    ...now,
    phase: 'conflict',
    draft: null,
    closing: { ...closingOf(now), final: null },
  }));
  announce(ctx, ref, 'meeting.merge_conflict', { id: ref.id, files: [...files], branch: branchOf(ref) });
  return closedFacts(ctx, ref, await requireMeeting(ref.project, ref.id), null);
}

async function writeEnd(
  ctx: MeetingsContext,
  ref: MeetingRef,
  merge: MergeFacts,
  message: string,
  tip?: string,
): Promise<void> {
  const state = await stateOf(ctx, ref).read();
  if (state === undefined) throw missing(ref.project, ref.id);
  const text = await finalArtifact(ctx, ref, state, merge, tip ?? null);
  await writeAtomically(await artifactFile(ref.project, ref.id), text);
  await commitRecord(ctx, ref, message);
}

/** Agent, worktree and the agent's own files: what a closed meeting does not need. */
async function releasePlace(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  await releaseLive(ctx, ref);
  await removeWorktree(ctx, { repo: ref.project.path, path: worktreeOf(ctx, ref), owner: ownerOf(ref) });
  await removeAgentFiles(ctx, ref);
}

async function cleanUp(
  ctx: MeetingsContext,
  ref: MeetingRef,
  closing: Closing,
  merged: { readonly commit: string; readonly tip: string | null },
): Promise<MeetingClosed> {
  await releasePlace(ctx, ref);
  // Only what was merged is deleted: a branch that moved since, or that the person has checked out, stays.
  const mayDelete = merged.tip !== null && !ctx.config().keepMergedBranches;
  const outcome = mayDelete ? await deleteBranch(ctx, ref.project.path, branchOf(ref), merged.tip) : 'gone';
  if (!ctx.config().keepTranscripts && !closing.notesFailed) await removeTranscript(ctx, ref.id);
  await stateOf(ctx, ref).remove();
  const record = await requireMeeting(ref.project, ref.id);
  const facts = await closedFacts(ctx, ref, record, merged.commit || null);
  const { merge, commit, transcriptKept } = facts;
  announce(ctx, ref, 'meeting.closed', { id: ref.id, merge, commit, transcriptKept, usage: record.usage });
  return outcome === 'kept' ? { ...facts, branch: branchOf(ref) } : facts;
}

/** Gives a conflicting merge up. The branch is kept and named; the transcript goes. The caller holds the closing lock. */
export async function dismissConflict(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingRecord> {
  const record = await ctx.locks.with(meetingLock(ref), async () => {
    const before = await requireMeeting(ref.project, ref.id);
    if (before.merge.state !== 'merge_conflict') {
      throw fail(
        'conflict',
        `Meeting ${ref.id} has no merge conflict to dismiss.`,
        `See: guild-hall meeting show ${ref.id}`,
      );
    }
    const reason = `The person gave up merging; ${branchOf(ref)} is kept`;
    const entry = { timestamp: ctx.clock.nowIso(), event: 'dismissed', reason };
    const merge = { state: 'dismissed' as const, files: before.merge.files };
    const after = await editMeeting(ref.project, ref.id, { set: { merge }, append: { meeting_log: [entry] } });
    await ctx.locks.with(integrationLock(ref.project.name), () =>
      commitRecord(ctx, ref, `Dismiss the conflict of meeting ${ref.id}`),
    );
    return after;
  });
  await forgetConflict(ctx, ref, record);
  return record;
}

/** What is left of a conflict that was merged or given up. */
export async function forgetConflict(
  ctx: MeetingsContext,
  ref: MeetingRef,
  { merge, usage }: MeetingRecord,
): Promise<void> {
  await removeTranscript(ctx, ref.id);
  await stateOf(ctx, ref).remove();
  announce(ctx, ref, 'meeting.merge_dismissed', { id: ref.id, merge, usage });
}

export async function closedFacts(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
  commit: string | null,
): Promise<MeetingClosed> {
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
    transcriptKept: await exists(transcriptFile(ctx, ref.id)),
  };
}

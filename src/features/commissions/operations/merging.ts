/**
 * The merge of finished work: checked, looked through for secrets, then squashed into the integration branch together
 * with the commission's final record. Each step can be done again; a merge that was made is not made twice.
 */
import { readTextIfExists, writeAtomically } from '../../../kernel/artifacts/write.ts';
import { faultPoint } from '../../../kernel/clock/fault.ts';
import { branchTip } from '../../../kernel/git/branches.ts';
import { keepEditedByHand } from '../../../kernel/git/hand-edits.ts';
import { beginLook, lookThroughBranch, nameSecrets } from '../../../kernel/git/look-through.ts';
import { type ReplacedFile, squashMerge, type SquashOutcome } from '../../../kernel/git/merge.ts';
import { beginMerge } from '../../../kernel/git/mergetree.ts';
import { type RecordChanges, type RecordFolder, recordChangesOnBranch } from '../../../kernel/git/records.ts';
import { integrationLock } from '../../../kernel/projects/projects.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import {
  commissionKind,
  type CommissionRecord,
  commissionsFolder,
  type MergeFacts,
  type TimelineEntry,
} from '../contract.ts';
import { announce, announceTimeline } from '../reactions/live.ts';
import { commitRecord } from '../reactions/status.ts';
import { changeCommission, changedText, artifactFile, missing, requireCommission } from '../store/files.ts';
import { mergingLock, mergingOf, type MergingState, readMerging } from '../store/merging.ts';
import type { CommissionChanges } from '../store/record.ts';
import { branchOf, commissionLock, commissionPath, type CommissionRef } from '../store/place.ts';
import { runGate } from './gate.ts';
import { saveRestLocked } from './saving.ts';

export interface MergeOptions {
  /** What looks like a secret in files of the branch is meant. */
  readonly allowSecrets?: boolean | undefined;
  /** Somebody asks for it anew, after it was tried and not merged. */
  readonly isAgain?: boolean;
}

/** `commit`: the one on the integration branch; null where nothing was merged. */
export type MergeResult = MergeFacts & { readonly commit: string | null };

/**
 * Merges the work of a commission whose record says `completed`. That change of the record, and others, need not be
 * committed yet: they become part of the one commit of the merge, or of the record's own where the work is not merged.
 * What is merged already, given up, or was tried before, is answered as it stands. The caller holds no lock of the commission.
 * @throws conflict when it is not completed
 */
export async function mergeCommission(
  ctx: CommissionsContext,
  ref: CommissionRef,
  options: MergeOptions = {},
): Promise<MergeResult> {
  return ctx.locks.with(mergingLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    if (record.status !== 'completed') throw notCompleted(record);
    const state = await readMerging(ctx, ref, record.attempt);
    if (record.merge.state === 'merged') return toldMerged(ctx, ref, record, state);
    const isOver = state.isOver && options.isAgain !== true;
    if (record.merge.state === 'dismissed' || isOver) return { ...record.merge, commit: null };
    // The end of the attempt has saved it, after all its processes were gone.
    if (state.saved === null || options.isAgain === true) await saveRestLocked(ctx, ref, record.attempt);
    const tip = await branchTip(ctx, ref.project.path, branchOf(ref, record.attempt));
    if (tip === undefined) return leaveUnmerged(ctx, ref, 'dismissed', { text: 'Its branch is gone.' });
    const allowSecrets = options.allowSecrets === true;
    if (state.isOver || state.allowSecrets !== allowSecrets) {
      await changeMerging(ctx, ref, record.attempt, { isOver: false, allowSecrets });
    }
    return checkAndMerge(ctx, ref, record.attempt, tip);
  });
}

async function checkAndMerge(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  tip: string,
): Promise<MergeResult> {
  const gate = await runGate(ctx, ref, tip);
  if (gate !== null && !gate.ok) return leaveUnmerged(ctx, ref, 'gate_failed', { text: `Not merged: ${gate.reason}` });
  const folders = recordFoldersOf(ctx);
  const { path: repo, integrationBranch } = ref.project;
  const recordFolders = folders.map(({ folder }) => folder);
  const { masked, secrets } = await lookThroughBranch(ctx, { repo, integrationBranch, tip, recordFolders });
  const { allowSecrets } = await readMerging(ctx, ref, attempt);
  if (secrets.length > 0 && !allowSecrets) {
    const text = `Not merged: it looks as if there is a secret in ${nameSecrets(secrets)}`;
    return leaveUnmerged(ctx, ref, 'secrets', { text, files: unique(secrets.map(({ path }) => path)) });
  }
  return mergeWork(ctx, ref, { tip, masked, folders });
}

/**
 * Has what was saved looked through and its merge computed while its record is written: neither needs that. Returns at once; what fails,
 * or is no longer so when it is merged, is found then.
 */
export function lookAhead(ctx: CommissionsContext, { project, id }: CommissionRef, tip: string | null): void {
  if (tip === null) return;
  ctx.spawn(`look ahead at the merge of ${id}`, async () => {
    const head = await branchTip(ctx, project.path, project.integrationBranch);
    if (head === undefined) return;
    const look = { repo: project.path, integrationBranch: project.integrationBranch, tip };
    const recordFolders = recordFoldersOf(ctx).map(({ folder }) => folder);
    await Promise.all([beginMerge(ctx, project.path, head, tip), beginLook(ctx, { ...look, recordFolders })]);
  });
}

/** What is merged: this commit of the branch, with these files in place of its own. */
interface Work {
  readonly tip: string;
  readonly masked: readonly ReplacedFile[];
  readonly folders: readonly RecordFolder[];
}

async function mergeWork(ctx: CommissionsContext, ref: CommissionRef, work: Work): Promise<MergeResult> {
  const outcome = await ctx.locks.with(commissionLock(ref), () =>
    ctx.locks.with(integrationLock(ref.project.name), () => squash(ctx, ref, work)),
  );
  if (outcome.kind === 'merged') return { state: 'merged', files: [], commit: outcome.commit };
  const { files } = outcome;
  const text = `Conflict in ${files.join(', ')}; the branch is kept`;
  return leaveUnmerged(ctx, ref, 'merge_conflict', { text, files });
}

/** The caller holds the locks of the commission and of the integration branch. */
async function squash(
  ctx: CommissionsContext,
  ref: CommissionRef,
  { tip, masked, folders }: Work,
): Promise<SquashOutcome> {
  const { project, id } = ref;
  const own = commissionPath(id);
  const file = await artifactFile(project, id);
  const source = await readTextIfExists(file);
  if (source === undefined) throw missing(project, id);
  const record = await requireCommission(project, id);
  const changes = await recordChangesOnBranch(ctx, { project, tip, author: record.worker, folders, own });
  const at = await timeOfMerge(ctx, ref, record);
  const facts = finalFacts(record, changes, { tip, at });
  const { text: final, added } = changedText(project, id, source, facts.changes, facts.entries);
  await keepEditedByHand(ctx, project, changes.artifacts);
  faultPoint('commission:before:squash');
  const outcome = await squashMerge(ctx, {
    repo: project.path,
    integrationBranch: project.integrationBranch,
    integrationWorktree: project.integrationWorktree,
    activityBranch: branchOf(ref, record.attempt),
    lookedAt: tip,
    message: `Commission ${id}: ${record.title.replaceAll(/\s+/g, ' ')}`,
    trailer: `${commissionKind} ${id}`,
    overlay: { ...changes.admitted, [own]: final },
    writtenAfter: [own],
    instead: masked,
    dropPaths: changes.leftBehind,
  });
  if (outcome.kind === 'conflict') return outcome;
  faultPoint('commission:after:squash');
  await changeMerging(ctx, ref, record.attempt, { commit: outcome.commit });
  await writeAtomically(file, final);
  faultPoint('commission:after:final');
  announceTimeline(ctx, ref, added);
  announce(ctx, ref, 'commission.merge', {
    id,
    merge: { state: 'merged', files: [] },
    commit: outcome.commit,
  });
  return outcome;
}

/** Of a merge that is done again: the same as before, so that it makes the same commit, unless something came after. */
async function timeOfMerge(ctx: CommissionsContext, ref: CommissionRef, record: CommissionRecord): Promise<string> {
  const { at } = await readMerging(ctx, ref, record.attempt);
  if (at !== null && record.timeline.every(({ timestamp }) => timestamp <= at)) return at;
  const now = ctx.clock.nowIso();
  await changeMerging(ctx, ref, record.attempt, { at: now });
  return now;
}

/** What the merge makes of the record: where the work came from, what it made, that it is merged. */
function finalFacts(
  record: CommissionRecord,
  onBranch: RecordChanges,
  { tip, at }: { readonly tip: string; readonly at: string },
): { readonly changes: CommissionChanges; readonly entries: readonly TimelineEntry[] } {
  const { attempt, result } = record;
  const base = { timestamp: at, attempt };
  const made = [...(result?.artifacts ?? []), ...onBranch.made, ...Object.keys(onBranch.admitted)];
  const left = onBranch.leftBehind.slice(0, maxNamed).join(', ');
  const more = onBranch.leftBehind.length > maxNamed ? ` and ${onBranch.leftBehind.length - maxNamed} more` : '';
  const entries: TimelineEntry[] = [
    ...(onBranch.leftBehind.length === 0
      ? []
      : [{ ...base, event: 'anomaly' as const, text: `Left behind, only the hall writes records: ${left}${more}` }]),
    { ...base, event: 'merge', state: 'merged', files: [], text: `Merged from ${branchOf(record, attempt)}` },
  ];
  const changes: CommissionChanges = {
    linkedArtifacts: unique([...record.linkedArtifacts, ...made]),
    completedAt: record.completedAt ?? at,
    merge: { state: 'merged', files: [] },
    mergedFrom: tip,
  };
  return { changes, entries };
}

/** So many files are named in one entry of the timeline. */
const maxNamed = 20;

interface Unmerged {
  readonly text: string;
  readonly files?: readonly string[];
}

/** Completed, not merged: the record says so and is committed alone; the branch stays, and it can be tried again. */
async function leaveUnmerged(
  ctx: CommissionsContext,
  ref: CommissionRef,
  state: 'merge_conflict' | 'gate_failed' | 'secrets' | 'dismissed',
  { text, files = [] }: Unmerged,
): Promise<MergeResult> {
  const merge = { state, files: [...files] };
  return ctx.locks.with(commissionLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    const at = await timeOfMerge(ctx, ref, record);
    const base = { timestamp: at, attempt: record.attempt };
    // Written before the hall was killed: it is not told twice.
    const isWritten = record.timeline.some(({ event, timestamp }) => event === 'merge' && timestamp === at);
    const changes = { merge, completedAt: record.completedAt ?? at };
    const entries = isWritten ? [] : [{ ...base, event: 'merge' as const, ...merge, text }];
    const { added } = await changeCommission(ref.project, ref.id, changes, entries);
    faultPoint('commission:after:unmerged');
    await commitRecord(ctx, ref, `${words[state]} commission ${ref.id}`);
    // What was found counts for this try: the next one checks anew.
    await changeMerging(ctx, ref, record.attempt, { gate: null, at: null, allowSecrets: false, isOver: true });
    announceTimeline(ctx, ref, added);
    announce(ctx, ref, 'commission.merge', { id: ref.id, merge, commit: null });
    return { ...merge, commit: null };
  });
}

const words = {
  merge_conflict: 'Leave the conflict of',
  gate_failed: 'Leave the failed check of',
  secrets: 'Leave the secrets of',
  dismissed: 'Give up merging',
} as const;

/** Merged before the hall was killed, perhaps before readers were told. */
function toldMerged(
  ctx: CommissionsContext,
  ref: CommissionRef,
  { merge }: CommissionRecord,
  { commit }: MergingState,
): MergeResult {
  if (commit !== null) announce(ctx, ref, 'commission.merge', { id: ref.id, merge, commit });
  return { ...merge, commit };
}

/** Gives the merge up, by the person's word. The branch is kept. @throws conflict where there is none to give up */
export async function dismissMerge(ctx: CommissionsContext, ref: CommissionRef): Promise<CommissionRecord> {
  return ctx.locks.with(mergingLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    const isOpen = ['merge_conflict', 'gate_failed', 'secrets'].includes(record.merge.state);
    if (record.status !== 'completed' || !isOpen) {
      const hint = `See: guild-hall commission show ${ref.id}`;
      throw fail('conflict', `Commission ${ref.id} has no merge to give up.`, hint, { state: record.merge.state });
    }
    const text = `The person gave up merging; ${record.branch ?? branchOf(ref, record.attempt)} is kept`;
    await leaveUnmerged(ctx, ref, 'dismissed', { text, files: record.merge.files });
    await mergingOf(ctx, ref).remove();
    return requireCommission(ref.project, ref.id);
  });
}

async function changeMerging(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  change: Partial<MergingState>,
): Promise<void> {
  await mergingOf(ctx, ref).write({ ...(await readMerging(ctx, ref, attempt)), ...change });
}

function recordFoldersOf(ctx: CommissionsContext): readonly RecordFolder[] {
  return ctx.recordFolders?.() ?? [{ folder: commissionsFolder }];
}

function notCompleted({ id, status }: CommissionRecord): Error {
  return fail(
    'conflict',
    `Commission ${id} is ${status ?? 'not readable'}; only completed work is merged.`,
    `See: guild-hall commission show ${id}`,
    { id, status },
  );
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}

/** Changes of a commission's record while the hall does something with it: written, committed, then told. */
import { writeAtomically } from '../../../kernel/artifacts/write.ts';
import { commitFiles } from '../../../kernel/git/commit.ts';
import { fileHistory } from '../../../kernel/git/history.ts';
import { readFileAt } from '../../../kernel/git/read.ts';
import { integrationLock } from '../../../kernel/projects/projects.ts';
import { HallError } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import { commissionKind, type CommissionRecord, type CommissionStatus, type TimelineEntry } from '../contract.ts';
import { decideMove } from '../rules.ts';
import { changeCommission, artifactFile, readCommission, requireCommission } from '../store/files.ts';
import { commissionPath, type CommissionRef } from '../store/place.ts';
import type { CommissionChanges } from '../store/record.ts';
import { announce, announceTimeline } from './live.ts';

export interface StatusChange {
  readonly attempt: number;
  /** The next thing to do, where it failed. */
  readonly hint?: string;
  /** Entries of the timeline that come before the one that tells the state, and after it. */
  readonly before?: readonly TimelineEntry[];
  readonly after?: readonly TimelineEntry[];
  /** Other fields that change with it. */
  readonly set?: CommissionChanges;
  /** False: what follows commits it, together with more. */
  readonly isCommitted?: boolean;
}

/** Writes and commits the new state, then tells it. The caller holds the commission's lock. @throws conflict for a move that is not allowed */
export async function changeStatus(
  ctx: CommissionsContext,
  ref: CommissionRef,
  to: CommissionStatus,
  reason: string,
  change: StatusChange,
): Promise<CommissionRecord> {
  const before = await requireCommission(ref.project, ref.id);
  const move = decideMove(before, to, reason, ctx.clock.nowIso(), change.attempt, change.hint);
  if (!move.ok) throw new HallError(move.refusal);
  const entries = [...(change.before ?? []), move.next.entry, ...(change.after ?? [])];
  const changes = { ...change.set, status: move.next.status };
  const { record, added } = await changeCommission(ref.project, ref.id, changes, entries);
  if (change.isCommitted !== false) await commitIfPossible(ctx, ref, `Commission ${ref.id}: ${to}`);
  announceTimeline(ctx, ref, added);
  announceStatus(ctx, ref, before, { to, reason, attempt: change.attempt });
  return record;
}

export function announceStatus(
  ctx: CommissionsContext,
  ref: CommissionRef,
  before: Pick<CommissionRecord, 'title' | 'status'>,
  { to, reason, attempt }: { readonly to: CommissionStatus; readonly reason: string; readonly attempt: number },
): void {
  const { title, status: from } = before;
  announce(ctx, ref, 'commission.status', { id: ref.id, title, from, to, reason, attempt });
}

/** Adds to the timeline, then tells it. The caller holds the commission's lock. */
export async function addToTimeline(
  ctx: CommissionsContext,
  ref: CommissionRef,
  entries: readonly TimelineEntry[],
  set: CommissionChanges = {},
): Promise<CommissionRecord> {
  const { record, added } = await changeCommission(ref.project, ref.id, set, entries);
  announceTimeline(ctx, ref, added);
  return record;
}

/** The state is in the file: that it could not be committed now (a full disk, another git) must not undo what happened. */
export async function commitIfPossible(ctx: CommissionsContext, ref: CommissionRef, message: string): Promise<void> {
  try {
    await commitRecord(ctx, ref, message);
  } catch (error) {
    ctx.log.error({ err: error, commission: ref.id }, 'a state could not be committed; the next one takes it along');
  }
}

/** Commits the record alone, as it stands in the integration worktree. */
export async function commitRecord(ctx: CommissionsContext, ref: CommissionRef, message: string): Promise<void> {
  await ctx.locks.with(integrationLock(ref.project.name), () =>
    commitFiles(ctx, {
      worktree: ref.project.integrationWorktree,
      paths: [commissionPath(ref.id)],
      message,
      trailer: `${commissionKind} ${ref.id}`,
    }),
  );
}

/**
 * The record of a commission that is under way. One that was deleted, or written over with what is none, comes back as
 * it was committed last; the journal is folded into it anew. The caller holds the commission's lock.
 * @returns undefined where it is nowhere
 */
export async function ensureRecord(ctx: CommissionsContext, ref: CommissionRef): Promise<CommissionRecord | undefined> {
  const { project, id } = ref;
  const present = await readCommission(project, id).catch((error: unknown) => {
    ctx.log.warn({ err: error, commission: id }, 'the record of a commission cannot be read');
    return undefined;
  });
  if (present !== undefined && present.status !== null && present.prompt !== '') return present;
  const committed = await lastCommitted(ctx, ref);
  if (committed === undefined) return present;
  await writeAtomically(await artifactFile(project, id), committed);
  ctx.log.warn({ commission: id }, 'the record of a commission was gone; it is restored from the integration branch');
  return readCommission(project, id);
}

/** A file that went in the moment in which it was to be committed was committed as gone: the one before that counts. */
async function lastCommitted(ctx: CommissionsContext, ref: CommissionRef): Promise<string | undefined> {
  const { path: repo, integrationBranch: branch } = ref.project;
  const path = commissionPath(ref.id);
  const present = await readFileAt(ctx, repo, branch, path);
  if (present !== undefined) return present;
  const [, before] = await fileHistory(ctx, repo, { branch, path, max: 2 });
  return before === undefined ? undefined : readFileAt(ctx, repo, before.commit, path);
}

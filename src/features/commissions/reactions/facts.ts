/** What an attempt came to, put into its record before its end is written there. */
import { branchTip, makeBranch } from '../../../kernel/git/branches.ts';
import { exists } from '../../../kernel/git/paths.ts';
import { changedFiles, mergeBase } from '../../../kernel/git/read.ts';
import { ownsWorktree } from '../../../kernel/git/worktrees.ts';
import type { CommissionsContext } from '../context.ts';
import { commissionsFolder, type CommissionUsage, type TimelineEntry } from '../contract.ts';
import type { AttemptResult } from '../contract/journal.ts';
import { statusOfTimeline } from '../rules.ts';
import { readResult } from '../store/attempt.ts';
import { requireCommission } from '../store/files.ts';
import { attemptFolder, branchOf, commissionLock, type CommissionRef, ownerOf, worktreeOf } from '../store/place.ts';
import type { CommissionRun, Decided } from '../store/run.ts';
import type { JournalEnd } from './folding.ts';
import { addToTimeline, ensureRecord } from './status.ts';

/** A result counts for the attempt whose token it carries. */
export async function readOwnResult(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  faults: string[],
): Promise<AttemptResult | null> {
  const result = await readResult(attemptFolder(ctx, ref, run.attempt), (fault) => void faults.push(fault));
  if (result === null || result.token === run.token) return result;
  faults.push('result.json is of another attempt; it does not count');
  return null;
}

/**
 * A branch that somebody deleted below the worker's feet is made again, so that what stands in its worktree is kept. A
 * worktree that was deleted is told: what was in it cannot be kept.
 */
export async function ensureBranch(
  ctx: CommissionsContext,
  ref: CommissionRef,
  { attempt, base, process }: CommissionRun,
  faults: string[],
): Promise<void> {
  const { path: repo } = ref.project;
  const branch = branchOf(ref, attempt);
  const place = { path: worktreeOf(ctx, ref, attempt), owner: ownerOf(ref, attempt) };
  if (process !== null && !(await exists(place.path))) {
    faults.push('Its worktree was deleted while it ran; what was not committed there is lost');
  }
  if (base === null || (await branchTip(ctx, repo, branch)) !== undefined) return;
  if (!(await ownsWorktree(ctx, place))) return;
  await makeBranch(ctx, repo, branch, base);
  faults.push(`The branch ${branch} was deleted while it ran; it is made again from where it began`);
}

/**
 * Puts a record right that was written over while its attempt ran: the state is the hall's to say. The caller holds the
 * commission's lock.
 */
export async function mendRecord(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<void> {
  const record = await ensureRecord(ctx, ref);
  if (record === undefined) return;
  const told = statusOfTimeline(record.timeline);
  if (record.status === told && record.attempt === attempt) return;
  if (told !== 'dispatched' && told !== 'in_progress') return;
  const text = `The record said ${record.status ?? 'no known state'} while the commission was ${told}; it is put right`;
  const entry: TimelineEntry = { timestamp: ctx.clock.nowIso(), attempt, event: 'anomaly', text };
  await addToTimeline(ctx, ref, [entry], { status: told, attempt });
}

export interface EndOfWork {
  readonly journal: JournalEnd;
  readonly result: AttemptResult | null;
  readonly decided: Decided;
}

/** What the attempt came to goes into the record before its state: usage, result, what it made, what was odd. */
export async function keepFacts(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  { journal, result, decided }: EndOfWork,
): Promise<void> {
  const { attempt } = run;
  const made = await producedArtifacts(ctx, ref, run);
  await ctx.locks.with(commissionLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    const own = record.timeline.filter((entry) => entry.attempt === attempt);
    const known = new Set(own.flatMap((entry) => (entry.event === 'artifact' ? [entry.path] : [])));
    const at = { timestamp: decided.at, attempt };
    const entries: TimelineEntry[] = [];
    for (const path of made) if (!known.has(path)) entries.push({ ...at, event: 'artifact', path });
    if (result !== null && own.every(({ event }) => event !== 'result')) {
      entries.push({ ...at, event: 'result', summary: result.summary, artifacts: result.artifacts });
    }
    const odd = new Set(own.flatMap((entry) => (entry.event === 'anomaly' ? [entry.text] : [])));
    for (const text of decided.anomalies) if (!odd.has(text)) entries.push({ ...at, event: 'anomaly', text });
    const links = new Set([...record.linkedArtifacts, ...made, ...(result?.artifacts ?? []).filter(isArtifactPath)]);
    await addToTimeline(ctx, ref, entries, {
      linkedArtifacts: [...links],
      ...(result === null ? {} : { result: { summary: result.summary, artifacts: result.artifacts } }),
      ...usageField(run.usageBefore, journal.usage),
    });
  });
}

function isArtifactPath(path: string): boolean {
  return path.startsWith('.lore/');
}

function usageField(before: CommissionUsage | null, own: CommissionUsage | null): { readonly usage?: CommissionUsage } {
  if (own === null) return before === null ? {} : { usage: before };
  if (before === null) return { usage: own };
  return {
    usage: {
      inputTokens: before.inputTokens + own.inputTokens,
      outputTokens: before.outputTokens + own.outputTokens,
      cacheReadTokens: before.cacheReadTokens + own.cacheReadTokens,
      cacheWriteTokens: before.cacheWriteTokens + own.cacheWriteTokens,
      costUsd: before.costUsd === null || own.costUsd === null ? null : before.costUsd + own.costUsd,
    },
  };
}

/** Artifacts that the branch made or changed, by whatever tool. */
async function producedArtifacts(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
): Promise<readonly string[]> {
  const { path: repo, integrationBranch } = ref.project;
  const tip = await branchTip(ctx, repo, branchOf(ref, run.attempt));
  if (tip === undefined) return [];
  const base = run.base ?? (await mergeBase(ctx, repo, integrationBranch, tip));
  if (base === undefined) return [];
  const changes = await changedFiles(ctx, repo, base, tip).catch(() => []);
  return changes
    .filter(({ path, status }) => isArtifactPath(path) && status !== 'D' && !path.startsWith(`${commissionsFolder}/`))
    .map(({ path }) => path)
    .slice(0, 200);
}

/**
 * The end of an attempt: one path, whatever the cause. The first cause counts. Every step can be done again, so a hall
 * that is killed in the middle goes on from what `run.json` says.
 */
import { faultPoint } from '../../../kernel/clock/fault.ts';
import { changedFiles, mergeBase } from '../../../kernel/git/read.ts';
import { branchTip } from '../../../kernel/git/branches.ts';
import type { CommissionsContext } from '../context.ts';
import { type CommissionRecord, commissionsFolder, type CommissionUsage, type TimelineEntry } from '../contract.ts';
import type { AttemptResult } from '../contract/journal.ts';
import { foldRest, type JournalEnd } from '../reactions/folding.ts';
import { askToEnd, killAttempt, waitForEnd } from '../reactions/killing.ts';
import { announce, findLive, forgetLive, setPhase, wakeDependencies, wakeRetry } from '../reactions/live.ts';
import { addToTimeline, changeStatus, ensureRecord } from '../reactions/status.ts';
import { statusOfTimeline } from '../rules.ts';
import { decideEnding, type EndCause, type EndFacts } from '../rules/ending.ts';
import { decideRetry } from '../rules/retry.ts';
import { readResult } from '../store/attempt.ts';
import { requireCommission } from '../store/files.ts';
import { attemptFolder, branchOf, commissionLock, type CommissionRef, keyOf } from '../store/place.ts';
import { changeRun, type CommissionRun, type Decided, runOf } from '../store/run.ts';
import { mergeCommission } from './merging.ts';
import { releaseAttempt, saveRest } from './saving.ts';

export interface End {
  readonly cause: EndCause;
  readonly exit?: EndFacts['exit'];
  readonly reason?: string;
  readonly hint?: string;
  /** How long its process may take to end by itself. Milliseconds. */
  readonly graceMs?: number;
}

/** One end of a commission's attempt at a time. */
function endingLock(ref: CommissionRef): string {
  return `commission-end:${keyOf(ref)}`;
}

/**
 * Ends an attempt. Where its end has begun already, for whatever cause, that one goes on and this call only waits for
 * it; an attempt that is over, or is not the present one, is left alone.
 */
export async function endAttempt(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  end: End,
  signal: AbortSignal,
): Promise<void> {
  if (!(await beginEnding(ctx, ref, attempt, end))) return;
  await finishEnding(ctx, ref, attempt, signal);
}

/**
 * From here on the end is carried through, whatever happens to the hall.
 * @returns false when there is nothing to end
 */
export async function beginEnding(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  end: End,
): Promise<boolean> {
  const begun = await ctx.locks.with(commissionLock(ref), () =>
    changeRun(ctx, ref, attempt, (run) => {
      if (run.ending !== null || run.step === 'waiting') return run;
      return { ...run, step: 'ending', ending: endingOf(ctx, end) };
    }),
  );
  if (begun?.ending == null) return false;
  if (end.cause === 'cancel' && begun.ending.cause === 'cancel') setPhase(ctx, ref, attempt, 'cancelling');
  return true;
}

function endingOf(ctx: CommissionsContext, end: End): NonNullable<CommissionRun['ending']> {
  const { cause, exit = 'unknown', reason = '', hint = '', graceMs } = end;
  const graceUntilMs = graceMs === undefined ? null : ctx.clock.nowMs() + graceMs;
  return { cause, exit, reason, hint, graceUntilMs, decided: null, isWritten: false };
}

/** Everything from a begun end to the last step. Also what the start of the hall calls for one that was cut off. */
export async function finishEnding(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  signal: AbortSignal,
): Promise<void> {
  await ctx.locks.with(endingLock(ref), async () => {
    const run = await runOf(ctx, ref).read();
    if (run?.attempt !== attempt || run.ending === null) return;
    await finishLocked(ctx, ref, run, signal);
  });
}

async function finishLocked(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  signal: AbortSignal,
): Promise<void> {
  const { attempt } = run;
  await endProcesses(ctx, ref, run, signal);
  signal.throwIfAborted();
  if (findLive(ctx, ref)?.phase !== 'merging') setPhase(ctx, ref, attempt, 'ending');
  const decided = run.ending?.decided ?? (await decide(ctx, ref, run));
  faultPoint('commission:after:decided');
  if (run.ending?.isWritten !== true) {
    if (decided.to === 'completed') await complete(ctx, ref, run, decided);
    else await writeEnd(ctx, ref, run, decided);
    faultPoint('commission:before:written');
    await changeEnding(ctx, ref, attempt, { isWritten: true });
  }
  await releaseAttempt(ctx, ref, attempt);
  faultPoint('commission:after:released');
  await leave(ctx, ref, run, decided);
}

/** After this nothing of the attempt runs, and its journal and its result are as they will stay. */
async function endProcesses(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  signal: AbortSignal,
): Promise<void> {
  const { process, token, ending } = run;
  const graceUntilMs = ending?.graceUntilMs ?? null;
  if (process !== null && graceUntilMs !== null) {
    await askToEnd(process, token);
    await waitForEnd(ctx, process, graceUntilMs, signal);
  }
  await killAttempt(ctx, process, token, ending?.cause !== 'restart');
  findLive(ctx, ref)?.leaving.abort();
}

async function decide(ctx: CommissionsContext, ref: CommissionRef, run: CommissionRun): Promise<Decided> {
  const { attempt, ending } = run;
  await ctx.locks.with(commissionLock(ref), () => mendRecord(ctx, ref, attempt));
  // What was told is read anew: the follower may have told more since the run was read.
  const told = (await runOf(ctx, ref).read())?.told ?? 0;
  const journal = await foldRest(ctx, ref, attempt, told);
  await saveRest(ctx, ref, attempt);
  const faults = [...journal.anomalies];
  const result = await readOwnResult(ctx, ref, run, faults);
  const { cause, exit, reason, hint } = ending!;
  const { anomalies, ...what } = decideEnding({
    result,
    ended: journal.ended,
    exit,
    cause,
    ...(reason === '' ? {} : { reason }),
    ...(hint === '' ? {} : { hint }),
  });
  const decided: Decided = {
    ...what,
    anomalies: [...anomalies, ...faults],
    retryAfterMs: journal.ended?.retryAfterMs ?? null,
    at: ctx.clock.nowIso(),
  };
  await keepFacts(ctx, ref, run, { journal, result, decided });
  faultPoint('commission:before:decided');
  await changeEnding(ctx, ref, attempt, { decided });
  return decided;
}

/** A result counts for the attempt whose token it carries. */
async function readOwnResult(
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
 * Puts a record right that was written over while its attempt ran: the state is the hall's to say. The caller holds the
 * commission's lock.
 */
async function mendRecord(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<void> {
  const record = await ensureRecord(ctx, ref);
  if (record === undefined) return;
  const told = statusOfTimeline(record.timeline);
  if (record.status === told && record.attempt === attempt) return;
  if (told !== 'dispatched' && told !== 'in_progress') return;
  const text = `The record said ${record.status ?? 'no known state'} while the commission was ${told}; it is put right`;
  const entry: TimelineEntry = { timestamp: ctx.clock.nowIso(), attempt, event: 'anomaly', text };
  await addToTimeline(ctx, ref, [entry], { status: told, attempt });
}

interface EndOfWork {
  readonly journal: JournalEnd;
  readonly result: AttemptResult | null;
  readonly decided: Decided;
}

/** What the attempt came to goes into the record before its state: usage, result, what it made, what was odd. */
async function keepFacts(
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

/** Completed is in the record, then the work is merged: both become one commit. */
async function complete(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  decided: Decided,
): Promise<void> {
  setPhase(ctx, ref, run.attempt, 'merging');
  await ctx.locks.with(commissionLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    if (record.status === 'completed') return;
    const set = { completedAt: decided.at };
    if (record.status === 'dispatched') {
      const { attempt } = run;
      await changeStatus(ctx, ref, 'in_progress', 'Its process had begun', { attempt, isCommitted: false });
    }
    await changeStatus(ctx, ref, 'completed', decided.reason, { attempt: run.attempt, set, isCommitted: false });
  });
  faultPoint('commission:before:merge');
  await mergeCommission(ctx, ref, {});
}

async function writeEnd(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  decided: Decided,
): Promise<void> {
  const { to, reason, hint } = decided;
  await ctx.locks.with(commissionLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    if (record.status === to && statusOfTimeline(record.timeline) === to) return;
    const change = { attempt: run.attempt, set: { completedAt: decided.at } };
    await changeStatus(ctx, ref, to, reason, hint === '' ? change : { ...change, hint });
  });
}

async function changeEnding(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  change: Partial<NonNullable<CommissionRun['ending']>>,
): Promise<void> {
  await ctx.locks.with(commissionLock(ref), () =>
    changeRun(ctx, ref, attempt, (run) => ({ ...run, ending: { ...run.ending!, ...change } })),
  );
}

/** The last step: the place is free, and whoever waits for it, or for what was made, is looked at. */
async function leave(ctx: CommissionsContext, ref: CommissionRef, run: CommissionRun, decided: Decided): Promise<void> {
  const { attempt } = run;
  const retry = decided.to === 'failed' ? await retryOf(ctx, ref, decided) : undefined;
  await ctx.locks.with(commissionLock(ref), async () => {
    if (retry === undefined) await runOf(ctx, ref).remove();
    else await changeRun(ctx, ref, attempt, (now) => ({ ...now, step: 'waiting', retry }));
  });
  forgetLive(ctx, ref, attempt);
  announce(ctx, ref, 'commission.changed', { id: ref.id, what: 'ended' });
  if (retry !== undefined) wakeRetry(ctx, ref);
  wakeDependencies(ctx, ref.project.name);
}

async function retryOf(
  ctx: CommissionsContext,
  ref: CommissionRef,
  decided: Decided,
): Promise<CommissionRun['retry'] | undefined> {
  const record = await requireCommission(ref.project, ref.id);
  const settings = ctx.config().commissions.retry;
  const retry = decideRetry(decided.errorClass, retriesOf(record), settings, decided.retryAfterMs);
  if (retry === undefined) return undefined;
  return { at: new Date(Date.parse(decided.at) + retry.afterMs).toISOString(), reason: retry.reason };
}

/** How many attempts the hall made by itself since the person dispatched last. */
function retriesOf(record: CommissionRecord): number {
  const markers = record.timeline.filter((entry) => entry.event === 'attempt');
  const own = markers.findLastIndex(({ reason }) => !reason.startsWith('Automatic retry'));
  return markers.length - 1 - own;
}

/**
 * The end of an attempt: one path, whatever the cause. The first cause counts. Every step can be done again, so a hall
 * that is killed in the middle goes on from what `run.json` says.
 */
import { faultPoint } from '../../../kernel/clock/fault.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord } from '../contract.ts';
import { ensureBranch, keepFacts, mendRecord, readOwnResult } from '../reactions/facts.ts';
import { foldRest } from '../reactions/folding.ts';
import { askToEnd, killAttempt, waitForEnd } from '../reactions/killing.ts';
import { announce, findLive, forgetLive, setPhase, wakeDependencies, wakeRetry } from '../reactions/live.ts';
import { pause } from '../reactions/pause.ts';
import { changeStatus, commitRecord } from '../reactions/status.ts';
import { statusOfTimeline } from '../rules.ts';
import { decideEnding, type EndCause, type EndFacts } from '../rules/ending.ts';
import { decideRetry } from '../rules/retry.ts';
import { requireCommission } from '../store/files.ts';
import { commissionLock, type CommissionRef, keyOf } from '../store/place.ts';
import { changeRun, type CommissionRun, type Decided, type EndingState, runOf } from '../store/run.ts';
import { bringForward } from './bringing-forward.ts';
import { lookAhead, mergeCommission } from './merging.ts';
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
  const hasBegun = await untilDone(ctx, ref, signal, () => beginEnding(ctx, ref, attempt, end));
  if (hasBegun === true) await carryThrough(ctx, ref, attempt, signal);
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;

/** Finishes an end that has begun. */
export async function carryThrough(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  signal: AbortSignal,
): Promise<void> {
  await untilDone(ctx, ref, signal, () => finishEnding(ctx, ref, attempt, signal));
}

/**
 * What stands in the way of an end (a full disk, a checkout with another branch) is named, and it is tried again until it
 * is done or the hall stops; then it is undefined.
 */
async function untilDone<T>(
  ctx: CommissionsContext,
  ref: CommissionRef,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      const done = await work();
      ctx.engine.troubles.delete(keyOf(ref));
      return done;
    } catch (error) {
      if (signal.aborted) return undefined;
      const { message, hint } = errorFactsOf(error);
      ctx.log.error(
        { err: error, commission: ref.id },
        'the end of a commission could not be finished; it is tried again',
      );
      ctx.engine.troubles.set(keyOf(ref), `${message}\n\n${hint}`);
      announce(ctx, ref, 'commission.changed', { id: ref.id, what: 'trouble' });
      await pause(ctx, Math.min(firstPauseMs * 2 ** tries, longestPauseMs), signal);
    }
  }
  return undefined;
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
  if (begun === undefined || begun.ending === null) return false;
  if (end.cause === 'cancel' && begun.ending.cause === 'cancel') setPhase(ctx, ref, attempt, 'cancelling');
  return true;
}

function endingOf(ctx: CommissionsContext, end: End): EndingState {
  const { cause, exit = 'unknown', reason = '', hint = '', graceMs } = end;
  const graceUntilMs = graceMs === undefined ? null : ctx.clock.nowMs() + graceMs;
  return { cause, exit, reason, hint, graceUntilMs, decided: null, isWritten: false };
}

/** Everything from a begun end to the last step. Also what the start of the hall calls for one that was cut off. */
async function finishEnding(
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
  await releaseAttempt(ctx, ref, attempt, { despiteOthers: true });
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
  const { token, ending } = run;
  // What is being made now is not taken away at the same time.
  await findLive(ctx, ref)?.settingUp;
  const process = run.process ?? (await runOf(ctx, ref).read())?.process ?? null;
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
  await ctx.locks.with(commissionLock(ref), async () => {
    await mendRecord(ctx, ref, attempt);
    await bringForward(ctx, ref, run);
  });
  // What was told is read anew: the follower may have told more since the run was read.
  const told = (await runOf(ctx, ref).read())?.told ?? 0;
  const journal = await foldRest(ctx, ref, attempt, told);
  const faults = [...journal.anomalies];
  await ensureBranch(ctx, ref, run, faults);
  const tip = await saveRest(ctx, ref, attempt);
  const result = await readOwnResult(ctx, ref, run, faults);
  if (result !== null) lookAhead(ctx, ref, tip);
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
    if (record.status !== to || statusOfTimeline(record.timeline) !== to) {
      const change = { attempt: run.attempt, set: { completedAt: decided.at } };
      await changeStatus(ctx, ref, to, reason, { ...change, ...(hint === '' ? {} : { hint }), isCommitted: false });
    }
    // No other change comes that would take it along; a killed hall may have written it and not committed.
    await commitRecord(ctx, ref, `Commission ${ref.id}: ${to}`);
  });
}

async function changeEnding(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  change: Partial<EndingState>,
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

/** Watches over a worker's process: its journal, its life, its end. */
import { untilCommonTick } from '../../../kernel/clock/clock.ts';
import { isSameProcess } from '../../../kernel/processes/identity.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext, LiveCommission } from '../context.ts';
import type { JournalEntry, TimelineEntry } from '../contract.ts';
import { type End, endAttempt } from '../operations/ending.ts';
import { type BeatStep, beatOnLife, beatOnTick, startBeat } from '../rules/heartbeat.ts';
import { followJournal } from '../store/attempt.ts';
import { attemptFolder, commissionLock, type CommissionRef } from '../store/place.ts';
import { type CommissionRun, runOf } from '../store/run.ts';
import { foldEntry, rememberTold } from './folding.ts';
import { announce, liveOf, setPhase } from './live.ts';
import { pause } from './pause.ts';
import { addToTimeline } from './status.ts';

/** Between two looks at a process whose end nobody tells, at most. Milliseconds. */
const longestTickMs = 1_000;
/** And at one of this hall's own, whose end the system tells: there it is for the heartbeat alone. */
const longestOwnTickMs = 5_000;
/** So many told lines are remembered at once. */
const rememberEvery = 200;

/** Watches until the attempt ends or the hall stops. Returns at once. */
export function watchAttempt(ctx: CommissionsContext, ref: CommissionRef, run: CommissionRun): void {
  const live = liveOf(ctx, ref, run.attempt);
  setPhase(ctx, ref, run.attempt, 'running');
  live.beat = startBeat(ctx.clock.monotonicMs());
  ctx.spawn(`watch commission ${ref.id}`, async (stopping) => {
    // The next start of the hall finds the process.
    if (stopping.aborted) return;
    const leave = (): void => live.leaving.abort();
    stopping.addEventListener('abort', leave, { once: true });
    try {
      const end = await watchUntilEnd(ctx, ref, run, live);
      if (end !== undefined) await endAttempt(ctx, ref, run.attempt, end, stopping);
    } finally {
      stopping.removeEventListener('abort', leave);
    }
  });
}

async function watchUntilEnd(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  live: LiveCommission,
): Promise<End | undefined> {
  const { attempt } = run;
  let told = run.told;
  let remembered = told;
  const follower = followJournal(ctx, attemptFolder(ctx, ref, attempt), told + 1, async (entry) => {
    await takeEntry(ctx, ref, live, entry);
    told = entry.n;
    if (told - remembered < rememberEvery) return;
    remembered = told;
    await rememberTold(ctx, ref, attempt, told);
  });
  live.catchUp = follower.catchUp;
  try {
    const end = await firstEnd(ctx, ref, run, live);
    if (end !== undefined) await follower.catchUp().catch((error: unknown) => sayFault(ctx, ref, error));
    return end;
  } finally {
    live.catchUp = undefined;
    await follower.close();
    // Not remembered, they are told again after a restart; that must not keep the attempt from its end.
    if (told !== remembered)
      await rememberTold(ctx, ref, attempt, told).catch((error: unknown) => sayFault(ctx, ref, error));
  }
}

/** What could not be written is dealt with by the end: it reads the journal again, and names what stands in its way. */
function sayFault(ctx: CommissionsContext, ref: CommissionRef, error: unknown): void {
  ctx.log.warn(
    { commission: ref.id, reason: errorFactsOf(error).message },
    'what was heard of a worker could not be written yet',
  );
}

/** Whatever comes first: the exit of a child, the end of another's process, a lost heartbeat, the hall's stop. */
async function firstEnd(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  live: LiveCommission,
): Promise<End | undefined> {
  const { signal } = live.leaving;
  const exit = live.exited?.then(({ exitCode: code, signal: by }): End => ({
    cause: 'exit',
    exit: { code, signal: by },
  }));
  const looks = lookAgainAndAgain(ctx, ref, run, live);
  const first = await (exit === undefined ? looks : Promise.race([exit, looks]));
  if (!signal.aborted) live.leaving.abort();
  await looks;
  return first;
}

async function lookAgainAndAgain(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  live: LiveCommission,
): Promise<End | undefined> {
  const { signal } = live.leaving;
  while (!signal.aborted) {
    const thresholdMs = ctx.config().commissions.heartbeatSeconds * 1000;
    const tickMs = Math.min(live.exited === undefined ? longestTickMs : longestOwnTickMs, thresholdMs / 8);
    await pause(ctx, untilCommonTick(ctx.clock, tickMs), signal);
    if (signal.aborted) return undefined;
    if (live.exited === undefined && run.process !== null && !(await isAlive(ctx, run)))
      return { cause: 'exit', exit: 'unknown' };
    const step = beatOnTick(live.beat!, ctx.clock.monotonicMs(), { thresholdMs, tickMs });
    await takeStep(ctx, ref, live, step).catch((error: unknown) => sayFault(ctx, ref, error));
    if (step.beat.heartbeat === 'lost') return { cause: 'unresponsive' };
  }
  return undefined;
}

/** That it is of the attempt was asked when it was taken up. That it cannot be told is no end. */
async function isAlive(ctx: CommissionsContext, run: CommissionRun): Promise<boolean> {
  try {
    return await isSameProcess(run.process!);
  } catch (error) {
    ctx.log.warn({ err: error, commission: run.id }, 'whether a worker lives cannot be told');
    return true;
  }
}

async function takeEntry(
  ctx: CommissionsContext,
  ref: CommissionRef,
  live: LiveCommission,
  entry: JournalEntry,
): Promise<void> {
  if (entry.kind === 'started') {
    const { model, isRehearsal, sandbox } = entry;
    live.session = { model, isRehearsal, sandbox };
  }
  live.lastHeartbeat = entry.at;
  // First of all: that its words cannot be written now (a full disk) is not its silence.
  const step = beatOnLife(live.beat!, entry, ctx.clock.monotonicMs());
  await takeStep(ctx, ref, live, step).catch((error: unknown) => sayFault(ctx, ref, error));
  await foldEntry(ctx, ref, live.attempt, entry);
  if (entry.kind === 'started') announce(ctx, ref, 'commission.changed', { id: ref.id, what: 'process' });
}

/** Each change of the heartbeat is told in the timeline. */
async function takeStep(
  ctx: CommissionsContext,
  ref: CommissionRef,
  live: LiveCommission,
  { beat, change }: BeatStep,
): Promise<void> {
  live.beat = beat;
  if (change === undefined) return;
  const { attempt } = live;
  const entry: TimelineEntry = { timestamp: ctx.clock.nowIso(), attempt, event: 'heartbeat', ...change };
  await ctx.locks.with(commissionLock(ref), async () => {
    const run = await runOf(ctx, ref).read();
    if (run?.attempt === attempt && run.ending === null) await addToTimeline(ctx, ref, [entry]);
  });
}

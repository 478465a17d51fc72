/**
 * What is still to do when the hall starts: workers that live are watched again, ends that were cut off go on, and what
 * is nobody's is put away or named.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import type { ProcessIdentity } from '../../../kernel/processes/identity.ts';
import { findProcessesByMark } from '../../../kernel/processes/marks.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { someAtOnce } from '../../../kernel/pure/some-at-once.ts';
import type { CommissionsContext, LiveCommission } from '../context.ts';
import type { CommissionRecord } from '../contract.ts';
import { carryThrough, endAttempt } from '../operations/ending.ts';
import { readIdentity, readJournal, readJournalEnd } from '../store/attempt.ts';
import { readKnownCommissions } from '../store/known.ts';
import { attemptFolder, commissionLock, type CommissionRef } from '../store/place.ts';
import { changeRun, type CommissionRun, listStateFolders, runOf } from '../store/run.ts';
import { recallWish } from '../store/wish.ts';
import { attemptMark, isOfAttempt } from './killing.ts';
import { findLive, setPhase, wakeDependencies, wakeRetry } from './live.ts';
import { watchAttempt } from './monitor.ts';
import { rebuildRun } from './rebuilding.ts';
import { identityWaitMs } from './setup.ts';
import { changeStatus, ensureRecord } from './status.ts';
import { sweep } from './sweeping.ts';
import { pause } from './pause.ts';

/** Most is waiting for the disk. */
const recoveredAtOnce = 16;
const identityPollMs = 50;
/** Between two tries to take up a worker. Milliseconds. */
const firstPauseMs = 500;
const longestPauseMs = 15_000;

/** Goes through all commissions once. One that cannot be recovered is logged and does not keep the others. */
export async function recoverCommissions(ctx: CommissionsContext): Promise<void> {
  await mkdir(join(ctx.home.state, 'commissions'), { recursive: true, mode: 0o700 });
  const projects = listProjects(ctx);
  for (const project of projects) await guarded(ctx, project.name, () => rebuildRuns(ctx, project));
  // Of a project that was taken off the list the files wait until it is registered again.
  await recoverAll(ctx, projects);
  await guarded(ctx, 'leftovers', () => sweep(ctx));
  for (const { name } of projects) wakeDependencies(ctx, name);
}

/** The same for a project that came on the list, again perhaps, while the hall runs. What is watched already is left. */
export async function recoverProject(ctx: CommissionsContext, project: Project): Promise<void> {
  await guarded(ctx, project.name, () => rebuildRuns(ctx, project));
  await recoverAll(ctx, [project]);
  wakeDependencies(ctx, project.name);
}

async function recoverAll(ctx: CommissionsContext, projects: readonly Project[]): Promise<void> {
  const refs = (await listStateFolders(ctx)).flatMap(({ project: name, id }): CommissionRef[] => {
    const project = projects.find((candidate) => candidate.name === name);
    return project === undefined ? [] : [{ project, id }];
  });
  await someAtOnce(refs, recoveredAtOnce, (ref) => recoverOne(ctx, ref));
}

async function recoverOne(ctx: CommissionsContext, ref: CommissionRef): Promise<void> {
  if (findLive(ctx, ref) !== undefined) return;
  await guarded(ctx, ref.id, () => recallWish(ctx, ref));
  await guarded(ctx, ref.id, () => recoverRun(ctx, ref));
}

async function guarded(ctx: CommissionsContext, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    ctx.log.error({ err: error, what }, 'a commission could not be recovered; its files are as they were');
    ctx.engine.problems.push(`${what}: ${errorFactsOf(error).message}`);
  }
}

/** One that runs by its record, but of which nothing else is known: its home was restored, or the folder deleted. */
async function rebuildRuns(ctx: CommissionsContext, project: Project): Promise<void> {
  const { commissions } = await readKnownCommissions(ctx.engine.known, project);
  for (const record of commissions.filter(isUnderWay)) {
    const ref = { project, id: record.id };
    await guarded(ctx, record.id, () => ctx.locks.with(commissionLock(ref), () => rebuildRun(ctx, ref, record)));
  }
}

function isUnderWay({ status }: CommissionRecord): boolean {
  return status === 'dispatched' || status === 'in_progress';
}

async function recoverRun(ctx: CommissionsContext, ref: CommissionRef): Promise<void> {
  const run = await runOf(ctx, ref).read();
  if (run === undefined) return;
  if (run.step === 'waiting') {
    wakeRetry(ctx, ref);
    return;
  }
  const record = await ctx.locks
    .with(commissionLock(ref), () => ensureRecord(ctx, ref))
    .catch((error: unknown) => {
      // A worker that lives is watched all the same.
      if (run.step === 'reserved') throw error;
      ctx.log.error({ err: error, commission: ref.id }, 'the record of a commission cannot be put right yet');
      return undefined;
    });
  if (run.step === 'reserved' && record?.status !== 'dispatched' && record?.status !== 'in_progress') {
    // Killed between the two writes of a reservation: it is still pending, and in the queue.
    await runOf(ctx, ref).remove();
    return;
  }
  const { attempt } = run;
  setPhase(ctx, ref, attempt, run.ending === null ? 'setting_up' : 'ending');
  ctx.spawn(`recover commission ${ref.id}`, async (stopping) => {
    if (run.ending !== null) await carryThrough(ctx, ref, attempt, stopping);
    else await takeUp(ctx, ref, run, stopping);
  });
}

/** Watches its process again where that lives; else ends the attempt. What cannot be told or written now ends nobody. */
async function takeUp(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  stopping: AbortSignal,
): Promise<void> {
  for (let tries = 0; !stopping.aborted; tries += 1) {
    try {
      const identity = await findIdentity(ctx, ref, run, stopping);
      if (stopping.aborted) return;
      if (identity === undefined || !(await isOfAttempt(identity, run.token))) break;
      await reattach(ctx, ref, run, identity);
      return;
    } catch (error) {
      ctx.log.error({ err: error, commission: ref.id }, 'a worker cannot be taken up yet; it is tried again');
      await pause(ctx, Math.min(firstPauseMs * 2 ** tries, longestPauseMs), stopping);
    }
  }
  if (!stopping.aborted) await endAttempt(ctx, ref, run.attempt, { cause: 'restart' }, stopping);
}

/** Who the process said that it is, now or to the hall before. One that was about to start has a moment for that. */
async function findIdentity(
  ctx: CommissionsContext,
  ref: CommissionRef,
  { attempt, token, step, process: known }: CommissionRun,
  stopping: AbortSignal,
): Promise<ProcessIdentity | undefined> {
  const folder = attemptFolder(ctx, ref, attempt);
  const deadline = ctx.clock.monotonicMs() + identityWaitMs;
  for (;;) {
    const identity = await readIdentity(folder, (fault) => ctx.log.warn({ commission: ref.id, fault }, 'no identity'));
    if (identity !== null) return identity.token === token ? identity.process : undefined;
    if (known !== null) return known;
    if (step !== 'starting' || stopping.aborted || ctx.clock.monotonicMs() > deadline) return undefined;
    if (process.platform === 'linux' && (await findProcessesByMark(attemptMark, token)).length === 0) {
      // It may have written its identity and ended between the two looks.
      const last = await readIdentity(folder);
      return last?.token === token ? last.process : undefined;
    }
    await pause(ctx, identityPollMs, stopping);
  }
}

/** The worker went on without the hall: what it wrote meanwhile is read, and it is watched as before. */
async function reattach(
  ctx: CommissionsContext,
  ref: CommissionRef,
  { attempt }: CommissionRun,
  identity: ProcessIdentity,
): Promise<void> {
  await recallSession(ctx, ref, attempt);
  const running = await ctx.locks.with(commissionLock(ref), async () => {
    const after = await changeRun(ctx, ref, attempt, (run) =>
      run.ending === null ? { ...run, step: 'running', process: identity } : run,
    );
    if (after === undefined || after.ending !== null) return undefined;
    const record = await ensureRecord(ctx, ref);
    if (record?.status === 'dispatched') {
      await changeStatus(ctx, ref, 'in_progress', 'Its worker went on while the hall was away', { attempt });
    }
    return after;
  });
  if (running === undefined) return;
  watchAttempt(ctx, ref, running);
}

/** What the process said at its beginning, and when it showed life last, for whoever looks. */
async function recallSession(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<void> {
  const live = findLive(ctx, ref);
  if (live?.attempt !== attempt) return;
  const { entries } = await readJournalEnd(attemptFolder(ctx, ref, attempt), 1);
  live.lastHeartbeat = entries.at(-1)?.at ?? live.lastHeartbeat;
  const first = await readFirst(ctx, ref, attempt);
  if (first !== undefined) live.session = first;
}

async function readFirst(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
): Promise<LiveCommission['session']> {
  const { entries } = await readJournal(attemptFolder(ctx, ref, attempt), { from: 1, limit: 20 });
  const started = entries.find((entry) => entry.kind === 'started');
  if (started?.kind !== 'started') return undefined;
  const { model, isRehearsal, sandbox } = started;
  return { model, isRehearsal, sandbox };
}

/** From a reserved place to a running process: branch, worktree, activation, process, identity; in this order. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { faultPoint } from '../../../kernel/clock/fault.ts';
import { branchTip } from '../../../kernel/git/branches.ts';
import { addWorktree } from '../../../kernel/git/worktrees.ts';
import { startProcess, type StartedProcess } from '../../../kernel/processes/start.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { type ErrorFacts, errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import { requireWorker } from '../../../kernel/workers/catalogue.ts';
import type { WorkerCatalogue } from '../../../kernel/workers/contract.ts';
import type { CommissionsContext } from '../context.ts';
import type { AttemptIdentity } from '../contract/journal.ts';
import { endAttempt } from '../operations/ending.ts';
import { attemptFiles, readIdentity, writeOrder } from '../store/attempt.ts';
import { requireCommission } from '../store/files.ts';
import { attemptFolder, branchOf, commissionLock, type CommissionRef, ownerOf, worktreeOf } from '../store/place.ts';
import { changeRun, type CommissionRun, runOf } from '../store/run.ts';

import { tryActivation } from './activation.ts';
import { attemptMark, killAttempt } from './killing.ts';
import { liveOf, setPhase } from './live.ts';
import { watchAttempt } from './monitor.ts';
import { orderOf } from './order.ts';
import { changeStatus, commitIfPossible } from './status.ts';

/** How long a started process may take to say who it is. Milliseconds. */
export const identityWaitMs = 10_000;
const identityPollMs = 20;

/** The attempt is ended by somebody else: the set-up steps back, and leaves the rest to that end. */
class Overtaken extends Error {}

/** Sets the attempt up; a failure of any step fails the commission with its reason. Returns at once. */
export function setUpAttempt(ctx: CommissionsContext, ref: CommissionRef, attempt: number): void {
  setPhase(ctx, ref, attempt, 'setting_up');
  const { promise: settingUp, resolve: isSetUp } = deferred();
  liveOf(ctx, ref, attempt).settingUp = settingUp;
  ctx.spawn(`set up commission ${ref.id}`, async (stopping) => {
    const failure = await failureOf(ctx, ref, attempt, stopping);
    isSetUp();
    if (failure === undefined) return;
    const { message, hint } = failure;
    await endAttempt(ctx, ref, attempt, { cause: 'not_started', reason: message, hint: hint ?? '' }, stopping);
  });
}

async function failureOf(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  stopping: AbortSignal,
): Promise<Pick<ErrorFacts, 'message' | 'hint'> | undefined> {
  try {
    await setUp(ctx, ref, attempt, stopping);
    return undefined;
  } catch (error) {
    // A hall that stops leaves it to its next start.
    if (error instanceof Overtaken || stopping.aborted) return undefined;
    ctx.log.warn({ err: error, commission: ref.id }, 'a commission could not be started');
    return errorFactsOf(error);
  }
}

async function setUp(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  stopping: AbortSignal,
): Promise<void> {
  const catalogue = await ctx.catalogue();
  await makePlace(ctx, ref, attempt, catalogue);
  await requireOwn(ctx, ref, attempt, stopping);
  await tryActivation(ctx, ref, await requireCommission(ref.project, ref.id), catalogue);
  const { token } = await requireOwn(ctx, ref, attempt, stopping);
  const { started, run } = await startWorker(ctx, ref, attempt, token);
  faultPoint('commission:after:start');
  const identity = await whileCommitting(ctx, ref, () => waitForIdentity(ctx, ref, run, started, stopping));
  await markRunning(ctx, ref, run, identity);
  const live = liveOf(ctx, ref, attempt);
  if (identity.process.pid === started.pid) live.exited = started.exited;
  const running = await runOf(ctx, ref).read();
  if (running?.attempt === attempt && running.ending === null) watchAttempt(ctx, ref, running);
}

/** @throws Overtaken when the attempt is being ended, or the hall stops */
async function requireOwn(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  stopping: AbortSignal,
): Promise<CommissionRun> {
  const run = await runOf(ctx, ref).read();
  if (run?.attempt !== attempt || run.ending !== null || stopping.aborted) throw new Overtaken();
  return run;
}

/** @throws Overtaken as above: no step begins once the end has */
async function stepTo(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  change: Partial<CommissionRun>,
): Promise<CommissionRun> {
  const after = await ctx.locks.with(commissionLock(ref), () =>
    changeRun(ctx, ref, attempt, (run) => (run.ending === null ? { ...run, ...change } : run)),
  );
  if (after === undefined || after.ending !== null) throw new Overtaken();
  return after;
}

/** The branch, from the tip of the integration branch, and its worktree. */
async function makePlace(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  catalogue: WorkerCatalogue,
): Promise<void> {
  const { project } = ref;
  const record = await requireCommission(project, ref.id);
  const worker = requireWorker(catalogue, record.worker);
  const base = await branchTip(ctx, project.path, project.integrationBranch);
  if (base === undefined) throw noIntegration(ref);
  await stepTo(ctx, ref, attempt, { step: 'preparing', base });
  faultPoint('commission:before:worktree');
  await ctx.locks.with(`worktrees:${project.name}`, () =>
    addWorktree(ctx, {
      repo: project.path,
      path: worktreeOf(ctx, ref, attempt),
      branch: branchOf(ref, attempt),
      startPoint: base,
      scope: worker.checkoutScope,
      owner: ownerOf(ref, attempt),
    }),
  );
  faultPoint('commission:after:place');
}

function noIntegration({ project }: CommissionRef): Error {
  return fail(
    'conflict',
    `Project ${project.name} has no branch ${project.integrationBranch}; the hall's work starts from its tip.`,
    `Make it again: guild-hall project add ${project.path}`,
  );
}

async function startWorker(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  token: string,
): Promise<{ readonly started: StartedProcess; readonly run: CommissionRun }> {
  const folder = attemptFolder(ctx, ref, attempt);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await writeOrder(folder, await orderOf(ctx, ref, attempt, token));
  faultPoint('commission:before:start');
  // From here on a process may be there: whoever finds this state looks for it.
  const run = await stepTo(ctx, ref, attempt, { step: 'starting', processStartedAt: ctx.clock.nowIso() });
  const log = openSync(join(folder, attemptFiles.log), 'a', 0o600);
  try {
    const { file, args } = ctx.workerProgram;
    const started = startProcess(ctx, {
      file,
      args: [...args, folder],
      cwd: folder,
      env: environmentOf(ctx, token),
      stdio: ['ignore', log, log],
      detached: true,
    });
    started.child.unref();
    return { started, run };
  } finally {
    closeSync(log);
  }
}

/** What a worker's process needs of the hall's environment; a credential is not among it. */
const passedOn = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'] as const;

function environmentOf(ctx: CommissionsContext, token: string): Record<string, string | undefined> {
  const kept = Object.fromEntries(passedOn.map((name) => [name, process.env[name]]));
  return { ...kept, GUILD_HALL_HOME: ctx.home.root, [attemptMark]: token };
}

/** That it is dispatched is committed meanwhile: a process takes longer than that to begin. */
async function whileCommitting<T>(ctx: CommissionsContext, ref: CommissionRef, work: () => Promise<T>): Promise<T> {
  const committed = commitIfPossible(ctx, ref, `Commission ${ref.id}: dispatched`);
  try {
    return await work();
  } finally {
    await committed;
  }
}

/** @throws unavailable when the process ends, or stays silent, before it has said who it is */
async function waitForIdentity(
  ctx: CommissionsContext,
  ref: CommissionRef,
  run: CommissionRun,
  started: StartedProcess,
  stopping: AbortSignal,
): Promise<AttemptIdentity> {
  const folder = attemptFolder(ctx, ref, run.attempt);
  let end: string | undefined;
  const ended = started.exited.then(({ exitCode, signal }) => {
    end = signal ?? `exit code ${exitCode}`;
  });
  const deadline = ctx.clock.monotonicMs() + identityWaitMs;
  for (;;) {
    const hasEnded = end !== undefined;
    const identity = await readIdentity(folder);
    if (identity?.token === run.token) return identity;
    if (hasEnded) throw notBegun(folder, `it ended at once (${end})`);
    await requireStillWanted(ctx, ref, run, started, stopping);
    if (ctx.clock.monotonicMs() > deadline) {
      await killAttempt(ctx, started.identity, run.token, true);
      throw notBegun(folder, `it did not say who it is within ${identityWaitMs / 1000} seconds`);
    }
    await Promise.race([ended, ctx.clock.sleep(identityPollMs)]);
  }
}

/** A process that nobody wants any more is ended before anything else is; a hall that stops leaves it alone. */
async function requireStillWanted(
  ctx: CommissionsContext,
  ref: CommissionRef,
  { attempt, token }: CommissionRun,
  started: StartedProcess,
  stopping: AbortSignal,
): Promise<void> {
  try {
    await requireOwn(ctx, ref, attempt, stopping);
  } catch (error) {
    if (!stopping.aborted) await killAttempt(ctx, started.identity, token, true);
    throw error;
  }
}

function notBegun(folder: string, how: string): Error {
  return fail(
    'unavailable',
    `The worker's process could not be started: ${how}.`,
    `See what it said: cat '${join(folder, attemptFiles.log)}'`,
  );
}

/** The process is known, then the commission is in progress. */
async function markRunning(
  ctx: CommissionsContext,
  ref: CommissionRef,
  { attempt }: CommissionRun,
  { process }: AttemptIdentity,
): Promise<void> {
  await ctx.locks.with(commissionLock(ref), async () => {
    const after = await changeRun(ctx, ref, attempt, (run) =>
      run.ending === null ? { ...run, step: 'running', process } : { ...run, process },
    );
    if (after === undefined || after.ending !== null) throw new Overtaken();
    faultPoint('commission:before:in_progress');
    await changeStatus(ctx, ref, 'in_progress', 'Its worker has begun', { attempt });
  });
}

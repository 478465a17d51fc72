/** Letting commissions start: the wish, the queue, the reservation of a place. */
import { faultPoint } from '../../../kernel/clock/fault.ts';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import { errorFactsOf, fail, HallError } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord, HoldUp, Limits } from '../contract.ts';
import { announce } from '../reactions/live.ts';
import { setUpAttempt } from '../reactions/setup.ts';
import { changeStatus } from '../reactions/status.ts';
import { missingOf } from '../reactions/waiting.ts';
import { decideMove, waitsForReview } from '../rules.ts';
import { decideQueue, type QueueDecision, type QueuedCommission } from '../rules/queue.ts';
import { changeCommission, requireCommission } from '../store/files.ts';
import { readKnownCommissions } from '../store/known.ts';
import { branchOf, commissionLock, type CommissionRef, keyOf, queueLock } from '../store/place.ts';
import { runOf } from '../store/run.ts';
import { dropWish, keepWish, wishedSince } from '../store/wish.ts';

/**
 * Asks for a commission to start: at once where there is room, else as soon as there is.
 * @throws conflict, naming the state or what is missing; then nothing is changed
 */
export async function dispatchCommission(ctx: CommissionsContext, ref: CommissionRef): Promise<CommissionRecord> {
  await ctx.locks.with(commissionLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    await requireReady(ctx, ref, record);
    ctx.engine.held.delete(keyOf(ref));
    // Asked for before: the first wish counts.
    if (wishedSince(ctx, ref, record) === null) await markQueued(ctx, ref, ctx.clock.nowIso());
  });
  await pumpQueue(ctx);
  return requireCommission(ref.project, ref.id);
}

/** @throws conflict unless it is pending and everything that it waits for is there */
async function requireReady(ctx: CommissionsContext, ref: CommissionRef, record: CommissionRecord): Promise<void> {
  if (record.status === 'pending' || record.status === 'blocked') {
    const missing = await missingOf(ctx, ref.project, record);
    if (missing.length > 0) throw notThere(ref, missing);
    if (record.status === 'blocked') {
      // What it waited for has come, and nobody has looked yet.
      await changeStatus(ctx, ref, 'pending', 'Everything it waits for is there', { attempt: record.attempt });
      return;
    }
  }
  const move = decideMove(record, 'dispatched', 'Dispatched', ctx.clock.nowIso(), record.attempt + 1);
  if (!move.ok) throw new HallError(move.refusal);
}

function notThere(ref: CommissionRef, missing: readonly string[]): Error {
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : '';
  return fail(
    'conflict',
    `Commission ${ref.id} cannot start: it waits for ${missing.slice(0, 5).join(', ')}${more}.`,
    `Start what it waits for, too: guild-hall commission dispatch ${ref.id} --with-dependencies. Or let it not wait: guild-hall commission edit ${ref.id} --clear depends`,
    { id: ref.id, missing: [...missing] },
  );
}

/** The wish to start, or its end. The caller holds the commission's lock. */
export async function markQueued(ctx: CommissionsContext, ref: CommissionRef, queuedAt: string | null): Promise<void> {
  if (queuedAt !== null) await keepWish(ctx, ref, queuedAt);
  await changeCommission(ref.project, ref.id, { queuedAt });
  if (queuedAt === null) await dropWish(ctx, ref);
  announce(ctx, ref, 'commission.changed', { id: ref.id, what: 'queue' });
}

/**
 * Takes a commission out of the queue; of one that failed and is to be tried again by itself, takes that back.
 * @throws conflict when it has started, or has ended for good
 */
export async function holdCommission(ctx: CommissionsContext, ref: CommissionRef): Promise<CommissionRecord> {
  await ctx.locks.with(commissionLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    const isToBeTriedAgain = (await runOf(ctx, ref).read())?.step === 'waiting';
    if (isToBeTriedAgain) await runOf(ctx, ref).remove();
    else if (record.status !== 'pending' && record.status !== 'blocked') throw notWaiting(record);
    else if (record.queuedAt !== null) await markQueued(ctx, ref, null);
  });
  await pumpQueue(ctx);
  return requireCommission(ref.project, ref.id);
}

function notWaiting({ id, status }: CommissionRecord): Error {
  return fail(
    'conflict',
    `Commission ${id} is ${status ?? 'not readable'}; only what is pending or blocked can be held.`,
    status === 'dispatched' || status === 'in_progress'
      ? `Stop it: guild-hall commission cancel ${id}`
      : `See: guild-hall commission show ${id}`,
    { id, status },
  );
}

export interface QueueState extends QueueDecision {
  readonly refs: ReadonlyMap<string, CommissionRef>;
  readonly limits: Limits;
}

/** The queue over all projects as it is now. */
export async function readQueue(ctx: CommissionsContext): Promise<QueueState> {
  const projects = listProjects(ctx);
  const settings = ctx.config().commissions;
  const queued: QueuedCommission[] = [];
  const refs = new Map<string, CommissionRef>();
  const running: { readonly project: string }[] = [];
  let waitingForReview = 0;
  for (const project of projects) {
    const { commissions } = await readKnownCommissions(ctx.engine.known, project);
    for (const { id, status, queuedAt, createdAt, reviewedAt } of commissions) {
      if (waitsForReview({ status, reviewedAt })) waitingForReview += 1;
      if (status === 'dispatched' || status === 'in_progress') running.push({ project: project.name });
      if (queuedAt === null || (status !== 'pending' && status !== 'blocked')) continue;
      const ref = { project, id };
      if (wishedSince(ctx, ref, { queuedAt }) === null) continue;
      if (ctx.engine.held.has(keyOf(ref))) continue;
      refs.set(keyOf(ref), ref);
      queued.push({ key: keyOf(ref), project: project.name, createdAt, id, isBlocked: status === 'blocked' });
    }
  }
  const limitOf = (project: string): number => limitIn(ctx, project);
  const { global, reviewLimit } = settings;
  const limits = { global, perProject: limitOf };
  const decision = decideQueue({ queued, running, limits, waitingForReview, reviewLimit });
  return {
    ...decision,
    refs,
    limits: { ...limitsOf(projects, running, limitOf), global, waitingForReview, reviewLimit },
  };
}

function limitIn(ctx: CommissionsContext, project: string): number {
  const { projects, commissions } = ctx.config();
  return projects.find(({ name }) => name === project)?.commissions?.limit ?? commissions.perProject;
}

function limitsOf(
  projects: readonly Project[],
  running: readonly { readonly project: string }[],
  limitOf: (project: string) => number,
): Pick<Limits, 'running' | 'projects'> {
  const each = projects.map(({ name }) => ({
    project: name,
    running: running.filter(({ project }) => project === name).length,
    limit: limitOf(name),
  }));
  return { running: running.length, projects: each };
}

/** Why a queued commission does not run yet; null where it is not queued. */
export async function holdUpOf(ctx: CommissionsContext, ref: CommissionRef): Promise<HoldUp | null> {
  return (await readQueue(ctx)).holdUps.get(keyOf(ref)) ?? null;
}

/** Starts what there is room for, in the order of the queue. Resolves when their places are reserved. */
export async function pumpQueue(ctx: CommissionsContext): Promise<void> {
  await ctx.locks.with(queueLock, async () => {
    // One that turned out not to start makes room for the next.
    for (let round = 0; round < 100; round += 1) {
      const { start, refs, holdUps, limits } = await readQueue(ctx);
      let isDone = true;
      for (const key of start) {
        const isReserved = await reserve(ctx, refs.get(key)!);
        if (!isReserved) isDone = false;
      }
      tellQueue(ctx, holdUps.size - start.length, limits.running + start.length);
      if (isDone) return;
    }
  });
}

function tellQueue(ctx: CommissionsContext, queued: number, running: number): void {
  const said = `${queued} ${running}`;
  if (ctx.engine.saidOfQueue === said) return;
  ctx.engine.saidOfQueue = said;
  ctx.events.publish({ type: 'commission.queue', project: null, subject: null, data: { queued, running } });
}

/**
 * Takes the place: from here on it counts as running. Dependencies are asked once more.
 * @returns false when it does not start after all; then it is out of the queue, or blocked
 */
async function reserve(ctx: CommissionsContext, ref: CommissionRef): Promise<boolean> {
  try {
    const attempt = await ctx.locks.with(commissionLock(ref), () => reserveLocked(ctx, ref));
    if (attempt !== undefined) setUpAttempt(ctx, ref, attempt);
    return attempt !== undefined;
  } catch (error) {
    ctx.log.error({ err: error, commission: ref.id }, 'a queued commission could not be started; it is held');
    const attempt = await ctx.locks.with(commissionLock(ref), () => giveBack(ctx, ref));
    if (attempt !== undefined) setUpAttempt(ctx, ref, attempt);
    // It must not be the next again and again.
    else ctx.engine.held.set(keyOf(ref), `Commission ${ref.id} could not be started: ${errorFactsOf(error).message}`);
    return attempt !== undefined;
  }
}

/** The place that was taken for one that does not start. @returns its attempt, where it has started all the same */
async function giveBack(ctx: CommissionsContext, ref: CommissionRef): Promise<number | undefined> {
  try {
    const [run, record] = [await runOf(ctx, ref).read(), await requireCommission(ref.project, ref.id)];
    if (run?.step !== 'reserved') return undefined;
    if (record.status === 'dispatched' && record.attempt === run.attempt) return run.attempt;
    if (record.status === 'pending') await runOf(ctx, ref).remove();
  } catch (error) {
    ctx.log.error({ err: error, commission: ref.id }, 'the place of a commission could not be given back');
  }
  return undefined;
}

async function reserveLocked(ctx: CommissionsContext, ref: CommissionRef): Promise<number | undefined> {
  const record = await requireCommission(ref.project, ref.id);
  if (record.status !== 'pending' || wishedSince(ctx, ref, record) === null) return undefined;
  const missing = await missingOf(ctx, ref.project, record);
  if (missing.length > 0) {
    await changeStatus(ctx, ref, 'blocked', `Waits for ${missing.slice(0, 5).join(', ')}`, { attempt: record.attempt });
    return undefined;
  }
  const attempt = nextAttempt(record);
  await runOf(ctx, ref).write({
    project: ref.project.name,
    id: ref.id,
    attempt,
    token: ctx.ids.secret(),
    step: 'reserved',
    reservedAt: ctx.clock.nowIso(),
    base: null,
    process: null,
    processStartedAt: null,
    told: 0,
    usageBefore: record.usage,
    ending: null,
    retry: null,
  });
  faultPoint('commission:after:reserved');
  const set = { queuedAt: null, attempt, branch: branchOf(ref, attempt) };
  // Committed while its process starts, which takes longer.
  await changeStatus(ctx, ref, 'dispatched', 'A place is free', { attempt, set, isCommitted: false });
  await dropWish(ctx, ref);
  return attempt;
}

/** A re-dispatch has counted its attempt already. */
function nextAttempt({ attempt, timeline }: CommissionRecord): number {
  const isUsed = timeline.some((entry) => {
    return entry.event === 'status' && entry.attempt === attempt && entry.to === 'dispatched';
  });
  return isUsed || attempt === 0 ? attempt + 1 : attempt;
}

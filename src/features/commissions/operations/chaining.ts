/** Letting a commission start together with all that it waits for: one word for a whole chain. */
import type { Project } from '../../../kernel/projects/projects.ts';
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionDispatched, CommissionRecord } from '../contract.ts';
import { checkDependencies, findMissing } from '../reactions/waiting.ts';
import { decideMove } from '../rules.ts';
import { type Chain, chainOf, decideChain, whyStuck } from '../rules/chain.ts';
import { requireCommission } from '../store/files.ts';
import { readKnownCommissions } from '../store/known.ts';
import { commissionLock, type CommissionRef, keyOf } from '../store/place.ts';
import { runOf } from '../store/run.ts';
import { wishedSince } from '../store/wish.ts';
import { markQueued, pumpQueue } from './dispatching.ts';
import { isWaiting } from './standing.ts';

export interface ChainDispatched extends Pick<CommissionDispatched, 'also' | 'unmade'> {
  readonly record: CommissionRecord;
}

/** What has to start so that this one can. @param others of the same project */
export async function readChain(
  project: Project,
  record: CommissionRecord,
  others: readonly CommissionRecord[],
): Promise<Chain<CommissionRecord>> {
  const wanted = [...new Set([record, ...others.filter(isWaiting)].flatMap(({ dependencies }) => dependencies))];
  const missing = new Set(await findMissing(project, wanted, others));
  return chainOf(record, others, (one) => missing.has(one));
}

/** Of one that waits: those that have to start so that it can, and that nobody dispatched. */
export async function undispatchedOf(
  ctx: CommissionsContext,
  project: Project,
  record: CommissionRecord,
  others: readonly CommissionRecord[],
): Promise<readonly CommissionRecord[]> {
  if (!isWaiting(record) || record.dependencies.length === 0) return [];
  const { waiting } = await readChain(project, record, others);
  return waiting.filter((one) => wishedSince(ctx, { project, id: one.id }, one) === null);
}

/** Of one that is queued: why it will not start whatever time passes; undefined where it may. */
export async function stuckOn(
  ctx: CommissionsContext,
  { project }: CommissionRef,
  record: CommissionRecord,
): Promise<ReturnType<typeof whyStuck>> {
  if (record.status !== 'blocked') return undefined;
  const { commissions } = await readKnownCommissions(ctx.engine.known, project);
  const chain = await readChain(project, record, commissions);
  const ended: CommissionRecord[] = [];
  for (const one of chain.ended) {
    // One that is tried again by itself may still come.
    if ((await runOf(ctx, { project, id: one.id }).read()) === undefined) ended.push(one);
  }
  return whyStuck(record.id, { ...chain, ended }, (one) => wishedSince(ctx, { project, id: one.id }, one) !== null);
}

/**
 * Asks for a commission and for all that it waits for, over all levels, to start: each as soon as the one before it is
 * merged and there is room. Asked again, it goes on where it was.
 * @throws conflict, naming the state, or the one that has ended and is not there; then nothing is changed
 */
export async function dispatchChain(ctx: CommissionsContext, ref: CommissionRef): Promise<ChainDispatched> {
  const record = await requireCommission(ref.project, ref.id);
  if (!isWaiting(record)) throw notWaiting(ctx, record);
  const { commissions } = await readKnownCommissions(ctx.engine.known, ref.project);
  const decided = decideChain(ref.id, await readChain(ref.project, record, commissions));
  if (!decided.ok) throw new HallError(decided.refusal);
  const { waiting, unmade } = decided.next;
  const also: { id: CommissionRecord['id']; title: string }[] = [];
  for (const { id, title } of waiting) {
    if (await askFor(ctx, { project: ref.project, id })) also.push({ id, title });
  }
  await askFor(ctx, ref);
  await checkDependencies(ctx, ref.project.name);
  await pumpQueue(ctx);
  return { record: await requireCommission(ref.project, ref.id), also, unmade: [...unmade] };
}

function notWaiting(ctx: CommissionsContext, record: CommissionRecord): Error {
  const move = decideMove(record, 'dispatched', 'Dispatched', ctx.clock.nowIso(), record.attempt + 1);
  return move.ok
    ? fail('internal', `Commission ${record.id} is ${record.status}, and was not dispatched.`, 'Try it again.')
    : new HallError(move.refusal);
}

/** @returns false when somebody asked before, or when it no longer waits */
async function askFor(ctx: CommissionsContext, ref: CommissionRef): Promise<boolean> {
  return ctx.locks.with(commissionLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    if (!isWaiting(record)) return false;
    ctx.engine.held.delete(keyOf(ref));
    if (wishedSince(ctx, ref, record) !== null) return false;
    await markQueued(ctx, ref, ctx.clock.nowIso());
    return true;
  });
}

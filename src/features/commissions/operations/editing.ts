/** Changing what a commission asks for, while nothing has begun. */
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import { requireWorker } from '../../../kernel/workers/catalogue.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionEdited, CommissionRecord } from '../contract.ts';
import { announce, announceTimeline, wakeQueue } from '../reactions/live.ts';
import { changeStatus, commitRecord } from '../reactions/status.ts';
import { missingOf } from '../reactions/waiting.ts';
import { decideEdit } from '../rules.ts';
import { decideWaiting } from '../rules/dependencies.ts';
import { changeCommission, requireCommission } from '../store/files.ts';
import { readKnownCommissions } from '../store/known.ts';
import { commissionLock, type CommissionRef } from '../store/place.ts';
import type { CommissionChanges } from '../store/record.ts';
import { runOf } from '../store/run.ts';
import { requireDependencies } from './depending.ts';
import { answerOf } from './standing.ts';

export interface EditInput {
  readonly worker?: string | undefined;
  readonly title?: string | undefined;
  readonly prompt?: string | undefined;
  readonly depends?: readonly string[] | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  readonly clear: readonly ('depends' | 'max-turns' | 'max-budget-usd')[];
}

/** @throws HallError `conflict` once it has begun; as creating does for what is wrong in itself */
export async function editCommission(
  ctx: CommissionsContext,
  ref: CommissionRef,
  input: EditInput,
): Promise<CommissionEdited> {
  const { record, fields } = await ctx.locks.with(commissionLock(ref), async () => {
    const present = await requireCommission(ref.project, ref.id);
    await requireStill(ctx, ref, present);
    const changes = await changesOf(ctx, ref, present, input);
    const changed = fieldsOf(present, changes);
    if (changed.length === 0) return { record: present, fields: [] };
    return { record: await write(ctx, ref, changes, changed), fields: changed };
  });
  if (fields.length > 0) wakeQueue(ctx);
  return { ...(await answerOf(ctx, ref, record)), fields };
}

/** What has been chosen to start next is no longer changed, although its state says so a moment later. */
async function requireStill(ctx: CommissionsContext, ref: CommissionRef, record: CommissionRecord): Promise<void> {
  const decided = decideEdit(record);
  if (!decided.ok) throw new HallError(decided.refusal);
  if ((await runOf(ctx, ref).read()) === undefined) return;
  throw fail(
    'conflict',
    `Commission ${ref.id} is being started; what it asks for can no longer be changed.`,
    `Cancel it first: guild-hall commission cancel ${ref.id}`,
    { id: ref.id },
  );
}

async function changesOf(
  ctx: CommissionsContext,
  ref: CommissionRef,
  present: CommissionRecord,
  input: EditInput,
): Promise<CommissionChanges> {
  const worker = input.worker === undefined ? undefined : requireWorker(await ctx.catalogue(), input.worker);
  const depends = input.clear.includes('depends') ? [] : input.depends;
  const { commissions } = await readKnownCommissions(ctx.engine.known, ref.project);
  const dependencies =
    depends === undefined ? undefined : await requireDependencies(ref.project, ref.id, depends, commissions);
  const limits = {
    maxTurns: input.clear.includes('max-turns') ? null : (input.maxTurns ?? present.maxTurns),
    maxBudgetUsd: input.clear.includes('max-budget-usd') ? null : (input.maxBudgetUsd ?? present.maxBudgetUsd),
  };
  return {
    ...(input.title === undefined ? {} : { title: input.title.trim() }),
    ...(input.prompt === undefined ? {} : { prompt: input.prompt }),
    ...(worker === undefined ? {} : { worker: { name: worker.name, displayTitle: worker.identity.displayTitle } }),
    ...(dependencies === undefined ? {} : { dependencies }),
    limits,
  };
}

/** In the words of the input. */
function fieldsOf(present: CommissionRecord, changes: CommissionChanges): string[] {
  const { title, prompt, worker, dependencies, limits } = changes;
  const isOther: readonly (readonly [string, boolean])[] = [
    ['title', title !== undefined && title !== present.title],
    ['prompt', prompt !== undefined && prompt !== present.prompt],
    ['worker', worker !== undefined && worker.name !== present.worker],
    ['depends', dependencies !== undefined && dependencies.join('\n') !== present.dependencies.join('\n')],
    ['maxTurns', limits !== undefined && limits.maxTurns !== present.maxTurns],
    ['maxBudgetUsd', limits !== undefined && limits.maxBudgetUsd !== present.maxBudgetUsd],
  ];
  return isOther.flatMap(([name, is]) => (is ? [name] : []));
}

/** Writes the changes and what follows from them for its state, then commits. The caller holds the lock. */
async function write(
  ctx: CommissionsContext,
  ref: CommissionRef,
  changes: CommissionChanges,
  fields: readonly string[],
): Promise<CommissionRecord> {
  const timestamp = ctx.clock.nowIso();
  const entry = { timestamp, attempt: 0, event: 'edited' as const, fields: [...fields] };
  const { project, id } = ref;
  const before = await requireCommission(project, id);
  const { record, added } = await changeCommission(project, id, changes, [{ ...entry, attempt: before.attempt }]);
  await commitRecord(ctx, ref, `Change ${fields.join(', ')} of commission ${id}`);
  announceTimeline(ctx, ref, added);
  announce(ctx, ref, 'commission.changed', { id, what: fields.join(', ') });
  return (await followDependencies(ctx, ref, record)) ?? record;
}

/** Pending becomes blocked, or the other way round, where what it waits for is another now. */
async function followDependencies(
  ctx: CommissionsContext,
  ref: CommissionRef,
  record: CommissionRecord,
): Promise<CommissionRecord | undefined> {
  const move = decideWaiting(record.status, await missingOf(ctx, ref.project, record));
  if (move === undefined) return undefined;
  return await changeStatus(ctx, ref, move.to, move.reason, { attempt: record.attempt });
}

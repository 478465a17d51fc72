/** Writing a commission down. The file is the truth from its first moment: queued where it is to start at once. */
import type { Project } from '../../../kernel/projects/projects.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { composeId, slugOf } from '../../../kernel/pure/ids.ts';
import { requireWorker } from '../../../kernel/workers/catalogue.ts';
import type { WorkerPackage } from '../../../kernel/workers/contract.ts';
import type { CommissionsContext } from '../context.ts';
import { type CommissionAnswer, commissionIdSchema, type CommissionRecord } from '../contract.ts';
import { announce } from '../reactions/live.ts';
import { commitRecord } from '../reactions/status.ts';
import { findMissing } from '../reactions/waiting.ts';
import { blockedReason } from '../rules/dependencies.ts';
import { createCommissionFile, requireCommission } from '../store/files.ts';
import { readKnownCommissions } from '../store/known.ts';
import { commissionLock, type CommissionRef } from '../store/place.ts';
import { keepWish } from '../store/wish.ts';
import { requireDependencies } from './depending.ts';
import { pumpQueue } from './dispatching.ts';
import { answerOf } from './standing.ts';

export interface CreateInput {
  readonly worker: string;
  readonly title: string;
  readonly prompt: string;
  readonly depends: readonly string[];
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  /** Let it start as soon as there is room. */
  readonly dispatch: boolean;
  /** The sender's id of the request: sent again under it, it is the same commission. */
  readonly requestId?: string | undefined;
}

/**
 * Creates a commission of the project, on disk and committed when it resolves.
 * @param createdBy `person`, or the activity that made it: `meeting <id>`, `commission <id>`
 * @throws HallError `not_found` for an unknown worker or dependency, `invalid` for a dependency that cannot be
 */
export async function createCommission(
  ctx: CommissionsContext,
  project: Project,
  input: CreateInput,
  createdBy: string,
): Promise<CommissionAnswer> {
  const { requestId } = input;
  const tail = requestId === undefined ? ctx.ids.random(4) : requestId.slice('r-'.length);
  // One at a time for each request: a second one waits, and then finds what the first one made.
  return ctx.locks.with(`commission-once:${project.name}/${tail}`, async () => {
    const known = requestId === undefined ? undefined : await createdBefore(ctx, project, tail, input);
    if (known !== undefined) return await takeUp(ctx, { project, id: known.id }, known);
    const worker = requireWorker(await ctx.catalogue(), input.worker);
    const record = await writeNew(ctx, project, worker, { ...input, tail, createdBy });
    const ref = { project, id: record.id };
    await commitRecord(ctx, ref, `Create commission ${record.id}: ${record.title.replaceAll(/\s+/g, ' ')}`);
    const { id, title, status } = record;
    announce(ctx, ref, 'commission.created', { id, title, worker: record.worker, status: status!, createdBy });
    return await answerOf(ctx, ref, await startQueued(ctx, ref, record));
  });
}

interface NewInput extends CreateInput {
  readonly tail: string;
  readonly createdBy: string;
}

async function writeNew(
  ctx: CommissionsContext,
  project: Project,
  worker: WorkerPackage,
  input: NewInput,
): Promise<CommissionRecord> {
  const now = ctx.clock.nowIso();
  const id = commissionIdSchema.parse(composeId(slugOf(input.title) || worker.name, now, input.tail));
  const { commissions } = await readKnownCommissions(ctx.engine.known, project);
  const dependencies = await requireDependencies(project, id, input.depends, commissions);
  const missing = await findMissing(project, dependencies, commissions);
  if (input.dispatch) await keepWish(ctx, { project, id }, now);
  return await createCommissionFile(project, id, {
    title: input.title.trim(),
    status: missing.length === 0 ? 'pending' : 'blocked',
    worker: worker.name,
    workerDisplayTitle: worker.identity.displayTitle,
    prompt: input.prompt,
    dependencies,
    maxTurns: input.maxTurns ?? null,
    maxBudgetUsd: input.maxBudgetUsd ?? null,
    createdBy: input.createdBy,
    now,
    queuedAt: input.dispatch ? now : null,
    reason: missing.length === 0 ? 'Created' : blockedReason(missing),
  });
}

/**
 * The commission that was created under this request, whatever became of it since: the request is part of its id.
 * @throws HallError `conflict` when other words were sent under it
 */
async function createdBefore(
  ctx: CommissionsContext,
  project: Project,
  tail: string,
  input: CreateInput,
): Promise<CommissionRecord | undefined> {
  const { commissions } = await readKnownCommissions(ctx.engine.known, project);
  const known = commissions.find(({ id }) => id.endsWith(`-${tail}`));
  if (known === undefined) return undefined;
  // What was edited since is no longer what was sent.
  const wasEdited = known.timeline.some(({ event }) => event === 'edited');
  const isSame = known.title === input.title.trim() && known.prompt === input.prompt && known.worker === input.worker;
  if (isSame || wasEdited) return known;
  throw fail(
    'conflict',
    `Another commission was asked for under the request id ${input.requestId}: ${known.id}.`,
    'Give a new request a new id; leave the id out on the command line.',
    { id: known.id },
  );
}

/** A hall that was killed may have written it, and neither committed nor started it. */
async function takeUp(
  ctx: CommissionsContext,
  ref: CommissionRef,
  record: CommissionRecord,
): Promise<CommissionAnswer> {
  // Read anew under its lock: the queue may be starting it at this moment.
  const isUntouched = await ctx.locks.with(commissionLock(ref), async () => {
    const { attempt, title } = await requireCommission(ref.project, ref.id);
    if (attempt === 0) await commitRecord(ctx, ref, `Create commission ${ref.id}: ${title.replaceAll(/\s+/g, ' ')}`);
    return attempt === 0;
  });
  if (isUntouched) return await answerOf(ctx, ref, await startQueued(ctx, ref, record));
  return await answerOf(ctx, ref, record);
}

/** Where there is room its place is taken before it is answered. */
async function startQueued(
  ctx: CommissionsContext,
  ref: CommissionRef,
  record: CommissionRecord,
): Promise<CommissionRecord> {
  if (record.queuedAt === null) return record;
  await pumpQueue(ctx);
  return await requireCommission(ref.project, ref.id);
}

/** How the commissions of all projects stand to each other: the queue, the limits, what is missing. Changes nothing. */
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionAnswer, CommissionRecord, HoldUp, Limits } from '../contract.ts';
import { findMissing } from '../reactions/waiting.ts';
import type { CommissionsRead } from '../store/files.ts';
import { readKnownCommissions } from '../store/known.ts';
import { type CommissionRef, keyOf } from '../store/place.ts';
import { wishedSince } from '../store/wish.ts';
import { readQueue } from './dispatching.ts';

export interface Standing {
  /** By the project's name; the newest first. */
  readonly read: ReadonlyMap<string, CommissionsRead>;
  /** By `keyOf`. */
  readonly holdUps: ReadonlyMap<string, HoldUp>;
  readonly limits: Limits;
}

/** Of all projects, also where only one is asked for: the queue is one. */
export async function readStanding(ctx: CommissionsContext): Promise<Standing> {
  const read = new Map<string, CommissionsRead>();
  for (const project of listProjects(ctx)) {
    read.set(project.name, await readKnownCommissions(ctx.engine.known, project));
  }
  const { holdUps, limits } = await readQueue(ctx);
  return { read, holdUps, limits };
}

export function recordsOf(standing: Standing, project: Pick<Project, 'name'>): readonly CommissionRecord[] {
  return standing.read.get(project.name)?.commissions ?? [];
}

export function isUnderWay({ status }: Pick<CommissionRecord, 'status'>): boolean {
  return status === 'dispatched' || status === 'in_progress';
}

export function isWaiting({ status }: Pick<CommissionRecord, 'status'>): boolean {
  return status === 'pending' || status === 'blocked';
}

export function hasEnded({ status }: Pick<CommissionRecord, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** How one stands after something was done to it. */
export async function answerOf(
  ctx: CommissionsContext,
  ref: CommissionRef,
  record: CommissionRecord,
): Promise<CommissionAnswer> {
  const standing = await readStanding(ctx);
  const commissions = recordsOf(standing, ref.project);
  const missing = isWaiting(record) ? await findMissing(ref.project, record.dependencies, commissions) : [];
  return {
    id: record.id,
    project: record.project,
    title: record.title,
    worker: record.worker,
    path: record.path,
    status: record.status,
    queuedAt: wishedSince(ctx, ref, record),
    queue: standing.holdUps.get(keyOf(ref)) ?? null,
    missing: [...missing],
    attempt: record.attempt,
    branch: record.branch,
    merge: record.merge,
  };
}

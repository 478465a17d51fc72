/** Whether what commissions wait for is there; asked of the integration worktree and of the other commissions. */
import { lstat } from 'node:fs/promises';
import { resolveInside } from '../../../kernel/artifacts/paths.ts';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord } from '../contract.ts';
import { decideWaiting, missingDependencies } from '../rules/dependencies.ts';
import { requireCommission } from '../store/files.ts';
import { readKnownCommissions } from '../store/known.ts';
import { commissionLock } from '../store/place.ts';
import { changeStatus } from './status.ts';

/** Those of `dependencies` that are not there now, in their order. @param others of the same project */
export async function findMissing(
  project: Project,
  dependencies: readonly string[],
  others: readonly CommissionRecord[],
): Promise<readonly string[]> {
  if (dependencies.length === 0) return [];
  const looked = await Promise.all(dependencies.map(async (path) => ((await isThere(project, path)) ? [path] : [])));
  const there = new Set(looked.flat());
  return missingDependencies(dependencies, {
    pathExists: (path) => there.has(path),
    commissionDone: (id) => {
      const other = others.find((commission) => commission.id === id);
      return other === undefined ? undefined : other.status === 'completed' && other.merge.state === 'merged';
    },
  });
}

/** A link that leads out of the project leads to nothing. */
async function isThere(project: Project, path: string): Promise<boolean> {
  try {
    await lstat(await resolveInside(project.integrationWorktree, path));
    return true;
  } catch {
    return false;
  }
}

/** As above, of a commission as it is now. */
export async function missingOf(
  ctx: CommissionsContext,
  project: Project,
  record: Pick<CommissionRecord, 'dependencies'>,
): Promise<readonly string[]> {
  if (record.dependencies.length === 0) return [];
  const { commissions } = await readKnownCommissions(ctx.engine.known, project);
  return findMissing(project, record.dependencies, commissions);
}

/** Moves what is pending and misses something to blocked, and back: only these two. */
export async function checkDependencies(ctx: CommissionsContext, name: string): Promise<void> {
  const project = listProjects(ctx).find((each) => each.name === name);
  if (project === undefined) return;
  const { commissions } = await readKnownCommissions(ctx.engine.known, project);
  for (const { id, status, dependencies } of commissions) {
    if (status !== 'blocked' && (status !== 'pending' || dependencies.length === 0)) continue;
    if (decideWaiting(status, await findMissing(project, dependencies, commissions)) === undefined) continue;
    try {
      await checkOne(ctx, project, id);
    } catch (error) {
      const { message } = errorFactsOf(error);
      ctx.log.warn({ commission: id, reason: message }, 'what a commission waits for could not be checked');
    }
  }
}

async function checkOne(ctx: CommissionsContext, project: Project, id: CommissionRecord['id']): Promise<void> {
  const ref = { project, id };
  await ctx.locks.with(commissionLock(ref), async () => {
    const record = await requireCommission(project, id);
    const wanted = decideWaiting(record.status, await missingOf(ctx, project, record));
    if (wanted === undefined) return;
    await changeStatus(ctx, ref, wanted.to, wanted.reason, { attempt: record.attempt });
  });
}

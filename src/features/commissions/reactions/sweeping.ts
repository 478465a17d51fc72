/** What is left of commissions that nothing is in the middle of: put away where it is safe, else named. */
import { join } from 'node:path';
import { namesIn } from '../../../kernel/artifacts/names.ts';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import { commissionIdSchema, commissionKind, type CommissionRecord } from '../contract.ts';
import { releaseAttempt } from '../operations/saving.ts';
import { readIdentity } from '../store/attempt.ts';
import { readCommission } from '../store/files.ts';
import { attemptFolder, type CommissionRef } from '../store/place.ts';
import { listStateFolders, runOf } from '../store/run.ts';
import { isOfAttempt, killAttempt } from './killing.ts';

export async function sweep(ctx: CommissionsContext): Promise<void> {
  const projects = listProjects(ctx);
  for (const { project: name, id, attempts } of await listStateFolders(ctx)) {
    const project = projects.find((each) => each.name === name);
    for (const attempt of project === undefined ? [] : attempts)
      await endStale(ctx, { project: project!, id }, attempt);
  }
  for (const project of projects) await sweepWorktrees(ctx, project);
}

/** A process of an attempt that is over, or is not the present one, can change nothing, but it is ended all the same. */
async function endStale(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<void> {
  const run = await runOf(ctx, ref).read();
  if (run?.attempt === attempt && run.step !== 'waiting') return;
  const identity = await readIdentity(attemptFolder(ctx, ref, attempt));
  if (identity === null || !(await isOfAttempt(identity.process, identity.token))) return;
  ctx.log.warn({ commission: ref.id, attempt, pid: identity.process.pid }, 'a worker of an ended attempt is stopped');
  await killAttempt(ctx, identity.process, identity.token, false);
}

async function sweepWorktrees(ctx: CommissionsContext, project: Project): Promise<void> {
  const folder = join(ctx.home.worktrees, project.name);
  for (const name of await namesIn(folder)) {
    const parsed = parseName(name);
    for (const { id, attempt } of parsed) {
      const ref = { project, id };
      const record = await readCommission(project, id).catch((error: unknown) => {
        ctx.log.warn({ err: error, commission: id }, 'the record of a worktree cannot be read');
        return undefined;
      });
      if (record === undefined && parsed.length > 1) continue;
      await sweepOne(ctx, ref, attempt, record, join(folder, name));
      break;
    }
  }
}

/** `commission-<id>` or `commission-<id>-<attempt>`: an id may end with a number, so both are asked for. */
function parseName(name: string): { readonly id: CommissionRef['id']; readonly attempt: number }[] {
  const stem = name.startsWith(`${commissionKind}-`) ? name.slice(commissionKind.length + 1) : '';
  const whole = commissionIdSchema.safeParse(stem);
  const match = /^(.+)-([1-9]\d*)$/.exec(stem);
  const cut = commissionIdSchema.safeParse(match?.[1]);
  return [
    ...(whole.success ? [{ id: whole.data, attempt: 1 }] : []),
    ...(cut.success && match !== null ? [{ id: cut.data, attempt: Number(match[2]) }] : []),
  ];
}

async function sweepOne(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  record: CommissionRecord | undefined,
  path: string,
): Promise<void> {
  const run = await runOf(ctx, ref).read();
  if (run?.attempt === attempt && run.step !== 'waiting') return;
  if (record === undefined) {
    nameIt(ctx, path, 'there is no such commission');
    return;
  }
  try {
    await releaseAttempt(ctx, ref, attempt);
    ctx.log.warn({ path }, 'the worktree of an ended commission was left; its work is on its branch');
  } catch (error) {
    nameIt(ctx, path, errorFactsOf(error).message);
  }
}

function nameIt(ctx: CommissionsContext, path: string, reason: string): void {
  ctx.log.warn({ path, reason }, 'a worktree belongs to no commission that runs; it is left alone');
  ctx.engine.problems.push(`The folder ${path} belongs to no commission that runs: ${reason}`);
}

/** Removes what old attempts left in the home: journals above all. The record and the branch tell what came of them. */
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import { nextLocalDay } from '../../../kernel/clock/local-day.ts';
import { listProjects } from '../../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import { isOld, mayForget } from '../rules/retention.ts';
import { readCommission } from '../store/files.ts';
import { mergingOf } from '../store/merging.ts';
import { attemptFolder, commissionLock, type CommissionRef, stateFolder } from '../store/place.ts';
import { listStateFolders, runOf } from '../store/run.ts';
import { pause } from './pause.ts';

/** Now, and once a day until the hall stops. Returns at once. */
export function forgetAsDaysPass(ctx: CommissionsContext): void {
  ctx.spawn('forget old attempts', async (stopping) => {
    while (!stopping.aborted) {
      await forgetOldAttempts(ctx, stopping);
      const now = ctx.clock.nowMs();
      await pause(ctx, nextLocalDay(now) - now, stopping);
    }
  });
}

/** Of a project that was taken off the list everything waits until it is registered again. */
export async function forgetOldAttempts(ctx: CommissionsContext, stopping: AbortSignal): Promise<void> {
  const projects = listProjects(ctx);
  for (const { project: name, id, attempts } of await listStateFolders(ctx)) {
    const project = projects.find((each) => each.name === name);
    if (stopping.aborted) return;
    if (project === undefined) continue;
    const ref = { project, id };
    try {
      for (const attempt of attempts) await forgetOne(ctx, ref, attempt);
    } catch (error) {
      const { message } = errorFactsOf(error);
      ctx.log.warn({ commission: id, reason: message }, 'what old attempts left could not be removed');
    }
  }
}

async function forgetOne(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<void> {
  const folder = attemptFolder(ctx, ref, attempt);
  if (!isOld(await changedMs(folder), ctx.clock.nowMs())) return;
  await ctx.locks.with(commissionLock(ref), async () => {
    const isUnderWay = (await runOf(ctx, ref).read()) ?? (await mergingOf(ctx, ref).read());
    if (isUnderWay !== undefined || !mayForget(await readCommission(ref.project, ref.id))) return;
    await rm(folder, { recursive: true, force: true });
    await rmdir(stateFolder(ctx, ref)).catch((error: unknown) => {
      if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
    });
  });
}

/** When something in the folder, or the folder itself, changed last. Milliseconds since 1970. */
async function changedMs(folder: string): Promise<number> {
  const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  const facts = await Promise.all(paths.map((path) => lstat(path)));
  return Math.max(...facts.map(({ mtimeMs }) => mtimeMs));
}

/** Makes `run.json` anew for a commission that runs by its record: the home was restored, or somebody deleted it. */
import { join } from 'node:path';
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord } from '../contract.ts';
import { attemptFiles, readIdentity, readOrder } from '../store/attempt.ts';
import { attemptFolder, type CommissionRef } from '../store/place.ts';
import { runOf } from '../store/run.ts';

/**
 * From what the folder of the attempt tells; where that is gone too, the attempt is one whose process is lost. The
 * caller holds the commission's lock.
 */
export async function rebuildRun(ctx: CommissionsContext, ref: CommissionRef, record: CommissionRecord): Promise<void> {
  if ((await runOf(ctx, ref).read()) !== undefined) return;
  const attempt = Math.max(1, record.attempt);
  const folder = attemptFolder(ctx, ref, attempt);
  const order = await readOrder(folder).catch((error: unknown) => {
    ctx.log.warn({ err: error, commission: ref.id }, 'the order of a commission is gone too');
    return undefined;
  });
  const identity = await readIdentity(folder);
  ctx.log.warn({ commission: ref.id, file: join(folder, attemptFiles.order) }, 'the state of a commission was gone');
  await runOf(ctx, ref).write({
    project: ref.project.name,
    id: ref.id,
    attempt,
    token: identity?.token ?? order?.token ?? ctx.ids.secret(),
    step: 'running',
    reservedAt: ctx.clock.nowIso(),
    base: null,
    process: identity?.process ?? null,
    processStartedAt: identity?.startedAt ?? null,
    told: 0,
    usageBefore: null,
    ending: null,
    retry: null,
  });
}

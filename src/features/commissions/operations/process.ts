/** What runs for a commission now, as it is shown. */
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord, CommissionView, RunningProcess } from '../contract.ts';
import { findLive } from '../reactions/live.ts';
import { type CommissionRef, worktreeOf } from '../store/place.ts';
import { runOf } from '../store/run.ts';
import { isUnderWay } from './standing.ts';

export interface WhatRuns {
  readonly phase: CommissionView['phase'];
  readonly process: RunningProcess | null;
}

const nothing: WhatRuns = { phase: null, process: null };

/** Fast for what does not run: nothing is read then. */
export async function whatRuns(
  ctx: CommissionsContext,
  ref: CommissionRef,
  record: Pick<CommissionRecord, 'status'>,
): Promise<WhatRuns> {
  const live = findLive(ctx, ref);
  if (live === undefined && !isUnderWay(record)) return nothing;
  const run = await runOf(ctx, ref).read();
  const phase = live?.phase ?? null;
  if (run === undefined || run.process === null || !isUnderWay(record)) return { phase, process: null };
  const { attempt, process, processStartedAt, reservedAt } = run;
  const isOwn = live?.attempt === attempt;
  const startedAt = processStartedAt ?? reservedAt;
  return {
    phase,
    process: {
      pid: process.pid,
      attempt,
      startedAt,
      lastHeartbeat: isOwn ? live.lastHeartbeat : startedAt,
      heartbeat: (isOwn ? live.beat?.heartbeat : undefined) ?? 'healthy',
      worktree: worktreeOf(ctx, ref, attempt),
      sandbox: (isOwn ? live.session?.sandbox : undefined) ?? '',
      model: (isOwn ? live.session?.model : undefined) ?? ctx.gateway.describeModel().name,
      isRehearsal: (isOwn ? live.session?.isRehearsal : undefined) ?? ctx.gateway.describeModel().isRehearsal,
    },
  };
}

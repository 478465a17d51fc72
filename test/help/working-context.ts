/** The context of commissions over what is on disk, without a hall. Programs that die at fault points use it, too. */
import type { CommissionsContext } from '../../src/features/commissions/context.ts';
import { commissionIdSchema, type CommissionRecord } from '../../src/features/commissions/contract.ts';
import { createEngine } from '../../src/features/commissions/reactions/live.ts';
import { changeCommission, requireCommission } from '../../src/features/commissions/store/files.ts';
import type { CommissionRef } from '../../src/features/commissions/store/place.ts';
import { createBackground } from '../../src/kernel/background/background.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { createLocks } from '../../src/kernel/locks/locks.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { defaultConfig, type HallConfig } from '../../src/kernel/projects/settings.ts';
import type { NewEvent } from '../../src/kernel/pure/events.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { scrub } from '../../src/kernel/secrets/scrub.ts';

export interface WorkingContext {
  readonly ctx: CommissionsContext;
  /** What was announced, in order. */
  readonly events: NewEvent[];
  /** Changes the settings. */
  readonly set: (change: Partial<HallConfig>) => void;
}

export const sampleName = projectNameSchema.parse('sample');

/** The context over what is on disk already. */
export function workingContext(root: string, repo: string): WorkingContext {
  const events: NewEvent[] = [];
  let config: HallConfig = { ...defaultConfig, projects: [{ name: sampleName, path: repo }] };
  const parts = {
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    locks: createLocks(),
    home: homePaths(root),
    config: () => config,
    scrub,
    engine: createEngine(),
    spawn: createBackground(silentLog).spawn,
    events: { publish: (event: NewEvent) => (events.push(event), event) },
  };
  // Of the context only what finished work needs.
  const ctx = parts as unknown as CommissionsContext;
  return { ctx, events, set: (change) => (config = { ...config, ...change }) };
}

export function refOf({ ctx }: Pick<WorkingContext, 'ctx'>, id: string): CommissionRef {
  const [settings] = ctx.config().projects;
  const project = {
    name: sampleName,
    path: settings!.path,
    integrationBranch: 'claude/main',
    integrationWorktree: ctx.home.integrationWorktree(sampleName),
  };
  return { project, id: commissionIdSchema.parse(id) };
}

/** Its process has ended with a result; the record says so, and is not committed. */
export async function endWork(ctx: CommissionsContext, ref: CommissionRef): Promise<CommissionRecord> {
  const { attempt, status } = await requireCommission(ref.project, ref.id);
  if (status === 'completed') return requireCommission(ref.project, ref.id);
  const result = { summary: 'It is done.', artifacts: ['.lore/notes/a.md'] };
  const timestamp = ctx.clock.nowIso();
  const reason = 'result submitted';
  const { record } = await changeCommission(
    ref.project,
    ref.id,
    { status: 'completed', result, completedAt: timestamp },
    [{ timestamp, attempt, event: 'status', from: 'in_progress', to: 'completed', reason }],
  );
  return record;
}

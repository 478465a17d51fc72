/** Opens the commissions of a home, as a hall does, without doors: also in programs that tests kill. */
import { join } from 'node:path';
import type { CommissionsContext, WorkerProgram } from '../../src/features/commissions/context.ts';
import { followWork } from '../../src/features/commissions/reactions/following.ts';
import { leaveWorkers } from '../../src/features/commissions/reactions/leaving.ts';
import { createEngine } from '../../src/features/commissions/reactions/live.ts';
import { recoverCommissions } from '../../src/features/commissions/reactions/recovery.ts';
import { createBackground } from '../../src/kernel/background/background.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { openEventStream } from '../../src/kernel/events/events.ts';
import { createLocks } from '../../src/kernel/locks/locks.ts';
import { createLog, silentLog } from '../../src/kernel/log/log.ts';
import type { HallConfig } from '../../src/kernel/projects/config.ts';
import type { HomePaths } from '../../src/kernel/projects/home.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import { readyToFind } from '../../src/kernel/secrets/find.ts';
import { scrub } from '../../src/kernel/secrets/scrub.ts';
import { loadWorkers } from '../../src/kernel/workers/catalogue.ts';

export interface OpenRequest {
  readonly home: HomePaths;
  /** The package's folder, where the workers are. */
  readonly root: string;
  readonly config: () => HallConfig;
  readonly program: WorkerProgram;
  readonly onEvent: (event: HallEvent) => void;
}

export async function openCommissions(
  request: OpenRequest,
): Promise<{ readonly ctx: CommissionsContext; readonly stop: () => Promise<void> }> {
  const { home, root, config, program: workerProgram } = request;
  await readyToFind();
  const log = process.env['TEST_LOG'] ? createLog() : silentLog;
  const base = { clock: systemClock, ids: systemIds, log, home };
  const background = createBackground(log);
  const events = await openEventStream(base, home.events);
  const heard = events.subscribe();
  const ctx: CommissionsContext = {
    ...base,
    locks: createLocks(),
    spawn: background.spawn,
    events,
    config,
    gateway: { describeModel: () => ({ name: 'rehearsal', label: 'Rehearsal', isRehearsal: true }) as never },
    catalogue: async () => await loadWorkers(base, { shipped: join(root, 'workers'), packages: home.packages }),
    scrub,
    workerProgram,
    engine: createEngine(),
  };
  background.spawn('hear', async () => {
    for await (const event of heard) request.onEvent(event);
  });
  await recoverCommissions(ctx);
  const following = await followWork(ctx);
  const stop = async (): Promise<void> => {
    background.ask();
    await following.close();
    await leaveWorkers(ctx);
    heard.close();
    await background.stop(10_000);
    await events.close();
  };
  return { ctx, stop };
}

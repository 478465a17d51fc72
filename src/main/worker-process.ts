/**
 * Joins what the process of a worker needs: a gateway, a driver and a rehearsal of its own, so that it works on while
 * the hall is away. It writes nothing of the hall's but memory, under the locks that hold between processes.
 */
import { join } from 'node:path';
import { commissionPlay } from '../features/commissions/worker/play.ts';
import type { AttemptOrder } from '../features/commissions/contract/journal.ts';
import { attemptFiles, openJournal } from '../features/commissions/store/attempt.ts';
import type { Attempt, WorkerContext } from '../features/commissions/worker/context.ts';
import { crashedEntry } from '../features/commissions/worker/ending.ts';
import { startAttempt } from '../features/commissions/worker/run.ts';
import { createClaudeDriver } from '../kernel/agents/drivers/claude/driver.ts';
import { startGateway } from '../kernel/agents/gateway/gateway.ts';
import { createRehearsal } from '../kernel/agents/rehearsal/rehearsal.ts';
import { createBackground } from '../kernel/background/background.ts';
import { systemClock, systemIds } from '../kernel/clock/clock.ts';
import { createLocks } from '../kernel/locks/locks.ts';
import { createLog, type Log } from '../kernel/log/log.ts';
import { deferred } from '../kernel/pure/deferred.ts';
import { openConfig } from '../kernel/projects/config.ts';
import { homePaths } from '../kernel/projects/home.ts';
import { readyToFind } from '../kernel/secrets/find.ts';
import { scrub } from '../kernel/secrets/scrub.ts';
import { loadWorkers } from '../kernel/workers/catalogue.ts';
import { memoryOfCouncils } from './council-memory.ts';
import { packageRoot } from './package.ts';
import { joinSandbox } from './sandbox.ts';
import { distantToolboxes } from './steward.ts';
import { createStage, type Stage } from './stage.ts';

/** How long background work, and the last line of a process that failed, may take. Milliseconds. */
const graceMs = 5_000;

/** @returns the exit code */
export async function workOn(folder: string, order: AttemptOrder, asked: AbortSignal): Promise<number> {
  const log = createLog();
  const journal = await openJournal({ clock: systemClock }, folder);
  const attempt: Attempt = { folder, order, journal };
  const faults = deferred<never>();
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, faults.reject);
  const stage = createStage();
  try {
    await Promise.race([workIn(stage, log, attempt, asked), faults.promise]);
    await stage.closeAll(log);
    return 0;
  } catch (error) {
    log.error({ err: error }, 'the process of the worker failed');
    await Promise.race([sayCrash(attempt, error, log, stage), systemClock.sleep(graceMs)]);
    return 1;
  }
}

async function sayCrash({ journal }: Attempt, error: unknown, log: Log, stage: Stage): Promise<void> {
  const entry = crashedEntry(error);
  const reason = await scrub(entry.reason);
  await journal.add({ ...entry, reason }).catch((failure: unknown) => {
    log.error({ err: failure }, 'that the process failed could not be written down');
  });
  // The agent is ended with it.
  await stage.closeAll(log);
}

async function workIn(stage: Stage, log: Log, attempt: Attempt, asked: AbortSignal): Promise<void> {
  let onLife = (): void => undefined;
  const ctx = await joinParts(stage, log, attempt, () => onLife());
  const run = startAttempt(ctx, attempt);
  onLife = run.onLife;
  asked.addEventListener('abort', run.stop);
  if (asked.aborted) run.stop();
  await run.done;
}

async function joinParts(
  stage: Stage,
  log: Log,
  { folder, order }: Attempt,
  onLife: () => void,
): Promise<WorkerContext> {
  await readyToFind();
  const home = homePaths(order.home);
  const background = createBackground(log);
  stage.opened('background', async () => {
    const late = await background.stop(graceMs);
    if (late.length > 0) log.warn({ late }, 'background work did not end in time');
  });
  const base = { clock: systemClock, ids: systemIds, log, locks: createLocks(), spawn: background.spawn };
  const settings = await openConfig(base, home);
  stage.opened('config', settings.close);
  const kernel = { ...base, config: settings.config, home };
  const gateway = await startGateway(kernel, {
    rehearsal: createRehearsal(kernel, {
      plays: [commissionPlay],
      scenario: () => kernel.config().rehearsal?.scenario,
    }),
  });
  stage.opened('gateway', () => gateway.close());
  const sandbox = await joinSandbox(kernel);
  stage.opened('sandbox', () => sandbox.close());
  const driver = createClaudeDriver(kernel, {
    sandbox,
    settings: () => kernel.config().agents,
    recordsDir: join(folder, attemptFiles.processes),
    onSdkMessage: ({ type }) => {
      // That a call of a tool goes on is told by its time limit.
      if (type !== 'tool_progress') onLife();
    },
  });
  stage.opened('agents', () => driver.stop());
  const sources = { shipped: join(packageRoot(), 'workers'), packages: home.packages };
  return {
    ...kernel,
    gateway,
    driver,
    scrub,
    hallToolboxes: distantToolboxes(order.home, order.hallSecret),
    hallMemory: memoryOfCouncils(kernel),
    sandbox: () => sandbox.state().kind,
    catalogue: async () => await loadWorkers(kernel, sources),
    commissionPrompts: join(packageRoot(), 'src', 'features', 'commissions', 'prompts'),
  };
}

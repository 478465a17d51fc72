/**
 * One turn of one agent from a process of its own, for `guild-hall rule dispatch-agent-turn`: a gateway, a sandbox and a
 * driver as the hall has them, by the same configuration. The hall need not run, and is not disturbed where it does.
 */
import { join } from 'node:path';
import type { DispatchOrder } from '../features/councils/rule/io.ts';
import { dispatchTurn as dispatch } from '../features/councils/turns/dispatching.ts';
import { councilKind } from '../features/councils/contract.ts';
import { councilPlay } from '../features/councils/turns/play.ts';
import { createClaudeDriver } from '../kernel/agents/drivers/claude/driver.ts';
import { startGateway } from '../kernel/agents/gateway/gateway.ts';
import { createRehearsal } from '../kernel/agents/rehearsal/rehearsal.ts';
import { createBackground } from '../kernel/background/background.ts';
import { systemClock, systemIds } from '../kernel/clock/clock.ts';
import { createLocks } from '../kernel/locks/locks.ts';
import { silentLog } from '../kernel/log/log.ts';
import { openConfig } from '../kernel/projects/config.ts';
import { ensureHome, homePaths, homeRoot } from '../kernel/projects/home.ts';
import { findProjectAt, type Project } from '../kernel/projects/projects.ts';
import { projectNameSchema } from '../kernel/pure/ids.ts';
import { readyToFind } from '../kernel/secrets/find.ts';
import { scrub } from '../kernel/secrets/scrub.ts';
import { loadWorkers } from '../kernel/workers/catalogue.ts';
import { packageRoot } from './package.ts';
import { joinSandbox } from './sandbox.ts';
import { createStage } from './stage.ts';

const graceMs = 5_000;

/** @returns the answer, as JSON */
export async function dispatchTurn(order: DispatchOrder): Promise<string> {
  await readyToFind();
  const home = homePaths(homeRoot(process.env));
  await ensureHome(home);
  const log = silentLog;
  const stage = createStage();
  try {
    const background = createBackground(log);
    stage.opened('background', async () => void (await background.stop(graceMs)));
    const base = { clock: systemClock, ids: systemIds, log, locks: createLocks(), spawn: background.spawn };
    const settings = await openConfig(base, home);
    stage.opened('config', settings.close);
    const kernel = { ...base, config: settings.config, home };
    const scenario = () => kernel.config().rehearsal?.scenario;
    const gateway = await startGateway(kernel, {
      rehearsal: createRehearsal(kernel, { plays: [councilPlay], scenario, unlabelled: [councilKind] }),
    });
    stage.opened('gateway', () => gateway.close());
    const sandbox = await joinSandbox(kernel);
    stage.opened('sandbox', () => sandbox.close());
    const driver = createClaudeDriver(kernel, {
      sandbox,
      settings: () => kernel.config().agents,
      recordsDir: home.processes,
    });
    stage.opened('agents', () => driver.stop());
    const sources = { shipped: join(packageRoot(), 'workers'), packages: home.packages };
    const catalogue = async () => await loadWorkers(kernel, sources);
    const councilPrompts = join(packageRoot(), 'src', 'features', 'councils', 'prompts');
    const ctx = { ...kernel, gateway, driver, sandbox, scrub, catalogue, councilPrompts, recordFolders: () => [] };
    return await dispatch(ctx, findProjectAt(kernel, order.root) ?? projectHere(order.root), order);
  } finally {
    await stage.closeAll(log);
  }
}

/** A folder that is no project of the hall: it is read all the same. */
function projectHere(path: string): Project {
  return { name: projectNameSchema.parse('unregistered'), path, integrationBranch: 'main', integrationWorktree: path };
}

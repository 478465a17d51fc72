/** Joins what agents need: the gateway with its rehearsal, the driver, the workers. */
import { join } from 'node:path';
import { councilKind } from '../features/councils/contract.ts';
import { councilPlay } from '../features/councils/turns/play.ts';
import { gatheringPlay } from '../features/gatherings/play/play.ts';
import { sessionPlay } from '../features/sessions/play.ts';
import { stewardPlay } from '../features/steward/play.ts';
import { createClaudeDriver, stopLeftoverAgents } from '../kernel/agents/drivers/claude/driver.ts';
import { startGatewayAgain } from '../kernel/agents/gateway/kept-port.ts';
import { createRehearsal } from '../kernel/agents/rehearsal/rehearsal.ts';
import { scrub } from '../kernel/secrets/scrub.ts';
import { loadWorkers } from '../kernel/workers/catalogue.ts';
import type { HallContext, KernelContext } from './context.ts';
import { packageRoot } from './package.ts';
import { joinSessionAgents } from './session-agents.ts';
import { joinSandbox } from './sandbox.ts';
import type { Stage } from './stage.ts';

export async function joinAgents(kernel: KernelContext, stage: Stage): Promise<HallContext> {
  const { home } = kernel;
  await stopLeftoverAgents(kernel, home.processes);
  const gateway = await startGatewayAgain(kernel, join(home.state, 'gateway-port'), {
    rehearsal: createRehearsal(kernel, {
      plays: [stewardPlay, councilPlay, gatheringPlay, sessionPlay],
      scenario: () => kernel.config().rehearsal?.scenario,
      // A council says it once for all its speakers.
      unlabelled: [councilKind],
    }),
  });
  stage.opened('gateway', () => gateway.close());
  const sandbox = await joinSandbox(kernel);
  stage.opened('sandbox', () => sandbox.close());
  const driver = createClaudeDriver(kernel, {
    settings: () => kernel.config().agents,
    recordsDir: home.processes,
    sandbox,
  });
  stage.opened('agents', () => driver.stop());
  const agents = joinSessionAgents(kernel, stage, { claude: driver, sandbox });
  const sources = { shipped: join(packageRoot(), 'workers'), packages: home.packages };
  return {
    ...kernel,
    gateway,
    driver,
    agents,
    sandbox,
    scrub,
    catalogue: async () => await loadWorkers(kernel, sources),
  };
}

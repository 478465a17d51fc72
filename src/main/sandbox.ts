/** The sandbox of agents' programs, by the hall's settings and folders: for the hall and for every process of its own. */
import { homedir } from 'node:os';
import type { Sandbox } from '../kernel/agents/sandbox/contract.ts';
import { createSandbox, removeLeftoverEnclosures, type SandboxContext } from '../kernel/agents/sandbox/sandbox.ts';
import { realOf } from '../kernel/agents/sandbox/system.ts';
import type { ConfigContext } from '../kernel/projects/config.ts';

/** Has looked at the machine when it resolves, so that `state()` says what counts. */
export async function joinSandbox(ctx: SandboxContext & ConfigContext): Promise<Sandbox> {
  const { home, config } = ctx;
  await removeLeftoverEnclosures(home.sandbox);
  const sandbox = createSandbox(ctx, {
    settings: () => config().sandbox,
    folder: home.sandbox,
    hidden: [...new Set([homedir(), home.root].flatMap((path) => [path, realOf(path)]))],
    repositoryOf: (project) => config().projects.find(({ name }) => name === project)?.path,
  });
  const { kind, reason } = await sandbox.check();
  if (kind === 'none') ctx.log.warn({ reason }, 'agents are not sandboxed');
  return sandbox;
}

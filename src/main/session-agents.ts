/** Joins the agents of sessions: Claude by its SDK, and every agent that speaks the Agent Client Protocol. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentDriver } from '../kernel/agents/contract.ts';
import { type AcpEntry, acpEntries, type AcpSettings, createAcpDriver } from '../kernel/agents/drivers/acp/driver.ts';
import { agentProgram } from '../kernel/agents/drivers/claude/program.ts';
import type { Sandbox } from '../kernel/agents/sandbox/contract.ts';
import { findProgram } from '../kernel/processes/find-program.ts';
import { fail } from '../kernel/pure/errors.ts';
import type { KernelContext, KnownAgent, SessionAgents } from './context.ts';
import type { Stage } from './stage.ts';

interface Parts {
  /** The driver that all workers have, too. */
  readonly claude: AgentDriver;
  readonly sandbox: Sandbox;
}

export function joinSessionAgents(kernel: KernelContext, stage: Stage, parts: Parts): SessionAgents {
  const drivers = new Map<string, AgentDriver>();
  stage.opened('session agents', async () => {
    await Promise.all([...drivers.values()].map(async (driver) => driver.stop()));
  });
  return {
    driverOf: (name) => {
      if (name === 'claude') return parts.claude;
      const entry = acpEntries(settingsOf(kernel)).find((one) => one.name === name);
      if (entry === undefined)
        throw fail('not_found', `There is no agent "${name}".`, 'See: guild-hall session agents');
      const driver = drivers.get(name) ?? driverFor(kernel, entry, parts.sandbox);
      drivers.set(name, driver);
      return driver;
    },
    list: async () => await listAgents(kernel),
  };
}

function settingsOf(kernel: KernelContext): Readonly<Record<string, AcpSettings>> {
  const { agents } = kernel.config().sessions;
  const entries = Object.entries(agents).map(([name, { command, args = [], env, variables, title }]) => {
    const words = command === undefined ? undefined : ([command, ...args] as const);
    return [name, { command: words, env, variables, title }] as const;
  });
  return Object.fromEntries(entries);
}

function driverFor(kernel: KernelContext, entry: AcpEntry, sandbox: Sandbox): AgentDriver {
  const { home } = kernel;
  return createAcpDriver(kernel, {
    entry,
    settings: () => {
      const { maxColdStarts, maxRetries } = kernel.config().agents;
      return { agent: settingsOf(kernel)[entry.name] ?? {}, maxColdStarts, maxRetries };
    },
    folder: join(home.state, 'acp', entry.name),
    recordsDir: home.processes,
    sandbox,
  });
}

async function listAgents(kernel: KernelContext): Promise<readonly KnownAgent[]> {
  const own = settingsOf(kernel);
  const claude: KnownAgent = {
    name: 'claude',
    title: 'Claude Code',
    kind: 'sdk',
    isOwn: false,
    isInstalled: agentProgram() !== undefined,
    takesGateway: true,
    install: 'Install the packages of the hall again, optional ones too: npm install',
  };
  const acp = acpEntries(own).map(async ({ name, title, takesGateway, install, command }): Promise<KnownAgent> => {
    const [program] = own[name]?.command ?? command;
    const found = await findProgram(program, { cwd: homedir(), path: process.env['PATH'] });
    return {
      name,
      title,
      kind: 'acp',
      isOwn: own[name] !== undefined,
      isInstalled: found !== undefined,
      takesGateway,
      install,
    };
  });
  return [claude, ...(await Promise.all(acp))];
}

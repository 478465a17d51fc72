/** What the doctor needs, within a running hall and without one. */
import { join } from 'node:path';
import { registryProblems } from '../features/contexts/operations/problems.ts';
import type { DoctorContext, Settings } from '../features/doctor/operations.ts';
import { projectProblemsOf } from '../features/projects/problems.ts';
import { findHall } from '../interfaces/cli/client.ts';
import { agentProgram } from '../kernel/agents/drivers/claude/program.ts';
import { describeModel } from '../kernel/agents/gateway/models.ts';
import type { Sandbox } from '../kernel/agents/sandbox/contract.ts';
import { decideState, probeMachine } from '../kernel/agents/sandbox/probe.ts';
import type { Problem } from '../kernel/artifacts/parse.ts';
import { readTextIfExists } from '../kernel/artifacts/write.ts';
import type { ClockContext } from '../kernel/clock/clock.ts';
import type { LogContext } from '../kernel/log/log.ts';
import { defaultConfig, type HallConfig } from '../kernel/projects/config.ts';
import type { HomePaths } from '../kernel/projects/home.ts';
import { parseConfig } from '../kernel/projects/parse-config.ts';
import { loadWorkers } from '../kernel/workers/catalogue.ts';
import { packageRoot } from './package.ts';

type Given = ClockContext &
  LogContext & {
    readonly home: HomePaths;
    /** The settings in force in a running hall. */
    readonly config?: () => HallConfig;
    /** Of a running hall, which then knows too what was found. */
    readonly sandbox?: Pick<Sandbox, 'check'>;
  };

export function doctorContext(ctx: Given): DoctorContext {
  const { clock, log, home } = ctx;
  const readSettings = async (): Promise<Settings> => await settingsOf(home, ctx.config);
  return {
    clock,
    log,
    home,
    readSettings,
    catalogue: async () => await loadWorkers(ctx, { shipped: join(packageRoot(), 'workers'), packages: home.packages }),
    describeModel: async () => {
      const { config } = await readSettings();
      return describeModel({ config: () => config, home }, undefined);
    },
    agentProgram,
    sandbox: async () => {
      if (ctx.sandbox !== undefined) return await ctx.sandbox.check();
      return decideState((await readSettings()).config.sandbox.mode, await probeMachine(ctx));
    },
    hallUrl: async () => (await findHall(home.root))?.url,
    projectProblems: async () => {
      const { config } = await readSettings();
      const found = await projectProblemsOf({ ...ctx, config: () => config });
      return await Promise.all(
        found.map(async ({ name, problems }) => {
          const { path } = config.projects.find((each) => each.name === name)!;
          return { name, problems: [...problems, ...(await registryProblems({ path }))] };
        }),
      );
    },
  };
}

async function settingsOf(home: HomePaths, inForce: (() => HallConfig) | undefined): Promise<Settings> {
  const instead = inForce === undefined ? 'the defaults' : 'the last good settings';
  const text = await readTextIfExists(home.config).catch((error: Error) => error);
  if (text === undefined) return { config: defaultConfig, problems: [], file: 'missing', instead };
  const { config, problems } =
    text instanceof Error ? { config: undefined, problems: [unreadable(home, text)] } : parseConfig(text, home.config);
  if (config !== undefined) return { config, problems, file: 'read', instead };
  return { config: inForce?.() ?? defaultConfig, problems, file: 'broken', instead };
}

function unreadable(home: HomePaths, { message }: Error): Problem {
  return { file: home.config, line: 1, column: 1, message: `The file cannot be read: ${message}` };
}

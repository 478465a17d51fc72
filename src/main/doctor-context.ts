/** What the doctor needs, within a running hall and without one. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DoctorContext } from '../features/doctor/operations.ts';
import { projectProblemsOf } from '../features/projects/operations.ts';
import { findHall } from '../interfaces/cli/client.ts';
import { describeModel } from '../kernel/agents/gateway/models.ts';
import type { ClockContext } from '../kernel/clock/clock.ts';
import type { LogContext } from '../kernel/log/log.ts';
import { readConfig } from '../kernel/projects/config.ts';
import type { HomePaths } from '../kernel/projects/home.ts';

export function doctorContext(ctx: ClockContext & LogContext & { readonly home: HomePaths }): DoctorContext {
  const { clock, log, home } = ctx;
  const readSettings = async () => await readConfig(ctx, home);
  return {
    clock,
    log,
    home,
    readSettings,
    describeModel: async () => {
      const { config } = await readSettings();
      return describeModel({ config: () => config, home }, undefined);
    },
    agentProgram,
    hallUrl: async () => (await findHall(home.root))?.url,
    projectProblems: async () => {
      const { config } = await readSettings();
      return await projectProblemsOf({ ...ctx, config: () => config });
    },
  };
}

/** The Agent SDK's own program comes as an optional package of this system and processor. */
export function agentProgram(): string | undefined {
  const require = createRequire(import.meta.url);
  const base = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  for (const name of [base, `${base}-musl`]) {
    for (const folder of require.resolve.paths(name) ?? []) {
      const program = join(folder, name, process.platform === 'win32' ? 'claude.exe' : 'claude');
      if (existsSync(program)) return program;
    }
  }
  return undefined;
}

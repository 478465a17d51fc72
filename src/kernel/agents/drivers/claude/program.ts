/** The program that the Agent SDK brings. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Absolute; undefined where its optional package for this system and processor is not installed. */
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

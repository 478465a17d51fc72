/** Programs of test/fixtures that die at a fault point, and are started again. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { silentLog } from '../../src/kernel/log/log.ts';
import { runCommand } from '../../src/kernel/processes/command.ts';
import { tempFolder } from './repositories.ts';

/** One file that starts quickly: it is run many times. */
export async function bundled(name: string): Promise<string> {
  const source = new URL(`../fixtures/${name}.ts`, import.meta.url).pathname;
  const outfile = join(await tempFolder(), `${name}.mjs`);
  const banner = {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  };
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner,
  });
  return outfile;
}

/** Runs the program; it dies at the n-th fault point whose name holds `match`. 0, or how it ended. */
export async function runUntil(
  program: string,
  words: readonly string[],
  fault: { readonly at: number; readonly match?: string },
): Promise<string | number> {
  const env = {
    ...process.env,
    GUILD_HALL_FAULT_AT: String(fault.at),
    GUILD_HALL_FAULT_MATCH: fault.match ?? '',
  };
  const request = { file: process.execPath, args: [program, ...words], cwd: words[0]!, env, timeoutMs: 60_000 };
  const end = await runCommand({ log: silentLog }, request);
  return end.exitCode === 0 ? 0 : (end.signal ?? `${end.exitCode}: ${end.stderr}`);
}

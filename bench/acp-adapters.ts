/**
 * Real agents behind the ACP driver: begun, prompted, asked, stopped, taken up again, killed, before a scripted model. What
 * was seen is printed; anything that is not as the hall needs it fails the run.
 *
 *   npm run bench -- acp-adapters [--only claude-acp|opencode] [--step <words>] [--cache <folder>] [--sandbox]
 *
 * Their packages are fetched from npm into `node_modules/.cache/acp-adapters` where they are not there yet: 67 MB and 354 MB.
 * Claude's adapter runs the Claude Code that the hall has already.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeTestSandbox } from '../test/fixtures/test-sandbox.ts';
import { adapters, fetchAdapter } from './parts/acp-packages.ts';
import { driveAdapter, type Seen } from './parts/acp-run.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    step: { type: 'string' },
    cache: { type: 'string' },
    sandbox: { type: 'boolean' },
  },
});
const cache = flags.cache ?? join(import.meta.dirname, '..', 'node_modules', '.cache', 'acp-adapters');
const sandbox = flags.sandbox === true ? await makeTestSandbox() : undefined;
const chosen = adapters.filter(({ name }) => flags.only === undefined || flags.only === name);
const failed: string[] = [];
for (const adapter of chosen) {
  const real = await fetchAdapter(adapter, cache);
  process.stdout.write(`\n${adapter.package}@${adapter.version}${sandbox === undefined ? '' : ', sandboxed'}\n`);
  for await (const seen of driveAdapter(real, { sandbox, step: flags.step })) {
    print(seen);
    if (!seen.ok) failed.push(`${adapter.name}: ${seen.what}`);
  }
}
await sandbox?.close();
process.stdout.write(
  failed.length === 0 ? '\nAll as the hall needs it.\n' : `\nNot as the hall needs it:\n${failed.join('\n')}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

function print({ what, ok, said, ms }: Seen): void {
  process.stdout.write(`${ok ? 'ok ' : 'NO '} ${String(Math.round(ms)).padStart(6)} ms  ${what.padEnd(34)} ${said}\n`);
}

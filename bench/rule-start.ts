/**
 * How soon a rule helper answers, against Node that does nothing, in pairs within one run: scripts call them many times.
 *
 *   npm run bench -- rule-start [--pairs 20]
 *
 * Fails when one takes more than 2.5 times as long: the median over the pairs, so that a busy machine slows both. Builds
 * first where the build is old.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtProgram } from './parts/built.ts';
import { median, timeOf } from './parts/processes.ts';

const { values: flags } = parseArgs({ options: { pairs: { type: 'string', default: '20' } } });
const most = 2.5;
const program = await builtProgram();

const folder = mkdtempSync(join(tmpdir(), 'gh-rule-start-'));
/** One that only answers, one that reads YAML, one that checks a text, and one that locks and writes a file. */
const helpers: Readonly<Record<string, readonly string[]>> = {
  'lifecycle-marker': ['--phase', 'DISCUSS'],
  'resolve-mode': ['--mode', 'ux'],
  'cite-or-flag-check': ['--classify-line', 'The cache is in src/cache.ts:3'],
  'cost-cadence': ['--state', join(folder, 'counter'), '--tick'],
};
const bare: number[] = [];
const ratios = new Map(Object.keys(helpers).map((name) => [name, [] as number[]]));
for (let pair = 0; pair < Number(flags.pairs); pair += 1) {
  for (const [name, args] of Object.entries(helpers)) {
    const nothing = timeOf(['--eval', '0']);
    bare.push(nothing);
    ratios.get(name)!.push(timeOf([program, 'rule', name, ...args]) / nothing);
  }
}
rmSync(folder, { recursive: true, force: true });
console.log(`node that does nothing  ${median(bare).toFixed(0)} ms`);
for (const [name, each] of ratios)
  console.log(`${name.padEnd(22)}  ${median(each).toFixed(2)} times that; at most ${most}`);
process.exitCode = [...ratios.values()].some((each) => median(each) > most) ? 1 : 0;

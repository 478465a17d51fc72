/**
 * How soon the built program says its help and answers a Tab, against Node that does nothing, in pairs within one run.
 *
 *   npm run bench -- start [--pairs 20]
 *
 * Fails when help takes more than 2.5 times as long: the median over the pairs, so that a busy machine slows both. Builds
 * first where the build is old.
 */
import { parseArgs } from 'node:util';
import { builtProgram } from './parts/built.ts';
import { median, timeOf } from './parts/processes.ts';

const { values: flags } = parseArgs({ options: { pairs: { type: 'string', default: '20' } } });
const most = 2.5;
const program = await builtProgram();

const lines = { help: [program, '--help'], tab: [program, '__complete', 'meeting', ''] };
const bare: number[] = [];
const ratios: Record<keyof typeof lines, number[]> = { help: [], tab: [] };
for (let pair = 0; pair < Number(flags.pairs); pair += 1) {
  const nothing = timeOf(['--eval', '0']);
  bare.push(nothing);
  ratios.help.push(timeOf(lines.help) / nothing);
  ratios.tab.push(timeOf(lines.tab) / nothing);
}
console.log(`node that does nothing  ${median(bare).toFixed(0)} ms`);
console.log(`guild-hall --help       ${median(ratios.help).toFixed(2)} times that; at most ${most}`);
console.log(`a Tab                   ${median(ratios.tab).toFixed(2)} times that`);
process.exitCode = median(ratios.help) > most ? 1 : 0;

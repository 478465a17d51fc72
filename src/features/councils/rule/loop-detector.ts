/** Whether the last turns go round in a circle. */
import type { Progress } from '../contract.ts';
import { findLoop, printLoop, type LoopTurn } from '../rules/loop.ts';
import { missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { pathOf, readState } from './state.ts';

const name = 'loop-detector';
const signals: readonly Progress[] = ['new-citation', 'new-decision', 'new-pin'];

/** 0 a loop; 1 none; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--turns-file'] });
  const problem = read.problem ?? missingOf(read, ['--turns-file']);
  if (problem !== null) return complain(io, name, problem, 3);
  const file = valueOf(read, '--turns-file') ?? '';
  const text = await readState(pathOf(io, file));
  if (text === undefined) return complain(io, name, `${file} is not there; expected lines agent|progress|text`, 3);
  const loop = findLoop(turnsOf(text));
  return loop === undefined ? 1 : printAll(io, [printLoop(loop)]);
}

/** A word of progress that is none of the three is no progress. */
function turnsOf(text: string): LoopTurn[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [agent = '', word = ''] = line.split('|').map((part) => part.trim());
    return { agent, progress: signals.find((signal) => signal === word) ?? 'none' };
  });
}

/** Counts emitted turns, and says when costs are due. One of the protected helpers: its output changes only on purpose. */
import { costCheckEvery, isCostCheck } from '../rules/cadence.ts';
import { countOf, hasFlag, missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { changeState, notOurs, pathOf, readState } from './state.ts';

const name = 'cost-cadence';
const actions = ['--tick', '--get', '--should-fire'];

/** 0; 1 costs are not due; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--state', '--cadence'], switches: actions });
  const problem = read.problem ?? missingOf(read, ['--state']);
  if (problem !== null) return complain(io, name, problem, 3);
  const chosen = actions.filter((flag) => hasFlag(read, flag));
  if (chosen.length !== 1) return complain(io, name, `expected one of ${actions.join(', ')}`, 3);
  const every = countOf(valueOf(read, '--cadence') ?? String(costCheckEvery), 1);
  if (every === undefined) return complain(io, name, '--cadence is a whole number from 1 on', 3);
  const path = pathOf(io, valueOf(read, '--state') ?? '');
  if (chosen[0] === '--tick') return printAll(io, [String(await tick(path))]);
  const counter = counterOf(path, await readState(path));
  if (chosen[0] === '--get') return printAll(io, [String(counter)]);
  return isCostCheck(counter, every) ? 0 : 1;
}

async function tick(path: string): Promise<number> {
  return await changeState(path, (text) => {
    const counter = counterOf(path, text) + 1;
    return { text: `counter=${counter}\n`, answer: counter };
  });
}

function counterOf(path: string, text: string | undefined): number {
  if (text === undefined || text.trim() === '') return 0;
  const counter = countOf(/^counter=(\d+)$/.exec(text.trim())?.[1]);
  if (counter === undefined) throw notOurs(path, 'counter=<number>');
  return counter;
}

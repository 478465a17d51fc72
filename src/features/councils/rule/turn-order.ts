/** The speakers of so many turns, one a line. */
import { oneLine } from '../rules/header.ts';
import { parseNames } from '../rules/invitees.ts';
import { turnOrder } from '../rules/order.ts';
import { countOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'turn-order';
const mostTurns = 100_000;

/** 0; 2 nobody is invited; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--invitees', '--turns'] });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  const names = parseNames(valueOf(read, '--invitees') ?? '');
  if (names.length === 0) return complain(io, name, '--invitees names nobody', 2);
  const turns = countOf(valueOf(read, '--turns'), 1);
  if (turns === undefined || turns > mostTurns) {
    return complain(io, name, `--turns: expected a whole number from 1 to ${mostTurns}`, 3);
  }
  return await Promise.resolve(printAll(io, turnOrder(names, turns).map(oneLine)));
}

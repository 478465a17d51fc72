/** Whether one more turn may be emitted. */
import { defaultMaxTurns } from '../contract/terms.ts';
import { isBeyondMaxTurns } from '../rules/caps.ts';
import { countOf, hasFlag, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';

const name = 'max-turns-cap';

/** 0 it may; 2 it is beyond the cap; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--emitted-turns', '--max-turns'], switches: ['--check'] });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  const nth = countOf(valueOf(read, '--emitted-turns'));
  const max = countOf(valueOf(read, '--max-turns') ?? String(defaultMaxTurns), 1);
  if (!hasFlag(read, '--check') || nth === undefined || max === undefined) {
    return complain(io, name, 'expected --check --emitted-turns <from 0 on> [--max-turns <from 1 on>]', 3);
  }
  if (!isBeyondMaxTurns(nth, max)) return await Promise.resolve(0);
  return complain(io, name, `turn ${nth} is beyond the cap of ${max} turns`, 2);
}

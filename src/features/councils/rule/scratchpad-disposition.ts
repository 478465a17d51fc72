/** What is to become of a pin. */
import { dispositionOf, pinPrompt } from '../rules/scratchpad.ts';
import { hasFlag, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'scratchpad-disposition';

/** 0; 2 none of the three; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--check'], switches: ['--prompt'] });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  const given = valueOf(read, '--check');
  if (hasFlag(read, '--prompt') === (given !== undefined)) return complain(io, name, 'expected --check or --prompt', 3);
  if (given === undefined) return printAll(io, pinPrompt);
  const disposition = dispositionOf(given);
  if (disposition !== undefined) return await Promise.resolve(printAll(io, [disposition]));
  return complain(io, name, `${JSON.stringify(given.slice(0, 80))} is none of: ${pinPrompt.join(', ')}`, 2);
}

/** A file without its secrets: what the engine does with everything that it writes. */
import { readTextIfExists, writeAtomically } from '../../../kernel/artifacts/write.ts';
import { scrubCouncil } from '../store/scrub.ts';
import { missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';
import { pathOf } from './state.ts';

const name = 'secret-scrubber';

/** 0; 2 for bad arguments or an absent file. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--in', '--out'] });
  const problem = read.problem ?? missingOf(read, ['--in', '--out']);
  if (problem !== null) return complain(io, name, problem, 2);
  const from = valueOf(read, '--in')!;
  const text = from === '-' ? await io.stdin() : await readTextIfExists(pathOf(io, from));
  if (text === undefined) return complain(io, name, `there is no file ${from}`, 2);
  await writeAtomically(pathOf(io, valueOf(read, '--out')!), await scrubCouncil(text));
  return 0;
}

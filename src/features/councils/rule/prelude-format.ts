/** A prelude in its fixed form. */
import { printPrelude } from '../rules/prelude.ts';
import { countOf, missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'lib/prelude-format';
const required = ['--name', '--role', '--tokens', '--sources', '--bullets'];

/** 0; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: required });
  const problem = read.problem ?? missingOf(read, required, ['--sources', '--bullets']);
  if (problem !== null) return complain(io, name, problem, 3);
  const tokens = countOf(valueOf(read, '--tokens'));
  if (tokens === undefined) return complain(io, name, '--tokens is a whole number from 0 on', 3);
  const linesOf = (flag: string): string[] => (valueOf(read, flag) ?? '').split('\n');
  const who = { name: valueOf(read, '--name') ?? '', role: valueOf(read, '--role') ?? '' };
  const prelude = { ...who, tokens, sources: linesOf('--sources'), bullets: linesOf('--bullets') };
  return await Promise.resolve(printAll(io, printPrelude(prelude)));
}

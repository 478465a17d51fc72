/** The line of a hard halt. */
import { printHalt } from '../rules/halt.ts';
import { missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const required = ['--condition', '--fr', '--detail'];

/** 0; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: [...required, '--agent'] });
  const problem = read.problem ?? missingOf(read, required, ['--detail']);
  if (problem !== null) return complain(io, 'halt-event', problem, 3);
  const [condition = '', fr = '', detail = ''] = required.map((flag) => valueOf(read, flag));
  const line = printHalt({ condition, fr, detail, agent: valueOf(read, '--agent') ?? null });
  return await Promise.resolve(printAll(io, [line]));
}

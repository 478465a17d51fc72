/** What kind of text standard input is. */
import { detectType } from '../rules/content-type.ts';
import { readFlags } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

/** 0; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const { problem } = readFlags(args, {});
  if (problem !== null) return complain(io, 'scratchpad-detect-type', problem, 3);
  return printAll(io, [detectType(await io.stdin())]);
}

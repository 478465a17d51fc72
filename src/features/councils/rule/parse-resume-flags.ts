/** How a council is to go on. */
import { parseResumeFlags, printResumeFlags } from '../rules/resume.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

/** 0; 2 flags that do not go together, or are unknown. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const flags = parseResumeFlags(args);
  if (!flags.ok) return complain(io, 'parse-resume-flags', flags.reason, 2);
  return await Promise.resolve(printAll(io, printResumeFlags(flags)));
}

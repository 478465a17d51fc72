/** What an action item of a type is worked off with. */
import { actionItemTypes } from '../contract/terms.ts';
import { targetOf } from '../rules/targets.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'lib/type-target-resolver';

/** 0; 2 unknown type; 3 not exactly one word. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const [type = ''] = args;
  if (args.length !== 1) return complain(io, name, `expected one type, given ${args.length} words`, 3);
  const target = targetOf(type);
  if (target !== undefined) return await Promise.resolve(printAll(io, [target]));
  return complain(
    io,
    name,
    `unknown type ${JSON.stringify(type.slice(0, 80))}; known: ${actionItemTypes.join(', ')}`,
    2,
  );
}

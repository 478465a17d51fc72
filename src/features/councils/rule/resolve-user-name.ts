/** What the person is called in turns. */
import { userNameAdvice } from '../rules/user-name.ts';
import { resolveUserName } from '../store/user-name.ts';
import { readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';
import { pathOf } from './state.ts';

const name = 'resolve-user-name';

/** 0; 2 no name; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--settings'] });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  const file = valueOf(read, '--settings');
  const { userName, warnings } = await resolveUserName(io.cwd, file === undefined ? undefined : pathOf(io, file));
  for (const warning of warnings) io.err(warning);
  if (userName === undefined) return complain(io, name, `no name: ${userNameAdvice}`, 2);
  io.out(userName);
  return 0;
}

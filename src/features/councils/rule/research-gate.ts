/** Whether every invitee has given its prelude. The person owes none. */
import { haltLine } from '../rules/halt.ts';
import { parseNames } from '../rules/invitees.ts';
import { isUserToken } from '../rules/user-name.ts';
import { hasFlag, missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { pathOf, readState } from './state.ts';

const name = 'research-gate';

/** 0 all are there; 2 some are missing; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--invitees', '--preludes-file'], switches: ['--skip-research'] });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  if (hasFlag(read, '--skip-research')) return 0;
  const problem = missingOf(read, ['--invitees', '--preludes-file']);
  if (problem !== null) return complain(io, name, problem, 3);
  const names = parseNames(valueOf(read, '--invitees') ?? '');
  if (names.length === 0) return complain(io, name, '--invitees names nobody', 3);
  const file = valueOf(read, '--preludes-file') ?? '';
  const text = await readState(pathOf(io, file));
  if (text === undefined) return complain(io, name, `${file} is not there; expected one name a line, or preludes`, 3);
  const missing = await withoutPerson(
    io,
    names.filter((each) => !hasPrelude(text, each)),
  );
  if (missing.length === 0) return 0;
  printAll(io, [haltLine('RESEARCH-MISSING', `no prelude of ${missing.join(', ')}`)]);
  return 2;
}

/** A line that is the name, or the first line of a prelude in its fixed form. */
function hasPrelude(text: string, who: string): boolean {
  return text.split(/\r?\n/).some((line) => line.trim() === who || line.startsWith(`[Prelude] ${who} (`));
}

async function withoutPerson(io: RuleIo, names: readonly string[]): Promise<string[]> {
  const others = names.filter((each) => !isUserToken(each, null));
  if (others.length === 0) return [];
  const { resolveUserName } = await import('../store/user-name.ts');
  const { userName } = await resolveUserName(io.cwd);
  return others.filter((each) => !isUserToken(each, userName ?? null));
}

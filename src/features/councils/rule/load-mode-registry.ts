/** What the registry of modes says, field by field. */
import { readModes, registryPath } from '../knowledge.ts';
import { findMode, type Mode } from '../rules/modes.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'lib/load-mode-registry';

/** How many words each takes, itself included. */
const verbs = new Map([
  ['path', 1],
  ['known', 1],
  ['canonical', 2],
  ['scalar', 3],
  ['list', 3],
]);
const scalars: ReadonlyMap<string, (mode: Mode) => string> = new Map([
  ['name', (mode: Mode) => mode.name],
  ['closing_artifact_bias', (mode: Mode) => mode.bias],
  ['notes_template_ref', (mode: Mode) => mode.templateRef],
]);
const lists: ReadonlyMap<string, (mode: Mode) => readonly string[]> = new Map([
  ['aliases', (mode: Mode) => mode.aliases],
  ['default_invitees', (mode: Mode) => mode.defaultInvitees],
]);

/** 0; 3 for an unknown mode or field and malformed calls. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const [verb = '', wanted, field = '', ...more] = args;
  const words = verbs.get(verb);
  if (words === undefined) return complain(io, name, 'expected path, known, canonical, scalar or list', 3);
  if (args.length !== words || more.length > 0) return complain(io, name, `${verb} takes ${words - 1} more words`, 3);
  if (verb === 'path') return printAll(io, [registryPath]);
  const modes = await readModes();
  if (verb === 'known')
    return printAll(
      io,
      modes.map((mode) => mode.name),
    );
  const mode = findMode(modes, wanted ?? '');
  if (mode === undefined) return complain(io, name, `unknown mode ${JSON.stringify(wanted?.slice(0, 80))}`, 3);
  if (verb === 'canonical') return printAll(io, [mode.name]);
  const value = verb === 'scalar' ? scalars.get(field)?.(mode) : lists.get(field)?.(mode).join(',');
  if (value === undefined) {
    const known = [...(verb === 'scalar' ? scalars : lists).keys()].join(', ');
    return complain(io, name, `unknown field ${JSON.stringify(field.slice(0, 80))}; a ${verb} has: ${known}`, 3);
  }
  return printAll(io, [value]);
}

/** The canonical mode. */
import { readModes } from '../knowledge.ts';
import { defaultMode, findMode } from '../rules/modes.ts';
import { readFlags } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';

const name = 'resolve-mode';

/** 0; 2 several modes; 3 unknown mode; 4 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--mode'] });
  if (read.problem !== null) return complain(io, name, read.problem, 4);
  const wanted = read.given.get('--mode') ?? [];
  if (wanted.length > 1) return complain(io, name, `a council has one mode; given: ${wanted.join(', ')}`, 2);
  const [mode = defaultMode] = wanted;
  if (mode === '') return complain(io, name, '--mode is empty', 4);
  const modes = await readModes();
  const found = findMode(modes, mode);
  if (found === undefined) {
    const known = modes.map((each) => [each.name, ...each.aliases].join(' = ')).join(', ');
    return complain(io, name, `unknown mode ${JSON.stringify(mode.slice(0, 80))}; known modes: ${known}`, 3);
  }
  io.out(found.name);
  return 0;
}

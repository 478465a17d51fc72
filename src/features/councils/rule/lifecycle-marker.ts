/** The marker of a phase. */
import { councilPhases } from '../contract/terms.ts';
import { isPhase, printMarker } from '../rules/phases.ts';
import { readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'lifecycle-marker';

/** 0; 3 for anything but the seven phases. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--phase'] });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  const phase = valueOf(read, '--phase') ?? '';
  if (!isPhase(phase)) return complain(io, name, `--phase is one of ${councilPhases.join(', ')}`, 3);
  return await Promise.resolve(printAll(io, [printMarker(phase)]));
}

/** After how many turns the person is asked. */
import { settleCadence } from '../rules/cadence.ts';
import { readMeetingSettings, readSettingsFile } from '../store/settings.ts';
import { readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { pathOf } from './state.ts';

/** 0; 2 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--settings'] });
  if (read.problem !== null) return complain(io, 'checkpoint-cadence', read.problem, 2);
  const file = valueOf(read, '--settings');
  const settings = file === undefined ? await readMeetingSettings(io.cwd) : await readSettingsFile(pathOf(io, file));
  for (const warning of settings.warnings) io.err(warning);
  const { cadence, warning } = settleCadence(settings.cadence);
  if (warning !== undefined) io.err(warning);
  return printAll(io, [String(cadence)]);
}

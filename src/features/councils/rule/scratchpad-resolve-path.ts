/** Where a pin that is extracted lies. */
import { extractionPath } from '../rules/extraction.ts';
import { missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'scratchpad-resolve-path';
const flags = ['--date', '--slug', '--sp-n', '--content', '--intent', '--content-type'];

/** 0; 2 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: flags });
  const problem = read.problem ?? missingOf(read, flags, ['--slug', '--content', '--intent']);
  if (problem !== null) return complain(io, name, problem, 2);
  const [date = '', slug = '', id = '', content = '', intent = '', contentType = ''] = flags.map((flag) =>
    valueOf(read, flag),
  );
  const found = extractionPath({ date, slug, id, content, intent, contentType });
  return await Promise.resolve(found.ok ? printAll(io, [found.path]) : complain(io, name, found.reason, 2));
}

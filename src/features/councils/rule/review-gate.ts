/** What a disposition at the review means. */
import { readTextIfExists } from '../../../kernel/artifacts/write.ts';
import { hasFlag, missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { pathOf } from './state.ts';

const name = 'review-gate';
const dispositions = ['accept', 'edit', 'drop'];

/** 0; `--should-write`: 0 for accept and edit, 1 for drop; 2 for anything else. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--draft', '--disposition'], switches: ['--classify', '--should-write'] });
  const problem = read.problem ?? missingOf(read, ['--disposition']);
  if (problem !== null) return complain(io, name, problem, 2);
  const disposition = valueOf(read, '--disposition')!;
  if (!dispositions.includes(disposition)) {
    return complain(io, name, `the disposition is one of ${dispositions.join(', ')}`, 2);
  }
  const [classifies, asks] = [hasFlag(read, '--classify'), hasFlag(read, '--should-write')];
  if (classifies === asks) return complain(io, name, 'takes --classify or --should-write', 2);
  if (asks) return disposition === 'drop' ? 1 : 0;
  const draft = valueOf(read, '--draft');
  if (draft === undefined || draft === '') return complain(io, name, '--draft is missing', 2);
  if ((await readTextIfExists(pathOf(io, draft))) === undefined) {
    return complain(io, name, `there is no draft ${draft}`, 2);
  }
  return printAll(io, [disposition.toUpperCase()]);
}

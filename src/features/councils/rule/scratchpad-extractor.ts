/** Writes a pin into a file of its own. */
import { detectType } from '../rules/content-type.ts';
import { extractPin } from '../saving/extractions.ts';
import { missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { pathOf } from './state.ts';
import { badCall, guardWrites } from './writing.ts';

const name = 'scratchpad-extractor';
const needed = ['--root', '--date', '--slug', '--sp-n', '--content', '--intent'];

/** 0 with the absolute path; 2 bad arguments, or a place that is no council's. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: [...needed, '--content-type', '--action-items'] });
  const problem = read.problem ?? missingOf(read, needed, ['--content', '--intent']);
  if (problem !== null) return complain(io, name, problem, badCall);
  const [root = '', date = '', slug = '', id = '', content = '', intent = ''] = needed.map((flag) =>
    valueOf(read, flag),
  );
  const given = valueOf(read, '--content-type') ?? 'auto';
  const contentType = given === 'auto' || given === '' ? detectType(content) : given;
  const actionItems = (valueOf(read, '--action-items') ?? '').split(',').map((each) => each.trim());
  return await guardWrites(io, name, async () => {
    const facts = { date, slug, id, content, intent, contentType };
    const request = { ...facts, actionItems: actionItems.filter((each) => each !== ''), at: io.now(), withBare: false };
    const { path } = await extractPin({}, pathOf(io, root), request);
    return printAll(io, [pathOf({ cwd: pathOf(io, root) }, path)]);
  });
}

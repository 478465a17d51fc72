/** Writes the notes of a council from a payload. */
import { readTextIfExists } from '../../../kernel/artifacts/write.ts';
import { isDay, isSafeSlug } from '../rules/extraction.ts';
import { printNotes, writeNotes } from '../saving/notes.ts';
import { parsePayload } from '../saving/payload.ts';
import { scrubTexts } from '../store/scrub.ts';
import { missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { pathOf } from './state.ts';
import { badCall, guardWrites } from './writing.ts';

const name = 'meeting-notes-writer';
const flags = ['--root', '--payload', '--date', '--slug'];

/** 0 with the path; 2 bad arguments, another meeting's notes, or a place that is no council's; 3 no payload. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: flags });
  const problem = read.problem ?? missingOf(read, flags);
  if (problem !== null) return complain(io, name, problem, badCall);
  const [root = '', payload = '', date = '', slug = ''] = flags.map((flag) => valueOf(read, flag));
  if (!isDay(date)) return complain(io, name, '--date takes a day, YYYY-MM-DD', badCall);
  if (!isSafeSlug(slug)) return complain(io, name, '--slug is no file name', badCall);
  const text = await readTextIfExists(pathOf(io, payload));
  if (text === undefined) return complain(io, name, `there is no file ${payload}`, 3);
  return await guardWrites(io, name, async () => {
    const { head, body, more } = await scrubTexts(parsePayload(text, { date, slug }));
    return printAll(io, [await writeNotes({}, pathOf(io, root), head, printNotes(head, body, more))]);
  });
}

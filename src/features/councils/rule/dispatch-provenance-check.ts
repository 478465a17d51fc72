/** Whether every turn of a transcript says who had it spoken. */
import { checkTranscriptText } from '../rules/provenance.ts';
import { hasFlag, readArgs, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';
import { pathOf, readState } from './state.ts';

const name = 'dispatch-provenance-check';
const noTranscript = 'expected a file, --stdin, or a transcript on standard input';

/** 0; 1 a turn fails, or there is none; 2 no transcript; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readArgs(args, { values: ['--user-name'], switches: ['--stdin'] });
  const [file, ...more] = read.words;
  const isBoth = file !== undefined && hasFlag(read, '--stdin');
  if (read.problem !== null || more.length > 0 || isBoth) {
    return complain(io, name, read.problem ?? 'expected one file, or --stdin', 3);
  }
  if (file === undefined && !hasFlag(read, '--stdin') && io.isPiped === false) {
    return complain(io, name, noTranscript, 2);
  }
  const text = file === undefined ? await io.stdin() : await readState(pathOf(io, file));
  if (text === undefined) return complain(io, name, `${file} is not there`, 2);
  // Nobody gave anything: a script without a terminal has an empty input too.
  if (text === '' && read.given.size === 0 && file === undefined) return complain(io, name, noTranscript, 2);
  const { failures } = checkTranscriptText(text, valueOf(read, '--user-name'));
  for (const failure of failures) io.out(`FAIL: ${failure}`);
  return failures.length === 0 ? 0 : 1;
}

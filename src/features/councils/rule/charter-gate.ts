/** Keeps a council without a charter from beginning, and notes the charter for who reads it back. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAtomically } from '../../../kernel/artifacts/write.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { judgeCharter } from '../rules/charter.ts';
import { haltLine } from '../rules/halt.ts';
import { readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';
import { pathOf } from './state.ts';

const name = 'charter-gate';

/** 0 accepted; 2 no charter; 3 malformed; 7 the file that was asked for could not be written. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  // A flag at the end without its text is a charter that is missing.
  const read = readFlags(args.at(-1) === '--charter' ? args.slice(0, -1) : args, { values: ['--charter'] });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  const charter = valueOf(read, '--charter');
  const judged = judgeCharter(charter);
  if (!judged.ok) {
    io.err(`${name}: ${judged.explanation}. Give it with: --charter "…"`);
    io.out(`BLOCKED: ${judged.explanation}`);
    io.out(haltLine('CHARTER-MISSING', judged.explanation));
    return 2;
  }
  const stored = await storeCharter(io, charter ?? '');
  if (stored !== 0) return stored;
  if (judged.warning !== undefined) io.err(judged.warning);
  io.out(`charter accepted (${judged.characters} chars)`);
  return 0;
}

/** In single quotes nothing is special to a shell: who sources the file gets the text and runs none of it. */
async function storeCharter(io: RuleIo, charter: string): Promise<number> {
  const asked = io.env['MEETING_STATE_FILE'];
  const path = asked ? pathOf(io, asked) : join(io.env['TMPDIR'] || tmpdir(), 'gaia-meeting-state.env');
  try {
    await writeAtomically(path, `CHARTER='${charter.replaceAll("'", String.raw`'\''`)}'\n`, { mode: 0o600 });
    return 0;
  } catch (error) {
    io.err(`${name}: the charter is not kept in ${path}: ${errorFactsOf(error).message}`);
    // Nobody asked for the usual place.
    return asked ? 7 : 0;
  }
}

/** Whether what is claimed has a source. One of the protected helpers: its output changes only on purpose. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { classifyLikeTheOriginal, type LineClass } from '../claims/compat.ts';
import type { Evidence } from '../claims/evidence.ts';
import { haltLine } from '../rules/halt.ts';
import { oneLine } from '../rules/header.ts';
import { hasFlag, readFlags, valueOf, type RuleArgs } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'cite-or-flag-check';
const actions = ['--classify-line', '--gate-draft-turn', '--verify-transcript'];

/** 0 clean (and always for one line); 2 offenders; 3 arguments or file. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: actions, switches: ['--verify-evidence', '--compat'] });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  const chosen = actions.filter((flag) => hasFlag(read, flag));
  if (chosen.length !== 1) return complain(io, name, `expected one of ${actions.join(', ')}`, 3);
  const given = valueOf(read, chosen[0]!) ?? '';
  if (chosen[0] === '--classify-line') return printAll(io, [await classifyLine(given, read, io)]);
  const text = await readText(resolve(io.cwd, given));
  if (text === undefined) return complain(io, name, `there is no file ${JSON.stringify(given)}`, 3);
  const isTranscript = chosen[0] === '--verify-transcript';
  const found = await offendersIn(isTranscript ? withoutFrontmatter(text) : text, read, io);
  if (found.length === 0) return 0;
  const what = isTranscript ? 'the transcript' : 'the draft turn';
  const detail = `${found.length} unflagged ${found.length === 1 ? 'claim' : 'claims'} in ${what}`;
  return (
    printAll(io, [
      `HALT: ${detail}; each needs a source or [inference].`,
      ...found.map(({ line, text: words }) => `line ${line}: ${oneLine(words)}`),
      haltLine('CITE-OR-FLAG', detail),
    ]) + 2
  );
}

interface Offender {
  readonly line: number;
  readonly text: string;
}

async function offendersIn(text: string, read: RuleArgs, io: RuleIo): Promise<Offender[]> {
  if (hasFlag(read, '--compat'))
    return text
      .split('\n')
      .map((line, at) => ({ line: at + 1, text: line.trim() }))
      .filter((row) => classifyLikeTheOriginal(row.text) === 'unflagged-inference');
  const { checkStatements, offenders } = await import('../claims/check.ts');
  return offenders(await checkStatements(text, await evidenceFor(read, io)));
}

const fence = /^(?:`{3,}|~{3,})/u;
const liveHeader =
  /^\[round \d+ \/ turn \d+ \/ [^\n]{1,200} \/ per-turn-cost \d+ tokens \/ running-total \d+ tokens\]$/u;

async function classifyLine(given: string, read: RuleArgs, io: RuleIo): Promise<LineClass> {
  if (hasFlag(read, '--compat')) return classifyLikeTheOriginal(given);
  const line = given.trim();
  if (line === '' || /^#{1,6}(?:\s|$)/u.test(line) || fence.test(line) || liveHeader.test(line)) return 'non-claim';
  if (/^(?:-\s*){3,}$|^(?:\*\s*){3,}$|^(?:_\s*){3,}$/u.test(line)) return 'non-claim';
  const { checkStatements } = await import('../claims/check.ts');
  const verdicts = (await checkStatements(line, await evidenceFor(read, io))).map(({ verdict }) => verdict);
  if (verdicts.includes('unflagged')) return 'unflagged-inference';
  if (verdicts.includes('cited') || verdicts.includes('not-found')) return 'cited';
  return verdicts.includes('inference') ? 'inference' : 'non-claim';
}

/** The lines before the body stay, empty, so that the others keep their numbers. */
function withoutFrontmatter(text: string): string {
  const [, front, body] = /^(---[ \t]*\r?\n(?:.*\r?\n)*?---[ \t]*(?:\r?\n|$))([^]*)$/u.exec(text) ?? [];
  return front === undefined ? text : front.replaceAll(/[^\n]/gu, '') + body;
}

/** Undefined for whatever cannot be read. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // Absent, a folder, not for this user: each is a wrong argument.
    return undefined;
  }
}

/** Without `--verify-evidence` the form of a source is enough. With it the folder that it is called in is asked. */
async function evidenceFor(read: RuleArgs, { cwd }: RuleIo): Promise<Evidence> {
  const isFetched = (): boolean => true;
  if (hasFlag(read, '--verify-evidence')) {
    const { evidenceOf } = await import('../turns/evidence.ts');
    return { ...evidenceOf(cwd, []), isFetched };
  }
  return { isFetched, pathState: async () => 'there', textOf: async () => undefined, memoryExists: async () => true };
}

/** A rhythm's file → what it says. What is wrong in it is told with file, line and what was expected. */
import { parseArtifact, splitArtifact } from '../../../kernel/artifacts/parse.ts';
import { fail, type HallError } from '../../../kernel/pure/errors.ts';
import { didYouMean } from '../../../kernel/pure/nearest.ts';
import type { Structure } from '../contract/gathering.ts';
import type { RhythmView } from '../contract/gathering-views.ts';

export type RhythmWords = Omit<RhythmView, 'name' | 'source'>;

/** What holds where a file does not say. */
const defaults = { structure: '2-2-2', beats_per_turn: 3, beat_interval_seconds: 60 } as const;

const fieldNames = ['title', 'structure', 'beats_per_turn', 'beat_interval_seconds'];
const mostQuestions = 12;
const longestQuestion = 500;
const longestAbout = 600;

const hint =
  'A rhythm has the fields title, structure (2-2-2), beats_per_turn and beat_interval_seconds between two lines `---`, then some words, then a heading `## Questions` with a list.';

/** @param file as it is told to the person; @throws `invalid` */
export function parseRhythm(text: string, file: string, name: string): RhythmWords {
  const { frontmatter, body, problems } = parseArtifact(text, file);
  const broken = problems[0];
  if (broken !== undefined) throw wrong(file, broken.line, lowerFirst(broken.message));
  const fields: Fields = { file, values: frontmatter, lineOf: (field) => lineOfField(text, field) };
  for (const field of Object.keys(frontmatter)) {
    if (!fieldNames.includes(field)) {
      const near = didYouMean(field, fieldNames);
      throw wrong(
        file,
        fields.lineOf(field),
        `there is no field ${shown(field)}; expected ${fieldNames.join(', ')}`,
        near,
      );
    }
  }
  const before = text.length - body.length;
  const firstLine = text.slice(0, before).split('\n').length;
  const { about, questions } = readBody(body, file, firstLine);
  return {
    title: textField(fields, 'title', name),
    about,
    questions,
    structure: structureField(fields),
    beatsPerTurn: numberField(fields, 'beats_per_turn', 20),
    beatIntervalSeconds: numberField(fields, 'beat_interval_seconds', 3600),
  };
}

interface Fields {
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly lineOf: (field: string) => number;
}

/** Three counts of rounds, each from 1 to 9; undefined for anything else. */
export function parseStructure(text: string): Structure | undefined {
  const [, inhale, hold, exhale] = /^([1-9])-([1-9])-([1-9])$/.exec(text.trim()) ?? [];
  if (inhale === undefined) return undefined;
  return { inhale: Number(inhale), hold: Number(hold), exhale: Number(exhale) };
}

function structureField({ file, values, lineOf }: Fields): Structure {
  const value = values['structure'] ?? defaults.structure;
  // YAML takes 2-2-2 for a text; a date would not fit.
  const structure = typeof value === 'string' ? parseStructure(value) : undefined;
  if (structure !== undefined) return structure;
  throw wrong(file, lineOf('structure'), `structure is ${shown(value)}; expected three counts of rounds, like 2-2-2`);
}

function numberField(
  { file, values, lineOf }: Fields,
  field: 'beats_per_turn' | 'beat_interval_seconds',
  most: number,
) {
  const value = values[field] ?? defaults[field];
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw wrong(file, lineOf(field), `${field} is ${shown(value)}; expected a whole number from 1 to ${most}`);
}

function textField({ file, values, lineOf }: Fields, field: string, otherwise: string): string {
  const value = values[field] ?? otherwise;
  const text = typeof value === 'string' || typeof value === 'number' ? oneLine(String(value)) : '';
  if (text !== '' && text.length <= 100) return text;
  throw wrong(file, lineOf(field), `${field} is ${shown(value)}; expected a text of at most 100 characters`);
}

/** Words before the first heading of the second level, and the list below `## Questions`. */
function readBody(body: string, file: string, firstLine: number): { about: string; questions: string[] } {
  const lines = body.split(/\r?\n/);
  const at = lines.findIndex((line) => /^##\s+questions\s*#*\s*$/i.test(line));
  if (at === -1) throw wrong(file, firstLine, 'there is no heading `## Questions`; expected one with a list below it');
  const end = lines.findIndex((line, index) => index > at && /^#{1,2}\s/.test(line));
  const questions = listOf(lines.slice(at + 1, end === -1 ? undefined : end));
  if (questions.length === 0)
    throw wrong(file, firstLine + at, 'below `## Questions` there is no list; expected lines like `- What is alive?`');
  if (questions.length > mostQuestions) {
    throw wrong(file, firstLine + at, `there are ${questions.length} questions; expected at most ${mostQuestions}`);
  }
  const long = questions.find((question) => question.text.length > longestQuestion);
  if (long !== undefined) {
    throw wrong(file, firstLine + at + 1 + long.at, `the question is longer than ${longestQuestion} characters`);
  }
  const words = lines.slice(0, at).filter((line) => !/^#{1,6}\s/.test(line));
  return { about: oneLine(words.join(' ')).slice(0, longestAbout), questions: questions.map(({ text }) => text) };
}

/** Items of a list, each in one line. */
function listOf(lines: readonly string[]): { text: string; at: number }[] {
  const items: { text: string; at: number }[] = [];
  for (const [at, line] of lines.entries()) {
    const item = /^\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)$/.exec(line)?.[1];
    const last = items.at(-1);
    if (item !== undefined) items.push({ text: oneLine(item), at });
    else if (last !== undefined && /^\s+\S/.test(line)) last.text = oneLine(`${last.text} ${line}`);
  }
  return items.filter(({ text }) => text !== '');
}

function lineOfField(text: string, field: string): number {
  const parts = splitArtifact(text);
  if (parts.kind !== 'frontmatter') return 1;
  const at = parts.yaml.split('\n').findIndex((line) => line.startsWith(`${field}:`) || line.startsWith(`"${field}":`));
  return at === -1 ? 1 : at + 2;
}

function wrong(file: string, line: number, what: string, near = ''): HallError {
  const reason = what.replace(/\.$/, '');
  return fail('invalid', `The rhythm ${file} cannot be used, at line ${line}: ${reason}.`, `${near}${hint}`, {
    file,
    line,
  });
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

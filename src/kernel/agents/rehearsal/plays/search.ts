/** Searching the project with the tools that the agent's program has, and judging what comes back. */
import type { Situation, SituationCall } from '../situation.ts';
import { definedName, definitionKind, type DefinitionKind, definitionPattern } from './code.ts';
import { countsOf, type Hit, hitsOf, kindOfFile, totalsOf } from './evidence.ts';
import type { ToolRequest } from './script.ts';
import { escapePattern, rootOf } from './words.ts';

/** A step of a script that others use as a part: yields calls and returns a value. */
export type Step<T> = Generator<readonly ToolRequest[], T, readonly SituationCall[]>;

const noTests =
  '!{**/test/**,**/tests/**,**/__tests__/**,**/fixtures/**,**/bench*/**,**/*.test.*,**/*.spec.*,**/*_test.*,**/locales/**,**/dist/**,**/node_modules/**,**/*.min.*,**/*lock.json,**/*.lock}';

export function grep(pattern: string, options: Record<string, unknown> = {}): ToolRequest {
  return { name: 'Grep', input: { pattern, output_mode: 'content', '-n': true, head_limit: 100, ...options } };
}

export function grepCount(pattern: string, options: Record<string, unknown> = {}): ToolRequest {
  return { name: 'Grep', input: { pattern, output_mode: 'count', head_limit: 400, ...options } };
}

export function grepSources(pattern: string, options: Record<string, unknown> = {}): ToolRequest {
  return grep(pattern, { glob: noTests, ...options });
}

export function read(path: string, offset = 1, limit = 120): ToolRequest {
  return { name: 'Read', input: { file_path: path, offset: Math.max(1, offset), limit } };
}

export interface Definition extends Hit {
  readonly kind: DefinitionKind;
}

export interface NameFinding {
  readonly name: string;
  /** Best first. */
  readonly definitions: readonly Definition[];
  /** Lines in sources (not tests) that mention it without defining it. */
  readonly uses: readonly Hit[];
  readonly perFile: ReadonlyMap<string, number>;
  readonly lines: number;
  readonly files: number;
  /** It was found only with letters in another case. */
  readonly otherCase: boolean;
}

/** Lines with a name that are listed; its counts are of all. */
export const mentionLimit = 120;

function wordPattern(name: string): string {
  const start = /^\w/.test(name) ? '\\b' : '';
  const end = /\w$/.test(name) ? '\\b' : '';
  return start + escapePattern(name) + end;
}

/** Looks up names as the code writes them, all at once; those not found again without regard to case. */
export function* lookUpNames(situation: Situation, names: readonly string[]): Step<NameFinding[]> {
  if (names.length === 0) return [];
  const first = yield names.flatMap((name) => nameCalls(name, false));
  const found = names.map((name, i) => readName(situation, name, first.slice(i * 3, i * 3 + 3), false));
  const missing = found.filter((finding) => finding.lines === 0).map((finding) => finding.name);
  if (missing.length === 0) return found;
  const again = yield missing.flatMap((name) => nameCalls(name, true));
  return found.map((finding) => {
    const i = missing.indexOf(finding.name);
    return i < 0 ? finding : readName(situation, finding.name, again.slice(i * 3, i * 3 + 3), true);
  });
}

function nameCalls(name: string, ignoreCase: boolean): ToolRequest[] {
  const last = name.split('.').at(-1) ?? name;
  const options = ignoreCase ? { '-i': true } : {};
  const definition = /^[\w$]+$/.test(last) ? `${definitionPattern(escapePattern(last))}\\b` : wordPattern(name);
  return [
    grep(definition, { head_limit: 40, ...options }),
    grepSources(wordPattern(name), { head_limit: mentionLimit, ...options }),
    grepCount(wordPattern(name), options),
  ];
}

function readName(
  situation: Situation,
  name: string,
  calls: readonly SituationCall[],
  ignoreCase: boolean,
): NameFinding {
  const [definitions, mentions, counts] = calls;
  const last = name.split('.').at(-1) ?? name;
  const rows = uniqueHits([...hitsOf(situation, definitions), ...hitsOf(situation, mentions)]);
  const asWritten = (text: string): string =>
    ignoreCase ? (new RegExp(escapePattern(last), 'i').exec(text)?.[0] ?? last) : last;
  const defined = rows.flatMap((hit): Definition[] => {
    const kind = definitionKind(hit.text, asWritten(hit.text));
    return kind === undefined || kindOfFile(hit.path) === 'docs' ? [] : [{ ...hit, kind }];
  });
  const isDefinition = new Set(defined.map((hit) => `${hit.path}:${hit.line}`));
  const perFile = countsOf(situation, counts);
  const totals = totalsOf(counts);
  return {
    name: ignoreCase && defined[0] !== undefined ? asWritten(defined[0].text) : name,
    definitions: defined.toSorted((a, b) => scoreDefinition(b) - scoreDefinition(a)),
    uses: hitsOf(situation, mentions).filter((hit) => !isDefinition.has(`${hit.path}:${hit.line}`)),
    perFile,
    lines: totals?.matches ?? [...perFile.values()].reduce((sum, count) => sum + count, 0),
    files: totals?.files ?? perFile.size,
    otherCase: ignoreCase,
  };
}

function uniqueHits(hits: readonly Hit[]): Hit[] {
  return [...new Map(hits.map((hit) => [`${hit.path}:${hit.line}`, hit])).values()];
}

const kindScores: Readonly<Record<DefinitionKind, number>> = { function: 5, class: 5, type: 3, method: 2, constant: 3 };

function scoreDefinition(hit: Definition): number {
  const file = kindOfFile(hit.path);
  const place = file === 'source' ? 6 : file === 'generated' ? -8 : 0;
  const exported = /^\s*(export|pub|public)\b/.test(hit.text) ? 3 : 0;
  const old = /(^|\/)(v\d+|legacy|deprecated|old)\//.test(hit.path) ? versionOf(hit.path) - 2 : 0;
  const indent = /^\s/.test(hit.text) ? -2 : 0;
  const bodiless = hit.kind === 'function' && /;\s*$/.test(hit.text) ? -4 : 0;
  return place + exported + old + indent + bodiless + kindScores[hit.kind] - hit.path.split('/').length / 10;
}

/** Of several versions kept side by side the newest is meant more often. */
function versionOf(path: string): number {
  return Math.min(1.9, Number(/(?:^|\/)v(\d+)\//.exec(path)?.[1] ?? 0) / 10);
}

export interface WordFinding {
  readonly word: string;
  readonly root: string;
  readonly perFile: ReadonlyMap<string, number>;
  readonly files: number;
}

export interface WordSurvey {
  readonly words: readonly WordFinding[];
  /** Definitions with one of the words in their name. */
  readonly definitions: readonly Hit[];
  readonly headings: readonly Hit[];
  /** Best first; sources and documents together. */
  readonly ranked: readonly RankedFile[];
}

export interface RankedFile {
  readonly path: string;
  readonly score: number;
  /** The words that occur in it. */
  readonly words: readonly string[];
}

/** Most words that are searched at once. */
const maxWords = 4;

/** Finds out in which files and names the words of a question occur, and where they come together. */
export function* surveyWords(situation: Situation, all: readonly string[]): Step<WordSurvey> {
  const words = all.slice(0, maxWords);
  if (words.length === 0) return { words: [], definitions: [], headings: [], ranked: [] };
  const roots = words.map((word) => escapePattern(rootOf(word)));
  const either = `(?:${roots.join('|')})`;
  const [defined, headed, ...counted] = yield [
    grepSources(definitionPattern(`[\\w$]*${either}[\\w$]*`), { '-i': true, head_limit: 150 }),
    grep(`^#{1,6}\\s.*${either}`, { '-i': true, glob: '*.{md,mdx}', head_limit: 40 }),
    ...roots.map((root) => grepCount(root, { '-i': true })),
  ];
  const findings = words.map((word, i): WordFinding => {
    const perFile = countsOf(situation, counted[i]);
    return { word, root: rootOf(word), perFile, files: totalsOf(counted[i])?.files ?? perFile.size };
  });
  const definitions = hitsOf(situation, defined);
  const headings = hitsOf(situation, headed);
  return { words: findings, definitions, headings, ranked: rankFiles(findings, definitions, headings) };
}

/** What a word tells by occurring: much when it is in few files, little when it is everywhere. */
export function weightOf(word: WordFinding): number {
  return word.files === 0 ? 0 : 3 / Math.log2(2 + word.files);
}

function weightIn(text: string, words: readonly WordFinding[]): number {
  const lower = text.toLowerCase();
  return words.reduce((sum, word) => sum + (lower.includes(word.root) ? weightOf(word) : 0), 0);
}

function rankFiles(words: readonly WordFinding[], definitions: readonly Hit[], headings: readonly Hit[]): RankedFile[] {
  const paths = new Set([...words.flatMap((word) => [...word.perFile.keys()]), ...definitions.map((hit) => hit.path)]);
  const newest = Math.max(...[...paths].map((path) => versionOf(path)), 0);
  const all = words.reduce((sum, word) => sum + weightOf(word), 0);
  const ranked = [...paths].map((path): RankedFile => {
    const present = words.filter((word) => word.perFile.has(path));
    const score = words.reduce((sum, word) => {
      const inNames = definitions.filter((hit) => hit.path === path && hit.text.toLowerCase().includes(word.root));
      const inHeadings = headings.filter((hit) => hit.path === path && hit.text.toLowerCase().includes(word.root));
      const density = Math.log2(1 + (word.perFile.get(path) ?? 0));
      const titles = Math.min(inNames.length, 4) + 3 * Math.min(inHeadings.length, 2);
      return sum + weightOf(word) * (density + titles + (path.toLowerCase().includes(word.root) ? 4 : 0));
    }, 0);
    const together =
      (Math.max(
        weightIn(path, words),
        present.reduce((sum, word) => sum + weightOf(word), 0),
      ) /
        all) **
      1.5;
    const old = versionOf(path) > 0 && versionOf(path) < newest ? 0.6 : 1;
    return { path, score: score * together * old * trustIn(path), words: present.map((word) => word.word) };
  });
  return ranked.toSorted((a, b) => b.score - a.score || a.path.localeCompare(b.path));
}

function trustIn(path: string): number {
  const trust = { source: 1, docs: 0.9, test: 0.35, data: 0.3, generated: 0.05 }[kindOfFile(path)];
  return /CHANGELOG|LICENSE|CONTRIBUTORS/i.test(path) ? trust * 0.2 : trust;
}

/** Definitions whose own name bears the words, best first, one a name. */
export function bestDefinitions(survey: WordSurvey): Hit[] {
  const fileScore = new Map(survey.ranked.map((file, i) => [file.path, 1 / (1 + i / 4)]));
  const scored = survey.definitions.flatMap((hit) => {
    const name = definedName(hit.text);
    if (name === undefined || kindOfFile(hit.path) !== 'source') return [];
    const weight = weightIn(name, survey.words);
    const share =
      survey.words.reduce((sum, word) => sum + (name.toLowerCase().includes(word.root) ? word.root.length : 0), 0) /
      name.length;
    const isType = /\b(interface|type|let|var)\b/.test(hit.text)
      ? 0.6
      : definitionKind(hit.text, name) === 'constant'
        ? 0.8
        : 1;
    const isExact = survey.words.some((word) => word.word === name.toLowerCase() || word.root === name.toLowerCase());
    const bonus = (fileScore.get(hit.path) ?? 0.2) + Math.min(share, 1) / 2 + (isExact ? 1 : 0);
    return weight === 0 ? [] : [{ hit, name, score: weight * isType * (1 + bonus) }];
  });
  const sorted = scored.toSorted((a, b) => b.score - a.score);
  return [...new Map(sorted.toReversed().map((entry) => [entry.name.toLowerCase(), entry])).values()]
    .toSorted((a, b) => b.score - a.score)
    .map((entry) => entry.hit);
}

/** The line of a file around which the words stand closest together, definitions and comments before the rest. */
export function bestLine(hits: readonly Hit[], words: readonly WordFinding[]): Hit | undefined {
  const scoreOf = (hit: Hit): number => {
    const near = hits.filter((other) => other.line >= hit.line - 4 && other.line <= hit.line + 25);
    const together = weightIn(near.map((other) => other.text).join('\n'), words);
    const isTitle = definedName(hit.text) !== undefined || /^#{1,6}\s/.test(hit.text) ? 1.5 : 1;
    const isImport = /^\s*(import|from|use|#include|require|export \*|type [\w$]+,)\b/.test(hit.text) ? 0.1 : 1;
    return (together * 2 + weightIn(hit.text, words) * isTitle + Math.min(near.length, 12) / 20) * isImport;
  };
  return hits.toSorted((a, b) => scoreOf(b) - scoreOf(a) || a.line - b.line)[0];
}

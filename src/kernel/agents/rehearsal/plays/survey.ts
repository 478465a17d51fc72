/** Plain words: in which files and names of the project they occur, and where they come together. */
import type { Situation, SituationCall } from '../situation.ts';
import { definedName, definitionKind, definitionPattern } from './code.ts';
import { countsOf, type Hit, hitsOf, kindOfFile, pathsOf, totalsOf } from './evidence.ts';
import { offeredTool } from './offered.ts';
import { grep, grepCount, grepSources, type Step, versionOf } from './search.ts';
import { escapePattern, rootOf, stemPattern, synonymsOf } from './words.ts';

export interface WordFinding {
  readonly word: string;
  /** Any of these in a text is the word, or stands in for it. Lower case. */
  readonly roots: readonly string[];
  /** Finds any of them in a text, as words or as parts of names. */
  readonly form: RegExp;
  /** The word itself occurs nowhere; `roots` are those of other words for it. */
  readonly isStandIn: boolean;
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
}

/** Most words that are searched at once. */
const maxWords = 4;

/**
 * Finds out in which files, names and headings the words of a question occur. A word that occurs nowhere is searched
 * again by other words for it.
 */
export function* surveyWords(
  situation: Situation,
  all: readonly string[],
  within: Record<string, unknown> = {},
): Step<WordSurvey> {
  const words = all.slice(0, maxWords);
  if (words.length === 0) return { words: [], definitions: [], headings: [], ranked: [] };
  const counted = yield words.map((word) => grepCount(stemPattern(rootOf(word)), within));
  const own = words.map((word, i) => readFinding(situation, word, [rootOf(word)], counted[i], false));
  const missing = own.filter((finding) => finding.files === 0 && synonymsOf(finding.word).length > 0);
  const again = yield missing.map(({ word }) => grepCount(anyStem(synonymsOf(word)), within));
  const findings = own.map((finding) => {
    const i = missing.indexOf(finding);
    const other = i < 0 ? finding : readFinding(situation, finding.word, synonymsOf(finding.word), again[i], true);
    return other.files > 0 ? other : finding;
  });
  const either = eitherOf(findings.flatMap((finding) => finding.roots));
  const canGlob = offeredTool(situation, 'Glob') !== undefined;
  const pattern = `**/*{${findings.flatMap((finding) => finding.roots).join(',')},}*`.replace(',}', '}');
  const [defined, headed, named] = yield [
    grepSources(definitionPattern(`[\\w$]*${either}[\\w$]*`), { '-i': true, head_limit: 150, ...within }),
    grep(`^#+ .*${either}`, { '-i': true, glob: '*.{md,mdx}', head_limit: 40, ...within }),
    ...(canGlob ? [{ name: 'Glob', input: { pattern, ...within } }] : []),
  ];
  const definitions = hitsOf(situation, defined);
  const headings = hitsOf(situation, headed).filter((hit) => findings.some((word) => hasWord(hit.text, word)));
  const ranked = rankFiles(findings, definitions, headings, pathsOf(situation, named));
  return { words: findings, definitions, headings, ranked };
}

function readFinding(
  situation: Situation,
  word: string,
  roots: readonly string[],
  call: SituationCall | undefined,
  isStandIn: boolean,
): WordFinding {
  const perFile = countsOf(situation, call);
  return {
    word,
    roots,
    form: new RegExp(anyStem(roots)),
    isStandIn,
    perFile,
    files: totalsOf(situation, call)?.files ?? perFile.size,
  };
}

/** A pattern for any of the roots where a word or a part of a name begins. */
export function anyStem(roots: readonly string[]): string {
  return roots.map((root) => stemPattern(root)).join('|');
}

/** A pattern for any of the roots, wherever it stands. */
export function eitherOf(roots: readonly string[]): string {
  return roots.length === 1 ? escapePattern(roots[0]!) : `(${roots.map((root) => escapePattern(root)).join('|')})`;
}

export function hasWord(text: string, word: WordFinding): boolean {
  return word.form.test(text);
}

/**
 * True when what was found can be an answer: more than half of the words are there, and one of them is in a name, a
 * heading or a path, or two of them stand in one file.
 * @param absentNames names of the question that occur nowhere
 */
export function isUnderstood(survey: WordSurvey, absentNames: number): boolean {
  const isThere = (word: WordFinding): boolean =>
    word.files > 0 || survey.ranked.some(({ path }) => hasWord(path, word));
  const present = survey.words.filter((word) => isThere(word));
  if (present.length * 2 <= survey.words.length + absentNames) return survey.words.length + absentNames < 2;
  const best = survey.ranked[0]?.path ?? '';
  const together = present.filter((word) => word.perFile.has(best) || hasWord(best, word)).length;
  const isNamed = bestDefinitions(survey).length > 0 || survey.headings.length > 0;
  return (
    isNamed ||
    together >= Math.min(2, present.length) ||
    survey.ranked.some(({ path }) => present.some((word) => hasWord(path, word)))
  );
}

/** What a word tells by occurring: much when it is in few files, little when it is everywhere. */
export function weightOf(word: WordFinding): number {
  return word.files === 0 ? 0 : 3 / Math.log2(2 + word.files);
}

function weightIn(text: string, words: readonly WordFinding[]): number {
  return words.reduce((sum, word) => sum + (hasWord(text, word) ? weightOf(word) : 0), 0);
}

function rankFiles(
  words: readonly WordFinding[],
  definitions: readonly Hit[],
  headings: readonly Hit[],
  named: readonly string[],
): RankedFile[] {
  const inText = words.flatMap((word) => [...word.perFile.keys()]);
  const paths = new Set([...inText, ...definitions.map((hit) => hit.path), ...named]);
  const newest = Math.max(...[...paths].map((path) => versionOf(path)), 0);
  const all = words.reduce((sum, word) => sum + weightOf(word), 0) || 1;
  const ranked = [...paths].map((path): RankedFile => {
    const present = words.filter((word) => word.perFile.has(path) || hasWord(path, word));
    const score = words.reduce((sum, word) => {
      const inNames = definitions.filter((hit) => hit.path === path && hasWord(hit.text, word));
      const inHeadings = headings.filter((hit) => hit.path === path && hasWord(hit.text, word));
      const density = Math.log2(1 + (word.perFile.get(path) ?? 0));
      const titles = Math.min(inNames.length, 4) + 3 * Math.min(inHeadings.length, 2);
      return sum + Math.max(weightOf(word), 0.3) * (density + titles + (hasWord(path, word) ? 4 : 0));
    }, 0);
    const together = (present.reduce((sum, word) => sum + weightOf(word), 0.1) / all) ** 1.5;
    const old = versionOf(path) > 0 && versionOf(path) < newest ? 0.6 : 1;
    return { path, score: score * together * old * trustIn(path) };
  });
  return ranked.toSorted((a, b) => b.score - a.score || a.path.localeCompare(b.path));
}

function trustIn(path: string): number {
  const trust = { source: 1, docs: 0.9, test: 0.35, data: 0.3, generated: 0.05 }[kindOfFile(path)];
  return /CHANGELOG|LICENSE|CONTRIBUTORS/i.test(path) ? trust * 0.2 : trust;
}

/** Definitions whose own name bears the words, best first, one a name. Variables within blocks are left out. */
export function bestDefinitions(survey: WordSurvey): Hit[] {
  const fileScore = new Map(survey.ranked.map((file, i) => [file.path, 1 / (1 + i / 4)]));
  const newest = Math.max(...survey.definitions.map((hit) => versionOf(hit.path)), 0);
  const scored = survey.definitions.flatMap((hit) => {
    const name = definedName(hit.text);
    const isLocal = /^\s+(?:const|let|var)\b/.test(hit.text);
    if (name === undefined || isLocal || kindOfFile(hit.path) !== 'source') return [];
    const weight = weightIn(name, survey.words);
    const lower = name.toLowerCase();
    const borne = survey.words.flatMap((word) => word.roots.find((root) => lower.includes(root)) ?? []);
    const share = Math.min(1, borne.join('').length / name.length);
    const isExact = survey.words.some((word) => word.word === lower || word.roots.includes(lower));
    const bonus = (fileScore.get(hit.path) ?? 0.2) + share / 2 + (isExact ? 1 : 0);
    const version = versionOf(hit.path);
    const age = version > 0 && version < newest ? 0.6 : 1;
    return weight === 0
      ? []
      : [{ hit, name, score: weight * age * kindFactor(hit.text, name) * (1 + bonus) * Math.max(1, borne.length) }];
  });
  const sorted = scored.toSorted((a, b) => b.score - a.score);
  const best = new Map(sorted.toReversed().map((entry) => [entry.name.toLowerCase(), entry]));
  return [...best.values()].toSorted((a, b) => b.score - a.score).map((entry) => entry.hit);
}

function kindFactor(line: string, name: string): number {
  if (/\b(interface|type|let|var)\b/.test(line)) return 0.6;
  return definitionKind(line, name) === 'constant' || /;\s*$/.test(line) ? 0.8 : 1;
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

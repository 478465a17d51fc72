/** A statement's words, and the clauses in it: each is judged by itself, so that no wish carries a claim along. */
import { conditions } from './lexicon.ts';

export type Words = readonly string[];

const token = /[\p{L}\p{N}‹][\p{L}\p{N}'’\-_.%›/+]*|[,;:()"“”–—?!%]/gu;

/** In lower case, signs that part clauses among them. */
export const tokensOf = (text: string): string[] =>
  (text.match(token) ?? []).map((found) =>
    found
      .toLowerCase()
      .replaceAll('’', "'")
      .replace(/[.'-]+$/u, ''),
  );

const breaks = new Set([';', '(', ')', '"', '“', '”', '–', '—', '!', '?', ':', ',']);
const joints = new Set(['because', 'but', 'although', 'though', 'whereas', 'however', 'therefore', 'yet', 'plus']);
/** Behind "and" or "so" these begin a clause of its own. */
const subjects = new Set(
  'it they there nobody nothing none he she the our this these those each every its their all most some no we you i'.split(
    ' ',
  ),
);
const times =
  /^(?:\d|last|then|version|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|yesterday|monday|friday|v\d)/u;

export interface Clause {
  /** Not empty. */
  readonly words: Words;
  /** What tied it to the one before: "because", "and that", "so that"; empty where nothing did. */
  readonly joint: string;
}

export function clausesOf(tokens: Words): Clause[] {
  const clauses: string[][] = [[]];
  for (const [at, word] of tokens.entries()) {
    const next = tokens[at + 1] ?? '';
    if (breaks.has(word)) clauses.push([]);
    else if (joints.has(word) && clauses.at(-1)!.length > 0) clauses.push([word]);
    else if (word === 'since' && clauses.at(-1)!.length > 0 && !times.test(next) && (tokens[at + 2] ?? '') !== 'of')
      clauses.push([word]);
    else if ((word === 'and' || word === 'so') && subjects.has(next)) clauses.push([]);
    else clauses.at(-1)!.push(word);
  }
  return joined(clauses.filter((clause) => clause.length > 0));
}

/** A condition goes on to its comma only; where nothing else is left, its own words are judged. */
function joined(clauses: readonly Words[]): Clause[] {
  const kept = clauses.filter((clause, at) => !(isCondition(clause) && (clauses.length > at + 1 || at > 0)));
  if (kept.length > 0) return kept.map(withoutJoint);
  return clauses
    .slice(-1)
    .map((clause) => ({ words: clause.slice(1), joint: '' }))
    .filter(({ words }) => words.length > 0);
}

const isCondition = ([first = '', second = '', third = '']: Words): boolean =>
  conditions.has(first) || (first === 'as' && (second === 'long' || second === 'soon') && third === 'as');

const leading = new Set([...joints, 'since', 'as', 'and', 'so', 'which', 'who', 'or', 'then', 'for', 'given', 'that']);

/** What is said after "because", "which", "and" is said. */
function withoutJoint(clause: Words): Clause {
  let at = 0;
  while (at < clause.length - 2 && at < 3 && leading.has(clause[at]!) && !isPronoun(clause, at)) at += 1;
  return { words: clause.slice(at), joint: clause.slice(0, at).join(' ') };
}

/** "That file was deleted", "that is": it stands for a thing. */
const isPronoun = (clause: Words, at: number): boolean => clause[at] === 'that' && at === 0;

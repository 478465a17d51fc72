/** Whether anything like a claim stands in a text: by the words that they share. */

const stopwords = new Set(
  `the a an and or but if then than that this these those it its is are was were be been being has have had do does did will
  would can could should may might must not no nor of in on at by for with from to into onto about over under as so such we
  our us you your they their them he she his her i me my who what which when where why how all any each every some one two
  there here also only just very more most less least much many few own same other another up down out off again because
  since while after before until see says say still already always never yet however within without between both either
  neither inference decision challenge`.split(/\s+/u),
);
/** A share of the claim's words that must stand there. */
const share = 0.3;
/** Lines around the one that is cited. */
const around = 40;

/** The words of one text, and of its parts. Read once, asked often. */
export interface SourceWords {
  readonly name: ReadonlySet<string>;
  readonly whole: ReadonlySet<string>;
  readonly lines: readonly string[];
  readonly parts: Map<number, ReadonlySet<string>>;
}

export function sourceWords(path: string, text: string): SourceWords {
  return { name: new Set(stemsOf(path)), whole: new Set(stemsOf(text)), lines: text.split('\n'), parts: new Map() };
}

/** @param claim as it was written; `line` from 1: only what stands near it counts */
export function isAlike(claim: string, source: SourceWords, line: number | undefined): boolean {
  const wanted = [...new Set(stemsOf(claim))];
  if (wanted.length === 0) return true;
  const there = line === undefined ? source.whole : partAt(source, line);
  const inText = wanted.filter((word) => there.has(word)).length;
  const hits = wanted.filter((word) => there.has(word) || source.name.has(word)).length;
  if (inText === 0) return false;
  return hits >= Math.max(wanted.length > 3 ? 2 : 1, Math.ceil(wanted.length * share));
}

function partAt(source: SourceWords, line: number): ReadonlySet<string> {
  if (source.lines.length <= 2 * around) return source.whole;
  const step = Math.floor(line / around);
  const known = source.parts.get(step);
  if (known) return known;
  const words = new Set(stemsOf(source.lines.slice(Math.max(0, (step - 1) * around), (step + 2) * around).join('\n')));
  source.parts.set(step, words);
  return words;
}

/** Names are taken apart: `maxRetries` has a word in common with "retries". */
function stemsOf(text: string): string[] {
  const words = text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}{2,}|\d+/gu);
  return (words ?? []).filter((word) => !stopwords.has(word)).map((word) => stemOf(numbers.get(word) ?? word));
}

const numbers: ReadonlyMap<string, string> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, at) => [word, String(at)]),
);

function stemOf(word: string): string {
  const stem = word.replace(/(?:ies|ings?|edly|ed|ers?|es|s|ly|ions?|e|y)$/u, '');
  return stem.length >= 3 ? stem : word;
}

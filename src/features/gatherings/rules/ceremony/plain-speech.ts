/** What of an answer is plainly said: no code, no quotation, no table, no list of possibilities. Pure. */

/** Lines that belong together, as one text. */
export interface Passage {
  /** As it was said, without marks of emphasis. Lines end with `lineEnd`, or with a blank where the sentence goes on. */
  readonly raw: string;
  /** The same, as long, with `masked` for everything that is quoted. */
  readonly plain: string;
  /** For each character the number of its line in the whole answer, from 0. */
  readonly lineOf: readonly number[];
}

/** Stands for a character that is quoted, or code. For private use: no letter, and no sign. */
export const masked = '\uE000';
/** A sentence ends with the line. */
export const lineEnd = '\u2029';

interface Line {
  readonly text: string;
  readonly number: number;
}

/** @param wanted only passages with it are made */
export function passagesOf(answer: string, wanted: RegExp): Passage[] {
  return blocksOf(answer)
    .filter((lines) => lines.some(({ text }) => wanted.test(text)))
    .map(passageOf);
}

const fence = /^ {0,3}(?<marks>`{3,}|~{3,})/;
const quoted = /^\s*[>│┃▌|]/;
const listItem = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
/** The hall's own, or an attribution: what follows it was said by another. */
const hallsOwn = /^\s*\[(?:guild-hall\]|Beat \d)/i;
const attribution = /^\W*[^\n:]{1,80} \(\d{1,4}\):\s*$/u;
/** Words before a colon after which something is shown and not said. */
const showing =
  /\b(?:say|says|said|saying|writes?|wrote|written|types?|typed|forms?|formats?|phrases?|examples?|options?|syntax|either|patterns?|directives?|commands?|lines?|words?|quotes?|like|following|instance|variants?|ways?|rules?|tests?|cases?|could|can|may|might|if|reads?|heard|prompts?|seed|text|messages?)\b[^:]*:\s?$/i;

/** Paragraphs of plain words. */
function blocksOf(answer: string): Line[][] {
  const blocks: Line[][] = [];
  let block: Line[] = [];
  let introduction = '';
  const endBlock = (): void => {
    if (block.length === 0) return;
    if (!isShown(introduction, block)) blocks.push(...withoutList(block));
    introduction = block.at(-1)!.text;
    block = [];
  };
  for (const line of plainLines(answer)) {
    const before = block.at(-1)?.text ?? '';
    if (line === undefined || line.text.trim() === '' || isAttribution(before) || isShowing(before)) endBlock();
    if (line !== undefined && line.text.trim() !== '') block.push(line);
  }
  endBlock();
  return blocks;
}

/** Said by another, or what can be said. */
function isShown(introduction: string, [first]: readonly Line[]): boolean {
  if (isAttribution(introduction)) return true;
  return isShowing(introduction) && beginsPass.test(first!.text.replace(/^[^\p{L}]+/u, ''));
}

function isAttribution(line: string): boolean {
  return line.length <= 120 && attribution.test(line);
}

function isShowing(line: string): boolean {
  return /:\s?$/.test(line) && showing.test(line.slice(-200));
}

/** Two or more points are possibilities, not something that is done: what stands before and after them is left. */
function withoutList(block: readonly Line[]): Line[][] {
  if (block.filter(({ text }) => listItem.test(text)).length < 2) return [[...block]];
  const parts: Line[][] = [[]];
  let isPoint = false;
  for (const line of block) {
    isPoint = listItem.test(line.text) || (isPoint && /^\s{2}/.test(line.text));
    if (isPoint) parts.push([]);
    else parts.at(-1)!.push(line);
  }
  return parts.filter((part) => part.length > 0);
}

/** Undefined where there is code, a quotation, a table, or a line of the hall. */
function* plainLines(answer: string): Generator<Line | undefined> {
  const lines = answer.split('\n');
  const indent = commonIndent(lines);
  let open: string | undefined;
  let before: 'blank' | 'code' | 'quote' | 'plain' = 'blank';
  for (const [number, whole] of lines.entries()) {
    const text = whole.replace(/\r$/, '').slice(indent);
    const marks = fence.exec(text)?.groups?.['marks'];
    if (open !== undefined || marks !== undefined) {
      if (open === undefined) open = marks;
      else if (marks !== undefined && marks.startsWith(open) && text.trim() === marks) open = undefined;
      before = 'code';
    } else if (text.trim() === '') before = before === 'code' ? 'code' : 'blank';
    else if (/^(?: {4}|\t)/.test(text) && before !== 'plain' && before !== 'quote') before = 'code';
    // A quotation goes on to the end of its paragraph, also where its lines are not marked.
    else if (quoted.test(text) || hallsOwn.test(text) || before === 'quote') before = 'quote';
    else before = 'plain';
    const isBlank = text.trim() === '';
    yield before === 'plain' || (isBlank && open === undefined) ? { text: text.normalize('NFC'), number } : undefined;
  }
}

function commonIndent(lines: readonly string[]): number {
  let least = Infinity;
  for (const line of lines) if (line.trim() !== '') least = Math.min(least, /^ */.exec(line)![0].length);
  return least === Infinity ? 0 : least;
}

function passageOf(lines: readonly Line[]): Passage {
  let raw = '';
  const lineOf: number[] = [];
  for (const [index, { text, number }] of lines.entries()) {
    const next = lines[index + 1]?.text;
    const words = text.trim().replaceAll(/\s+/g, ' ');
    raw += words + (next === undefined || endsSentence(words, next.trim()) ? lineEnd : ' ');
    while (lineOf.length < raw.length) lineOf.push(number);
  }
  return withoutEmphasis(raw, maskQuotes(maskCode(raw)), lineOf);
}

/** So long is a line that a program broke. Characters. */
const brokenAt = 60;
const goesOn =
  /\b(?:a|an|and|are|as|at|be|because|before|but|by|can|do|for|from|how|if|in|is|it|may|not|of|on|once|or|shall|should|so|than|that|the|then|this|to|unless|until|what|when|whenever|where|whether|which|while|who|why|will|with|would)$|[,(]$/i;
const beginsPass = /^(?:i\s+pass|passing\s+to)\b/i;

/** Where a line is broken in the middle of a sentence, its words go on in the next one. */
function endsSentence(line: string, next: string): boolean {
  if (/[.!?:;…)\]]['"”’*_]*$/u.test(line)) return true;
  if (goesOn.test(line)) return false;
  if (/^\p{Ll}/u.test(next) && !beginsPass.test(next)) return false;
  return line.length < brokenAt;
}

function maskCode(text: string): string {
  let result = '';
  let from = 0;
  const missing = new Set<number>();
  for (const { index, 0: marks } of text.matchAll(/`+/g)) {
    if (index < from || missing.has(marks.length)) continue;
    const end = closingTicks(text, index + marks.length, marks.length);
    if (end === undefined) missing.add(marks.length);
    else {
      result += text.slice(from, index) + masked.repeat(end - index);
      from = end;
    }
  }
  return result + text.slice(from);
}

function closingTicks(text: string, from: number, count: number): number | undefined {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text))
    if (run[0].length === count) return run.index + count;
  return undefined;
}

/** By what a quotation begins, what ends it. */
const closers: Readonly<Record<string, RegExp>> = {
  '"': /"/g,
  '“': /[”“"]/g,
  '”': /”/g,
  '„': /[“”"]/g,
  '«': /»/g,
  '»': /[«»]/g,
  '‹': /›/g,
  '›': /[‹›]/g,
  '「': /」/g,
  '『': /』/g,
  '‘': /’(?!\p{L})/gu,
  '‚': /[‘’](?!\p{L})/gu,
  "'": /(?<!\s)'(?!\p{L})/gu,
  '<!--': /-->/g,
  '~~': /~~/g,
};
/** A straight mark begins a quotation only at the beginning of a word. */
const opener = /<!--|~~(?=\S)|[“”„«»‹›「『‘‚]|(?<![\p{L}\p{N}])["'](?=\S)/gu;
/** Not closed, it may be no quotation: an apostrophe, a sign. All others go on to the end. */
const mayStandAlone = new Set(["'", '‘', '‚', '»', '›', '”', '~~', '<!--']);

function maskQuotes(text: string): string {
  let result = '';
  let from = 0;
  const missing = new Set<string>();
  for (const { index, 0: mark } of text.matchAll(opener)) {
    if (index < from || missing.has(mark)) continue;
    const close = new RegExp(closers[mark]!);
    close.lastIndex = index + mark.length;
    const found = close.exec(text);
    if (found === null && mayStandAlone.has(mark)) missing.add(mark);
    else {
      const end = found === null ? text.length : found.index + found[0].length;
      // A sentence that is quoted whole ends what stands before it.
      const last = /[.!?…]$/u.test(text.slice(index, found?.index ?? end).slice(-1)) ? '.' : masked;
      result += text.slice(from, index) + masked.repeat(end - index - 1) + last;
      from = end;
    }
  }
  return result + text.slice(from);
}

/** Both without `**`, `_` and the like. */
function withoutEmphasis(raw: string, plain: string, lineOf: readonly number[]): Passage {
  const marks = /[*]+|(?<![\p{L}\p{N}])_+(?=[\p{L}\p{N}*_“"'])|(?<=[\p{L}\p{N}.,!?…*)])_+(?![\p{L}\p{N}])/gu;
  const dropped = new Set<number>();
  for (const { index, 0: mark } of plain.matchAll(marks))
    for (let at = index; at < index + mark.length; at += 1) dropped.add(at);
  const keep = (text: string): string =>
    text
      .split('')
      .filter((_, at) => !dropped.has(at))
      .join('');
  return { raw: keep(raw), plain: keep(plain), lineOf: lineOf.filter((_, at) => !dropped.has(at)) };
}

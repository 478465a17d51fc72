/** One block of words cut into statements, each with the sources that it stands with. */
import { abbreviations } from './lexicon.ts';
import { type Source, type Span, spansIn } from './inline.ts';

export interface Statement {
  /** Of the block's text, from 0. */
  readonly lineInBlock: number;
  /** As it was written, on one line. */
  readonly text: string;
  /** What it says, without its sources and marks; code is one word. */
  readonly words: string;
  readonly sources: readonly Source[];
  /** Says `[inference]`, not as code. */
  readonly isMarked: boolean;
}

const hidden = '\uE000';
/** Who never ends a sentence does not say all of it under one source. Characters. */
const maxStatement = 400;

export function statementsIn(text: string): Statement[] {
  const spans = spansIn(text);
  const masked = maskedText(text, spans);
  const lineOf = lineCounter(text);
  let next = 0;
  return attached(masked, cutsOf(masked)).flatMap(({ from, to }) => {
    while (next < spans.length && spans[next]!.to <= from) next += 1;
    const own: Span[] = [];
    for (let at = next; at < spans.length && spans[at]!.from < to; at += 1) own.push(spans[at]!);
    const raw = text.slice(from, to);
    if (raw.trim() === '') return [];
    const begins = from + (raw.length - raw.trimStart().length);
    return [
      {
        lineInBlock: lineOf(begins),
        text: raw.trim().replaceAll(/\s+/gu, ' '),
        words: wordsOf(text, masked, { from, to }, own),
        sources: own.flatMap(({ source }) => (source ? [source] : [])),
        isMarked: masked.slice(from, to).includes('[inference]'),
      },
    ];
  });
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Of the same length: code and sources show none of their signs. */
function maskedText(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of spans) {
    parts.push(text.slice(at, from), hidden.repeat(to - from));
    at = to;
  }
  return [...parts, text.slice(at)].join('');
}

/** @returns of rising places: so many lines before it */
function lineCounter(text: string): (at: number) => number {
  let known = 0;
  let line = 0;
  return (at) => {
    for (; known < at; known += 1) if (text[known] === '\n') line += 1;
    return line;
  };
}

const closing = /["'”’)\]*_»]/u;

/** Where one statement ends and the next begins. */
function cutsOf(masked: string): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  let lineStart = 0;
  let quoted = 0;
  const closings = new Map<string, number>();
  const cut = (to: number): void => {
    if (to > from) ranges.push({ from, to });
    from = to;
  };
  for (let at = 0; at < masked.length; at += 1) {
    const sign = masked[at]!;
    if (quotes.has(sign) && at >= quoted) {
      const end = quoteEnd(masked, at, closings);
      if (end !== undefined) at = quoted = end;
    }
    if (sign === '\n') {
      if (endsAtLine(masked, lineStart, at)) cut(at + 1);
      lineStart = at + 1;
    } else if (sign === '.' || sign === '!' || sign === '?' || sign === '…' || sign === '。') {
      let end = at + 1;
      while (end < masked.length && (/[.!?…]/u.test(masked[end]!) || closing.test(masked[end]!))) end += 1;
      const goesOn = end > at + 1 && /^\s+\p{Ll}/u.test(masked.slice(end, end + 4));
      const isOver = end >= masked.length || (!goesOn && (/\s/u.test(masked[end]!) || sign === '。'));
      if (isOver && !(sign === '.' && end === at + 1 && isAbbreviated(masked, at))) cut(end);
      at = end - 1;
    } else if (at - from > maxStatement && (sign === ';' || sign === ',' || at - from > 2 * maxStatement)) {
      cut(at + 1);
    }
  }
  cut(masked.length);
  return ranges;
}

const quotes: ReadonlyMap<string, string> = new Map([
  ['“', '”'],
  ['"', '"'],
  ['«', '»'],
]);
/** What is quoted longer than this is not one quotation. Characters. */
const maxQuote = 300;

/** What somebody else says in quotation marks is one with the words around. `closings`: where each sign comes next. */
function quoteEnd(masked: string, at: number, closings: Map<string, number>): number | undefined {
  const sign = quotes.get(masked[at]!)!;
  let end = closings.get(sign) ?? -1;
  if (end <= at) {
    end = masked.indexOf(sign, at + 1);
    closings.set(sign, end < 0 ? Infinity : end);
  }
  if (end < 0 || end - at > maxQuote || masked.slice(at, end).includes('\n\n')) return undefined;
  // Where the quotation ends a sentence, so do the words around.
  return /[.!?…]/u.test(masked[end - 1]!) ? end - 2 : end;
}

/** A short line, and then one that begins like a sentence: lines of verse, addresses, entries without full stops. */
const endsAtLine = (masked: string, lineStart: number, at: number): boolean =>
  /^\s*$/u.test(masked.slice(at + 1, at + 2)) ||
  (at - lineStart < 50 && /^\s*[\p{Lu}[]/u.test(masked.slice(at + 1, at + 8)));

/** "J. Smith", "by J. Smith" and "R. J. Smith"; but "My choice is B." and "Option A." end. */
const initial = /(?:^|[\n(“"]|\p{Lu}\.|\b(?:by|from|mr|dr|prof)) ?\p{Lu}$/iu;

function isAbbreviated(masked: string, at: number): boolean {
  const before = /[\p{L}.]{1,12}$/u.exec(masked.slice(Math.max(0, at - 12), at))?.[0] ?? '';
  const after = /^\s+(\S)/u.exec(masked.slice(at + 1, at + 20))?.[1] ?? '';
  if (after === '') return false;
  const word = before.toLowerCase();
  if (word === 'no' || word === 'p' || word === 'nr') return /\d/u.test(after);
  if (/^\p{Lu}$/u.test(before))
    return /\p{Lu}/u.test(after) && initial.test(masked.slice(Math.max(0, at - 16), at).trimStart());
  if (/^\p{Ll}$/u.test(before)) return /\d/u.test(after);
  if (word === 'etc') return !/\p{Lu}/u.test(after);
  return abbreviations.has(word);
}

const bracketed =
  /^\s*(?:\((?:(?:see|cf\.?|source:|from)\s+)?[\uE000,;\s]+\)|\[[\uE000,;\s]+\](?:\(\s*\uE000+\s*\))?)\s*[.;,]?/u;
const inference = /^\s*\[inference\]\s*[.;,]?/u;

/** A source in brackets, or `[inference]`, behind a full stop belongs to what stands before it. */
function attached(masked: string, cuts: readonly Range[]): Range[] {
  const isBefore = inference.test(masked);
  const ranges: Range[] = [];
  for (const { from, to } of cuts) {
    const last = ranges.at(-1);
    let begins = from;
    for (let more = last !== undefined; more;) {
      const rest = masked.slice(begins, Math.min(to, begins + 800));
      const mark = bracketed.exec(rest)?.[0] ?? markOf(rest, isBefore);
      more = mark !== undefined && mark.trim() !== '';
      if (more) begins += mark!.length;
    }
    if (last && begins > from) ranges[ranges.length - 1] = { from: last.from, to: begins };
    if (begins < to) ranges.push({ from: begins, to });
  }
  return ranges;
}

/** With marks in front of statements only one that stands alone goes back. */
function markOf(rest: string, isBefore: boolean): string | undefined {
  const mark = inference.exec(rest)?.[0];
  return mark !== undefined && isBefore && rest.slice(mark.length).trim() !== '' ? undefined : mark;
}

const tag = /<\/?[a-z][a-z0-9-]{0,20}(?:\s[^<>]{0,200})?>|<!--|-->/giu;
const marksOfTalk =
  /\[(?:inference|challenge|ref|citation|source)\]|\[raise-hand[^\]]{0,100}\]|^\s*\[[ x]\](?=\s)|^\s*\[\^[^\]]{1,20}\]:?/giu;
const header =
  /^\s*\\?\[round \d+ \/ turn \d+ \/ ([^\]/]{1,100}) \/ per-turn-cost \d+ tokens \/ running-total \d+ tokens\]/u;
const preludeHeader = /^\s*\[prelude\] ([^\n([]{1,100} \([^)\n]{1,100}\)) — \d+ tokens/iu;
/** Only the sign is taken away: what follows is said all the same. */
const falseHeader = /^\s*\\?\[(?:round|prelude)\b\]?/iu;

function wordsOf(text: string, masked: string, { from, to }: Range, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = from;
  for (const span of spans) {
    parts.push(text.slice(at, Math.max(at, span.from)));
    const inside = text.slice(Math.max(from, span.from), Math.min(to, span.to)).replaceAll('`', '');
    parts.push(span.isProse ? ` ${inside} ` : span.source ? ' ‹source› ' : ' ‹code› ');
    at = Math.min(to, span.to);
  }
  parts.push(text.slice(at, to));
  return parts
    .join('')
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}]/gu, '')
    .replace(header, ' $1 ')
    .replace(preludeHeader, ' $1. ')
    .replace(falseHeader, ' ')
    .replaceAll(/\[decision\]/giu, 'Decision: ')
    .replaceAll(/[\p{L}_$][\p{L}\p{N}_$.]{0,100}\(\)/gu, ' ‹code› ')
    .replaceAll(tag, ' ')
    .replaceAll(marksOfTalk, ' ')
    .replaceAll(/[*_~`\\]+(?=\S)|(?<=\S)[*_~`\\]+/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

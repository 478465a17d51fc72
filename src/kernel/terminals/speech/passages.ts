/**
 * What was delivered to a terminal, and where it stands again in what its program shows or says. Compared are letters and
 * digits alone, so that it is found however it was wrapped, indented, framed or marked as a quotation. Pure.
 */
import { lettersOf } from '../delivery/text.ts';

/** Where the index has an entry: every run of twice as many letters holds one. */
const gram = 16;
/** An unmarked repetition of fewer letters may be chance, or what somebody says for himself: `I pass the piece to Mo`. */
const minRun = 40;
/** Of all that was delivered only so much is known, the latest first. Letters. */
const maxKnown = 300_000;
const maxPassages = 200;

interface Passage {
  readonly letters: string;
  /** Letters of each of its lines. */
  readonly lines: ReadonlySet<string>;
  /** Where pieces of `gram` letters stand in it. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** The latest passages; made new with each that is added. */
export type Passages = readonly Passage[];

export const noPassages: Passages = [];

export function withPassage(passages: Passages, text: string): Passages {
  const letters = lettersOf(text).slice(0, maxKnown);
  const lines = new Set(text.split('\n').map(lettersOf).filter(Boolean));
  const next = [...passages, { letters, lines, places: placesOf(letters) }].slice(-maxPassages);
  let known = 0;
  for (let at = next.length - 1; at >= 0; at -= 1) {
    known += next[at]!.letters.length;
    if (known > maxKnown && at < next.length - 1) return next.slice(at + 1);
  }
  return next;
}

/** So many places of one piece are looked at: a passage of one letter again and again has no more to tell. */
const maxPlaces = 8;

function placesOf(letters: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = 0; at + gram <= letters.length; at += gram) {
    const piece = letters.slice(at, at + gram);
    const known = places.get(piece);
    if (known === undefined) places.set(piece, [at]);
    else if (known.length < maxPlaces) known.push(at);
  }
  return places;
}

/** True where the line says nothing but what stands in a passage: a whole line of it, or a good part. */
export function isRepetition(passages: Passages, line: string): boolean {
  const letters = lettersOf(line);
  if (letters === '') return false;
  if (passages.some(({ lines }) => lines.has(letters))) return true;
  return letters.length >= gram && passages.some((passage) => passage.letters.includes(letters));
}

/**
 * True where the line is short, stands alone in a passage as one line among others, and is none by itself: somebody may
 * say for himself what another said before, `I pass the piece to Mo`.
 */
export function maySay(passages: Passages, line: string): boolean {
  const said = lettersOf(line);
  if (said.length >= minRun || passages.some(({ letters }) => letters === said)) return false;
  return passages.some(({ lines }) => lines.has(said));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The text without what repeats a passage: a long run anywhere, and whatever is marked as a quotation (`>` before it, or
 * quotation marks around it) and stands in a passage, however short.
 */
export function withoutPassages(passages: Passages, text: string): string {
  if (passages.length === 0 || text === '') return text;
  const spans = [...longRuns(passages, text), ...quotations(passages, text)].toSorted((a, b) => a.start - b.start);
  if (spans.length === 0) return text;
  let kept = '';
  let from = 0;
  for (const { start, end } of spans) {
    if (start > from) kept += text.slice(from, start);
    from = Math.max(from, end);
  }
  return tidied(kept + text.slice(from));
}

/** Lines that hold nothing but marks of what was taken out go, too. */
function tidied(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim() === '' || /[\p{L}\p{N}]/u.test(line))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

interface Stream {
  readonly letters: string;
  /** For each letter the offset of the character it came of, and that character's end. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** As `lettersOf`, which is slow where it is called for every character of a long text. */
function lettersOfOne(character: string): string {
  if (character > '\u007F') return lettersOf(character);
  return /[a-z0-9]/i.test(character) ? character.toLowerCase() : '';
}

function streamOf(text: string): Stream {
  const letters: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    for (const letter of lettersOfOne(character)) {
      for (let unit = 0; unit < letter.length; unit += 1) {
        letters.push(letter[unit]!);
        starts.push(at);
        ends.push(end);
      }
    }
    at = end;
  }
  return { letters: letters.join(''), starts, ends };
}

/** Where a piece of `gram` letters stands, in all passages. */
type Index = ReadonlyMap<string, readonly { readonly passage: Passage; readonly place: number }[]>;

/** So many places of one piece are looked at in all of them together, those of the latest first. */
const maxPlacesInAll = 16;

/** One for all passages, so that a long text is looked through once and not once for each of them. */
function indexOf(passages: Passages): Index {
  const index = new Map<string, { passage: Passage; place: number }[]>();
  for (const passage of passages.toReversed()) {
    for (const [piece, places] of passage.places) {
      const known = index.get(piece) ?? [];
      for (const place of places.slice(0, maxPlacesInAll - known.length)) known.push({ passage, place });
      index.set(piece, known);
    }
  }
  return index;
}

function longRuns(passages: Passages, text: string): Span[] {
  const stream = streamOf(text);
  const index = indexOf(passages);
  const spans: Span[] = [];
  let at = 0;
  while (at + gram <= stream.letters.length) {
    const run = longestRunAt(index, stream.letters, at, spans.at(-1)?.end ?? 0);
    if (run === undefined || run.end - run.start < minRun) {
      at += 1;
      continue;
    }
    const start = wholeWordStart(text, stream, run.start, run.end);
    const end = wholeWordEnd(text, stream, run.start, run.end);
    if (end > start) spans.push({ start: stream.starts[start]!, end: stream.ends[end - 1]! });
    at = Math.max(run.end, at + 1);
  }
  return spans;
}

/** The longest run of any passage around the piece at `at`, grown both ways. */
function longestRunAt(index: Index, letters: string, at: number, notBefore: number): Span | undefined {
  const piece = letters.slice(at, at + gram);
  let longest: Span | undefined;
  for (const { passage, place } of index.get(piece) ?? []) {
    let back = 0;
    while (at - back > notBefore && place - back > 0 && letters[at - back - 1] === passage.letters[place - back - 1])
      back += 1;
    let on = gram;
    while (at + on < letters.length && letters[at + on] === passage.letters[place + on]) on += 1;
    if (longest === undefined || back + on > longest.end - longest.start) longest = { start: at - back, end: at + on };
  }
  return longest;
}

/** A run that begins within a word, by chance, begins with the next one. */
function wholeWordStart(text: string, { starts, ends }: Stream, start: number, end: number): number {
  if (start === 0 || hasGap(text, ends[start - 1]!, starts[start]!)) return start;
  for (let at = start + 1; at < end; at += 1) if (hasGap(text, ends[at - 1]!, starts[at]!)) return at;
  return end;
}

function wholeWordEnd(text: string, { starts, ends, letters }: Stream, start: number, end: number): number {
  if (end === letters.length || hasGap(text, ends[end - 1]!, starts[end]!)) return end;
  for (let at = end - 1; at > start; at -= 1) if (hasGap(text, ends[at - 1]!, starts[at]!)) return at;
  return start;
}

function hasGap(text: string, from: number, to: number): boolean {
  return to > from && /\S|\s/.test(text.slice(from, to));
}

/** A line that begins like a quotation. */
const quotedLine = /^[ \t]*[>│┃▌|]/u;
/** What a quotation begins with, and what ends it. */
const quotationMarks = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“”'],
  ['«', '»'],
  ['`', '`'],
] as const;
/** So many quotations are looked for; who makes more of them quotes nobody. */
const maxQuotations = 2_000;

function quotations(passages: Passages, text: string): Span[] {
  return quotationsIn(text).filter(({ start, end }) => stands(passages, lettersOf(text.slice(start, end))));
}

/** Each line is gone through once for each kind of marks, whatever stands in it. */
function quotationsIn(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  while (start <= text.length && spans.length < maxQuotations) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    if (quotedLine.test(line)) spans.push({ start, end });
    else for (const marks of quotationMarks) addMarked(spans, line, start, marks);
    start = end + 1;
  }
  return spans.slice(0, maxQuotations);
}

function addMarked(spans: Span[], line: string, start: number, [open, close]: (typeof quotationMarks)[number]): void {
  let from = line.indexOf(open);
  while (from !== -1 && spans.length < maxQuotations) {
    const end = firstOf(line, close, from + 1);
    if (end === -1) return;
    spans.push({ start: start + from, end: start + end + 1 });
    from = line.indexOf(open, end + 1);
  }
}

function firstOf(line: string, signs: string, from: number): number {
  const found = [...signs].map((sign) => line.indexOf(sign, from)).filter((at) => at !== -1);
  return found.length === 0 ? -1 : Math.min(...found);
}

function stands(passages: Passages, letters: string): boolean {
  return letters !== '' && passages.some((passage) => passage.letters.includes(letters));
}

/** Looks through the text for terms. What it costs grows with the bytes, not with how often a word stands in them. */
import { placesOf } from './fold.ts';
import type { Term } from './shapes.ts';
import { type Index, readSegmentText, segmentWords, type Source } from './store.ts';
import { isWordByte, mayHold } from './words.ts';

/** A term as it is looked for. */
export interface Needle extends Term {
  readonly bytes: Buffer;
  /** From its rarest letter on: what comes before is compared where that was found. */
  readonly tail: Buffer;
  /** Of a phrase its words, else the term: what a segment has to hold for the term to be in it. */
  readonly words: readonly { readonly bytes: Buffer; readonly isInfix: boolean }[];
}

export function needleOf(term: Term): Needle {
  const words = term.isPhrase ? (term.text.match(/[\p{L}\p{N}]+/gu) ?? []) : [term.text];
  const bytes = Buffer.from(term.text);
  return {
    ...term,
    bytes,
    tail: bytes.subarray(rarestIn(bytes)),
    words: words.map((word) => ({ bytes: Buffer.from(word), isInfix: term.isInfix })),
  };
}

/** A search goes from one place of its first letter to the next; the rarer that is, the fewer there are. */
const frequent = ' etaoinsrhldcumfpgwybvkxjqz';
/** What is searched for has at least so many bytes, where there are so many: else it stands in too many other words. */
const leastTail = 3;

function rarestIn(bytes: Buffer): number {
  let best = 0;
  const rarity = (at: number): number => frequent.indexOf(String.fromCharCode(bytes[at]!));
  for (let at = 1; at <= bytes.length - leastTail; at += 1) if (rarity(at) > rarity(best)) best = at;
  return rarity(0) === -1 ? 0 : best;
}

/** Where it stands from `from` on; -1 for nowhere. */
function placeOf({ bytes: needle, tail }: Needle, bytes: Buffer, from: number): number {
  const lead = needle.length - tail.length;
  for (let at = bytes.indexOf(tail, from + lead); at !== -1; at = bytes.indexOf(tail, at + 1)) {
    let same = lead;
    while (same > 0 && bytes[at - lead + same - 1] === needle[same - 1]) same -= 1;
    if (same === 0) return at - lead;
  }
  return -1;
}

/** A passage in which something was found. */
export interface Match {
  readonly source: Source;
  /** In the file. */
  readonly offset: number;
  readonly length: number;
  readonly atMs: number;
  readonly isFields: boolean;
  /** By term: how much it stands there; 0 for not at all. */
  readonly weights: readonly number[];
  /** 1 for terms that stand side by side, near 0 for far apart. */
  readonly nearness: number;
}

export interface Scanned {
  readonly matches: readonly Match[];
  /** By term: in how many passages it is; of a frequent one, guessed. */
  readonly counts: readonly number[];
}

/** A term is looked for until so many passages have it, from the newest on: of many terms, until they all have so many. */
const enough = { each: 1_500, least: 400, all: 3_000 };
const newRecord = 0x1e;
const endOfHead = 0x1f;

interface Scan {
  readonly needles: readonly Needle[];
  readonly index: Index;
  readonly accepts: (source: Source) => boolean;
  /** A term that so many passages have is not looked for any more. */
  readonly most: number;
  readonly found: Map<number, Match>;
  readonly counts: number[];
}

/** @param room a buffer as large as a segment and its last record, used again and again */
export function scan(
  index: Index,
  needles: readonly Needle[],
  accepts: (source: Source) => boolean,
  room: Buffer,
): Scanned {
  const most = Math.max(enough.least, Math.min(enough.each, Math.floor(enough.all / Math.max(1, needles.length))));
  const state: Scan = { needles, index, accepts, most, found: new Map(), counts: needles.map(() => 0) };
  const all = index.lengths.reduce((sum, length) => sum + length, 0);
  const seen = needles.map(() => 0);
  for (let n = index.lengths.length - 1; n >= 0; n -= 1) {
    const open = [...needles.keys()].filter((at) => state.counts[at]! < most);
    const words = segmentWords(index, n, room);
    const inside = open.filter((at) => words === undefined || needles[at]!.words.every((word) => mayHold(words, word)));
    for (const at of open) seen[at]! += index.lengths[n]!;
    if (inside.length === 0) continue;
    const bytes = readSegmentText(index, n, room);
    for (const at of inside) scanFor(state, at, n, bytes);
  }
  const counts = state.counts.map((count, at) => (count < most ? count : (count * all) / Math.max(1, seen[at]!)));
  return { matches: [...state.found.values()], counts };
}

function scanFor(state: Scan, at: number, segment: number, bytes: Buffer): void {
  const needle = state.needles[at]!;
  for (let place = placeOf(needle, bytes, 0); place !== -1 && state.counts[at]! < state.most;) {
    if (!needle.isInfix && isWordByte(bytes, place - 1)) {
      place = placeOf(needle, bytes, place + 1);
      continue;
    }
    const start = bytes.lastIndexOf(newRecord, place);
    const words = bytes.indexOf(endOfHead, Math.max(0, start)) + 1;
    if (start === -1 || words === 0) return;
    // It stands in what says where the passage is.
    if (place < words) {
      place = placeOf(needle, bytes, words);
      continue;
    }
    const next = bytes.indexOf(newRecord, place);
    const end = next === -1 ? bytes.length : next;
    if (take(state, segment, bytes, { start, words, end })) state.counts[at]! += 1;
    if (next === -1) return;
    place = placeOf(needle, bytes, end);
  }
}

/** False for a passage of what is no source any more, or is not asked for. */
function take(
  { needles, index, accepts, found }: Scan,
  segment: number,
  bytes: Buffer,
  record: { readonly start: number; readonly words: number; readonly end: number },
): boolean {
  const key = segment * 2 ** 22 + record.start;
  if (found.has(key)) return true;
  const head = bytes.toString('latin1', record.start + 1, record.words - 1).split(':');
  const [n, offset, length, seconds, isFields] = head.map((each) => Number.parseInt(each, 36));
  const source = index.byNumber.get(n ?? 0);
  if (source === undefined || !isOf(source, segment, record.start) || !accepts(source)) return false;
  const text = bytes.toString('utf8', record.words, record.end);
  const place = { source, offset: offset!, length: length!, atMs: seconds! * 1000, isFields: isFields === 1 };
  found.set(key, { ...place, ...weigh(text, needles) });
  return true;
}

function isOf({ spans }: Source, segment: number, at: number): boolean {
  return spans.some(([n, from, to]) => n === segment && at >= from && at < to);
}

/** Of one term in a passage, so many places are looked at. */
const mostPlaces = 6;
const partOfWord = 0.6;

/** How much of each term is in a text, and how near to one another they are. */
export function weigh(text: string, needles: readonly Term[]): Pick<Match, 'weights' | 'nearness'> {
  const all: { readonly at: number; readonly term: number }[] = [];
  const weights = needles.map((needle, term) => {
    const places = placesOf(text, needle, mostPlaces);
    for (const { start } of places) if (!needle.isPhrase) all.push({ at: start, term });
    const best = places.some(({ isWhole }) => isWhole) || needle.isInfix ? 1 : partOfWord;
    return places.length === 0 ? 0 : best * (1 + 0.25 * Math.log(places.length));
  });
  return { weights, nearness: nearnessOf(all) };
}

/** From the shortest stretch that holds every term that is there. */
function nearnessOf(places: readonly { readonly at: number; readonly term: number }[]): number {
  const terms = new Set(places.map(({ term }) => term)).size;
  if (terms < 2) return 0;
  const sorted = places.toSorted((a, b) => a.at - b.at);
  const held = new Map<number, number>();
  let shortest = Infinity;
  let first = 0;
  for (const { at, term } of sorted) {
    held.set(term, (held.get(term) ?? 0) + 1);
    while (held.size === terms) {
      const begin = sorted[first]!;
      shortest = Math.min(shortest, at - begin.at);
      const left = held.get(begin.term)! - 1;
      if (left === 0) held.delete(begin.term);
      else held.set(begin.term, left);
      first += 1;
    }
  }
  // Some ten characters a word are as near as can be.
  return 1 / (1 + Math.max(0, shortest / (terms - 1) - 10) / 40);
}

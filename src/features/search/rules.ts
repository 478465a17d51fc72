/** What is decided of a hit from values alone: its snippet, how it is opened. */
import { foldWithPlaces, placesOf } from '../../kernel/artifacts/search/fold.ts';
import type { SearchHit } from './contract.ts';

interface LookedFor {
  readonly text: string;
  readonly isPhrase: boolean;
  readonly isInfix: boolean;
}

interface Mark {
  readonly from: number;
  readonly to: number;
  readonly term: number;
}

/** Signs that would move a reader's cursor, or turn the direction of the text. */
const unseen = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;
const mostMarks = 12;

/**
 * The stretch of a passage that says most: at most `width` characters in one line, with `…` where it was cut.
 * @param text secrets masked
 */
export function snippetOf(text: string, terms: readonly LookedFor[], width: number): SearchHit['snippet'] {
  const flat = text.replaceAll(unseen, ' ').replaceAll(/\s+/g, ' ').trim();
  const found = marksIn(flat, terms);
  const { from, to } = stretch(flat, found, terms, width);
  const [before, after] = [from > 0 ? '…' : '', to < flat.length ? '…' : ''];
  const inside = found.filter((mark) => mark.from >= from && mark.to <= to);
  return {
    text: `${before}${flat.slice(from, to)}${after}`,
    marks: joined(inside).map((mark) => [mark.from - from + before.length, mark.to - from + before.length]),
  };
}

/** From left to right; a word is marked to its end. */
function marksIn(flat: string, terms: readonly LookedFor[]): Mark[] {
  const folded = foldWithPlaces(flat);
  const found = terms.flatMap((term, at) =>
    placesOf(folded.text, term, mostMarks).map((place) => ({
      from: folded.from[place.start]!,
      to: endOfWord(flat, folded.from[place.end]!, term),
      term: at,
    })),
  );
  return found.toSorted((a, b) => a.from - b.from || b.to - a.to);
}

function endOfWord(flat: string, at: number, { isInfix }: LookedFor): number {
  if (isInfix) return at;
  const rest = /^[\p{L}\p{N}\p{M}]{1,40}/u.exec(flat.slice(at, at + 60));
  return at + (rest?.[0].length ?? 0);
}

function joined(marks: readonly Mark[]): Mark[] {
  const whole: Mark[] = [];
  for (const mark of marks) {
    const before = whole.at(-1);
    if (before && mark.from < before.to) whole[whole.length - 1] = { ...before, to: Math.max(before.to, mark.to) };
    else whole.push(mark);
  }
  return whole;
}

/** The beginning, where nothing of it is marked. */
function stretch(
  flat: string,
  marks: readonly Mark[],
  terms: readonly LookedFor[],
  width: number,
): { from: number; to: number } {
  if (flat.length <= width) return { from: 0, to: flat.length };
  let best = { worth: 0, from: 0, last: 0 };
  for (const [at, { from }] of marks.entries()) {
    const held = marks.slice(at, at + mostMarks).filter(({ to }) => to - from <= width - 20);
    const different = new Set(held.map(({ term }) => term));
    const worth = [...different].reduce((sum, term) => sum + (terms[term]!.isPhrase ? 100 : 10), 0) + held.length / 100;
    if (worth > best.worth) best = { worth, from, last: held.at(-1)?.to ?? from };
  }
  const spare = Math.max(0, width - 2 - (best.last - best.from));
  const from = wordStart(flat, Math.max(0, best.from - Math.floor(spare / 3)), best.from);
  return { from, to: wordEnd(flat, Math.min(flat.length, from + width - 2), best.last) };
}

/** The first beginning of a word from `at` on, not behind `limit`. */
function wordStart(flat: string, at: number, limit: number): number {
  if (at === 0) return 0;
  const blank = flat.indexOf(' ', at - 1);
  return blank === -1 || blank + 1 > limit ? limit : blank + 1;
}

function wordEnd(flat: string, at: number, least: number): number {
  if (at >= flat.length) return flat.length;
  const blank = flat.lastIndexOf(' ', at);
  const end = blank < least ? Math.max(at, least) : blank;
  // Not between the two halves of a character.
  return /[\udc00-\udfff]/.test(flat[end] ?? '') ? end - 1 : end;
}

/** The command that shows a source. */
export function commandFor({ kind, id, path, project }: Pick<SearchHit, 'kind' | 'id' | 'path' | 'project'>): string {
  const of = ` --project ${project}`;
  if (kind === 'conversation') return `guild-hall conversation show ${id ?? ''}`;
  // A trail is a page of the project; what was said is not.
  if (kind === 'gathering' && path === null) return `guild-hall gathering show ${id ?? ''}`;
  const isActivity = kind === 'meeting' || kind === 'commission' || kind === 'council' || kind === 'session';
  if (isActivity && id !== null) return `guild-hall ${kind} show ${id}${of}`;
  return path?.startsWith('.lore/') === true ? `guild-hall artifact show ${quoted(path)}${of}` : (path ?? '');
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The activity of a `Guild-Hall:` trailer: `<kind> <id>`. */
export function activityOf(trailer: string | null, kinds: readonly string[]): { kind: string; id: string } | null {
  const [, kind = '', id = ''] = /^([a-z]+) ([A-Za-z0-9_-]{1,100})$/.exec(trailer ?? '') ?? [];
  return kinds.includes(kind) ? { kind, id } : null;
}

/** Words that name a file: one word with a folder or an ending in it. */
export function fileNamed(words: string): string | undefined {
  const word = words.trim().replace(/^\.\//, '');
  return /^[^\s"'*?]+$/.test(word) && /[^/]\/[^/]|[^/.]\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(word) ? word : undefined;
}

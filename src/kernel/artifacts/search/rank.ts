/** Which source comes first: of what was found in passages and titles. */
import { fold } from './fold.ts';
import { type Match, weigh } from './scan.ts';
import type { Term } from './shapes.ts';
import type { Source } from './store.ts';

/** What was found of one source. `Owner` says whose it is. */
export interface Ranked<Owner> {
  readonly owner: Owner;
  readonly source: Source;
  /** Undefined where only the title has it. */
  readonly match: Match | undefined;
  readonly score: number;
  readonly phrases: number;
  readonly passages: number;
  readonly atMs: number;
}

export interface Candidates<Owner> {
  readonly owner: Owner;
  readonly matches: readonly Match[];
  /** Every source that may be found, with its title. */
  readonly titled: Iterable<readonly [Source, string]>;
}

/** A word in a title says more than one in the text: it counts there as well. */
const inTitle = 1;
/** What is new counts so much more than what is very old; days until half of that is left. */
const newer = { most: 0.25, halfDays: 60 };
const dayMs = 86_400_000;

/**
 * The best first: sources with a whole phrase, then by rare words, different words, words near each other, words in titles,
 * and age.
 * @param counts by term: in how many of `passages` passages it is
 */
export function rank<Owner>(
  candidates: readonly Candidates<Owner>[],
  terms: readonly Term[],
  counts: readonly number[],
  passages: number,
  nowMs: number,
): Ranked<Owner>[] {
  const titled = candidates.flatMap((each) => withTitles(each, terms));
  const rarity = counts.map((count, at) => {
    const inTitles = titled.filter(({ ofTitle }) => ofTitle[at]! > 0).length;
    return Math.log(1 + (passages + 1) / (count + inTitles + 0.5));
  });
  const ranked = titled.map(({ owner, source, own, ofTitle }): Ranked<Owner> => {
    const judged = (own.length === 0 ? [undefined] : own).map((match) => {
      const atMs = match?.atMs ?? source.atMs;
      return { match, atMs, ...scoreOf(match, ofTitle, { terms, rarity, ageMs: nowMs - atMs }) };
    });
    return { owner, source, passages: own.length, ...judged.reduce((a, b) => (isBetter(b, a) ? b : a)) };
  });
  return ranked.toSorted((a, b) => (isBetter(a, b) ? -1 : isBetter(b, a) ? 1 : a.source.key < b.source.key ? -1 : 1));
}

interface Titled<Owner> {
  readonly owner: Owner;
  readonly source: Source;
  /** What was found in it. */
  readonly own: readonly Match[];
  /** By term: how much of it is in the title. */
  readonly ofTitle: readonly number[];
}

/** Those of which anything was found. */
function withTitles<Owner>({ owner, matches, titled }: Candidates<Owner>, terms: readonly Term[]): Titled<Owner>[] {
  const bySource = grouped(matches);
  const none = terms.map(() => 0);
  const found: Titled<Owner>[] = [];
  // Most sources have nothing of it, and there may be many.
  for (const [source, title] of titled) {
    const own = bySource.get(source);
    const folded = foldedTitle(source, title);
    const isInTitle = terms.some(({ text }) => folded.includes(text));
    if (own === undefined && !isInTitle) continue;
    const ofTitle = isInTitle ? weigh(folded, terms).weights : none;
    if (own !== undefined || ofTitle.some((weight) => weight > 0))
      found.push({ owner, source, own: own ?? [], ofTitle });
  }
  return found;
}

/** A source is another object when anything of it changes. */
const titles = new WeakMap<Source, { readonly title: string; readonly folded: string }>();

function foldedTitle(source: Source, title: string): string {
  const known = titles.get(source);
  if (known?.title === title) return known.folded;
  const folded = fold(title);
  titles.set(source, { title, folded });
  return folded;
}

type Judged = Pick<Ranked<unknown>, 'phrases' | 'score' | 'atMs'>;

function isBetter(a: Judged, b: Judged): boolean {
  if (a.phrases !== b.phrases) return a.phrases > b.phrases;
  return a.score !== b.score ? a.score > b.score : a.atMs > b.atMs;
}

function grouped(matches: readonly Match[]): Map<Source, Match[]> {
  const found = new Map<Source, Match[]>();
  for (const match of matches) {
    const own = found.get(match.source);
    if (own) own.push(match);
    else found.set(match.source, [match]);
  }
  return found;
}

interface Measure {
  readonly terms: readonly Term[];
  readonly rarity: readonly number[];
  readonly ageMs: number;
}

function scoreOf(
  match: Match | undefined,
  ofTitle: readonly number[],
  { terms, rarity, ageMs }: Measure,
): { score: number; phrases: number } {
  let [sum, different, phrases] = [0, 0, 0];
  for (const [at, term] of terms.entries()) {
    const weight = (match?.weights[at] ?? 0) + inTitle * ofTitle[at]!;
    if (weight === 0) continue;
    sum += weight * rarity[at]!;
    if (term.isPhrase) phrases += 1;
    else different += 1;
  }
  const days = Math.max(0, ageMs) / dayMs;
  const age = 1 + newer.most * 0.5 ** (days / newer.halfDays);
  const breadth = 1 + 0.75 * Math.max(0, different - 1);
  return { score: sum * breadth * (1 + (match?.nearness ?? 0) * 0.5) * age, phrases };
}

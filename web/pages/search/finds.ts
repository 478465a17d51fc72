/** What can be found by name: pages, commands, projects, meetings, commissions, terminals, artifacts, workers. Pure but for the memory of what was chosen. */
import { defaultFilter } from 'cmdk';
import { keep, readKept } from '../../state/kept.ts';
import type { Snippet } from './snippet.ts';

export type FindKind =
  | 'page'
  | 'command'
  | 'meeting'
  | 'commission'
  | 'terminal'
  | 'conversation'
  | 'gathering'
  | 'session'
  | 'project'
  | 'artifact'
  | 'worker';

export interface Find {
  /** Stays the same from one day to the next, so that it can be remembered. */
  readonly key: string;
  readonly kind: FindKind;
  readonly title: string;
  /** Name of the worker whose mark stands before it. */
  readonly glyph?: string;
  /** A second, quiet text: project, state, path. */
  readonly detail?: string | undefined;
  /** The passage in which the words were found; it was found by its text, not by its name. */
  readonly snippet?: Snippet;
  /** Further words by which it is found. */
  readonly words?: readonly string[];
  /** Keys that do the same, as `useShortcut` has them. */
  readonly keys?: string;
  readonly run: () => void;
}

export interface FoundGroup {
  readonly heading: string;
  readonly finds: readonly Find[];
}

const headings: Readonly<Record<FindKind, string>> = {
  page: 'Go to',
  command: 'Do',
  meeting: 'Meetings',
  commission: 'Commissions',
  terminal: 'Terminals',
  conversation: 'Conversations',
  gathering: 'Gatherings',
  session: 'Sessions',
  project: 'Projects',
  artifact: 'Artifacts',
  worker: 'Meet',
};

const mostInGroup = 7;
const mostRecent = 6;

/**
 * What is shown for `text`: with nothing typed what was chosen lately, then where one can go and what one can do; else
 * what fits, the best group first. What was chosen lately counts a little more.
 * @param recent keys of what was chosen, the latest first
 * @param scores those of the last call; with the same text each name is compared once
 */
export function groupsFor(
  finds: readonly Find[],
  text: string,
  recent: readonly string[],
  scores: Scores = createScores(),
): FoundGroup[] {
  return text.trim() === '' ? groupsAtFirst(finds, recent) : groupsThatFit(finds, text.trim(), recent, scores);
}

/** How well each name fits `text`. Thousands of names are compared for a while, so it is done once a text. */
export interface Scores {
  text: string;
  readonly byName: Map<string, number>;
}

export function createScores(): Scores {
  return { text: '', byName: new Map() };
}

function groupsAtFirst(finds: readonly Find[], recent: readonly string[]): FoundGroup[] {
  const byKey = new Map(finds.map((find) => [find.key, find]));
  const again = recent.flatMap((key) => byKey.get(key) ?? []).slice(0, mostRecent);
  const rest = finds.filter((find) => !again.includes(find));
  const ofKind = (kind: FindKind) => rest.filter((find) => find.kind === kind).slice(0, mostInGroup);
  const kinds: readonly FindKind[] = ['meeting', 'commission', 'gathering', 'terminal', 'page', 'project', 'command'];
  return [
    { heading: 'Lately', finds: again },
    ...kinds.map((kind) => ({ heading: headings[kind], finds: ofKind(kind) })),
  ].filter((group) => group.finds.length > 0);
}

function groupsThatFit(finds: readonly Find[], text: string, recent: readonly string[], scores: Scores): FoundGroup[] {
  if (scores.text !== text) scores.byName.clear();
  scores.text = text;
  const scored = finds
    .map((find) => ({ find, score: withRecent(scoreOnce(scores, find), recent.indexOf(find.key)) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const groups = new Map<FindKind, Find[]>();
  for (const { find } of scored) {
    const group = groups.get(find.kind) ?? [];
    groups.set(find.kind, group);
    if (group.length < mostInGroup) group.push(find);
  }
  return [...groups].map(([kind, found]) => ({ heading: headings[kind], finds: found }));
}

/** Letters far apart in a long text are no find. */
const leastScore = 0.02;

function scoreOnce({ text, byName }: Scores, find: Find): number {
  const name = [find.key, find.title, find.detail].join('\n');
  const known = byName.get(name);
  if (known !== undefined) return known;
  const score = scoreOf(find, text);
  byName.set(name, score);
  return score;
}

/** 0: does not fit. */
function scoreOf({ title, detail, words = [] }: Find, text: string): number {
  const byAll = defaultFilter(`${title} ${detail ?? ''}`, text, [...words]);
  // The title is a part of it: what does not fit the whole does not fit the title.
  return byAll === 0 ? 0 : Math.max(defaultFilter(title, text), byAll * 0.9);
}

/** @param nth how lately it was chosen; -1: never */
function withRecent(score: number, nth: number): number {
  if (score < leastScore) return 0;
  return nth === -1 ? score : score + 0.2 / (nth + 1);
}

const recentKey = 'guild-hall.found';
const mostKept = 20;

export function readRecent(): string[] {
  try {
    const kept: unknown = JSON.parse(readKept(recentKey) ?? '[]');
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    // Somebody wrote something else there; it is forgotten.
    return [];
  }
}

export function keepRecent(key: string): void {
  const kept = [key, ...readRecent().filter((other) => other !== key)].slice(0, mostKept);
  keep(recentKey, JSON.stringify(kept));
}

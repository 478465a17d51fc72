/** Which thing the word under the cursor is to be. Pure. */
import type { Candidate } from './candidates.ts';
import type { SurfaceFlag, SurfaceNode, SurfaceValue } from './surface.ts';

export type Place =
  /** One of these words. */
  | { readonly kind: 'words'; readonly candidates: readonly Candidate[] }
  /** What a field takes; `otherwise` where nothing is known of that. */
  | {
      readonly kind: 'value';
      readonly operation: string | undefined;
      readonly value: SurfaceValue;
      /** What of the word stands before the value: `--flag=`. */
      readonly before: string;
      readonly typed: string;
      readonly given: Readonly<Record<string, string>>;
      readonly otherwise: readonly Candidate[];
    };

interface Walk {
  node: SurfaceNode;
  readonly given: Record<string, string>;
  readonly flags: Set<string>;
  /** How many places are filled. */
  filled: number;
  /** A flag that waits for its value. */
  open: SurfaceFlag | undefined;
  /** After `--` there are no flags. */
  isPlain: boolean;
}

const nothing: Place = { kind: 'words', candidates: [] };

/** @param words after the program's name; the last one is that under the cursor, empty where none is begun */
export function placeOf(root: SurfaceNode, words: readonly string[]): Place {
  const walk: Walk = { node: root, given: {}, flags: new Set(), filled: 0, open: undefined, isPlain: false };
  for (const word of words.slice(0, -1)) if (!step(walk, word)) return nothing;
  const current = words.at(-1) ?? '';
  if (walk.open?.value) return valuePlace(walk, walk.open.value, '', current);
  if (!walk.isPlain && current.startsWith('-')) return flagPlace(walk, current);
  if (walk.node.children.length > 0) return { kind: 'words', candidates: walk.node.children.map(asCandidate) };
  const { places } = walk.node;
  const place = places[walk.filled] ?? (places.at(-1)?.rest ? places.at(-1) : undefined);
  const flags = walk.isPlain || current !== '' ? [] : openFlags(walk);
  if (place === undefined) return { kind: 'words', candidates: flags };
  return valuePlace(walk, place, '', current, flags);
}

/** @returns false for a word that leads nowhere */
function step(walk: Walk, word: string): boolean {
  if (walk.open?.value) {
    walk.given[walk.open.value.field] = word;
    walk.open = undefined;
  } else if (word === '--' && !walk.isPlain) {
    walk.isPlain = true;
  } else if (word.startsWith('--') && !walk.isPlain) {
    takeFlag(walk, word);
  } else if (walk.node.children.length > 0) {
    const next = walk.node.children.find((child) => child.word === word);
    if (next === undefined) return false;
    walk.node = next;
  } else {
    const place = walk.node.places[walk.filled];
    if (place) walk.given[place.field] = word;
    walk.filled += 1;
  }
  return true;
}

function takeFlag(walk: Walk, word: string): void {
  const { name, value } = splitFlag(word);
  const flag = walk.node.flags.find((each) => each.name === name);
  if (flag === undefined) return;
  if (!flag.repeats) walk.flags.add(name);
  if (flag.value === undefined) return;
  if (value === undefined) walk.open = flag;
  else walk.given[flag.value.field] = value;
}

function flagPlace(walk: Walk, current: string): Place {
  const { name, value } = splitFlag(current);
  const flag = walk.node.flags.find((each) => each.name === name);
  if (value !== undefined && flag?.value) return valuePlace(walk, flag.value, `${name}=`, value);
  return { kind: 'words', candidates: openFlags(walk) };
}

function valuePlace(
  { node: { operation }, given }: Walk,
  value: SurfaceValue,
  before: string,
  typed: string,
  otherwise: readonly Candidate[] = [],
): Place {
  return { kind: 'value', operation, value, before, typed, given, otherwise };
}

/** Flags that were not given yet. */
function openFlags({ node, flags }: Walk): Candidate[] {
  return node.flags.filter(({ name }) => !flags.has(name)).map(({ name, about }) => ({ value: name, about }));
}

function asCandidate({ word, about }: SurfaceNode): Candidate {
  return { value: word, about };
}

function splitFlag(word: string): { name: string; value: string | undefined } {
  const at = word.indexOf('=');
  return at === -1 ? { name: word, value: undefined } : { name: word.slice(0, at), value: word.slice(at + 1) };
}

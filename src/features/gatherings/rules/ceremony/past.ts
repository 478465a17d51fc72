/** What of earlier talks stands in a seed: one thing of each, and no words that pass the piece when somebody repeats them. Pure. */
import type { PastHit } from './seed.ts';

/** As the search finds it. */
export interface FoundHit {
  readonly kind: string;
  readonly id: string | null;
  /** In the project; null for what is no file of it. */
  readonly path: string | null;
  readonly title: string;
  readonly snippet: { readonly text: string };
}

/** What a gathering harvests has the end of its id in its name. */
const harvested = /^\.lore\/(?:todos|proposals|visions)\/.+-([a-z0-9]{4})\.md$/;

/** A pass in words that were said then: said again, it would be taken for one, or hide one. */
const pass = /\b(?:I pass|passing to)\b(?: the piece)?(?: to)?(?: [\p{Lu}\d][\p{L}\p{N}_-]*(?: \(\d+\))?)?[.!]?/gu;

/** @param limits so many of them, the best first, and so many characters of all excerpts */
export function pastOf(
  hits: readonly FoundHit[],
  { hits: most, characters }: { readonly hits: number; readonly characters: number },
): PastHit[] {
  const seen = new Set<string>();
  let left = characters;
  return hits
    .filter((hit) => {
      const talk = talkOf(hit);
      if (seen.has(talk)) return false;
      seen.add(talk);
      return true;
    })
    .slice(0, most)
    .map(({ kind, id, path, title, snippet }) => {
      const excerpt = snippet.text.replaceAll(pass, '…').slice(0, left);
      left -= excerpt.length;
      return { where: path ?? `${kind} ${id ?? ''}`.trim(), title, excerpt };
    });
}

/** The same for all that came of one gathering. */
function talkOf({ kind, id, path }: FoundHit): string {
  const tail = path === null ? undefined : harvested.exec(path)?.[1];
  if (tail !== undefined) return `gathering ${tail}`;
  if (kind === 'gathering' && id !== null) return `gathering ${id.slice(-4)}`;
  return path ?? `${kind} ${id ?? ''}`;
}

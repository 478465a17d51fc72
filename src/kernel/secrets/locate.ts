/** Where secrets stand in a text that is not to be changed: for asking whoever wrote it. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Finding, findOwnPatterns, findPrivateKeys, maskFindings } from './patterns.ts';
import { chunkLength, findByScanner, splitAtLines } from './scrub.ts';

/** Never the secret itself. */
export interface SecretPlace {
  /** From 1. */
  readonly line: number;
  readonly kind: string;
}

/** In the order of the lines; one place a line and kind. Finds what `scrub` would take out. */
export async function locateSecrets(text: string): Promise<SecretPlace[]> {
  const keys = findPrivateKeys(text);
  const places = placesOf(text, keys, 1);
  let line = 1;
  for (const chunk of splitAtLines(withoutKeys(text, keys), chunkLength)) {
    if (line > 1) await yieldToOthers();
    const own = findOwnPatterns(chunk);
    // Secrets of these two stand within one line, so masking keeps the lines as they are.
    const masked = maskFindings(chunk, own);
    places.push(...placesOf(chunk, own, line), ...placesOf(masked, await findByScanner(masked), line));
    line += lineFeeds(chunk);
  }
  const unique = new Map(places.map((place) => [`${place.line} ${place.kind}`, place]));
  return [...unique.values()].toSorted((a, b) => a.line - b.line);
}

function placesOf(text: string, findings: readonly Finding[], firstLine: number): SecretPlace[] {
  return findings.map(({ start, kind }) => ({ line: firstLine + lineFeeds(text.slice(0, start)), kind }));
}

/** Keys replaced by nothing but their line feeds, so that the lines keep their numbers. */
function withoutKeys(text: string, keys: readonly Finding[]): string {
  return keys
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => {
      return rest.slice(0, start) + '\n'.repeat(lineFeeds(rest.slice(start, end))) + rest.slice(end);
    }, text);
}

function lineFeeds(text: string): number {
  return text.split('\n').length - 1;
}

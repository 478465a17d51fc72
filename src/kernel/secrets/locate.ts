/** Where secrets stand in a text that is not to be changed: for asking whoever wrote it. */
import { findSecrets } from './find.ts';
import type { Finding } from './patterns.ts';

/** Never the secret itself. */
export interface SecretPlace {
  /** From 1. */
  readonly line: number;
  readonly kind: string;
}

export interface FileSecret extends SecretPlace {
  /** Repository path. */
  readonly path: string;
}

/**
 * In the order of the lines; one place a line and kind. Finds what `scrub` would take out.
 * @param options.sureOnly only what is hardly ever anything else
 */
export async function locateSecrets(
  text: string,
  options: { readonly sureOnly?: boolean } = {},
): Promise<SecretPlace[]> {
  const findings = await findSecrets(text);
  return placesOf(text, options.sureOnly === true ? findings.filter(({ isSure }) => isSure) : findings);
}

/** The lines of findings, each line and kind once. */
export function placesOf(text: string, findings: readonly Finding[]): SecretPlace[] {
  const unique = new Map<string, SecretPlace>();
  let line = 1;
  let at = 0;
  for (const { start, kind } of findings.toSorted((a, b) => a.start - b.start)) {
    line += lineFeeds(text.slice(at, start));
    at = start;
    unique.set(`${line} ${kind}`, { line, kind });
  }
  return [...unique.values()];
}

function lineFeeds(text: string): number {
  return text.split('\n').length - 1;
}

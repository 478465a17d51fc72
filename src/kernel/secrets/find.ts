/** Looks for secrets in a text: private keys, our own patterns, then a maintained scanner's rules. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Finding, findOwnPatterns } from './patterns.ts';
import { pieceLength, piecesOf } from './pieces.ts';
import { findPrivateKeys } from './private-keys.ts';
import { loadScanner, type Scanner } from './scanner.ts';

let scanner: Scanner | undefined;
let loading: Promise<Scanner> | undefined;

/** From then on `findNow` finds everything. Some milliseconds at the first call. */
export async function readyToFind(): Promise<void> {
  scanner = await (loading ??= loadScanner());
}

/** Whether what `findNow` answers holds for good. */
export function isReadyToFind(): boolean {
  return scanner !== undefined;
}

/** Findings in one go, about 50 µs for 1,000 characters. Before `readyToFind` the scanner's rules are left out. */
export function findNow(text: string): Finding[] {
  const keys = findPrivateKeys(text);
  return withRepeats(text, [...keys, ...findInLines(without(text, keys))]);
}

/** What may be part of a secret, or of the name before one; text without any of it has none. */
const suspicious = /[\d:=@_-]|AKIA|ASIA|ABIA|ACCA|AIza|eyJ/;

export function mayHoldSecret(text: string): boolean {
  return suspicious.test(text);
}

/** Shorter ones may be found by chance where they are no secret. Longer ones are keys of many lines. */
const repeatLengths = { from: 16, to: 4_000 };

/** A secret that was found, to be looked for elsewhere: where it is repeated no name announces it any more. */
export interface KnownSecret {
  readonly value: string;
  readonly kind: string;
}

export function knownFrom(text: string, findings: readonly Finding[]): KnownSecret[] {
  const { from, to } = repeatLengths;
  const fit = findings.filter(({ start, end, isSure }) => isSure && end - start >= from && end - start <= to);
  const kinds = new Map(fit.map(({ start, end, kind }) => [text.slice(start, end), kind]));
  return [...kinds].map(([value, kind]) => ({ value, kind }));
}

/** Shorter than this is no secret that could be told from a word. */
const minRemembered = 6;

/** Everything in a text that may be said again by whoever reads it: for masking what they say, in small letters too. */
export function rememberFrom(text: string): KnownSecret[] {
  if (!mayHoldSecret(text)) return [];
  const fit = findNow(text).filter(({ start, end }) => end - start >= minRemembered && end - start <= repeatLengths.to);
  return fit.flatMap(({ start, end, kind }) => {
    const value = text.slice(start, end);
    const small = value.toLowerCase();
    return small === value
      ? [{ value, kind }]
      : [
          { value, kind },
          { value: small, kind },
        ];
  });
}

export function findKnown(text: string, known: readonly KnownSecret[]): Finding[] {
  const found: Finding[] = [];
  for (const { value, kind } of known) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
      found.push({ start: at, end: at + value.length, kind, isSure: true });
    }
  }
  return found;
}

const maxKnown = 200;

function withRepeats(text: string, findings: readonly Finding[]): Finding[] {
  if (findings.length === 0) return [];
  const starts = new Set(findings.map(({ start }) => start));
  const again = findKnown(text, knownFrom(text, findings).slice(0, maxKnown));
  return [...findings, ...again.filter(({ start }) => !starts.has(start))];
}

function findInLines(text: string): Finding[] {
  const own = findOwnPatterns(text);
  return scanner === undefined ? own : [...own, ...scanner(without(text, own))];
}

/** Findings in a text of any length; others get their turn between its pieces. */
export async function findSecrets(text: string): Promise<Finding[]> {
  await readyToFind();
  const keys = findPrivateKeys(text);
  const findings = [...keys];
  const rest = without(text, keys);
  for (const { from, to, seenFrom, seenTo } of piecesOf(rest)) {
    if (from > 0) await yieldToOthers();
    for (const found of findInLines(rest.slice(seenFrom, seenTo))) {
      const start = found.start + seenFrom;
      if (start >= from && start < to) findings.push({ ...found, start, end: found.end + seenFrom });
    }
  }
  return await withAllRepeats(text, findings);
}

/** Like `withRepeats`, with turns for others. */
async function withAllRepeats(text: string, findings: readonly Finding[]): Promise<Finding[]> {
  const starts = new Set(findings.map(({ start }) => start));
  const all = [...findings];
  for (const known of knownFrom(text, findings).slice(0, maxKnown)) {
    if (text.length > pieceLength) await yieldToOthers();
    for (const again of findKnown(text, [known])) if (!starts.has(again.start)) all.push(again);
  }
  return all;
}

/** The text with something of the same length in the place of each finding, so that nobody finds it again. */
function without(text: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return text;
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end } of findings.toSorted((a, b) => a.start - b.start)) {
    if (end <= kept) continue;
    const from = Math.max(start, kept);
    parts.push(text.slice(kept, from), `[${' '.repeat(Math.max(0, end - from - 2))}]`.slice(0, end - from));
    kept = end;
  }
  return parts.join('') + text.slice(kept);
}

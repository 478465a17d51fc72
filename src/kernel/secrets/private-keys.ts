/**
 * Private keys in a text. A key spreads over many lines, so where it ends is told piece by piece: it goes on as long as
 * key material follows closely, up to its END line. The same answer serves whole texts and texts that are still coming.
 */
import type { Finding } from './patterns.ts';

const header = /-----BEGIN ?(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const footer = /-----END ?(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const longestFooter = 100;
const dashes = '-----';

/** A long run anywhere, or a line that is nothing else. */
const material = /[A-Za-z0-9+/]{30,}|(?<=^[ \t>]*)[A-Za-z0-9+/]{16,}(?=={0,2}[ \t]*(?:\r?\n|\\n|$))/m;
const restOfRun = /[A-Za-z0-9+/]*={0,2}/y;
const lineBreak = /(?:\\n|\r?\n)?/y;
/** Characters without key material after which a key has ended: room for its header lines, and for a short last line. */
const maxGap = 200;
/** Less than this between the two lines is a word in place of a key. */
const minBody = 40;
/** What must be seen of a text to know that no run of material begins within the gap. */
const sight = maxGap + 32;

export interface KeyEnd {
  /** First character that is no part of the key. */
  readonly end: number;
  /** More text may still belong to it. */
  readonly isOpen: boolean;
  /** There is something in it: not the header alone. */
  readonly hasBody: boolean;
  /** Where the last run of material begins; nothing before it is needed any more to tell where the key ends. */
  readonly lastRun: number;
}

/** @param from the first character after the header */
export function endOfPrivateKey(text: string, from: number): KeyEnd {
  let at = from;
  let lastRun = from;
  for (;;) {
    const view = text.slice(at, at + sight);
    const run = material.exec(view)?.index ?? Infinity;
    const stop = view.indexOf(dashes);
    if (stop !== -1 && stop <= maxGap && stop < run) {
      const footerEnd = matchEnd(footer, text, at + stop);
      if (footerEnd !== undefined) {
        return { end: footerEnd, isOpen: false, hasBody: at + stop - from > minBody, lastRun };
      }
      const mayBecomeFooter = text.length - (at + stop) < longestFooter && !text.includes('\n', at + stop);
      return { end: cutOffEnd(text, at), isOpen: mayBecomeFooter, hasBody: at > from, lastRun };
    }
    if (run > maxGap) {
      return { end: cutOffEnd(text, at), isOpen: text.length - at < sight, hasBody: at > from, lastRun };
    }
    lastRun = at + run;
    at = matchEnd(restOfRun, text, lastRun)!;
  }
}

function cutOffEnd(text: string, at: number): number {
  return matchEnd(lineBreak, text, at)!;
}

function matchEnd(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

/** A header that stands alone is found too: whoever shows it may be about to show the rest. It is not sure. */
export function findPrivateKeys(text: string): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  for (const { index, 0: begin } of text.matchAll(header)) {
    if (index < done) continue;
    const { end, hasBody } = endOfPrivateKey(text, index + begin.length);
    findings.push({ start: index, end, kind: 'private key', isSure: hasBody });
    done = end;
  }
  return findings;
}

export interface OpenKey {
  readonly start: number;
  /** Where its body begins, and the last run of material in it. */
  readonly body: number;
  readonly lastRun: number;
}

/** The first key of a text that may still go on, or that ends after `settled`. */
export function findOpenKey(text: string, settled: number): OpenKey | undefined {
  let done = 0;
  for (const { index, 0: begin } of text.matchAll(header)) {
    if (index < done) continue;
    const body = index + begin.length;
    const { end, isOpen, lastRun } = endOfPrivateKey(text, body);
    if (isOpen || end > settled) return { start: index, body, lastRun };
    done = end;
  }
  return undefined;
}

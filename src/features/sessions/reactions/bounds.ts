/** What an agent tells may be of any size; what is kept of it is not. Pure. */
import { bounded, wellFormed } from '../../../kernel/pure/text.ts';
import type { Diff } from '../contract.ts';

/** Characters. */
const maxText = 100_000;
const maxSummary = 4_000;
const maxTitle = 500;
const maxDepth = 12;
const maxItems = 1_000;
const maxDiffs = 100;

export function boundedText(text: string): string {
  return bounded(wellFormed(text), maxText);
}

export function boundedSummary(text: string): string {
  return bounded(wellFormed(text), maxSummary);
}

export function boundedTitle(text: string): string {
  return bounded(wellFormed(text), maxTitle);
}

/** Plain data with long texts, long lists and deep ends cut off. */
export function boundedInput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return boundedText(value);
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return '[left out: too deep]';
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => boundedInput(item, depth + 1));
  const entries = Object.entries(value).slice(0, maxItems);
  return Object.fromEntries(entries.map(([name, held]) => [name, boundedInput(held, depth + 1)]));
}

export function boundedDiffs(diffs: readonly Diff[] | undefined): Diff[] {
  return (diffs ?? []).slice(0, maxDiffs).map(({ path, oldText, newText }) => ({
    path: bounded(wellFormed(path), 4096),
    oldText: oldText === null ? null : boundedText(oldText),
    newText: boundedText(newText),
  }));
}

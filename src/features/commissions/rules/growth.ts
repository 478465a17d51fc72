/**
 * How a timeline grows. Pure. Append-only, in the order of time, each line of a journal once, and never so long that the
 * file could not be read: what a worker reports without end is cut short, then left to its journal.
 */
import { bounded } from '../../../kernel/pure/text.ts';
import type { TimelineEntry } from '../contract/timeline.ts';

/** Characters of the frontmatter from which on reports are cut short, and from which on they are left out. */
const cutFrom = 512 * 1024;
const fullFrom = 1024 * 1024;
const longestText = 8_000;
const longestWhenCut = 300;

export const fullText = 'The timeline is full; what the worker reports from here on is in its log alone';

/**
 * What of `offered` is to be added at the end.
 * @param size of the frontmatter as it is, in characters
 */
export function entriesToAdd(
  present: readonly TimelineEntry[],
  offered: readonly TimelineEntry[],
  size: number,
): TimelineEntry[] {
  const folded = new Set(present.flatMap(lineOf));
  const fresh = offered.filter((entry) => lineOf(entry).every((line) => !folded.has(line)));
  const kept = size < fullFrom ? fresh : withoutReports(present, fresh);
  let last = present.at(-1)?.timestamp ?? '';
  return kept.map((entry) => {
    last = later(last, entry.timestamp);
    const limit = size >= cutFrom && entry.n !== undefined ? longestWhenCut : longestText;
    return { ...cut(entry, limit), timestamp: last };
  });
}

/** Which line of which journal it was folded from. */
function lineOf({ attempt, n }: TimelineEntry): string[] {
  return n === undefined ? [] : [`${attempt} ${n}`];
}

/** A clock that was set back, or that of another process, does not bring entries out of order. */
function later(last: string, time: string): string {
  return last > time && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(last) ? last : time;
}

function withoutReports(present: readonly TimelineEntry[], fresh: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const first = fresh.find(({ n }) => n !== undefined);
  const own = fresh.filter(({ n, event }) => n === undefined || event === 'result');
  const isTold = present.some(({ event, attempt, ...rest }) => {
    return event === 'anomaly' && attempt === first?.attempt && 'text' in rest && rest.text === fullText;
  });
  if (first === undefined || isTold) return own;
  const { timestamp, attempt } = first;
  return [...own, { timestamp, attempt, event: 'anomaly', text: fullText }];
}

function cut(entry: TimelineEntry, limit: number): TimelineEntry {
  const texts = Object.entries(entry).filter(([, value]) => typeof value === 'string' && value.length > limit);
  if (texts.length === 0) return entry;
  return { ...entry, ...Object.fromEntries(texts.map(([name, value]) => [name, bounded(String(value), limit)])) };
}

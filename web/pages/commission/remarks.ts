/** The person's remarks, by file and line. Pure. */
import type { TimelineEntry } from '../../../src/features/commissions/contract.ts';

/** Of one attempt: the lines of another one's work are others. */
export function remarksOf(
  timeline: readonly TimelineEntry[],
  attempt: number,
): ReadonlyMap<string, ReadonlyMap<number, readonly string[]>> {
  const files = new Map<string, Map<number, string[]>>();
  for (const entry of timeline) {
    if (entry.event !== 'comment' || entry.attempt !== attempt) continue;
    const { path, line, text } = entry;
    if (path === undefined || line === undefined) continue;
    const lines = files.get(path) ?? new Map<number, string[]>();
    files.set(path, lines);
    lines.set(line, [...(lines.get(line) ?? []), text]);
  }
  return files;
}

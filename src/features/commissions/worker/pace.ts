/**
 * A worker that tells something at every breath is let go on a little later each time: every line that it causes costs
 * the hall a write of the whole record, and none of them may be dropped.
 */
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import type { JournalEntry } from '../contract/journal.ts';
import type { Journal } from '../store/attempt.ts';

/** So many lines are free; those after it are at least so far apart, the more the longer. Milliseconds. */
const steps = [
  { after: 400, apartMs: 5_000 },
  { after: 150, apartMs: 1_000 },
  { after: 60, apartMs: 200 },
] as const;

const paced: ReadonlySet<JournalEntry['kind']> = new Set(['progress', 'question', 'decision', 'artifact']);

/** How long who caused line number `count` waits before it goes on. */
export function paceMs(count: number, sinceLastMs: number): number {
  const apartMs = steps.find(({ after }) => count > after)?.apartMs ?? 0;
  return Math.max(0, apartMs - sinceLastMs);
}

/** The journal for tools that a worker calls as often as it likes. The line is written first; then it waits. */
export function withPace(ctx: ClockContext, journal: Journal): Journal {
  let count = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    ...journal,
    add: async (entry) => {
      await journal.add(entry);
      if (!paced.has(entry.kind)) return;
      count += 1;
      const waitMs = paceMs(count, ctx.clock.monotonicMs() - lastMs);
      lastMs = ctx.clock.monotonicMs() + waitMs;
      if (waitMs > 0) await ctx.clock.sleep(waitMs);
    },
  };
}

/** Keeps the count of usage: once from the events that are kept, then with each that comes. */
import { localDayOf } from '../../kernel/clock/local-day.ts';
import { listSegments, readSegment } from '../../kernel/events/segments.ts';
import { deferred } from '../../kernel/pure/deferred.ts';
import type { Cursor, HallEvent } from '../../kernel/pure/events.ts';
import type { OverviewContext, UsageCount } from './context.ts';
import { addToLedger, emptyLedger, isUsageEvent } from './fold.ts';

export function createUsageCount(): UsageCount {
  return { ledger: emptyLedger(), counted: deferred() };
}

/** Begins to count, and returns at once. Ends by itself when the hall stops. */
export function followUsage(ctx: OverviewContext): void {
  const from = ctx.events.cursor();
  const coming = ctx.events.subscribe({ after: from, filter: isUsageEvent });
  ctx.spawn('count what was used', async (stopping) => {
    stopping.addEventListener('abort', () => coming.close(), { once: true });
    if (stopping.aborted) coming.close();
    try {
      await countKept(ctx, from);
    } catch (error) {
      // What was used before is told as nothing; what comes is counted.
      ctx.log.error({ err: error }, 'what was used before this start cannot be counted');
    }
    ctx.usage.counted.resolve();
    for await (const event of coming) count(ctx, event);
  });
}

/** Also of before the machine was started anew, when the numbers of events began again. */
async function countKept(ctx: OverviewContext, upTo: Cursor): Promise<void> {
  for (const segment of await listSegments(ctx.home.events)) {
    const to = segment.epoch === upTo.epoch ? upTo.seq : Number.MAX_SAFE_INTEGER;
    for await (const events of readSegment(ctx, segment, { from: 1, to, start: 0, end: Infinity })) {
      for (const event of events) count(ctx, event);
    }
  }
}

function count(ctx: OverviewContext, event: HallEvent): void {
  addToLedger(ctx.usage.ledger, event, localDayOf(Date.parse(event.at)));
}

/** Pauses a conversation in which nobody says anything, nor works. */
import type { GatheringsContext, LiveConversation } from '../context.ts';
import { inRelay } from '../relay/relay.ts';
import { isIdle } from '../rules/conversation.ts';
import { advance, pause } from './advance.ts';
import { noteActivity } from './live.ts';

/** So soon a changed setting counts. Milliseconds. */
const longestSleepMs = 30_000;

/** Until it ends, or the hall stops. Call it once for each. */
export function watchIdle(ctx: GatheringsContext, live: LiveConversation): void {
  noteActivity(ctx, live);
  ctx.spawn(`idle: ${live.record.id}`, async (stopping) => {
    const signal = AbortSignal.any([stopping, live.leaving.signal]);
    while (!signal.aborted && live.record.state !== 'ended') {
      const leftMs = await lookSafely(ctx, live);
      // Aborted by its end.
      await ctx.clock.sleep(Math.min(leftMs, longestSleepMs), signal).catch(() => undefined);
    }
  });
}

/** What could not be written now is tried again with the next look: one full disk does not end the watch. */
async function lookSafely(ctx: GatheringsContext, live: LiveConversation): Promise<number> {
  try {
    return await look(ctx, live);
  } catch (error) {
    ctx.log.error({ err: error, conversation: live.record.id }, 'a conversation could not be paused');
    return longestSleepMs;
  }
}

/** @returns how long it may still be silent. Milliseconds */
async function look(ctx: GatheringsContext, live: LiveConversation): Promise<number> {
  const limitMs = ctx.config().conversations.idleMinutes * 60_000;
  if (live.record.state !== 'open') return limitMs;
  if (someoneWorks(ctx, live)) noteActivity(ctx, live);
  const leftMs = live.activeMs + limitMs - ctx.clock.monotonicMs();
  if (leftMs > 0) return leftMs;
  await inRelay(ctx, live.relay, async () => {
    const isStill = live.activeMs + limitMs <= ctx.clock.monotonicMs();
    if (live.record.state !== 'open' || !isStill) return;
    await pause(ctx, live, 'idle');
    await advance(ctx, live);
  });
  return limitMs;
}

function someoneWorks(ctx: GatheringsContext, { record }: LiveConversation): boolean {
  return record.members.some(({ terminal }) => {
    const facts = ctx.terminalsOf.find(terminal);
    return facts !== undefined && facts.isAlive && !isIdle(facts.status);
  });
}

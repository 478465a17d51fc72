/** The close: what the harvester said is kept in its places, all are told where, and what was started for it ends. */
import { errorFactsOf } from '../../../../kernel/pure/errors.ts';
import type { GatheringsContext, LiveGathering } from '../../context.ts';
import { planHarvest, saveHarvest } from '../../harvest/save.ts';
import { writeReceipts } from '../../relay/message-log.ts';
import { inRelay } from '../../relay/relay.ts';
import { closed } from '../../rules/ceremony/machine.ts';
import { changeGathering, tellAll } from './changing.ts';
import { factsOf, publishOf, saidIn } from './live.ts';

/** A harvest that could not be kept is tried again after. Milliseconds. */
const againMs = 30_000;
/** So long what is to end may take to hear that it is over. Milliseconds. */
const hearingMs = 5_000;
const lookMs = 100;

/** Does nothing until the harvest is in. */
export function closeWhenHarvested(ctx: GatheringsContext, live: LiveGathering): void {
  if (live.record.stage !== 'closing' || live.record.harvest?.isCollected !== true || live.isClosing) return;
  live.isClosing = true;
  ctx.spawn(`close of ${live.record.id}`, async (signal) => {
    while (!(await closeOnce(ctx, live))) await ctx.clock.sleep(againMs, signal);
    await letGo(ctx, live, signal);
  });
}

/** @returns false where it has to be tried again */
async function closeOnce(ctx: GatheringsContext, live: LiveGathering): Promise<boolean> {
  const { id } = live.record;
  try {
    await inRelay(ctx, live.relay, async () => {
      // What is saved is the person's from then on: only the telling is tried again.
      if (live.record.stage !== 'closed') await saveAndClose(ctx, live);
      await tellAll(ctx, live);
    });
    ctx.gatherings.problems.delete(id);
    return true;
  } catch (error) {
    const { message } = errorFactsOf(error);
    ctx.log.error({ err: error, gathering: id }, 'the harvest of a gathering could not be kept');
    ctx.gatherings.problems.set(id, `The harvest could not be kept, and is tried again: ${message}`);
    return false;
  }
}

async function saveAndClose(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  const { heard, isWrittenByHall } = live.record.harvest!;
  const text = isWrittenByHall || heard.length === 0 ? undefined : heard.join('\n\n');
  const end = await saveHarvest(ctx, await planHarvest(ctx, live.record, text, saidIn(live)));
  await changeGathering(ctx, live, closed(live.record, end, ctx.clock.nowIso()));
  leaveAll(ctx, live);
  publishOf(ctx, live.record, 'gathering.closed', { gathering: factsOf(live.record) });
}

/** Its members may take part in others now. */
function leaveAll(ctx: GatheringsContext, live: LiveGathering): void {
  live.leaving.abort();
  const { id, seats } = live.record;
  const { byTerminal } = ctx.conversations;
  for (const { terminal } of seats) {
    if (terminal !== null && byTerminal.get(terminal) === id) byTerminal.delete(terminal);
  }
}

/** When it is closed: what was started for it hears that, and ends. Again it changes nothing. */
export async function letGo(ctx: GatheringsContext, live: LiveGathering, signal: AbortSignal): Promise<void> {
  const { id, seats } = live.record;
  const spawned = seats.flatMap(({ terminal, isSpawned, number }) =>
    terminal !== null && isSpawned ? [{ terminal, number }] : [],
  );
  const isThere = ({ terminal }: (typeof spawned)[number]): boolean => ctx.terminalsOf.find(terminal)?.isAlive === true;
  const end = ctx.clock.monotonicMs() + hearingMs;
  const waits = (): boolean => spawned.some((each) => isThere(each) && !hasHeard(live, each.number));
  while (waits() && ctx.clock.monotonicMs() < end) await ctx.clock.sleep(lookMs, signal);
  for (const each of spawned.filter(isThere)) await ctx.seats.end(each.terminal);
  await inRelay(ctx, live.relay, async () => {
    await writeReceipts(live.relay.log);
    if (isToldToAll(live)) ctx.gatherings.live.delete(id);
  });
}

function hasHeard({ relay }: LiveGathering, number: number): boolean {
  const last = [...relay.log.messages.values()].findLast(({ kind }) => kind === 'closed');
  return last?.receipts.some(({ to, receipt }) => to === number && receipt.state !== 'queued') === true;
}

/** Its closing words reached all, or could not. */
export function isToldToAll(live: LiveGathering): boolean {
  const last = saidIn(live).findLast(({ kind }) => kind === 'closed');
  return last?.to.every((number) => hasHeard(live, number)) === true;
}

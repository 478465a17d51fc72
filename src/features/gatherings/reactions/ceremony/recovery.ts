/**
 * What an earlier hall left. First files are read, so that nothing is missed that terminals tell when they are joined;
 * then, when they are, each gathering goes on, or closes with a harvest of what there is.
 */
import { errorFactsOf } from '../../../../kernel/pure/errors.ts';
import type { GatheringsContext, LiveGathering } from '../../context.ts';
import type { Gathering, GatheringId } from '../../contract/gathering.ts';
import { handOver, inRelay, takeBack } from '../../relay/relay.ts';
import { isOld } from '../../rules/conversation.ts';
import { foundingFile, gatheringFile, gatheringIds, removeGathering } from '../../store/ceremony/place.ts';
import { apply } from './apply.ts';
import { keepAll } from './changing.ts';
import { closeWhenHarvested, letGo } from './closing.ts';
import { listenToSeats, receiptOfNotice } from './listening.ts';
import { holdGathering, isRunning, saidIn } from './live.ts';
import { runClock } from './ticking.ts';

/** What could not be taken up is tried again after. Milliseconds. */
const againMs = 2_000;

/** Before terminals are joined. */
export async function openGatherings(ctx: GatheringsContext): Promise<void> {
  for (const id of await gatheringIds(ctx)) {
    try {
      await openOne(ctx, id);
    } catch (error) {
      const { message } = errorFactsOf(error);
      ctx.log.error({ err: error, gathering: id }, 'a gathering cannot be taken up');
      ctx.gatherings.problems.set(id, message);
    }
  }
  listenToSeats(ctx);
}

async function openOne(ctx: GatheringsContext, id: GatheringId): Promise<void> {
  const record = await gatheringFile(ctx, id).read();
  // Without that file it was never begun; what was started for it is ended when terminals are joined.
  if (record === undefined) return;
  if (isOld(record, ctx.clock.nowMs())) return removeGathering(ctx, id);
  const live = await holdLive(ctx, record);
  await inRelay(ctx, live.relay, async () => keepAll(ctx, live));
  if (record.stage === 'closed') return;
  for (const { terminal } of record.seats) if (terminal !== null) ctx.conversations.byTerminal.set(terminal, id);
}

/** Held in memory from now on. */
export async function holdLive(ctx: GatheringsContext, record: Gathering): Promise<LiveGathering> {
  return await holdGathering(ctx, record, (live, message, to, receipt) =>
    receiptOfNotice(ctx, live, message, { to, receipt }),
  );
}

/** When terminals are joined. */
export async function takeUpGatherings(ctx: GatheringsContext): Promise<void> {
  for (const id of await gatheringIds(ctx)) if (!isKnown(ctx, id)) await endUnbegun(ctx, id);
  await Promise.all([...ctx.gatherings.live.values()].map(async (live) => takeUpSometime(ctx, live)));
}

/** One whose files cannot be read, or be taken away, stops no other. */
async function endUnbegun(ctx: GatheringsContext, id: GatheringId): Promise<void> {
  try {
    await endFounding(ctx, id);
  } catch (error) {
    ctx.log.error({ err: error, gathering: id }, 'what was started for a gathering that never began cannot be ended');
    ctx.gatherings.problems.set(id, errorFactsOf(error).message);
  }
}

/** Now, or when what is in the way is gone: none stays without a clock. */
async function takeUpSometime(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  if (await couldTakeUp(ctx, live)) return;
  ctx.spawn(`take up ${live.record.id}`, async (signal) => {
    do await ctx.clock.sleep(againMs, signal);
    while (!(await couldTakeUp(ctx, live)));
  });
}

async function couldTakeUp(ctx: GatheringsContext, live: LiveGathering): Promise<boolean> {
  const { id } = live.record;
  try {
    await takeUp(ctx, live);
    ctx.gatherings.problems.delete(id);
    return true;
  } catch (error) {
    ctx.log.error({ err: error, gathering: id }, 'a gathering could not be taken up, and is tried again');
    ctx.gatherings.problems.set(id, `It cannot go on, and is tried again: ${errorFactsOf(error).message}`);
    return false;
  }
}

function isKnown({ gatherings }: GatheringsContext, id: GatheringId): boolean {
  return gatherings.known.has(id) || gatherings.problems.has(id);
}

/** One that never began leaves nothing. */
export async function endFounding(ctx: GatheringsContext, id: GatheringId): Promise<void> {
  const { spawned = [] } = (await foundingFile(ctx, id).read()) ?? {};
  for (const terminal of spawned) await ctx.seats.end(terminal);
  await removeGathering(ctx, id);
}

/** Does nothing for one that was taken up. */
export async function takeUp(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  if (live.isTakenUp) return;
  await inRelay(ctx, live.relay, async () => {
    if (live.isTakenUp) return;
    if (live.record.stage !== 'closed') await goOn(ctx, live);
    live.isTakenUp = true;
    await tellWhatIsLeft(ctx, live);
    closeWhenHarvested(ctx, live);
  });
  if (live.record.stage !== 'closed') runClock(ctx, live);
  else ctx.spawn(`let go of ${live.record.id}`, async (signal) => letGo(ctx, live, signal));
}

/** What cannot be kept now is kept by its clock, when there is room again. */
async function tellWhatIsLeft(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  try {
    await keepAll(ctx, live);
  } catch (error) {
    ctx.log.error({ err: error, gathering: live.record.id }, 'what a gathering was to tell could not be kept yet');
    return;
  }
  await handOver(ctx, live.relay);
}

/** The holder's turn begins anew: beats of before are over. */
async function goOn(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  const { seats } = live.record;
  const alive = seats.filter(
    ({ terminal, number }) =>
      terminal === null || (!live.died.has(number) && ctx.terminalsOf.find(terminal)?.isAlive === true),
  );
  const beats = saidIn(live).flatMap(({ kind, id }) => (kind === 'beat' ? [id] : []));
  if (isRunning(live.record)) await takeBack(ctx, live.relay, beats);
  const at = ctx.clock.nowIso();
  const before = live.record;
  try {
    await apply(ctx, live, { kind: 'restarted', at, alive: alive.map(({ number }) => number) });
  } catch (error) {
    // Its turn has begun anew, once: what is to be told of that stands in the record.
    if (live.record === before) throw error;
    ctx.log.error({ err: error, gathering: live.record.id }, 'a gathering goes on, and could not tell so yet');
  }
}

/** Gatherings that closed long ago go, with all that was said in them. */
export async function forgetOldGatherings(ctx: GatheringsContext): Promise<void> {
  const { known, live, rows } = ctx.gatherings;
  for (const [id, record] of known) {
    if (!isOld(record, ctx.clock.nowMs())) continue;
    known.delete(id);
    live.delete(id);
    rows.delete(id);
    await removeGathering(ctx, id);
  }
}

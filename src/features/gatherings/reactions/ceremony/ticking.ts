/** The clock of a gathering: beats, the closing question, grace, limits, the time of the harvester. */
import type { GatheringsContext, LiveGathering } from '../../context.ts';
import type { Seat } from '../../contract/gathering.ts';
import { inRelay } from '../../relay/relay.ts';
import { dueOf } from '../../rules/ceremony/due.ts';
import { lineOf, type PulseFacts, shortPulse } from '../../rules/ceremony/pulse.ts';
import { type Input, pieceId } from '../../rules/ceremony/machine.ts';
import { apply, followUp } from './apply.ts';
import { isProducing, saidIn } from './live.ts';

/** So soon it is looked at again whether a speaker whose time is over still works. Milliseconds. */
const lookAgainMs = 500;
/** After what could not be done it is tried again. Milliseconds. */
const againMs = 2_000;
/** So soon it looks anyway. Milliseconds. */
const longestSleepMs = 60_000;

/** Until it is closed, or the hall stops. Call it once for each. */
export function runClock(ctx: GatheringsContext, live: LiveGathering): void {
  ctx.spawn(`clock of ${live.record.id}`, async (stopping) => {
    const ended = AbortSignal.any([stopping, live.leaving.signal]);
    while (!ended.aborted && live.record.stage !== 'closed') {
      // What comes from here on is looked at in the next round.
      live.waking = new AbortController();
      const leftMs = await look(ctx, live);
      const signal = AbortSignal.any([ended, live.waking.signal]);
      // Aborted by what happens meanwhile.
      await ctx.clock.sleep(Math.min(leftMs, longestSleepMs), signal).catch(() => undefined);
    }
  });
}

/** @returns when to look again. Milliseconds from now */
async function look(ctx: GatheringsContext, live: LiveGathering): Promise<number> {
  try {
    await takeMissed(ctx, live);
    await takeUndone(ctx, live);
    if (msLeft(ctx, live) > 0) return msLeft(ctx, live);
    await tick(ctx, live);
    return Math.max(msLeft(ctx, live), lookAgainMs);
  } catch (error) {
    // A disk that is full has room again some time.
    ctx.log.error({ err: error, gathering: live.record.id }, 'a gathering cannot go on, and tries again');
    return againMs;
  }
}

async function tick(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  const pulse = holderOf(live) === undefined ? '' : shortPulse(await pulseOf(ctx, live));
  await inRelay(ctx, live.relay, async () => {
    if (msLeft(ctx, live) > 0 || live.leaving.signal.aborted) return;
    const holder = holderOf(live);
    const producing = holder !== undefined && isProducing(ctx, live, holder);
    await apply(ctx, live, { kind: 'clock', at: ctx.clock.nowIso(), producing, pulse });
  });
}

/** What was told once, and could not be kept then: that a member ended, that the piece arrived. */
async function takeMissed(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  if (missedIn(ctx, live).length === 0) return;
  await inRelay(ctx, live.relay, async () => {
    if (live.leaving.signal.aborted) return;
    for (const input of missedIn(ctx, live)) await apply(ctx, live, input);
  });
}

/** What stands in the record, and could not be told or begun when it was written. */
async function takeUndone(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  const { outbox, harvest } = live.record;
  if (outbox.length === 0 && (harvest?.isCollected !== true || live.isClosing)) return;
  await inRelay(ctx, live.relay, async () => {
    if (!live.leaving.signal.aborted) await followUp(ctx, live);
  });
}

function missedIn(ctx: GatheringsContext, { record, relay }: LiveGathering): Input[] {
  const { seats, turn } = record;
  const at = ctx.clock.nowIso();
  const gone = seats.filter(
    ({ terminal, state }) => terminal !== null && state === 'here' && ctx.terminalsOf.find(terminal)?.isAlive !== true,
  );
  const missed = gone.map<Input>(({ number }) => ({ kind: 'gone', number, at }));
  if (turn === null || turn.arrivedAt !== null) return missed;
  const receipts = relay.log.messages.get(pieceId(record))?.receipts ?? [];
  const receipt = receipts.find(({ to }) => to === turn.holder)?.receipt;
  return receipt?.state === 'delivered' ? [...missed, { kind: 'arrived', turn: turn.number, at: receipt.at }] : missed;
}

function msLeft(ctx: GatheringsContext, { record }: LiveGathering): number {
  const due = dueOf(record);
  return due === null ? longestSleepMs : Date.parse(due.at) - ctx.clock.nowMs();
}

function holderOf({ record }: LiveGathering): Seat | undefined {
  return record.seats.find(({ number }) => number === record.turn?.holder);
}

/** What each speaker said last, and how the hall stands. */
export async function pulseOf(ctx: GatheringsContext, live: LiveGathering): Promise<PulseFacts> {
  const { stage, round, structure, seats, project } = live.record;
  const said = saidIn(live).filter(({ kind }) => kind === 'words');
  const speakers = seats
    .filter(({ role }) => role === 'speaker')
    .map((seat) => ({ seat, line: lineOf(said.findLast(({ from }) => from === seat.number)?.text ?? '') }));
  const rounds = stage === 'closing' || stage === 'closed' ? 0 : structure[stage];
  return { stage, round, rounds, speakers, system: await ctx.pulseFacts(project) };
}

/** Passing the piece by a tool. */
import type { Caller } from '../../../../kernel/operations/operations.ts';
import { fail } from '../../../../kernel/pure/errors.ts';
import type { GatheringsContext } from '../../context.ts';
import type { Gathering } from '../../contract/gathering.ts';
import { apply } from '../../reactions/ceremony/apply.ts';
import { isProducing, isRunning } from '../../reactions/ceremony/live.ts';
import { inRelay } from '../../relay/relay.ts';
import { calledAs } from '../../rules/words.ts';
import { chooseGathering, ownSeat, requireOpen } from './choosing.ts';

/**
 * What an agent says in the turn of its program in which it calls this goes out first.
 * @throws `forbidden` for who does not hold it; `conflict` where nobody does
 */
export async function passPiece(
  ctx: GatheringsContext,
  caller: Caller,
  { id: given, to = null }: { readonly id?: string | undefined; readonly to?: string | null | undefined },
): Promise<Gathering> {
  const live = await requireOpen(ctx, chooseGathering(ctx, caller, given));
  return await inRelay(ctx, live.relay, async () => {
    const { record } = live;
    const seat = ownSeat(record, caller);
    if (!isRunning(record) || record.turn === null) throw nobodyHolds(record);
    if (seat === undefined || seat.number !== record.turn.holder) throw notYours(record, record.turn.holder);
    const producing = caller.kind === 'agent' && isProducing(ctx, live, seat);
    await apply(ctx, live, { kind: 'pass', from: seat.number, to, producing, at: ctx.clock.nowIso() });
    return live.record;
  });
}

function notYours({ id, seats }: Gathering, holder: number): Error {
  const seat = seats.find(({ number }) => number === holder)!;
  return fail(
    'forbidden',
    `The piece is with ${calledAs(seat)}; only who holds it passes it on.`,
    'Wait until the hall says that it is with you.',
    { id, holder },
  );
}

function nobodyHolds({ id }: Gathering): Error {
  return fail('conflict', `The rounds of the gathering ${id} are over.`, `See it: guild-hall gathering show ${id}`, {
    id,
  });
}

/** From the words at a door to the gathering that is meant. */
import type { Caller } from '../../../../kernel/operations/operations.ts';
import { fail } from '../../../../kernel/pure/errors.ts';
import { resolveShortId } from '../../../../kernel/pure/short-ids.ts';
import type { GatheringsContext, LiveGathering } from '../../context.ts';
import { type Gathering, gatheringKind, type Seat } from '../../contract/gathering.ts';
import { seatOf } from '../../reactions/ceremony/live.ts';
import { takeUp } from '../../reactions/ceremony/recovery.ts';
import { terminalOfCaller } from '../choosing.ts';

const listCommand = 'guild-hall gathering list';

/**
 * @param given left out: the one that the caller sits in; for the person the only one that is not closed
 * @throws `not_found`; `invalid` where it has to be said which; `forbidden` for an agent that has no part in it
 */
export function chooseGathering(ctx: GatheringsContext, caller: Caller, given: string | undefined): Gathering {
  const { known } = ctx.gatherings;
  if (caller.kind === 'agent') return chooseForAgent(ctx, caller, given);
  if (given !== undefined) return known.get(resolveShortId(given, known.keys(), { noun: gatheringKind, listCommand }))!;
  const open = [...known.values()].filter(({ stage }) => stage !== 'closed');
  if (open.length === 1) return open[0]!;
  throw open.length === 0
    ? fail('not_found', 'No gathering runs.', `See those that are over: ${listCommand}`)
    : fail('invalid', `It is not said which of ${open.length} gatherings is meant.`, `See their ids: ${listCommand}`);
}

/** Those that it sits in, sat in, or asked for. */
function chooseForAgent(ctx: GatheringsContext, caller: Caller, given: string | undefined): Gathering {
  const terminal = terminalOfCaller(caller);
  const own = [...ctx.gatherings.known.values()].filter(
    ({ seats, startedBy }) =>
      terminal !== undefined && (startedBy === terminal || seats.some((seat) => seat.terminal === terminal)),
  );
  const open = own.filter(({ stage }) => stage !== 'closed');
  const meant =
    given === undefined
      ? (open.find((each) => seatOf(each, terminal!) !== undefined) ?? open[0] ?? own.at(-1))
      : own.find(({ id }) => id === given || id.endsWith(given) || id.startsWith(given));
  if (meant !== undefined) return meant;
  throw given === undefined
    ? fail('not_found', 'You sit in no gathering.', 'Begin one with start_gathering, or ask the person.')
    : fail('forbidden', 'That is none of your gatherings.', 'Leave the id out for the one that you sit in.');
}

/** @throws `conflict` for one that is closed */
export async function requireOpen(ctx: GatheringsContext, { id, end }: Gathering): Promise<LiveGathering> {
  const live = ctx.gatherings.live.get(id);
  if (live === undefined || live.record.stage === 'closed') throw closedAlready(id, end?.trail);
  await takeUp(ctx, live);
  return live;
}

export function closedAlready(id: Gathering['id'], trail?: string): Error {
  const where = trail === undefined ? '' : ` Its trail: ${trail}.`;
  return fail('conflict', `The gathering ${id} is closed.`, `See it: guild-hall gathering show ${id}.${where}`, { id });
}

/** The caller's; of the person, the person's. Undefined for none. */
export function ownSeat({ seats }: Pick<Gathering, 'seats'>, caller: Caller): Seat | undefined {
  const terminal = caller.kind === 'person' ? null : terminalOfCaller(caller);
  return terminal === undefined ? undefined : seats.find((seat) => seat.terminal === terminal);
}

/** Looking at gatherings: the list, one with what was said, and how far it has come. */
import { printCursor } from '../../../../kernel/pure/events.ts';
import type { Caller } from '../../../../kernel/operations/operations.ts';
import type { GatheringsContext } from '../../context.ts';
import { mostMessages } from '../../contract.ts';
import type { Gathering, Seat } from '../../contract/gathering.ts';
import type { GatheringList, GatheringRow, GatheringStatus, GatheringView } from '../../contract/gathering-views.ts';
import { allowedInGathering } from '../../fold/gathering.ts';
import { shownMessage } from '../../reactions/advance.ts';
import { factsOf } from '../../reactions/ceremony/live.ts';
import { openMessageLog } from '../../relay/message-log.ts';
import { dueOf } from '../../rules/ceremony/due.ts';
import type { KeptMessage } from '../../rules/conversation.ts';
import { gatheringMessages } from '../../store/ceremony/place.ts';
import { terminalOfCaller } from '../choosing.ts';
import { chooseGathering } from './choosing.ts';

export async function listGatherings(
  ctx: GatheringsContext,
  { project, state }: { readonly project?: string | undefined; readonly state?: 'running' | 'closed' | undefined },
): Promise<GatheringList> {
  const wanted = [...ctx.gatherings.known.values()].filter(
    (each) =>
      (project === undefined || each.project === project) &&
      (state === undefined || (each.stage === 'closed') === (state === 'closed')),
  );
  const rows = await Promise.all(wanted.map(async (record) => rowOf(ctx, record)));
  const isOver = (row: GatheringRow): number => (row.stage === 'closed' ? 1 : 0);
  rows.sort((one, other) => isOver(one) - isOver(other) || (one.lastAt < other.lastAt ? 1 : -1));
  return { gatherings: rows };
}

/** Of one that is over nothing changes any more: its file is read once. */
async function rowOf(ctx: GatheringsContext, record: Gathering): Promise<GatheringRow> {
  const { rows, live } = ctx.gatherings;
  const known = rows.get(record.id);
  if (known !== undefined) return known;
  const isOver = record.stage === 'closed' && !live.has(record.id);
  const messages = await readMessages(ctx, record);
  const times = [record.turn?.announcedAt, messages.at(-1)?.at, record.close?.at, record.end?.at];
  const lastAt = times.reduce<string>(
    (last, at) => (at !== null && at !== undefined && at > last ? at : last),
    record.startedAt,
  );
  const row = { ...factsOf(record), messages: messages.length, lastAt };
  if (isOver) rows.set(record.id, row);
  return row;
}

/** Of one that is over they are in its file. */
async function readMessages(ctx: GatheringsContext, { id }: Gathering): Promise<KeptMessage[]> {
  const live = ctx.gatherings.live.get(id);
  const { messages } = live?.relay.log ?? (await openMessageLog(ctx, gatheringMessages(ctx, id)));
  return [...messages.values()];
}

export async function showGathering(
  ctx: GatheringsContext,
  caller: Caller,
  given: string | undefined,
): Promise<GatheringView> {
  const { id } = chooseGathering(ctx, caller, given);
  // Taken before anything is read: what happens meanwhile is told twice rather than never.
  const cursor = printCursor(ctx.events.cursor());
  const messages = await readMessages(ctx, ctx.gatherings.known.get(id)!);
  const record = ctx.gatherings.known.get(id)!;
  const gathering = factsOf(record);
  const shown = messages.slice(-mostMessages);
  return {
    gathering,
    messages: shown.map(shownMessage),
    earlier: messages.length - shown.length,
    due: dueOf(record),
    you: personIn(record)?.number ?? null,
    kept: record.kept,
    allowed: allowedInGathering(gathering),
    cursor,
  };
}

export function personIn({ seats }: Pick<Gathering, 'seats'>): Seat | undefined {
  return seats.find(({ terminal }) => terminal === null);
}

export function statusGathering(ctx: GatheringsContext, caller: Caller, given: string | undefined): GatheringStatus {
  return statusOf(chooseGathering(ctx, caller, given), caller);
}

export function statusOf(gathering: Gathering, caller: Caller): GatheringStatus {
  const { id, rhythm, question, stage, round, structure, turn, spoken, seats, beatsPerTurn, end } = gathering;
  const terminal = caller.kind === 'person' ? null : terminalOfCaller(caller);
  const holder = seats.find(({ number }) => number === turn?.holder);
  return {
    id,
    rhythm,
    question,
    stage,
    round,
    rounds: stage === 'closing' || stage === 'closed' ? 0 : structure[stage],
    holder: holder === undefined ? null : { name: holder.name, number: holder.number },
    beat: turn?.beats ?? 0,
    beats: beatsPerTurn,
    seats: seats.map((seat) => ({
      number: seat.number,
      name: seat.name,
      role: seat.role,
      isPerson: seat.terminal === null,
      state: seat.state,
      hasSpoken: spoken.includes(seat.number) || (seat.number === turn?.holder && turn.hasSpoken),
      terminal: seat.terminal,
    })),
    due: dueOf(gathering),
    you: seats.find((seat) => seat.terminal === terminal)?.number ?? null,
    end,
  };
}

/** A gathering that the hall finds when it is started anew. Pure. */
import type { Gathering } from '../../contract/gathering.ts';
import { later, lookAgainAt } from './due.ts';
import { harvesterOf, seatOf } from './piece.ts';
import { beatsOf, closing, givePiece, isTooFew, movePiece, releaseKept, type StepResult } from './turn.ts';
import { goneNote, restartNote } from './words.ts';

/**
 * It goes on at the start of the holder's turn, or closes where too few are left; the harvester's time begins anew.
 * @param alive numbers of those whose terminals live
 */
export function restarted(gathering: Gathering, at: string, alive: readonly number[]): StepResult {
  const lost = gathering.seats.filter(
    ({ terminal, state, number }) => terminal !== null && state === 'here' && !alive.includes(number),
  );
  const seats = gathering.seats.map((seat) => (lost.includes(seat) ? { ...seat, state: 'gone' as const } : seat));
  const left: Gathering = { ...gathering, seats };
  const notes = lost.map(goneNote);
  if (left.stage === 'closing') return { next: harvestAnew(left, at), withdraw: [] };
  if (isTooFew(left)) return closing(left, { kind: 'restart' }, at, notes);
  return turnAnew(left, at, notes);
}

function harvestAnew(gathering: Gathering, at: string): Gathering {
  const { harvest } = gathering;
  if (harvest === null || harvest.isCollected) return gathering;
  if (harvesterOf(gathering)?.state === 'here')
    return { ...gathering, harvest: { ...harvest, askedAt: at, until: later(at, gathering.harvestSeconds) } };
  return {
    ...gathering,
    harvest: { ...harvest, isCollected: true, isWrittenByHall: harvest.heard.length === 0 },
  };
}

function turnAnew(gathering: Gathering, at: string, notes: readonly string[]): StepResult {
  const { turn } = gathering;
  const holder = turn === null ? undefined : seatOf(gathering, turn.holder);
  if (turn === null || holder === undefined || holder.state === 'gone')
    return movePiece(gathering, { to: null, at, notes });
  const given = givePiece(gathering, holder.number, at, [...notes, restartNote(holder)]);
  const now = given.turn!;
  // What it was told before the hall went down may be answered yet, and what it said then counts.
  const { hasSpoken, passing } = turn;
  const graceUntil = passing === null ? null : lookAgainAt(gathering, at);
  const anew = { ...now, hasSpoken, passing, graceUntil, told: [...turn.told, ...now.told] };
  const { next, withdraw } = releaseKept({ ...given, turn: anew }, at);
  return { next, withdraw: [...beatsOf(gathering), ...withdraw] };
}

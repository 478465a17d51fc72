/** When the clock is asked next, and for what. Pure: times are ISO 8601, UTC. */
import type { Gathering, Turn } from '../../contract/gathering.ts';
import type { GatheringDue } from '../../contract/gathering-views.ts';

/** So often is it looked whether a speaker whose time is over still produces. Seconds. */
const lookAgainSeconds = 5;
const leastSeconds = 0.2;

/** The next time of the clock; null where it has nothing to do. */
export function dueOf(gathering: Gathering): GatheringDue | null {
  const { stage, harvest, turn } = gathering;
  if (stage === 'closing')
    return harvest === null || harvest.isCollected ? null : { what: 'harvest', at: harvest.until };
  return stage === 'closed' || turn === null ? null : turnDue(gathering, turn);
}

function turnDue(gathering: Gathering, turn: Turn): GatheringDue {
  const limit = limitOf(gathering, turn);
  if (turn.graceUntil !== null)
    return turn.graceUntil < limit ? { what: 'grace', at: turn.graceUntil } : { what: 'limit', at: turn.graceUntil };
  if (turn.arrivedAt === null) return { what: 'limit', at: limit };
  const beat = turn.beats + 1;
  return { what: beat < gathering.beatsPerTurn ? 'beat' : 'question', at: beatAt(gathering, turn.arrivedAt, beat) };
}

/** Of a turn: a speaker who still produces is cut here. One that was not reached has so long to be reached. */
export function limitOf({ beatsPerTurn, extraBeats, beatIntervalSeconds }: Gathering, turn: Turn): string {
  return later(turn.arrivedAt ?? turn.announcedAt, (beatsPerTurn + extraBeats) * beatIntervalSeconds);
}

function beatAt({ beatIntervalSeconds }: Gathering, arrivedAt: string, beat: number): string {
  return later(arrivedAt, beat * beatIntervalSeconds);
}

/** The number of the beat that is to be told now: where the hall slept over some, only the last of them. */
export function beatNow(gathering: Gathering, turn: Turn, at: string): number {
  let beat = turn.beats + 1;
  while (beat < gathering.beatsPerTurn && beatAt(gathering, turn.arrivedAt ?? at, beat + 1) <= at) beat += 1;
  return beat;
}

/** When it is looked again whether somebody still produces. */
export function lookAgainAt({ graceSeconds }: Gathering, at: string): string {
  return later(at, Math.max(leastSeconds, Math.min(lookAgainSeconds, graceSeconds)));
}

export function later(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1000).toISOString();
}

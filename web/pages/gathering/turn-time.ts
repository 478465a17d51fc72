/** The time of a turn: its beats, what is left of it. Pure. Milliseconds. */
import type { Gathering, Turn } from '../../../src/features/gatherings/contract/gathering.ts';
import type { GatheringDue } from '../../../src/features/gatherings/contract/gathering-views.ts';

export interface TurnTime {
  /** `coming`: the piece is on its way to the holder; `speaking`; `last`: the closing question was asked; `over`: its time is up, and what is being said is waited for. */
  readonly stage: 'coming' | 'speaking' | 'last' | 'over';
  readonly leftMs: number;
  /** 0 at its beginning, 1 when the closing question comes. */
  readonly share: number;
  /** The beat that it is in, from 1. */
  readonly beat: number;
}

type Facts = Pick<Gathering, 'beatsPerTurn' | 'beatIntervalSeconds' | 'graceSeconds'>;

export function turnTimeOf(facts: Facts, turn: Turn, due: GatheringDue | null, nowMs: number): TurnTime {
  const wholeMs = facts.beatsPerTurn * facts.beatIntervalSeconds * 1000;
  if (turn.arrivedAt === null) return { stage: 'coming', leftMs: wholeMs, share: 0, beat: 1 };
  const beat = Math.min(facts.beatsPerTurn, turn.beats + 1);
  if (turn.askedAt === null) {
    const leftMs = Math.max(0, Date.parse(turn.arrivedAt) + wholeMs - nowMs);
    return { stage: 'speaking', leftMs, share: share(1 - leftMs / wholeMs), beat };
  }
  if (due?.what === 'limit') {
    return { stage: 'over', leftMs: Math.max(0, Date.parse(due.at) - nowMs), share: 1, beat };
  }
  const endsMs = due === null ? Date.parse(turn.askedAt) + facts.graceSeconds * 1000 : Date.parse(due.at);
  return { stage: 'last', leftMs: Math.max(0, endsMs - nowMs), share: 1, beat };
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}

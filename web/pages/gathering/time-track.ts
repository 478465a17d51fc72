/** A gathering as time: phases, their rounds, the turns of each round. Pure. */
import type { Gathering, Phase } from '../../../src/features/gatherings/contract/gathering.ts';
import type { Message } from '../../../src/features/gatherings/contract.ts';
import { speakersOf } from '../../kit/gathering-words.ts';

export type Span = 'past' | 'now' | 'ahead' | 'dropped';

export interface TrackRound {
  readonly round: number;
  readonly state: Span;
  /** One for each turn. */
  readonly turns: readonly Span[];
}

export interface TrackPhase {
  readonly phase: Phase;
  readonly state: Span;
  readonly rounds: readonly TrackRound[];
}

export interface Track {
  readonly phases: readonly TrackPhase[];
  readonly harvest: Span;
}

const phases: readonly Phase[] = ['inhale', 'hold', 'exhale'];

type Facts = Pick<Gathering, 'seats' | 'structure' | 'stage' | 'round' | 'spoken' | 'turn' | 'close'>;

/** The last round that began. */
export interface Reached {
  readonly phase: Phase;
  readonly round: number;
}

/** As the banners tell it: of a gathering that was ended early its record does not say it any more. */
export function reachedIn(messages: readonly Pick<Message, 'kind' | 'text'>[]): Reached | undefined {
  for (const { kind, text } of messages.toReversed()) {
    const [, title, round] =
      (kind === 'banner' && /^\[guild-hall\] (Inhale|Hold|Exhale), round (\d+) of /m.exec(text)) || [];
    if (title !== undefined) return { phase: title.toLowerCase() as Phase, round: Number(round) };
  }
  return undefined;
}

/** What was not held to its end is dropped. @param reached used of one that was ended early */
export function trackOf(facts: Facts, reached?: Reached): Track {
  const { stage, close } = facts;
  const isOver = stage === 'closing' || stage === 'closed';
  const now = isOver ? phases.length : phases.indexOf(stage);
  const isWhole = close === null || close.why.kind === 'rounds';
  const last = reached === undefined ? -1 : phases.indexOf(reached.phase);
  const states = phases.map((_, nth): Span => {
    if (isOver) return isWhole || nth < last ? 'past' : 'dropped';
    return nth < now ? 'past' : nth === now ? 'now' : 'ahead';
  });
  const harvest: Span = stage === 'closed' ? 'past' : stage === 'closing' ? 'now' : 'ahead';
  return { phases: phases.map((phase, nth) => phaseOf(facts, phase, states[nth]!, reached)), harvest };
}

function phaseOf(facts: Facts, phase: Phase, state: Span, reached: Reached | undefined): TrackPhase {
  const alive = speakersOf(facts).filter((seat) => seat.state === 'here').length;
  const rounds = Array.from({ length: facts.structure[phase] }, (_, nth): TrackRound => {
    const round = nth + 1;
    if (state !== 'now') {
      const isHeld = state === 'dropped' && phase === reached?.phase && round < reached.round;
      const span = isHeld ? 'past' : state;
      return { round, state: span, turns: Array<Span>(alive).fill(span) };
    }
    if (round !== facts.round) {
      const span = round < facts.round ? 'past' : 'ahead';
      return { round, state: span, turns: Array<Span>(alive).fill(span) };
    }
    return { round, state: 'now', turns: turnsOf(facts) };
  });
  return { phase, state, rounds };
}

/** Of this round: those that were, the one that is, those that come. Who is gone and had none has none. */
function turnsOf(facts: Facts): Span[] {
  const left = speakersOf(facts).filter(
    ({ number, state }) => state === 'here' && number !== facts.turn?.holder && !facts.spoken.includes(number),
  );
  return [
    ...facts.spoken.map((): Span => 'past'),
    ...(facts.turn === null ? [] : (['now'] as const)),
    ...left.map((): Span => 'ahead'),
  ];
}

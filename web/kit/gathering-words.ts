/** How a gathering stands, in words, and who is who in it. Pure. */
import type {
  CloseReason,
  Gathering,
  HarvestKind,
  Phase,
  Seat,
} from '../../src/features/gatherings/contract/gathering.ts';
import type { StateMarkProps } from './state-mark.tsx';

type Facts = Pick<Gathering, 'seats' | 'stage' | 'round' | 'structure' | 'turn' | 'spoken' | 'close' | 'end'>;

/** Of those that take a turn, in their order. */
export function speakersOf<Each extends Pick<Seat, 'role'>>({ seats }: { readonly seats: readonly Each[] }): Each[] {
  return seats.filter(({ role }) => role === 'speaker');
}

export function harvesterOf<Each extends Pick<Seat, 'role'>>({
  seats,
}: {
  readonly seats: readonly Each[];
}): Each | undefined {
  return seats.find(({ role }) => role === 'harvester');
}

export function seatOf<Each extends Pick<Seat, 'number'>>(
  { seats }: { readonly seats: readonly Each[] },
  number: number | undefined,
): Each | undefined {
  return seats.find((seat) => seat.number === number);
}

/** `Ada (2)`, as everybody in it reads it. */
export function calledAs({ name, number }: Pick<Seat, 'name' | 'number'>): string {
  return `${name} (${number})`;
}

export function holderOf(facts: Pick<Facts, 'seats' | 'turn'>): Seat | undefined {
  return seatOf(facts, facts.turn?.holder);
}

/** The person holds the piece. */
export function isYourTurn(facts: Pick<Facts, 'seats' | 'turn'>): boolean {
  return holderOf(facts)?.terminal === null;
}

/** How it stands with a seat in this round. */
export type Place = 'holds' | 'spoke' | 'waits' | 'gone' | 'listens' | 'harvests' | 'over';

export function placeOf(facts: Facts, seat: Pick<Seat, 'number' | 'role' | 'state'>): Place {
  if (seat.state === 'gone') return 'gone';
  if (facts.stage === 'closed') return 'over';
  if (seat.role === 'harvester') return facts.stage === 'closing' ? 'harvests' : 'listens';
  if (facts.stage === 'closing') return 'over';
  if (facts.turn?.holder === seat.number) return 'holds';
  return facts.spoken.includes(seat.number) ? 'spoke' : 'waits';
}

/** A word or two for each; what is over says nothing. */
export const placeWords: Readonly<Record<Place, string>> = {
  holds: 'has the piece',
  spoke: 'had a turn',
  waits: 'waits',
  gone: 'gone',
  listens: 'listens, harvests at the close',
  harvests: 'writes the harvest',
  over: '',
};

/** Who has the piece after this turn, unless somebody is named; undefined: the round is over then. */
export function nextOf(facts: Pick<Facts, 'seats' | 'spoken' | 'turn'>): Seat | undefined {
  const had = [...facts.spoken, facts.turn?.holder];
  return speakersOf(facts).find(({ number, state }) => state === 'here' && !had.includes(number));
}

/** To whom the piece can be handed by name now: they have not had it in this round; in its last turn, who opens the next. */
export function canBeNamed(facts: Pick<Facts, 'seats' | 'spoken' | 'turn'>): Seat[] {
  const others = speakersOf(facts).filter(({ number, state }) => state === 'here' && number !== facts.turn?.holder);
  const waiting = others.filter(({ number }) => !facts.spoken.includes(number));
  return waiting.length > 0 ? waiting : others;
}

const phaseTitles: Readonly<Record<Phase, string>> = { inhale: 'Inhale', hold: 'Hold', exhale: 'Exhale' };

export function stageTitle(stage: Facts['stage']): string {
  if (stage === 'closing') return 'Harvest';
  return stage === 'closed' ? 'Closed' : phaseTitles[stage];
}

/** What each phase is for, in one sentence to somebody whose turn it is. */
export const phaseAsks: Readonly<Record<Phase, string>> = {
  inhale: 'Say what you sense and know. Nobody is answered yet.',
  hold: 'Say what does not hold, what is missing, what you see in another way.',
  exhale: 'Say what you agree on, what stays open, who does what next.',
};

/** `round 1 of 2`; undefined when the rounds are over. */
export function roundText({
  stage,
  round,
  structure,
}: Pick<Facts, 'stage' | 'round' | 'structure'>): string | undefined {
  if (stage === 'closing' || stage === 'closed' || round === 0) return undefined;
  return `round ${round} of ${structure[stage]}`;
}

/** `2-3-2` */
export function structureText({ inhale, hold, exhale }: Facts['structure']): string {
  return `${inhale}-${hold}-${exhale}`;
}

/** Shape and word of its state. */
export function gatheringState(facts: Facts): StateMarkProps {
  if (facts.stage === 'closed') return { kind: 'done', word: 'closed' };
  const harvester = harvesterOf(facts);
  if (facts.stage === 'closing') {
    const isThere = harvester?.state === 'here';
    return {
      kind: 'active',
      word: isThere ? `${harvester.name} writes the harvest` : 'the harvest is written',
      isMoving: true,
    };
  }
  const holder = holderOf(facts);
  if (holder === undefined) return { kind: 'active', word: 'under way', isMoving: true };
  if (holder.terminal === null) return { kind: 'waiting', word: 'your turn' };
  return { kind: 'active', word: `${holder.name} has the piece`, isMoving: true };
}

/** Why its rounds ended, in a sentence. */
export function whyClosed(facts: Pick<Facts, 'seats'>, why: CloseReason): string {
  if (why.kind === 'rounds') return 'All rounds were held.';
  if (why.kind === 'few') return 'Fewer than two speakers were left.';
  if (why.kind === 'restart') return 'Its terminals did not outlive a restart of the hall.';
  if (why.by === 'person') return 'You ended it.';
  if (why.by === 'host') return 'The agent that asked for it ended it.';
  return `${seatOf(facts, why.by)?.name ?? `Number ${why.by}`} ended it.`;
}

/** What came out, by kind: how one of them and several are called. */
export const harvestWords: Readonly<Record<HarvestKind, readonly [one: string, several: string]>> = {
  todo: ['To do', 'To do'],
  proposal: ['Proposed change', 'Proposed changes'],
  memory: ['To remember', 'To remember'],
  vision: ['Seed of a vision', 'Seeds of visions'],
};

/** `1:05`, `12:00`, `1:02:09`; not below nothing. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (part: number) => String(part).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

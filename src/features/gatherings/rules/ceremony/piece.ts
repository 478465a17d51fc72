/** Who has the talking piece next. In one round each living speaker has it once, whoever is named. Pure. */
import { type Gathering, type Phase, phases, type Seat } from '../../contract/gathering.ts';
import { type PassFault, passNote } from './words.ts';

export function speakersOf({ seats }: Pick<Gathering, 'seats'>): Seat[] {
  return seats.filter(({ role }) => role === 'speaker');
}

export function livingSpeakers(gathering: Pick<Gathering, 'seats'>): Seat[] {
  return speakersOf(gathering).filter(({ state }) => state === 'here');
}

export function harvesterOf({ seats }: Pick<Gathering, 'seats'>): Seat | undefined {
  return seats.find(({ role }) => role === 'harvester');
}

export function personOf({ seats }: Pick<Gathering, 'seats'>): Seat | undefined {
  return seats.find(({ terminal }) => terminal === null);
}

export function seatOf({ seats }: Pick<Gathering, 'seats'>, number: number): Seat | undefined {
  return seats.find((seat) => seat.number === number);
}

export function isRunning({ stage }: Pick<Gathering, 'stage'>): boolean {
  return stage !== 'closing' && stage !== 'closed';
}

export interface Place {
  readonly stage: Phase;
  /** Of this phase, from 1. */
  readonly round: number;
  readonly spoken: number[];
}

export interface NextHolder extends Place {
  readonly holder: number;
  readonly isNewRound: boolean;
}

/**
 * Who has it after the present holder, who has had it then.
 * @param wanted number of who was named, as `decidePass` allows it
 * @returns undefined when all rounds were held, or nobody is left
 */
export function nextHolder(gathering: Gathering, wanted: number | null): NextHolder | undefined {
  const { stage, round } = gathering;
  const spoken = hadIt(gathering);
  const [first] = waitingIn(gathering);
  if (first !== undefined) {
    const place = { stage: stage as Phase, round, spoken };
    return { ...place, holder: wanted ?? first.number, isNewRound: false };
  }
  const place = nextRound(gathering);
  const [opener] = livingSpeakers(gathering);
  if (place === undefined || opener === undefined) return undefined;
  return { ...place, holder: wanted ?? opener.number, isNewRound: true };
}

function hadIt({ spoken, turn }: Gathering): number[] {
  return turn === null ? [...spoken] : [...spoken, turn.holder];
}

/** Who has not had it in this round, in order. */
function waitingIn(gathering: Gathering): Seat[] {
  const had = hadIt(gathering);
  return livingSpeakers(gathering).filter(({ number }) => !had.includes(number));
}

function nextRound({ stage, round, structure }: Gathering): Place | undefined {
  const phase = stage as Phase;
  if (round < structure[phase]) return { stage: phase, round: round + 1, spoken: [] };
  const following = phases[phases.indexOf(phase) + 1];
  return following === undefined ? undefined : { stage: following, round: 1, spoken: [] };
}

/** Nobody's is longer. Characters. */
const longestName = 200;

export interface DecidedPass {
  /** Number of who was named and may have it. */
  readonly wanted: number | null;
  /** Where it goes to another than was named: why, for all. */
  readonly note: string | undefined;
}

/** @param to as the holder said it; null for whoever is next */
export function decidePass(gathering: Gathering, to: string | null): DecidedPass {
  const from = gathering.turn === null ? undefined : seatOf(gathering, gathering.turn.holder);
  if (to === null || from === undefined || isNextInOrder(to)) return { wanted: null, note: undefined };
  const seat = findSeat(gathering.seats, to);
  const fault = faultOf(gathering, from, seat);
  if (seat !== undefined && fault === undefined) return { wanted: seat.number, note: undefined };
  return { wanted: null, note: passNote(from, to, fault ?? 'unknown') };
}

function faultOf(gathering: Gathering, from: Seat, seat: Seat | undefined): PassFault | undefined {
  if (seat === undefined) return 'unknown';
  if (seat.role === 'harvester') return 'harvester';
  if (seat.number === from.number) return 'self';
  if (seat.state === 'gone') return 'gone';
  // The last of a round names who opens the next one.
  const isLast = waitingIn(gathering).length === 0;
  return !isLast && gathering.spoken.includes(seat.number) ? 'spoken' : undefined;
}

/** `the next one`: as if nobody was named. */
function isNextInOrder(to: string): boolean {
  if (to.length > longestName) return false;
  return /^(?:the |our |whoever is |whoever comes )?next(?: (?:one|speaker|person|member|voice|in (?:order|line|turn|the (?:circle|order|round))))?$/.test(
    plainName(to),
  );
}

/** By name, without regard to case and marks; by number: `Mo`, `**mo**`, `Mo (1)`, `1`, `#1`, `number 1`. */
export function findSeat<Any extends Pick<Seat, 'name' | 'number'>>(
  seats: readonly Any[],
  wanted: string,
): Any | undefined {
  if (wanted.length > longestName) return undefined;
  const plain = plainName(wanted);
  const whole = seats.find(({ name }) => plainName(name) === plain);
  if (whole !== undefined) return whole;
  const numbered = /^(?<name>.*?)[\s(#]*\b(?<number>\d{1,4})\)?$/.exec(plain)?.groups;
  if (numbered === undefined) return undefined;
  const name = numbered['name']!.replace(/[\s(#]+$/, '');
  const number = Number(numbered['number']);
  if (['', 'number', 'no', 'no.', 'nr', 'nr.', 'speaker', 'member', 'seat', 'participant'].includes(name))
    return seats.find((seat) => seat.number === number);
  // The name tells more than the number.
  return seats.find((seat) => plainName(seat.name) === name);
}

/** To compare by. */
export function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[*_`~"“”„«»‘’\s]+/gu, ' ')
    .replaceAll(/^[\s@'#]+|[\s'.,;:!…]+$/gu, '');
}

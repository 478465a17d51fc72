/** A turn with the piece, from its announcement to the next one's or the close. Pure. */
import type { CloseReason, Gathering, Notice, Turn } from '../../contract/gathering.ts';
import { later } from './due.ts';
import { cutAtPass, findPass } from './pass.ts';
import { decidePass, harvesterOf, livingSpeakers, nextHolder, personOf, seatOf } from './piece.ts';
import { bannerText, closeBanner, harvestAsk, joinLines, keptWords, pieceLine } from './words.ts';

/** What came of an input. The same gathering where nothing did. */
export interface StepResult {
  readonly next: Gathering;
  /** Ids of beats of a turn that is over, or of a beat that another one follows: not to be delivered any more. */
  readonly withdraw: readonly string[];
}

/** Of the message that announces the piece, with all that is told at the same time. @param turn its number; without it the present one */
export function pieceId(gathering: Pick<Gathering, 'id' | 'turn'>, turn = gathering.turn?.number ?? 1): string {
  return `${gathering.id}-piece-${turn}`;
}

export function beatId({ id }: Pick<Gathering, 'id'>, turn: number, beat: number): string {
  return `${id}-beat-${turn}-${beat}`;
}

/** Of the message that asks the harvester. */
export function harvestId({ id }: Pick<Gathering, 'id'>): string {
  return `${id}-harvest`;
}

/** Numbers of all that are here. */
export function allHere({ seats }: Pick<Gathering, 'seats'>): number[] {
  return seats.flatMap(({ state, number }) => (state === 'here' ? [number] : []));
}

export function allBut(gathering: Pick<Gathering, 'seats'>, number: number | undefined): number[] {
  return allHere(gathering).filter((each) => each !== number);
}

/** It goes out. What goes to the holder, or to the harvester at the close, is noted: words are answers to it. */
export function told(gathering: Gathering, notice: Notice): Gathering {
  const { turn, harvest } = gathering;
  const harvester = harvesterOf(gathering)?.number;
  const isForHolder = turn !== null && notice.to.includes(turn.holder);
  const isForHarvester = harvest !== null && harvester !== undefined && notice.to.includes(harvester);
  return {
    ...gathering,
    outbox: [...gathering.outbox, notice],
    turn: isForHolder ? { ...turn, told: [...turn.told, notice.id] } : turn,
    harvest: isForHarvester ? { ...harvest, told: [...harvest.told, notice.id] } : harvest,
  };
}

/** It gets the piece, and begins. @param lines for all, told with it */
export function givePiece(gathering: Gathering, holder: number, at: string, lines: readonly string[]): Gathering {
  const seat = seatOf(gathering, holder)!;
  const turn: Turn = {
    number: (gathering.turn?.number ?? 0) + 1,
    holder,
    announcedAt: at,
    // What goes to the person has arrived.
    arrivedAt: seat.terminal === null ? at : null,
    beats: 0,
    askedAt: null,
    hasSpoken: false,
    passing: null,
    told: [],
    graceUntil: null,
  };
  const given = { ...gathering, turn };
  const text = joinLines([...lines, pieceLine(seat)]);
  return told(given, { id: pieceId(given), kind: 'piece', from: 'hall', text, to: allHere(given), at });
}

export interface Moving {
  /** Who was named; null for the next in order. */
  readonly to: string | null;
  readonly at: string;
  /** For all, told with the next announcement. */
  readonly notes: readonly string[];
}

/** The turn is over: the next one begins, or the close. */
export function movePiece(gathering: Gathering, { to, at, notes }: Moving): StepResult {
  const { wanted, note } = decidePass(gathering, to);
  const next = nextHolder(gathering, wanted);
  if (next === undefined) return closing(gathering, { kind: 'rounds' }, at, notes);
  const { holder, isNewRound, ...place } = next;
  const moved = { ...gathering, ...place };
  const lines = [...notes, ...(note === undefined ? [] : [note]), ...(isNewRound ? [banner(moved)] : [])];
  return andAlso(beatsOf(gathering), releaseKept(givePiece(moved, holder, at, lines), at));
}

/** Of the phase and the round that it is in. */
export function banner({ stage, round, structure }: Gathering): string {
  return stage === 'closing' || stage === 'closed' ? '' : bannerText(stage, round, structure[stage]);
}

/** Ids of those that were told in its turn. */
export function beatsOf({ id, turn }: Gathering): string[] {
  if (turn === null) return [];
  const all = Array.from({ length: turn.beats }, (_, index) => beatId({ id }, turn.number, index + 1));
  return all.filter((each) => turn.told.includes(each));
}

function andAlso(withdraw: readonly string[], result: StepResult): StepResult {
  return { next: result.next, withdraw: [...withdraw, ...result.withdraw] };
}

/** What the person said without the piece goes out when it comes, up to a pass; what follows that waits for the next turn. */
export function releaseKept(gathering: Gathering, at: string): StepResult {
  const { turn, kept } = gathering;
  const [first, ...rest] = kept;
  if (turn === null || first === undefined || turn.holder !== personOf(gathering)?.number)
    return { next: gathering, withdraw: [] };
  const pass = findPass(first.text, namesOf(gathering));
  const text = pass === undefined ? first.text : cutAtPass(first.text, first.text, pass);
  const said = say({ ...gathering, kept: rest }, { from: turn.holder, id: first.id, text, at });
  return pass === undefined ? releaseKept(said, at) : movePiece(said, { to: pass.to, at, notes: [] });
}

export function namesOf({ seats }: Pick<Gathering, 'seats'>): string[] {
  return seats.map(({ name }) => name);
}

/** The holder's words go to all others. */
export function say(
  gathering: Gathering,
  { from, id, text, at }: { readonly from: number; readonly id: string; readonly text: string; readonly at: string },
): Gathering {
  const turn = gathering.turn === null ? null : { ...gathering.turn, hasSpoken: true };
  const to = allBut(gathering, from);
  return told({ ...gathering, turn }, { id, kind: 'words', from, text, to, at });
}

/** No turn is given and no beat told any more; the harvester is asked. @param notes for all, told with the banner */
export function closing(gathering: Gathering, why: CloseReason, at: string, notes: readonly string[]): StepResult {
  const harvester = harvesterOf(gathering);
  const isAsked = harvester?.state === 'here';
  const lines = [...notes, closeBanner(gathering, why)];
  const closed: Gathering = {
    ...gathering,
    stage: 'closing',
    round: 0,
    spoken: [],
    turn: null,
    close: { why, at },
    harvest: {
      askedAt: at,
      told: [],
      heard: [],
      until: isAsked ? later(at, gathering.harvestSeconds) : at,
      isCollected: !isAsked,
      isWrittenByHall: !isAsked,
    },
  };
  const shared = { from: 'hall', at } as const;
  const others = allBut(closed, isAsked ? harvester.number : undefined);
  const id = `${closed.id}-banner-close`;
  const announced = told(closed, { ...shared, id, kind: 'banner', text: joinLines(lines), to: others });
  const withdraw = beatsOf(gathering);
  if (!isAsked) return { next: announced, withdraw };
  const person = personOf(gathering);
  const ask = [
    joinLines([...lines, harvestAsk(gathering.harvestSeconds)]),
    ...(person === undefined || gathering.kept.length === 0 ? [] : [keptWords(person, gathering.kept)]),
  ].join('\n\n');
  const to = [harvester.number];
  return {
    next: told(announced, { ...shared, id: harvestId(closed), kind: 'harvest', text: ask, to }),
    withdraw,
  };
}

/** Too few are left to speak with each other. */
export function isTooFew(gathering: Gathering): boolean {
  return livingSpeakers(gathering).length < 2;
}

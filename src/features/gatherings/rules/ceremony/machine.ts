/**
 * How a gathering goes: one input after the other, each of which is answered by the next record. What is to be told
 * stands in its outbox, behind what is there already. Pure: the same input on the same record gives the same.
 */
import type { Gathering, Notice, Turn } from '../../contract/gathering.ts';
import { beatNow, dueOf, later, limitOf, lookAgainAt } from './due.ts';
import { cutAtPass, findPass } from './pass.ts';
import { harvesterOf, isRunning, personOf, seatOf, speakersOf } from './piece.ts';
import { restarted } from './restart.ts';
import {
  allBut,
  allHere,
  banner,
  beatId,
  closing,
  givePiece,
  isTooFew,
  movePiece,
  namesOf,
  releaseKept,
  say,
  type StepResult,
  told,
} from './turn.ts';
import { announcementText, beatLine, closedLine, closingAsk, goneNote, notReachedNote, timeUpNote } from './words.ts';

export { pieceId, type StepResult } from './turn.ts';

/** Times are ISO 8601, UTC; `from`, `number`, `by` are numbers of seats. */
export type Input =
  /** The announcement of that turn reached its holder. */
  | { readonly kind: 'arrived'; readonly turn: number; readonly at: string }
  | Words
  /** By the tool. `producing`: the caller is in the middle of an answer. */
  | {
      readonly kind: 'pass';
      readonly from: number;
      readonly to: string | null;
      readonly producing: boolean;
      readonly at: string;
    }
  /** When `dueOf` has come. `producing`: the holder is. */
  | { readonly kind: 'clock'; readonly at: string; readonly producing: boolean; readonly pulse: string }
  /** Its terminal ended. */
  | { readonly kind: 'gone'; readonly number: number; readonly at: string }
  | { readonly kind: 'ended'; readonly by: 'person' | 'host' | number; readonly at: string }
  /** The person's words out of turn. */
  | { readonly kind: 'kept'; readonly id: string; readonly text: string; readonly at: string }
  /** The person's words as the host. */
  | { readonly kind: 'announce'; readonly id: string; readonly text: string; readonly at: string }
  /** `alive`: numbers of those whose terminals live. */
  | { readonly kind: 'restarted'; readonly at: string; readonly alive: readonly number[] };

export interface Words {
  readonly kind: 'words';
  readonly from: number;
  readonly id: string;
  readonly text: string;
  /** Without what was delivered to it. */
  readonly own: string;
  /** Id of this gathering's newest message that reached it before; null where that is not known, or was another's. */
  readonly after: string | null;
  readonly at: string;
  readonly source: 'signal' | 'marker' | 'quiet' | 'person';
}

export type Founding = Pick<
  Gathering,
  | 'id'
  | 'project'
  | 'rhythm'
  | 'question'
  | 'structure'
  | 'beatsPerTurn'
  | 'beatIntervalSeconds'
  | 'graceSeconds'
  | 'extraBeats'
  | 'harvestSeconds'
  | 'startedBy'
  | 'startedAt'
  | 'seats'
> & {
  /** By number of the seat. */
  readonly seedTexts: Readonly<Record<number, string>>;
};

/** After words that were read off the screen, more may come. Seconds. */
const quietSeconds = 2;
/** What the harvester says is kept up to here. Characters. */
const mostHeard = 100_000;

/** The first record: seeds, banner and the first piece are to go out. */
export function begun({ seedTexts, ...founding }: Founding): Gathering {
  const at = founding.startedAt;
  const seeds = founding.seats.map<Notice>(({ number }) => ({
    id: `${founding.id}-seed-${number}`,
    kind: 'seed',
    from: 'hall',
    text: seedTexts[number] ?? '',
    to: [number],
    at,
  }));
  const first: Gathering = {
    ...founding,
    stage: 'inhale',
    round: 1,
    spoken: [],
    turn: null,
    kept: [],
    close: null,
    harvest: null,
    end: null,
    outbox: seeds,
  };
  return givePiece(first, speakersOf(first)[0]!.number, at, [banner(first)]);
}

/** One input. Where it changes nothing the same object comes back. */
export function step(gathering: Gathering, input: Input): StepResult {
  if (gathering.stage === 'closed') return same(gathering);
  switch (input.kind) {
    case 'arrived':
      return arrived(gathering, input.turn, input.at);
    case 'words':
      return takeWords(gathering, input);
    case 'pass':
      return passByTool(gathering, input);
    case 'clock':
      return tick(gathering, input);
    case 'gone':
      return goneFrom(gathering, input.number, input.at);
    case 'ended':
      return isRunning(gathering) ? closing(gathering, { kind: 'ended', by: input.by }, input.at, []) : same(gathering);
    case 'kept':
      return keepWords(gathering, input);
    case 'announce':
      return announce(gathering, input);
    case 'restarted':
      return restarted(gathering, input.at, input.alive);
  }
}

/** It is over, and all are told where the harvest lies. */
export function closed(gathering: Gathering, end: Gathering['end'], at: string): Gathering {
  const over: Gathering = { ...gathering, stage: 'closed', round: 0, turn: null, end };
  const to = allHere(over);
  return told(over, { id: `${over.id}-closed`, kind: 'closed', from: 'hall', text: closedLine(over), to, at });
}

/** These words are said with the piece. */
export function countsAsTurn(
  { turn }: Pick<Gathering, 'turn'>,
  { from, after, at }: Pick<Words, 'from' | 'after' | 'at'>,
): boolean {
  if (turn === null || turn.holder !== from) return false;
  if (after !== null) return turn.told.includes(after);
  return turn.arrivedAt !== null && at >= turn.arrivedAt;
}

function same(next: Gathering): StepResult {
  return { next, withdraw: [] };
}

function arrived(gathering: Gathering, number: number, at: string): StepResult {
  const { turn } = gathering;
  if (turn === null || turn.number !== number || turn.arrivedAt !== null) return same(gathering);
  return same({ ...gathering, turn: { ...turn, arrivedAt: at } });
}

function takeWords(gathering: Gathering, words: Words): StepResult {
  const { turn } = gathering;
  if (words.text.trim() === '' || gathering.outbox.some(({ id }) => id === words.id)) return same(gathering);
  if (gathering.stage === 'closing') return hearHarvest(gathering, words);
  if (turn?.holder !== words.from && seatOf(gathering, words.from)?.terminal === null)
    return keepWords(gathering, words);
  if (turn === null || !countsAsTurn(gathering, words)) return same(gathering);
  const { from, id, at } = words;
  const pass = findPass(words.own, namesOf(gathering));
  const text = pass === undefined ? words.text : cutAtPass(words.text, words.own, pass);
  const here = { ...gathering, turn: { ...turn, arrivedAt: turn.arrivedAt ?? at } };
  const said = say(here, { from, id, text, at });
  if (turn.passing !== null) return movePiece(said, { to: turn.passing.to, at, notes: [] });
  if (pass !== undefined) return movePiece(said, { to: pass.to, at, notes: [] });
  return isLast(gathering, turn, words) ? movePiece(said, { to: null, at, notes: [] }) : same(said);
}

/** They answer the closing question, or it was only waited for them. */
function isLast({ id, graceSeconds }: Gathering, turn: Turn, { after, at }: Words): boolean {
  if (turn.askedAt === null) return false;
  const asked = turn.told.indexOf(beatId({ id }, turn.number, turn.beats));
  if (after === null ? at >= turn.askedAt : turn.told.lastIndexOf(after) >= asked) return true;
  return at >= later(turn.askedAt, graceSeconds);
}

function passByTool(gathering: Gathering, { from, to, producing, at }: Extract<Input, { kind: 'pass' }>): StepResult {
  const { turn } = gathering;
  if (turn === null || turn.holder !== from) return same(gathering);
  if (!producing) return movePiece(gathering, { to: (turn.passing ?? { to }).to, at, notes: [] });
  if (turn.passing !== null) return same(gathering);
  return same({ ...gathering, turn: { ...turn, passing: { to }, graceUntil: lookAgainAt(gathering, at) } });
}

function tick(gathering: Gathering, { at, producing, pulse }: Extract<Input, { kind: 'clock' }>): StepResult {
  const { turn, harvest } = gathering;
  const due = dueOf(gathering);
  const isDone = turn !== null && turn.passing !== null && !producing;
  if (due === null || (at < due.at && !isDone)) return same(gathering);
  if (harvest !== null) return same({ ...gathering, harvest: collected(harvest) });
  if (turn === null) return same(gathering);
  if (due.what === 'beat' || due.what === 'question') return tellBeat(gathering, turn, at, pulse);
  const limit = limitOf(gathering, turn);
  if (turn.graceUntil !== null && producing && at < limit) {
    const again = lookAgainAt(gathering, at);
    return same({ ...gathering, turn: { ...turn, graceUntil: again < limit ? again : limit } });
  }
  if (turn.passing !== null) return movePiece(gathering, { to: turn.passing.to, at, notes: [] });
  const holder = seatOf(gathering, turn.holder)!;
  const note = turn.arrivedAt === null ? notReachedNote(holder) : timeUpNote(holder);
  return movePiece(gathering, { to: null, at, notes: [note] });
}

/** To the holder alone. The one before it, where it did not arrive, is not needed any more. */
function tellBeat(gathering: Gathering, turn: Turn, at: string, pulse: string): StepResult {
  const beat = beatNow(gathering, turn, at);
  const beats = gathering.beatsPerTurn;
  const isQuestion = beat === beats;
  const text = (isQuestion ? closingAsk : beatLine)({ beat, beats, pulse });
  const next: Turn = {
    ...turn,
    beats: beat,
    askedAt: isQuestion ? at : null,
    graceUntil: isQuestion ? later(at, gathering.graceSeconds) : null,
  };
  const id = beatId(gathering, turn.number, beat);
  const notice: Notice = { id, kind: 'beat', from: 'hall', text, to: [turn.holder], at };
  const before = turn.beats === 0 ? [] : [beatId(gathering, turn.number, turn.beats)];
  return { next: told({ ...gathering, turn: next }, notice), withdraw: before };
}

/** The person is always here. */
function goneFrom(gathering: Gathering, number: number, at: string): StepResult {
  const seat = seatOf(gathering, number);
  if (seat === undefined || seat.terminal === null || seat.state === 'gone') return same(gathering);
  const seats = gathering.seats.map((each) => (each === seat ? { ...seat, state: 'gone' as const } : each));
  const left: Gathering = { ...gathering, seats };
  const { harvest } = left;
  const note = goneNote(seat);
  if (harvest !== null) {
    // The one who writes the harvest is not disturbed.
    const to = allBut(left, harvesterOf(left)?.number);
    const noted = told(left, goneNotice(left, number, note, to, at));
    return same(seat.role === 'harvester' ? { ...noted, harvest: collected(harvest) } : noted);
  }
  if (isTooFew(left)) return closing(left, { kind: 'few' }, at, [note]);
  if (left.turn?.holder === number) return movePiece(left, { to: left.turn.passing?.to ?? null, at, notes: [note] });
  return same(told(left, goneNotice(left, number, note, allHere(left), at)));
}

function goneNotice({ id }: Gathering, number: number, text: string, to: number[], at: string): Notice {
  return { id: `${id}-gone-${number}`, kind: 'note', from: 'hall', text, to, at };
}

/** For their turn; with the piece they are said. */
function keepWords(gathering: Gathering, { id, text, at }: { id: string; text: string; at: string }): StepResult {
  const person = personOf(gathering);
  if (!isRunning(gathering) || person === undefined || text.trim() === '') return same(gathering);
  if (gathering.outbox.some((notice) => notice.id === id)) return same(gathering);
  if (gathering.kept.some((each) => each.id === id)) return same(gathering);
  return releaseKept({ ...gathering, kept: [...gathering.kept, { id, text, at }] }, at);
}

function announce(gathering: Gathering, { id, text, at }: Extract<Input, { kind: 'announce' }>): StepResult {
  if (text.trim() === '' || gathering.outbox.some((notice) => notice.id === id)) return same(gathering);
  const host = personOf(gathering);
  const words = announcementText(host ?? null, text);
  const to = allBut(gathering, host?.number);
  return same(told(gathering, { id, kind: 'announcement', from: 'person', text: words, to, at }));
}

/** Read off a screen, it may be a part of what is said; told by a signal it is all. */
function hearHarvest(gathering: Gathering, { from, id, text, after, at, source }: Words): StepResult {
  const { harvest, close } = gathering;
  if (harvest === null || close === null || harvest.isCollected || from !== harvesterOf(gathering)?.number)
    return same(gathering);
  if (after === null ? at < close.at : !harvest.told.includes(after)) return same(gathering);
  const room = mostHeard - harvest.heard.reduce((sum, each) => sum + each.length, 0);
  const heard = [...harvest.heard, text.slice(0, room)].filter((each) => each !== '');
  const quiet = later(at, quietSeconds);
  const last = later(harvest.askedAt, gathering.harvestSeconds);
  const until = quiet < last ? quiet : last;
  const next = { ...gathering, harvest: { ...harvest, heard, until, isCollected: source !== 'quiet' } };
  return same(told(next, { id, kind: 'words', from, text, to: [], at }));
}

function collected(harvest: NonNullable<Gathering['harvest']>): NonNullable<Gathering['harvest']> {
  return { ...harvest, isCollected: true, isWrittenByHall: harvest.heard.length === 0 };
}

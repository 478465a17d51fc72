/** What the hall says in a gathering. Beats and the line of the piece are exact: programs and people go by them. Pure. */
import type { CloseReason, Gathering, Phase, Seat, Structure } from '../../contract/gathering.ts';
import { calledAs, hallLine } from '../words.ts';
import { harvestForm } from './harvest-form.ts';

type Named = Pick<Seat, 'name' | 'number'>;

/** Lines of the hall that go to the same members go out as one message: each message makes a program work. */
export function joinLines(lines: readonly string[]): string {
  return lines.join('\n');
}

/** `2-3-2` */
export function structureText({ inhale, hold, exhale }: Structure): string {
  return `${inhale}-${hold}-${exhale}`;
}

export function pieceLine(seat: Named): string {
  return `The piece is now with ${calledAs(seat)}`;
}

export interface BeatWords {
  readonly beat: number;
  readonly beats: number;
  /** As `shortPulse` makes it: one line, no full stop at its end. */
  readonly pulse: string;
}

export function beatLine(words: BeatWords): string {
  return `${beatHead(words)} Is your thread still alive? Continue, pivot, or pass.`;
}

/** The last beat. */
export function closingAsk(words: BeatWords): string {
  return `${beatHead(words)} Your turn is up. What would you like to say last?`;
}

function beatHead({ beat, beats, pulse }: BeatWords): string {
  return `[Beat ${beat}/${beats}] Signals refresh: ${pulse.replace(/[\s.]+$/, '')}.`;
}

/** What each phase asks of the speakers; part of its banner and of the seed. */
export const phaseTasks: Readonly<Record<Phase, string>> = {
  inhale:
    "Share independently, without answering one another: what you sense, what you know. What you make of others' words comes in your own next turn.",
  hold: 'Bring disagreement and friction, in turns, through the piece: what does not hold, what is missing, what you see in another way.',
  exhale: 'Negotiate convergence, in turns: what we agree on, what we leave open, who does what next.',
};

const phaseTitles: Readonly<Record<Phase, string>> = { inhale: 'Inhale', hold: 'Hold', exhale: 'Exhale' };

/** @param round of this phase, from 1 */
export function bannerText(phase: Phase, round: number, rounds: number): string {
  return hallLine(`${phaseTitles[phase]}, round ${round} of ${rounds}. ${phaseTasks[phase]}`);
}

/** Banner of the close, to all. */
export function closeBanner(gathering: Pick<Gathering, 'seats'>, why: CloseReason): string {
  const harvester = gathering.seats.find(({ role }) => role === 'harvester');
  const after =
    harvester?.state === 'here'
      ? `${calledAs(harvester)} writes the harvest now; nobody else needs to say anything.`
      : 'The hall writes the harvest from what was said.';
  return hallLine(`The close: ${whyClosed(gathering, why)}. ${after}`);
}

/** Begins small, without a full stop. */
export function whyClosed({ seats }: Pick<Gathering, 'seats'>, why: CloseReason): string {
  if (why.kind === 'rounds') return 'all rounds were held';
  if (why.kind === 'few') return 'fewer than two speakers are left';
  if (why.kind === 'restart') return 'the hall was started anew and not all terminals are there any more';
  const { by } = why;
  if (by === 'person') return 'the person ended the gathering';
  if (by === 'host') return 'the agent that asked for the gathering ended it';
  const seat = seats.find(({ number }) => number === by);
  return `${seat === undefined ? `number ${by}` : calledAs(seat)} ended the gathering`;
}

/** To the harvester alone, at the close. */
export function harvestAsk(harvestSeconds: number): string {
  return [
    hallLine(
      `Now you speak. Write the harvest of this gathering as your next answer, in Markdown, within ${secondsText(harvestSeconds)}. The hall keeps it: write no files and call no tools for it.`,
    ),
    '',
    harvestForm,
  ].join('\n');
}

/** To the harvester: nothing that the person was told is kept gets lost. @param kept their words, in order */
export function keptWords(person: Named, kept: readonly { readonly text: string }[]): string {
  const head = hallLine(`What ${calledAs(person)} said for a turn that did not come:`);
  return [head, ...kept.map(({ text }) => text)].join('\n\n');
}

/** To all, when the harvest is kept. */
export function closedLine({ end }: Pick<Gathering, 'end'>): string {
  if (end === null) return hallLine('The gathering is closed.');
  const { trail, harvested, isWrittenByHall } = end;
  const many =
    harvested.length === 1 ? 'one thing was' : `${harvested.length === 0 ? 'no' : harvested.length} things were`;
  const shown = harvested.slice(0, 6).map(({ path }) => path);
  const more = harvested.length > shown.length ? ` and ${harvested.length - shown.length} more` : '';
  const list = shown.length === 0 ? '' : `: ${shown.join(', ')}${more}`;
  const by = isWrittenByHall ? ' The harvester gave none: it stands there from the record.' : '';
  return hallLine(
    `The gathering is closed. Its trail is in ${trail}; ${many} harvested${list}.${by} What you say from now on goes to nobody here.`,
  );
}

export function goneNote(seat: Pick<Seat, 'name' | 'number' | 'role'>): string {
  const then = seat.role === 'harvester' ? 'the hall writes the harvest' : 'its turns go to the next in order';
  return hallLine(`${calledAs(seat)} is gone, the terminal ended: ${then}.`);
}

/** The time of a turn was over. */
export function timeUpNote(seat: Named): string {
  return hallLine(`The time of ${calledAs(seat)} is up.`);
}

/** The announcement of the piece did not reach its holder. */
export function notReachedNote(seat: Named): string {
  return hallLine(`${calledAs(seat)} could not be reached in time: the piece goes on.`);
}

/** `unknown`: nobody here is called so; `self`, `harvester`, `gone`; `spoken`: has had the piece in this round. */
export type PassFault = 'unknown' | 'self' | 'harvester' | 'gone' | 'spoken';

const faultWords: Readonly<Record<PassFault, string>> = {
  unknown: 'who is not a speaker of this gathering',
  self: 'who holds it already',
  harvester: 'who is the harvester and never holds it',
  gone: 'who is gone',
  spoken: 'who had the piece in this round already',
};

/** A pass by name that could not be followed. @param wanted as it was said */
export function passNote(from: Named, wanted: string, fault: PassFault): string {
  return hallLine(
    `${calledAs(from)} passed to ${nameIn(wanted)}, ${faultWords[fault]}: the piece goes to the next in order.`,
  );
}

/** What stands in a name, and nothing that could look like a line of the hall. */
function nameIn(wanted: string): string {
  const name = wanted.slice(0, 80).replaceAll(/[^\p{L}\p{N}\p{M}'’._()#-]+/gu, ' ');
  return name.trim() === '' ? 'somebody' : name.trim();
}

/** After a restart of the hall: its turn begins anew. */
export function restartNote(holder: Named): string {
  return hallLine(
    `The hall was started anew; the gathering goes on, and the turn of ${calledAs(holder)} begins again.`,
  );
}

/** The person's words as the host, out of turn. @param host its seat; null where the person has none */
export function announcementText(host: Named | null, words: string): string {
  const name = host === null ? 'the host' : `${calledAs(host)} as the host`;
  return `${hallLine(`Announcement of ${name}; the piece stays where it is, no answer is needed:`)}\n\n${words}`;
}

/** `20 seconds`, `5 minutes` */
export function secondsText(seconds: number): string {
  if (seconds >= 120 && seconds % 60 === 0) return `${seconds / 60} minutes`;
  return seconds === 1 ? 'one second' : `${seconds} seconds`;
}

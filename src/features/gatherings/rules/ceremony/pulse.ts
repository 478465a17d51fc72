/** The pulse: how the gathering and the hall stand, from the hall's own record. Short for beats, longer for the seed. Pure. */
import type { Gathering, Seat } from '../../contract/gathering.ts';
import { calledAs } from '../words.ts';

export interface PulseFacts {
  readonly stage: Gathering['stage'];
  /** Of this phase, from 1; 0 where none runs. */
  readonly round: number;
  readonly rounds: number;
  /** The speakers in their order. `line`: one line of what each said last, as `lineOf` makes it; null for nothing yet. */
  readonly speakers: readonly { readonly seat: Pick<Seat, 'name' | 'number'>; readonly line: string | null }[];
  readonly system: SystemPulse;
}

/** What the hall knows of the project. */
export interface SystemPulse {
  /** Activities that run: meetings, commissions, councils, other gatherings. */
  readonly running: number;
  /** Of the person: entries of the inbox. */
  readonly waiting: number;
  /** Foreseen, between open activities. */
  readonly conflicts: number;
  /** Questions that are not answered. */
  readonly questions: number;
  /** What runs, by title; only in the long one, at most eight. */
  readonly titles?: readonly string[];
}

/** Characters of one speaker's line in a beat. */
const shortLine = 100;
const longLine = 200;
/** All of them together in a beat: a circle of many must not fill its holder's screen. */
const mostSpoken = 900;

/** One line, without a full stop at its end. */
export function shortPulse({ stage, round, rounds, speakers, system }: PulseFacts): string {
  const said = speakers.flatMap(({ seat, line }) =>
    line === null ? [] : [`${calledAs(seat)} "${cut(line, shortLine)}"`],
  );
  const spoke = said.length === 0 ? 'nobody has spoken yet' : `said so far: ${cut(said.join('; '), mostSpoken)}`;
  return [placeOf(stage, round, rounds), spoke, systemLine(system)].join(' | ');
}

/** Some lines, each a point of a list. */
export function longPulse({ stage, round, rounds, speakers, system }: PulseFacts): string {
  const titles = (system.titles ?? []).slice(0, 8).map((title) => cut(oneLine(title), 80));
  const lines = [
    `- The gathering: ${placeOf(stage, round, rounds)}`,
    `- The project: ${systemLine(system)}`,
    ...(titles.length === 0 ? [] : [`- What runs: ${titles.join('; ')}`]),
    ...speakers.flatMap(({ seat, line }) =>
      line === null ? [] : [`- ${calledAs(seat)} said: "${cut(line, longLine)}"`],
    ),
  ];
  return lines.join('\n');
}

/** The first words of a speech, in one line: without marks of Markdown, code and a pass. Null for nothing. */
export function lineOf(words: string): string | null {
  let inCode = false;
  for (const raw of words.slice(0, 20_000).split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(raw)) inCode = !inCode;
    else if (!inCode) {
      const line = plainLine(raw);
      if (line !== '') return cut(line, longLine);
    }
  }
  return null;
}

function plainLine(raw: string): string {
  const bare = raw.replace(/^[\s>#*+-]*(?:\d{1,3}[.)]\s+)?/, '').replaceAll(/[*_`"“”]+/g, '');
  const line = oneLine(bare).replace(/(?<=[.!?…]) I pass(?: the piece)?(?: to .{1,80})?[.!]?$/i, '');
  return /^I pass(?: the piece)?(?: to .{1,80})?[.!]?$/i.test(line) ? '' : line;
}

function placeOf(stage: Gathering['stage'], round: number, rounds: number): string {
  if (stage === 'closing') return 'the close';
  return stage === 'closed' ? 'closed' : `${stage}, round ${Math.max(1, round)} of ${rounds}`;
}

function systemLine({ running, waiting, conflicts, questions }: SystemPulse): string {
  return `${running} running, ${waiting} waiting for the person, ${conflicts} foreseen conflicts, ${questions} open questions`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

/** Never half a character. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text
    .slice(0, limit - 1)
    .replace(/\p{Surrogate}$/u, '')
    .trimEnd()}…`;
}

/**
 * What was said so far, as the next speaker is given it: preludes, the discussion (the newest whole, what is older in a
 * line a turn), the scratchpad. The same transcript gives the same text. Pure.
 */
import type { CouncilSession, CouncilTurn } from '../contract.ts';
import { renderPins } from '../rules/scratchpad.ts';
import { wellFormed } from './speech.ts';

/** Of the discussion so much is given whole, and so much in lines; of all preludes together; of the scratchpad. Characters. */
const limits = { whole: 24_000, lines: 8_000, preludes: 60_000, pins: 12_000, all: 200_000 } as const;

type Said = Pick<CouncilSession, 'transcript'>;

function turnsOf({ transcript }: Said): CouncilTurn[] {
  return transcript.flatMap((entry) => (entry.kind === 'turn' ? [entry.turn] : []));
}

/** One text a prelude, with who gave it; each cut evenly where all together are too long. */
export function preludesOf(session: Said): { readonly label: string; readonly text: string }[] {
  const preludes = turnsOf(session).filter(({ kind }) => kind === 'prelude');
  const each = Math.floor(limits.preludes / Math.max(1, preludes.length));
  return preludes.map(({ speaker, role, body }) => ({
    label: `prelude of ${speaker} (${role})`,
    text: cut(body, each),
  }));
}

export interface Told {
  /** A line a turn; empty where everything is given whole. */
  readonly older: string;
  readonly newer: readonly { readonly label: string; readonly text: string }[];
}

/** Every turn since the preludes, what the person said at yields included. */
export function discussionOf(session: Said): Told {
  const turns = turnsOf(session).filter(({ kind }) => kind !== 'prelude');
  let room: number = limits.whole;
  let first = turns.length;
  while (first > 0) {
    room -= turns[first - 1]!.body.length;
    // The newest turn is always given, however long it is.
    if (room < 0 && first < turns.length) break;
    first -= 1;
  }
  const newer = turns.slice(first).map((turn) => ({ label: labelOf(turn), text: cut(turn.body, limits.whole) }));
  return { older: olderLines(turns.slice(0, first)), newer };
}

function labelOf({ id, round, speaker, role, kind }: CouncilTurn): string {
  const where = round === 0 ? id : `${id}, round ${round}`;
  return `${where}: ${speaker} (${role})${kind === 'round-robin' ? '' : `, ${kind}`}`;
}

function olderLines(turns: readonly CouncilTurn[]): string {
  const lines = turns.map(lineOf);
  let left = 0;
  while (lines.slice(left).join('\n').length > limits.lines) left += 1;
  const rest = lines.slice(left);
  return (left === 0 ? rest : [`(${left} earlier turns are left out)`, ...rest]).join('\n');
}

/** Who, the first sentence, and what was marked. */
function lineOf(turn: CouncilTurn): string {
  const words = turn.body
    .replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const sentence = /^.{20,220}?[.!?](?=\s|$)/.exec(words)?.[0] ?? cut(words, 220);
  const marks = [
    ...turn.decisions.map((text) => `decision: ${cut(text, 160)}`),
    ...turn.challenges.map((text) => `challenge: ${cut(text, 160)}`),
  ];
  return `- ${labelOf(turn)}: ${sentence}${marks.length === 0 ? '' : ` [${marks.join('; ')}]`}`;
}

/** Everything, for whoever drafts: each turn whole, cut evenly where all together are too long, with what it marked. */
export function transcriptOf(session: Said): { readonly label: string; readonly text: string }[] {
  const turns = turnsOf(session);
  const each = Math.max(600, Math.floor(limits.all / Math.max(1, turns.length)));
  return turns.map((turn) => {
    const marks = [
      ...turn.decisions.map((text) => `[decision] ${text}`),
      ...turn.challenges.map((text) => `[challenge] ${text}`),
    ];
    return { label: labelOf(turn), text: [cut(turn.body, each), ...marks].join('\n\n') };
  });
}

export function scratchpadOf({ pins }: Pick<CouncilSession, 'pins'>): string {
  const each = Math.floor(limits.pins / Math.max(1, pins.length));
  return renderPins(pins.filter(({ disposition }) => disposition !== 'drop'))
    .map((line) => cut(line, each))
    .join('\n');
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${wellFormed(text.slice(0, max))} … (${text.length - max} more characters)`;
}

/** A person who sits at a gathering: what they have seen, and the line that they type into. */
import type { GatheringView } from '../../features/gatherings/contract/gathering-views.ts';
import type { HallClient } from './client.ts';
import type { FollowParts } from './follow.ts';
import type { LineInput } from './line-input.ts';
import { beatWords, spanOf } from './render/facts.ts';
import { plainText } from './terminal.ts';

export interface Sitting {
  readonly parts: FollowParts;
  /** Another one when the hall was started again. */
  client: HallClient;
  readonly id: string;
  /** As it stands; undefined before it was looked at. */
  view: GatheringView | undefined;
  /** Undefined where nobody can type, and before. */
  line: LineInput | undefined;
  /** Number of the message that was printed last. */
  printed: number;
  /** What was typed here and has not come back as said. */
  readonly typed: Set<string>;
  /** When the hall was told last that somebody types; empty for never. */
  typedAt: string;
  readonly leaving: AbortController;
  /** What was typed is sent one after another. */
  sending: Promise<void>;
}

/** @param text ends with a line break */
export function tell({ line, parts }: Sitting, text: string): void {
  if (line === undefined) parts.terminal.out(text);
  else line.print(text);
}

/** Words of the program. */
export function tellQuietly(sitting: Sitting, text: string): void {
  tell(sitting, `${sitting.parts.terminal.style('dim', text)}\n`);
}

/** What stands before the line: whose turn it is, and in the person's own turn how much time is left. */
export function promptOf(view: GatheringView, nowIso: string | undefined): string {
  const { gathering, you } = view;
  const { turn, seats, stage } = gathering;
  const holder = seats.find(({ number }) => number === turn?.holder);
  if (stage === 'closing') return '(the close) > ';
  if (turn === null || holder === undefined) return '> ';
  if (holder.number !== you) return `(${plainText(holder.name)} has the piece) > `;
  const left = leftOf(view, nowIso);
  return `◆ your turn, ${beatWords(turn.beats, gathering.beatsPerTurn)}${left} > `;
}

/** `, 2 min 40 s left`: to the closing question, and then to the end of the grace. */
function leftOf({ gathering, due }: GatheringView, nowIso: string | undefined): string {
  const { turn, beatsPerTurn, beatIntervalSeconds } = gathering;
  const arrivedAt = turn?.arrivedAt ?? null;
  if (nowIso === undefined || arrivedAt === null) return '';
  const ends =
    due?.what === 'grace' || due?.what === 'limit'
      ? Date.parse(due.at)
      : Date.parse(arrivedAt) + beatsPerTurn * beatIntervalSeconds * 1000;
  return `, ${spanOf(ends - Date.parse(nowIso))} left`;
}

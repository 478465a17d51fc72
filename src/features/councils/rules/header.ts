/** The header of a turn: the one line that every emitted turn begins with, and the facts below it. Pure. */
import type { CouncilPhase, Provenance } from '../contract.ts';

export interface HeaderFacts {
  readonly round: number;
  readonly turn: number;
  readonly speaker: string;
  readonly role: string;
  /** Tokens. */
  readonly turnCost: number;
  readonly runningTotal: number;
  readonly phase?: CouncilPhase | undefined;
  /** `T3`. */
  readonly turnId?: string | undefined;
  readonly via?: Provenance | undefined;
  readonly origin?: 'interject' | 'attendee' | null | undefined;
}

/** The header line, then each fact that is given on a line of its own, always in this order. */
export function printHeader(facts: HeaderFacts): string[] {
  const { round, turn, turnCost, runningTotal } = facts;
  const who = `${oneLine(facts.speaker)} (${oneLine(facts.role)})`;
  const lines = [
    `[round ${round} / turn ${turn} / ${who} / per-turn-cost ${turnCost} tokens / running-total ${runningTotal} tokens]`,
  ];
  if (facts.phase !== undefined) lines.push(`Phase: ${facts.phase}`);
  if (facts.turnId !== undefined) lines.push(`Turn: ${oneLine(facts.turnId)}`);
  if (facts.via !== undefined) lines.push(`dispatched_via: ${facts.via}`);
  if (facts.origin !== undefined && facts.origin !== null) lines.push(`origin: ${facts.origin}`);
  return lines;
}

/** Text that has to stay one line: every break in it becomes a blank. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\n\r\v\f\u0085\u2028\u2029]+/g, ' ');
}

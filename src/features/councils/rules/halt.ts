/** The four hard halts: one line each, and the last that is printed. Pure. */
import type { HaltCondition } from '../contract.ts';
import { oneLine } from './header.ts';

export const haltRules: Readonly<Record<HaltCondition, string>> = {
  'CHARTER-MISSING': 'FR-MTG-27',
  'RESEARCH-MISSING': 'FR-MTG-28',
  'CITE-OR-FLAG': 'FR-MTG-9',
  'WRITE-BOUNDARY-VIOLATION': 'FR-MTG-31',
};

export interface HaltFacts {
  /** One of the four where the program halts; of the helper, what it was given. */
  readonly condition: string;
  readonly agent?: string | null;
  readonly fr: string;
  readonly detail: string;
}

export function printHalt({ condition, agent, fr, detail }: HaltFacts): string {
  const who = agent === undefined || agent === null || agent === '' ? '—' : oneLine(agent);
  return `HALT condition=${oneLine(condition)} agent=${who} fr=${oneLine(fr)} detail=${oneLine(detail)}`;
}

/** The line of one of the four, with the rule that goes with it. */
export function haltLine(condition: HaltCondition, detail: string, agent: string | null = null): string {
  return printHalt({ condition, agent, fr: haltRules[condition], detail });
}

/** The two caps of a council: turns, and tokens of one agent. Pure. */
import { leastTokensForTurn } from '../contract/terms.ts';
import { oneLine } from './header.ts';

/** @param nth number of the turn about to begin, from 1 */
export function isBeyondMaxTurns(nth: number, max: number): boolean {
  return nth > max;
}

/** It has used up its cap, or what is left is too little for a turn. Muting is for good. */
export function shouldMute(used: number, cap: number): boolean {
  return used >= cap || cap - used < leastTokensForTurn;
}

export function printMuted(name: string, tokens: number, cap: number): string {
  return `MUTED agent=${oneLine(name)} tokens=${tokens} cap=${cap} fr=FR-MTG-29`;
}

/** Whether a discussion goes round in circles. Pure. */
import type { Progress } from '../contract.ts';
import { oneLine } from './header.ts';

export interface LoopTurn {
  readonly agent: string;
  readonly progress: Progress;
}

/** Who goes round; `b` names all others of a longer circle, comma-separated. */
export interface Loop {
  readonly a: string;
  readonly b: string;
}

const shortWindow = 3;

/** Exactly two agents hold the last three turns (A B A, A A B, A B B), and none of the three brought anything. */
export function findLoop(window: readonly LoopTurn[]): Loop | undefined {
  return loopOf(window.slice(-shortWindow), shortWindow, (names) => names === 2);
}

/**
 * Two whole rounds of three and more speakers that brought nothing. Of fewer, `findLoop` tells.
 * @param speakers how many take their turn in a round
 */
export function findLongLoop(window: readonly LoopTurn[], speakers: number): Loop | undefined {
  if (speakers < 3) return undefined;
  return loopOf(window.slice(-2 * speakers), 2 * speakers, (names) => names > 1);
}

function loopOf(turns: readonly LoopTurn[], length: number, fits: (names: number) => boolean): Loop | undefined {
  if (turns.length < length || turns.some(({ progress }) => progress !== 'none')) return undefined;
  const [a, ...others] = new Set(turns.map(({ agent }) => agent));
  return a !== undefined && fits(others.length + 1) ? { a, b: others.join(', ') } : undefined;
}

export function printLoop({ a, b }: Loop): string {
  return `FACILITATOR / LOOP-BREAK turn injected — A=${oneLine(a)} B=${oneLine(b)} no-progress fr=FR-MTG-30`;
}

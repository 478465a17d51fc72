/** What a council may be called with. */
import { expect, test } from 'vitest';
import { leastTokensForTurn } from './contract/terms.ts';
import { councilRun } from './descriptions.ts';

test('a cap that would mute everybody before a word is refused', () => {
  const takes = (perAgentCap: number): boolean => councilRun.input.safeParse({ charter: 'x', perAgentCap }).success;
  expect([leastTokensForTurn - 1, leastTokensForTurn].map(takes)).toEqual([false, true]);
});

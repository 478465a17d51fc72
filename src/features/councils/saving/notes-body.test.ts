/** What the head of the notes says of costs. */
import { expect, test } from 'vitest';
import { readyToSave, savedTurn } from '../../../../test/help/council-saving.ts';
import { headOf } from './notes-body.ts';

test('who speaks without a model has a place in the breakdown, and neither a price nor input of one', () => {
  const ready = readyToSave();
  const usage = { inputTokens: 7, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.5 };
  const transcript = [
    savedTurn(1, { usage }),
    savedTurn(2, { speaker: 'Pat', role: 'User', via: 'interject', origin: 'interject' }),
  ];
  const { costBreakdown } = headOf({ ...ready, transcript }, [], { extractions: [], ids: null });
  expect(costBreakdown.map((row) => ({ ...row }))).toEqual([
    { name: 'Ada', role: 'Architect', tokens: 200, inputTokens: 7, costUsd: 0.5 },
    { name: 'Ben', role: 'Tester', tokens: 200 },
    { name: 'Pat', role: 'User', tokens: 0 },
  ]);
});

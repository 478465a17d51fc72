import { expect, test } from 'vitest';
import type { TurnEvent } from '../contract.ts';
import { emptyTurn, entryOfTurn, foldTurnEvent } from './turns.ts';

const fold = (events: readonly TurnEvent[]) => events.reduce(foldTurnEvent, emptyTurn(3));

test('pieces join to the answer, and a result finds its call by id', () => {
  const view = fold([
    { type: 'text_delta', text: 'One ' },
    { type: 'tool_use', callId: 'a', name: 'Grep', input: { pattern: 'x' } },
    { type: 'tool_use', callId: 'b', name: 'Grep', input: { pattern: 'y' } },
    { type: 'tool_result', callId: 'b', name: 'Grep', ok: true, summary: 'for y' },
    { type: 'tool_result', callId: 'a', name: 'Grep', ok: false, summary: 'no x' },
    { type: 'text_delta', text: 'two.' },
    { type: 'turn_end', interrupted: false },
  ]);
  expect(view).toMatchObject({ text: 'One two.', state: 'done' });
  expect(view.tools.map((call) => call.result?.summary)).toEqual(['no x', 'for y']);
  expect(entryOfTurn(view, 'now', null)).toMatchObject({
    turn: 3,
    mark: 'done',
    text: 'One two.',
    tools: [
      { line: 'Grep "x": failed: no x', after: 4 },
      { line: 'Grep "y": for y', after: 4 },
    ],
  });
});

test('nothing follows an end', () => {
  const view = fold([
    { type: 'turn_end', interrupted: true },
    { type: 'text_delta', text: 'late' },
    { type: 'error', reason: 'x', hint: 'y' },
  ]);
  expect(view).toMatchObject({ text: '', state: 'interrupted', error: null });
});

test('an error keeps what was said before it', () => {
  const view = fold([
    { type: 'text_delta', text: 'half' },
    { type: 'error', reason: 'It broke.', hint: 'Again.' },
  ]);
  expect(entryOfTurn(view, 'now', null)).toMatchObject({
    text: 'half',
    error: 'It broke.',
    hint: 'Again.',
    mark: 'failed',
  });
});

test('a turn that has not ended is marked as cut off', () => {
  expect(entryOfTurn(fold([{ type: 'text_delta', text: 'half' }]), 'now', null).mark).toBe('cut-off');
});

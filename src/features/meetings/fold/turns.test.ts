import { expect, test } from 'vitest';
import type { TurnEvent } from '../contract.ts';
import { addUsage, emptyTurn, entryOfTurn, foldRetry, foldTurnEvent, withKept } from './turns.ts';

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

test('that the agent tries again is shown until something comes', () => {
  const retry = { turn: 3, attempt: 1, errorClass: 'overloaded', delayMs: 4000, at: '2026-02-14T09:30:00.000Z' };
  const waiting = foldRetry(emptyTurn(3), retry);
  expect(waiting.retry).toEqual({ attempt: 1, errorClass: 'overloaded', delayMs: 4000, at: retry.at });
  expect(foldTurnEvent(waiting, { type: 'text_delta', text: 'Now.' }).retry).toBeNull();
  const over = foldTurnEvent(waiting, { type: 'turn_end', interrupted: true });
  expect(over.retry).toBeNull();
  expect(foldRetry(over, retry)).toBe(over);
});

test('what was masked in the whole moves the calls along with the words around them', () => {
  const view = fold([
    { type: 'tool_use', callId: 'a', name: 'Read', input: {} },
    { type: 'text_delta', text: 'The key is K3Y. ' },
    { type: 'tool_use', callId: 'b', name: 'Read', input: {} },
    { type: 'text_delta', text: 'Done.' },
    { type: 'turn_end', interrupted: false },
  ]);
  const masked = withKept(view, { mark: 'done', text: 'The key is [secret removed: key]. Done.' });
  expect(masked.tools.map(({ after }) => masked.text.slice(after))).toEqual([masked.text, 'Done.']);
  expect(withKept(view, { mark: 'cut-off', text: null })).toEqual({ ...view, state: 'cut-off' });
});

test('use adds up; what is not known makes the sum unknown', () => {
  const one = { inputTokens: 10, outputTokens: 2, costUsd: 0.5, contextUsed: 10, contextWindow: 200 };
  expect(addUsage(null, null)).toBeNull();
  expect(addUsage(one, null)).toBe(one);
  expect(addUsage(null, one)).toBe(one);
  const two = { inputTokens: 5, outputTokens: 1, costUsd: 0.25, contextUsed: null, contextWindow: null };
  expect(addUsage(one, two)).toEqual({ ...one, inputTokens: 15, outputTokens: 3, costUsd: 0.75 });
  expect(addUsage(one, { ...two, costUsd: null })?.costUsd).toBeNull();
});

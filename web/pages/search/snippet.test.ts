import { expect, test } from 'vitest';
import { piecesOf } from './snippet.ts';

test('a passage is told in pieces, the words that were looked for by themselves', () => {
  expect(piecesOf({ text: 'one two three', marks: [[4, 7]] })).toEqual([
    { text: 'one ', isMark: false },
    { text: 'two', isMark: true },
    { text: ' three', isMark: false },
  ]);
  expect(piecesOf({ text: 'one', marks: [] })).toEqual([{ text: 'one', isMark: false }]);
});

test('of a long one the beginning is left out, so that the first word is in sight', () => {
  const text = `${'many words '.repeat(20)}here`;
  const pieces = piecesOf({ text, marks: [[220, 224]] });
  expect(pieces[0]).toEqual({ text: '…', isMark: false });
  expect(pieces[1]!.text.length).toBeLessThanOrEqual(60);
  expect(pieces.at(-1)).toEqual({ text: 'here', isMark: true });
});

test('a long word before it is shown whole rather than from its middle', () => {
  const text = `${'x'.repeat(200)}here`;
  expect(piecesOf({ text, marks: [[200, 204]] }).at(-1)).toEqual({ text: 'here', isMark: true });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TranscriptEntry } from './contract.ts';
import { firstSentence, shorten, summariseForRenewal } from './summary.ts';

const entry = (turn: number, speaker: 'user' | 'assistant', text: string): TranscriptEntry => ({
  speaker,
  turn,
  at: '',
  mark: 'done',
  text,
  tools: [],
  error: null,
  hint: null,
  usage: null,
});

test('the summary tells who said what, in order [MTG-12.2]', () => {
  const text = summariseForRenewal([entry(1, 'user', 'Why?'), entry(1, 'assistant', 'Because.')]);
  expect(text).toBe('**The person, turn 1:** Why?\n\n**You, turn 1:** Because.');
});

test('one huge turn is bounded and does not push the others out', () => {
  const text = summariseForRenewal([
    entry(1, 'user', 'small'),
    entry(1, 'assistant', 'x'.repeat(1_000_000)),
    entry(2, 'user', 'last'),
  ]);
  expect(text.length).toBeLessThan(4000);
  expect(text).toContain('small');
  expect(text).toContain('last');
  expect(text).toContain('characters left out');
});

test('many turns: the newest are kept, and it says how many are left out', () => {
  const entries = Array.from({ length: 200 }, (_, index) =>
    entry(index, 'user', `message ${index} ${'x'.repeat(1000)}`),
  );
  const text = summariseForRenewal(entries);
  expect(text.length).toBeLessThan(26_000);
  expect(text).toContain('message 199');
  expect(text).toMatch(/^\(\d+ earlier entries are left out\.\)/);
});

test('shortening leaves short texts alone and never cuts a character in two', () => {
  expect(shorten('abc', 3)).toBe('abc');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 30 }), (text) => {
      const short = shorten(text, 20);
      expect(Buffer.from(short).toString()).toBe(short);
    }),
  );
});

test('the first sentence skips headings, code and quotes', () => {
  expect(firstSentence('# Title\n\n```\ncode\n```\n> quote\nThe parser reports errors by line. And more.')).toBe(
    'The parser reports errors by line.',
  );
  expect(firstSentence('- one item without an end')).toBe('one item without an end');
  expect(firstSentence('I proposed a follow-up:\n\n- Look at unions')).toBe('I proposed a follow-up: Look at unions');
  expect(firstSentence('`src/a.ts:3`\n\nIt is parsed there.')).toBe('It is parsed there.');
  expect(firstSentence('It says “one thing here. And another.” twice')).toBe('It says “one thing here.”');
  expect(firstSentence('**Who calls it?**\n\nNobody calls it from here.')).toBe('Nobody calls it from here.');
  expect(firstSentence('')).toBe('');
});

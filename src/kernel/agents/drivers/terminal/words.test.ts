import { expect, test } from 'vitest';
import { asWords, asWordsWithoutFiles } from './words.ts';

test.each(['/compact', '!ls', '# note', '@file', '&go', '?', '$skill', '\\x', ':q', '> quote', '{code', ' \n\t!ls'])(
  'before %j stands a line',
  (text) => expect(asWords(text)).toBe(`Message:\n\n${text}`),
);

test.each([
  'Look at !ls',
  'Ada (1):\n\n/compact',
  '[guild-hall] Mo has ended.',
  '- one',
  '“/x”',
  '1. two',
  'é',
  '(x)',
  '',
])('%j is as it was', (text) => expect(asWords(text)).toBe(text));

test('no file behind a sign is read', () => {
  expect(asWordsWithoutFiles('See @a, mo@b and \\@c')).toBe('See \\@a, mo\\@b and \\@c');
  expect(asWordsWithoutFiles('@a')).toBe('Message:\n\n\\@a');
});

import { expect, test } from 'vitest';
import { plainTitle } from './plain-title.ts';

test('signs that turn the order of letters are left out', () => {
  expect(plainTitle('Report \u202efdp.exe\u202c')).toBe('Report fdp.exe');
  expect(plainTitle('\u2066a\u2067b\u2068c\u2069d\u202ae\u202bf\u202dg')).toBe('abcdefg');
});

test('every other sign stays', () => {
  for (const title of ['Überblick', 'שלום עולם', 'مرحبا', '👩‍🚀 launch', 'a\u200fb'])
    expect(plainTitle(title)).toBe(title);
});

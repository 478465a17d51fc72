import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleaned, cutToBytes, fitted, inOneLine, maxLineBytes, maxPasteBytes } from './text.ts';

describe('text for a terminal', () => {
  test.each([
    ['plain words stay', 'plain words stay'],
    ['a\r\nb\rc\nd', 'a\nb\nc\nd'],
    ['a\tb', 'a\tb'],
    ['\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['end \u001b[201~ of a paste', 'end [201~ of a paste'],
    ['\u009b201~c1', '201~c1'],
    ['a\u0000b\u0003c\u0004d\u007fe\u0016', 'abcde'],
    ['half \ud800 a pair', 'half \ufffd a pair'],
    ['👩‍👩‍👧 漢字 -l ; #{x} $(x) %if', '👩‍👩‍👧 漢字 -l ; #{x} $(x) %if'],
    ['words\n\n \t\n', 'words'],
    ['  indented', '  indented'],
    ['\u001b\u0000\r\n', ''],
  ])('%j becomes %j', (given, expected) => {
    expect(cleaned(given)).toBe(expected);
  });

  test('whatever is given, no control character is left, and cleaning twice changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 60 }), (units) => {
        const text = String.fromCharCode(...units, ...units.map((unit) => unit % 0xa0));
        const once = cleaned(text);
        expect(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(once)).toBe(false);
        expect(cleaned(once)).toBe(once);
      }),
      { numRuns: 40 },
    );
  });

  test('one line has no line feed and no tab', () => {
    expect(inOneLine('Mo (1):\n\nwords\tand words')).toBe('Mo (1): ⏎  ⏎ words and words');
  });
});

describe('a text that is too long', () => {
  test('is cut where a word ends, and nothing of it is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), fc.integer({ min: 8, max: 900 }), (text, most) => {
        const { head, rest } = cutToBytes(text, most);
        expect(head + rest).toBe(text);
        expect(Buffer.byteLength(head)).toBeLessThanOrEqual(most);
      }),
    );
    expect(cutToBytes('one two three', 9)).toEqual({ head: 'one two ', rest: 'three' });
  });

  test('is told with the path of its rest, within the bound of either kind of program', () => {
    const text = 'wörter und 漢字\n'.repeat(9_000);
    for (const takesPaste of [true, false]) {
      const { text: typed, rest } = fitted(text, takesPaste, '/somewhere/rest.md');
      expect(Buffer.byteLength(typed)).toBeLessThanOrEqual(takesPaste ? maxPasteBytes : maxLineBytes);
      expect(typed).toContain(`${rest.length} characters more are in the file /somewhere/rest.md`);
      expect(text.endsWith(rest)).toBe(true);
      expect(typed.includes('\n')).toBe(takesPaste);
    }
  });

  test('that fits is left as it is', () => {
    expect(fitted('a\nb', true, '/x')).toEqual({ text: 'a\nb', rest: '' });
    expect(fitted('a\nb', false, '/x')).toEqual({ text: 'a ⏎ b', rest: '' });
  });
});

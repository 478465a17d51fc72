import { describe, expect, test } from 'vitest';
import { wrapFor, wrapped } from './wrap.ts';

const narrow = { isTty: true, width: 20 };

describe('running text', () => {
  test.each([
    ['between words', 'one two three four five six', 'one two three four\nfive six'],
    ['under the text of a list entry', '- one two three four five\n- six', '- one two three four\n  five\n- six'],
    ['under a numbered one', '10. one two three four', '10. one two three\n    four'],
    [
      'within a quote',
      '> one two three four five\n> - six seven eight nine ten',
      '> one two three four\n> five\n> - six seven eight\n>   nine ten',
    ],
    ['under its indent', '  one two three four five', '  one two three four\n  five'],
    ['never within a word', `a ${'x'.repeat(30)} b`, `a\n${'x'.repeat(30)}\nb`],
    [
      'not in code',
      '```ts\nconst a = 1; const b = 2; const c = 3;\n```\none two three four five',
      '```ts\nconst a = 1; const b = 2; const c = 3;\n```\none two three four\nfive',
    ],
    ['not in a table', '| one | two | three | four |\n', '| one | two | three | four |\n'],
    ['with its own breaks', 'one\n\n  two\n', 'one\n\n  two\n'],
  ])('is broken %s', (_how, text, expected) => {
    expect(wrapped(text, narrow)).toBe(expected);
  });

  test('comes out the same in whatever pieces it comes', () => {
    const text = 'one two three four five six\n- seven eight nine ten eleven\n';
    for (const size of [1, 2, 3, 7]) {
      const wrap = wrapFor(narrow);
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      expect(pieces.map((piece) => wrap.push(piece)).join('') + wrap.flush()).toBe(wrapped(text, narrow));
    }
  });

  test('is left alone in a file, and is at most 100 wide', () => {
    const text = 'word '.repeat(60);
    expect(wrapped(text, { isTty: false, width: 20 })).toBe(text);
    const lines = wrapped(text, { isTty: true, width: 300 }).split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBe(99);
  });
});

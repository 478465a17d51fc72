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

  const long = 'One long line of a text that somebody broke by hand, so that it';
  test.each([
    ['goes on where a long line was broken by hand', `${long}\ngoes on.\n`, 'that it goes on.\n'],
    [
      'goes on below the text of a list entry',
      `- ${long}\n  goes on.\n- Next\n`,
      '\n  broke by hand, so that it goes on.\n- Next\n',
    ],
    ['begins anew after an empty line', `${long}\n\nNew.\n`, 'that it\n\nNew.\n'],
    ['begins anew at a list', `${long}\n- a\n`, 'that it\n- a\n'],
    ['begins anew at a heading', `${long}\n## A\n`, 'that it\n## A\n'],
    ['begins anew at a rule', `${long}\n---\nB\n`, 'that it\n---\nB\n'],
    ['begins anew at a table', `${long}\n| a |\n`, 'that it\n| a |\n'],
    ['begins anew at code', `${long}\n\`\`\`\nx\n\`\`\`\n`, 'that it\n```\nx\n```\n'],
    ['begins anew after two spaces', `${long}  \nB\n`, 'that it\nB\n'],
    ['begins anew after a heading', `# ${long}\nB\n`, 'that it\nB\n'],
    ['ends with its last break', `${long}\n`, 'that it\n'],
    ['keeps short lines apart', 'Roses\nViolets\n', 'Roses\nViolets\n'],
  ])('%s', (_how, text, end) => {
    const terminal = { isTty: true, width: 40 };
    expect(wrapped(text, terminal).endsWith(end)).toBe(true);
    const wrap = wrapFor(terminal);
    expect([...text].map((letter) => wrap.push(letter)).join('') + wrap.flush()).toBe(wrapped(text, terminal));
  });

  test('code in a quote ends with the quote', () => {
    const text = '> ```ts\n> const a = 1;\n> ```\none two three four five\n```\nconst a = 1; const b = 2;\n```\n';
    expect(wrapped(text, narrow)).toBe(text.replace('four five', 'four\nfive'));
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

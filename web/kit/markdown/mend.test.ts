import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { mendTail } from './mend.ts';

test.each([
  ['plain words', 'plain words'],
  ['some **bo', 'some **bo**'],
  ['some **bold *', 'some **bold** '],
  ['some **bold*', 'some **bold**'],
  ['some **', 'some '],
  ['some **bold ', 'some **bold** '],
  ['a *b **c', 'a *b **c***'],
  ['***both', '***both***'],
  ['snake_case_na', 'snake_case_na'],
  ['2 * 3 and 4 * 5', '2 * 3 and 4 * 5'],
  ['~~gone', '~~gone~~'],
  ['call `fo', 'call `fo`'],
  ['call `', 'call '],
  ['call ``a`b', 'call ``a`b``'],
  ['call `foo` an', 'call `foo` an'],
  ['see [the', 'see the'],
  ['see [the text]', 'see the text'],
  ['see [the text](https://exa', 'see the text'],
  ['see [the text](https://example.org) a', 'see [the text](https://example.org) a'],
  ['see [it] (and) more', 'see [it] (and) more'],
  ['an ![ima', 'an '],
  ['an ![image](https://x.org/a', 'an '],
  ['words\n-', 'words\n'],
  ['words\n---', 'words\n'],
  ['words\n```t', 'words\n'],
  ['words\n##', 'words\n'],
  ['- one\n- **tw', '- one\n- **tw**'],
  ['- **one\n- two', '- **one\n- two'],
  ['12', ''],
  ['12 of', '12 of'],
  ['| a | b', ''],
  ['| a | b |\n| -', ''],
  ['| a | b |\n| - | - |\n| 1 ', '| a | b |\n| - | - |\n| 1 '],
  ['```ts\nconst **x', '```ts\nconst **x'],
  ['```ts\nconst x\n``', '```ts\nconst x\n'],
  ['an \\*asterisk', 'an \\*asterisk'],
])('%j is shown as %j [WEB-STREAM]', (source, shown) => {
  expect(mendTail(source)).toBe(shown);
});

const wordsOf = (node: object): string => {
  if ('value' in node) return String(node.value);
  return 'children' in node ? (node.children as readonly object[]).map(wordsOf).join('') : '';
};
const visible = (source: string) =>
  wordsOf(fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));

test('While a text grows, no mark of it is ever seen, and no word is seen twice', () => {
  const phrase = fc.constantFrom(
    '**bold** ',
    '*it* ',
    '`code` ',
    '[link](https://example.org/a) ',
    '~~gone~~ ',
    'words ',
  );
  fc.assert(
    fc.property(fc.array(phrase, { minLength: 1, maxLength: 6 }), (phrases) => {
      const text = phrases.join('');
      const whole = visible(text);
      for (let end = 1; end <= text.length; end += 1) {
        expect(whole.startsWith(visible(mendTail(text.slice(0, end))).trimEnd())).toBe(true);
      }
    }),
  );
});

test('A paragraph that is whole is shown as it is', () => {
  const text = 'It *has* **marks**, `code`, a [link](https://example.org), snake_case and 3 * 4.';
  expect(mendTail(text)).toBe(text);
});

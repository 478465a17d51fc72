import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { type Blocks, cutBlocks, definitionsIn, drawnSource, noBlocks, readFence } from './blocks.ts';

/** Pieces of Markdown that end, go on with, or hold one another in every way that matters. */
const piece = fc.constantFrom(
  'words',
  ' and more',
  '\n',
  '\n\n',
  '\n \t\n',
  '# Head\n',
  '#b',
  '===\n',
  '- item\n',
  '  - within\n',
  '\n\n  still the item\n',
  '3. third\n',
  '1. again\n',
  '* star\n',
  '> quoted\n',
  '```ts\nconst x = 1;\n',
  '```\n',
  '~~~\n',
  '    indented\n',
  '\tby a tab\n',
  '| a | b |\n',
  '| - | - |\n',
  '| 1 | 2 |\n',
  '---\n',
  '[x]: https://example.org\n',
  '[^1]: a note\n',
  '<div>\n',
  '</div>\n',
  '<script>\n',
  '**bold** and `code`\n',
  '- a long item that says many words so that the list becomes a long one soon, and is cut\n',
);
const markdown = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

/** The text, cut after every few characters. */
function grow(text: string, steps: readonly number[]): Blocks[] {
  const shown: Blocks[] = [];
  let blocks = noBlocks;
  let end = 0;
  for (let nth = 0; end < text.length; nth += 1) {
    end = Math.min(text.length, end + (steps[nth % steps.length] ?? 1));
    blocks = cutBlocks(blocks, text.slice(0, end));
    shown.push(blocks);
  }
  return shown;
}

const steps = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });
const lineStart = (text: string, offset: number) => text.lastIndexOf('\n', offset - 1) + 1;
const sourcesOf = ({ finished, tail }: Blocks) => [...finished, tail].map(({ source }) => source);

describe('Markdown that grows is cut into blocks', () => {
  test('that together are the text, at any cuts; a finished one never changes [WEB-STREAM]', () => {
    fc.assert(
      fc.property(markdown, steps, (text, sizes) => {
        let before = noBlocks;
        for (const blocks of grow(text, sizes)) {
          expect(sourcesOf(blocks).join('')).toBe(blocks.text);
          expect(blocks.finished.slice(0, before.finished.length)).toEqual(before.finished);
          before = blocks;
        }
      }),
      { numRuns: 600 },
    );
  });

  test('that begin where blocks of the whole text begin, or items of a long list', () => {
    fc.assert(
      fc.property(markdown, steps, (text, sizes) => {
        const blocks = grow(text, sizes).at(-1) ?? noBlocks;
        const { children } = fromMarkdown(text, { extensions: [gfm()] });
        const items = children.flatMap((node) => (node.type === 'list' ? node.children : []));
        const starts = new Set([...children, ...items].map((node) => lineStart(text, node.position!.start.offset!)));
        starts.add(text.length);
        // The parser says of an underlined heading behind definitions that it begins with these.
        for (const [nth, { position }] of children.entries()) {
          const end = children[nth - 1]?.position?.end.offset ?? 0;
          if (position!.start.offset! < end) starts.add(text.indexOf('\n', end) + 1);
        }
        let offset = 0;
        for (const source of sourcesOf(blocks).slice(0, -1)) {
          offset += source.length;
          // Behind code that is closed all is new, the empty lines too.
          expect(starts).toContain(offset + /^(?:[ \t]*\n)*/.exec(text.slice(offset))![0].length);
        }
      }),
      { numRuns: 600 },
    );
  });

  test('at an underlined heading behind definitions, and none of them is empty', () => {
    const text = 'Words.\n\n[x]: https://example.org\n[y]: https://example.org/y\nHead\n===\n\nMore.\n';
    const cut = [
      'Words.\n\n',
      '[x]: https://example.org\n',
      '[y]: https://example.org/y\n',
      'Head\n===\n\n',
      'More.\n',
    ];
    expect(sourcesOf(cutBlocks(noBlocks, text))).toEqual(cut);
  });

  test('and a text that is another one is cut anew', () => {
    const before = cutBlocks(noBlocks, 'One.\n\nTwo.\n\nThree');
    expect(cutBlocks(before, 'Other.\n\nWords.\n')).toEqual(cutBlocks(noBlocks, 'Other.\n\nWords.\n'));
  });
});

describe('A long list', () => {
  const lines = (mark: (nth: number) => string) =>
    Array.from({ length: 80 }, (_, nth) => `${mark(nth)} item ${nth} with some words behind it\n`).join('');

  test('is cut between its items, and its numbers go on even where all are written as 1', () => {
    const blocks = grow(
      lines(() => '1.'),
      [7],
    ).at(-1)!;
    expect(blocks.finished.length).toBeGreaterThan(1);
    const drawn = [...blocks.finished, blocks.tail].map(drawnSource);
    let next = 1;
    for (const source of drawn) {
      expect(Number(/^\d+/.exec(source)![0])).toBe(next);
      next += source.match(/^\d+\./gm)!.length;
    }
    expect(next).toBe(81);
  });

  test('without numbers is left as it stands', () => {
    const blocks = grow(
      lines(() => '-'),
      [11],
    ).at(-1)!;
    expect(blocks.finished.length).toBeGreaterThan(1);
    expect([...blocks.finished, blocks.tail].map(drawnSource).join('')).toBe(blocks.text);
  });
});

describe('A block without end', () => {
  const longest = 20_000;

  test.each([
    ['a paragraph of many lines', 'thirty characters of one line\n'.repeat(4000)],
    ['one line', 'word '.repeat(30_000)],
    ['one word', '😀'.repeat(40_000)],
    ['a quote', '> a line that is quoted here\n'.repeat(4000)],
    ['a table', `| a | b |\n| - | - |\n${'| one | two |\n'.repeat(3000)}`],
  ])('is cut where it grows too long, and goes on as plain text: %s', (_, text) => {
    const blocks = cutBlocks(noBlocks, `First.\n\n${text}`);
    expect(sourcesOf(blocks).join('')).toBe(blocks.text);
    expect(Math.max(...sourcesOf(blocks).map((source) => source.length))).toBeLessThanOrEqual(longest);
    // No character is cut into halves.
    expect(sourcesOf(blocks).filter((source) => /^[\uDC00-\uDFFF]/.test(source))).toEqual([]);
    const plain = [...blocks.finished, blocks.tail].map(({ isPlain }) => isPlain ?? false);
    expect([plain[0], plain.at(-1)]).toEqual([false, true]);
  });

  test('and is over at an empty line: behind it all is Markdown again, however it came', () => {
    const text = `${'words and words\n'.repeat(3000)}\n# Head\n\n- item\n\nEnd.\n`;
    for (const size of [text.length, 9770]) {
      const blocks = grow(text, [size]).at(-1)!;
      expect(sourcesOf(blocks).join('')).toBe(text);
      expect([...blocks.finished, blocks.tail].filter(({ isPlain }) => !isPlain).map(({ source }) => source)).toEqual([
        expect.stringMatching(/^words/),
        '# Head\n\n',
        '- item\n\n',
        'End.\n',
      ]);
    }
  });
});

test('Code that is not closed yet is one block, however many empty lines are in it', () => {
  const text = `Words.\n\n\`\`\`ts\n${'const x = 1;\n\n'.repeat(50)}`;
  expect(sourcesOf(cutBlocks(cutBlocks(noBlocks, 'Words.\n\n```ts\n'), text))).toHaveLength(2);
});

test.each([
  ['```ts\nx', { language: 'ts', code: 'x', end: null }],
  ['\n```ts\nx\n\n```\nmore', { language: 'ts', code: 'x\n', end: 14 }],
  ['````\n```\n', { language: undefined, code: '```', end: null }],
  ['~~~ a b\n```\n~~~', { language: 'a', code: '```', end: 15 }],
  ['```a`b```\n', undefined],
  ['words\n```\n', undefined],
])('%j begins with the code %j', (source, fence) => {
  expect(readFence(source)).toEqual(fence);
});

test('Definitions are found, to be put before each block', () => {
  expect(definitionsIn('See [x].\n\n[x]: https://example.org\n')).toBe('[x]: https://example.org\n\n');
  expect(definitionsIn('No [x] here')).toBe('');
});

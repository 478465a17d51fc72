/** Snippets, commands and words that name a file: from values alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from '../../kernel/artifacts/search/query.ts';
import { activityOf, commandFor, fileNamed, snippetOf } from './rules.ts';

/** With the marked words in brackets. */
function shown(text: string, words: string, width = 240): string {
  const { text: line, marks } = snippetOf(text, parseQuery(words), width);
  let out = '';
  let at = 0;
  for (const [from, to] of marks) {
    out += `${line.slice(at, from)}[${line.slice(from, to)}]`;
    at = to;
  }
  return out + line.slice(at);
}

test.each([
  ['whole words and beginnings, to the end of the word', 'Rounded; Round up.', 'round', '[Rounded]; [Round] up.'],
  ['case and accents', 'In ZÜRICH a naïve café.', 'zurich cafe', 'In [ZÜRICH] a naïve [café].'],
  ['letters that become two', 'Die Straße.', 'strasse', 'Die [Straße].'],
  ['not within words', 'Terror and error.', 'error', 'Terror and [error].'],
  [
    'a phrase, and not its words by themselves',
    'We round half\n  up here; half.',
    '"half up"',
    'We round [half up] here; half.',
  ],
  ['scripts without blanks', '会議の記録です', '記録', '会議の[記録]です'],
  ['emoji before the word', '😀😀 walrus', 'walrus', '😀😀 [walrus]'],
  [
    'control characters and directions are left out',
    'a \u001b[31m walrus\u202e x\u0000',
    'walrus',
    'a [31m [walrus] x',
  ],
  ['nothing of it', 'Only the title has it.', 'walrus', 'Only the title has it.'],
])('marks %s', (_what, text, words, expected) => {
  expect(shown(text, words)).toBe(expected);
});

test('a long passage is cut around where most words are, between words', () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(20);
  const text = `walrus ${filler}the walrus met a seal ${filler}`;
  const line = shown(text, 'walrus seal', 100);
  expect(line).toMatch(/^….*the \[walrus\] met a \[seal\] .*…$/);
  expect(snippetOf(text, parseQuery('walrus seal'), 100).text.length).toBeLessThanOrEqual(100);
});

const pieces = [
  'walrus',
  'Wal',
  'ß',
  'é',
  'e\u0301',
  '😀',
  '\ud83d',
  '会',
  ' ',
  '\n',
  '-',
  '\u0000',
  '\u202e',
  'İ',
  'ﬁ',
  '"',
  'x'.repeat(90),
];

test('whatever the text is, marks lie in it and it is no longer than asked', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { maxLength: 200 }).map((parts) => parts.join('')),
      fc.string({ maxLength: 20 }),
      fc.integer({ min: 40, max: 200 }),
      (text, words, width) => {
        const snippet = snippetOf(`${text} ${words}`, parseQuery(words), width);
        expect(snippet.text.length).toBeLessThanOrEqual(width + 60);
        let last = 0;
        for (const [from, to] of snippet.marks) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(to).toBeLessThanOrEqual(snippet.text.length);
          last = to;
        }
      },
    ),
  );
});

test('each hit names the command that shows it, as a shell takes it', () => {
  const hit = { project: 'tally' as never, id: 'x-1', path: null };
  expect(commandFor({ ...hit, kind: 'meeting' })).toBe('guild-hall meeting show x-1 --project tally');
  expect(commandFor({ ...hit, kind: 'conversation' })).toBe('guild-hall conversation show x-1');
  expect(commandFor({ ...hit, kind: 'gathering' })).toBe('guild-hall gathering show x-1');
  expect(commandFor({ ...hit, kind: 'session' })).toBe('guild-hall session show x-1 --project tally');
  const trail = { ...hit, kind: 'gathering', path: '.lore/gatherings/daily.md' } as const;
  expect(commandFor(trail)).toBe('guild-hall artifact show .lore/gatherings/daily.md --project tally');
  const page = { ...hit, kind: 'artifact', id: null } as const;
  expect(commandFor({ ...page, path: '.lore/a.md' })).toBe('guild-hall artifact show .lore/a.md --project tally');
  expect(commandFor({ ...page, path: ".lore/it's $(x).md" })).toBe(
    String.raw`guild-hall artifact show '.lore/it'\''s $(x).md' --project tally`,
  );
});

test('words that name a file, and trailers that name an activity', () => {
  for (const path of ['src/count.ts', './src/count.ts', 'README.md', '.lore/x'])
    expect(fileNamed(path)).toBe(path.replace('./', ''));
  for (const words of ['walrus', 'a walrus.md', '"half up"', 'e.g.', 'what?', '1.5'])
    expect(fileNamed(words)).toBeUndefined();
  expect(activityOf('meeting m-1', ['meeting'])).toEqual({ kind: 'meeting', id: 'm-1' });
  expect(activityOf('artifact edit', ['meeting'])).toBeNull();
  expect(activityOf(null, ['meeting'])).toBeNull();
});

/** How what was found looks: on a terminal, in a pipe. */
import { expect, test } from 'vitest';
import type { SearchAnswer, SearchHit } from '../../../features/search/contract.ts';
import { createTerminal, type Terminal } from '../terminal.ts';
import { searchRenderers } from './search.ts';

const render = searchRenderers['search'] as unknown as (answer: SearchAnswer, term: Terminal) => string;

function terminal(columns: number | undefined): Terminal {
  const stream = { isTTY: columns !== undefined, ...(columns !== undefined && { columns }), write: () => true };
  return createTerminal({ out: stream, err: stream }, { TERM: 'xterm' });
}

const hit: SearchHit = {
  project: 'tally' as SearchHit['project'],
  kind: 'artifact',
  id: null,
  path: '.lore/specs/rounding.md',
  title: 'Rounding \u001b[31mof hours',
  at: '2026-01-02T00:00:00.000Z',
  snippet: {
    text: '…minutes are rounded half up in the end, as was agreed with everybody who was there at that time…',
    marks: [
      [13, 20],
      [21, 28],
    ],
  },
  more: 2,
  command: 'guild-hall artifact show .lore/specs/rounding.md --project tally',
};

function answer(change: Partial<SearchAnswer> = {}): SearchAnswer {
  const searched = {
    projects: ['tally'],
    kinds: ['artifact', 'meeting'],
    sources: 12,
    passages: 40,
    unread: 0,
    leftOut: 0,
  };
  return {
    terms: ['round', '"half up"'],
    hits: [hit],
    total: 1,
    touched: [],
    file: null,
    searched,
    ...change,
  } as SearchAnswer;
}

test('in a pipe: plain, one line a snippet, nothing that moves the cursor', () => {
  expect(render(answer(), terminal(undefined))).toBe(
    [
      '1 match for round "half up"',
      '',
      '● Rounding [31mof hours  artifact · 2026-01-02 · 2 more in it',
      '  …minutes are rounded half up in the end, as was agreed with everybody who was there at that time…',
      '  guild-hall artifact show .lore/specs/rounding.md --project tally',
      '',
    ].join('\n'),
  );
});

test('on a terminal: the words marked where they stand, also where the line was broken', () => {
  const out = render(answer(), terminal(40));
  const marked = [...out.matchAll(/\u001b\[33m\u001b\[1m([^\u001b]+)\u001b/g)].map(([, words]) => words);
  expect(marked).toEqual(['rounded', 'half up']);
  const long = {
    ...hit,
    snippet: {
      text: `${'x'.repeat(30)} half up ${'y'.repeat(30)} round`,
      marks: [
        [31, 38],
        [70, 75],
      ],
    },
  } as SearchHit;
  const broken = render(answer({ hits: [long] }), terminal(40));
  expect([...broken.matchAll(/\u001b\[33m\u001b\[1m([^\u001b]+)\u001b/g)].map(([, words]) => words)).toEqual([
    'half up',
    'round',
  ]);
});

test('several projects are told apart, and how many there are; what was not read is said', () => {
  const other = { ...hit, project: 'shop' as SearchHit['project'], title: 'Elsewhere' };
  const searched = { ...answer().searched, projects: ['tally', 'shop'] as never[], unread: 3, leftOut: 1 };
  const out = render(answer({ hits: [other, hit, other], total: 9, searched }), terminal(undefined));
  expect(out).toMatch(/^The best 3 of 9 matches for/);
  expect(out.indexOf('\nshop\n')).toBeLessThan(out.indexOf('\ntally\n'));
  expect(out).toContain('3 texts are still being read; search again in a moment.');
  expect(out).toContain('1 text is not searched, or not to the end: no plain text, or very long.');
});

test('nothing found says what was searched; a file tells who touched it', () => {
  expect(render(answer({ hits: [], total: 0 }), terminal(undefined))).toBe(
    'Nothing was found for round "half up".\nSearched: 12 texts of project tally (artifact, meeting).\n',
  );
  const touch = { project: 'tally' as never, path: 'src/a.ts', commit: '0123456789', at: '2026-01-03T10:00:00Z' };
  const touched = [
    {
      ...touch,
      author: 'Ada',
      subject: 'Count',
      activity: { kind: 'meeting', id: 'm-1' },
      command: 'guild-hall meeting show m-1',
    },
    { ...touch, author: 'Ben', subject: 'By hand', activity: null, command: null },
  ];
  const out = render(answer({ terms: [], hits: [], total: 0, touched, file: 'src/a.ts' }), terminal(undefined));
  expect(out).toBe(
    [
      'src/a.ts was touched by',
      '  meeting m-1  2026-01-03 · 0123456789  Count',
      '    guild-hall meeting show m-1',
      '  Ben  2026-01-03 · 0123456789  By hand',
      '',
    ].join('\n'),
  );
  expect(render(answer({ terms: [], hits: [], file: 'src/b.ts' }), terminal(undefined))).toContain(
    'No commit of the hall’s branch has touched src/b.ts.',
  );
});

import { expect, test } from 'vitest';
import { findPass } from './pass.ts';
import { pastOf, type FoundHit } from './past.ts';

const five = { hits: 5, characters: 1200 };
const hit = (change: Partial<FoundHit>): FoundHit => ({
  kind: 'artifact',
  id: null,
  path: null,
  title: 'A title',
  snippet: { text: 'Words.' },
  ...change,
});

test('of one gathering there is one hit, the best, whatever came of it [GTH-HISTORY-2]', () => {
  const hits = [
    hit({ path: '.lore/todos/2026-11-22-write-it-down-ask1.md' }),
    hit({ kind: 'gathering', id: 'daily-20261122-154612-ask1' }),
    hit({ path: '.lore/visions/2026-11-22-a-tally-that-reads-ask1.md' }),
    hit({ path: '.lore/notes/hours.md' }),
    hit({ path: '.lore/todos/2026-11-20-another-bpyg.md' }),
    hit({ kind: 'meeting', id: 'researcher-1', path: '.lore/meetings/researcher-1.md' }),
  ];
  expect(pastOf(hits, five).map(({ where }) => where)).toEqual([
    '.lore/todos/2026-11-22-write-it-down-ask1.md',
    '.lore/notes/hours.md',
    '.lore/todos/2026-11-20-another-bpyg.md',
    '.lore/meetings/researcher-1.md',
  ]);
  expect(pastOf(hits, { ...five, hits: 2 })).toHaveLength(2);
  expect(pastOf([hit({ kind: 'council', id: 'c' })], five)[0]?.where).toBe('council c');
});

test('what was said to pass the piece then passes nothing now, and hides nothing [GTH-PIECE-10]', () => {
  const said = [
    'Do both hold? I pass',
    'I agree. I pass to Mo.',
    'So be it. I pass the piece to Ada (1)!',
    'Well. passing to 2',
    'I pass the piece.',
  ];
  for (const text of said) {
    expect([text, findPass(text)?.line]).toEqual([text, expect.any(String)]);
    const [past] = pastOf([hit({ snippet: { text } })], five);
    expect([past!.excerpt, findPass(past!.excerpt)]).toEqual([past!.excerpt, undefined]);
  }
  const [kept] = pastOf([hit({ snippet: { text: 'The tests pass, and I passed by.' } })], five);
  expect(kept?.excerpt).toBe('The tests pass, and I passed by.');
  const long = [0, 1, 2, 3, 4, 5].map((at) => hit({ path: `${at}`, snippet: { text: 'x'.repeat(400) } }));
  expect(pastOf(long, five).map(({ excerpt }) => excerpt.length)).toEqual([400, 400, 400, 0, 0]);
});

import { describe, expect, test } from 'vitest';
import { checkStatements, offenders, type Evidence } from './check.ts';

const files: Readonly<Record<string, string>> = {
  'src/cache.ts': `${'// header\n'.repeat(200)}export const maxRetries = 5;\nfunction lost() { return cache.restart(); }\n`,
  'docs/plan.md': '# Plan\n\nWe sell shoes.\n',
  'README.md': 'The cache is emptied at each restart.\n',
  'src/a file.ts': 'cache lost restart',
};
const pages = new Set(['https://example.org/cache', 'https://example.org/a?b=1']);

function evidenceOf(covered?: readonly string[]): Evidence {
  return {
    pathState: async (path, line) => {
      const text = files[path];
      if (path === 'src/' || path === 'logo.png') return 'there';
      if (text === undefined) return 'absent';
      return line === undefined || line <= text.split('\n').length ? 'there' : 'no-line';
    },
    textOf: async (path) => files[path],
    isFetched: (url) => pages.has(url),
    memoryExists: async (path) => path === '.gaia/memory/nate-sidecar/decisions/a.md',
    ...(covered && { covered }),
  };
}

const check = async (body: string, covered?: readonly string[]) => await checkStatements(body, evidenceOf(covered));
const verdictsOf = async (body: string) => (await check(body)).map(({ line, verdict }) => `${line} ${verdict}`);
const only = async (body: string) => {
  const claims = await check(body);
  expect(claims).toHaveLength(1);
  return claims[0]!;
};

describe('a source holds up the statement that it stands with, and no other [CNC-DIS-10, CNC-DIS-13]', () => {
  test.each([
    ['The cache is lost on a restart (src/cache.ts).', '1 cited'],
    ['The cache is lost on a restart. (src/cache.ts)', '1 cited'],
    ['The cache is lost on a restart. (see `src/cache.ts:202`) The lock is held.', '1 cited, 1 unflagged'],
    ['`src/cache.ts:201` gives up after 5 retries. The lock is held.', '1 cited, 1 unflagged'],
    ['The lock is held. The cache is lost on a restart [here](README.md).', '1 unflagged, 1 cited'],
    [
      'The lock is held.\n\n- The cache is lost on a restart (README.md).\n- The queue drops jobs.',
      '1 unflagged, 3 cited, 4 unflagged',
    ],
    ['The lock is held [inference]. The queue drops jobs.', '1 inference, 1 unflagged'],
    ['The lock is held. [inference] The queue drops jobs.', '1 inference, 1 unflagged'],
    ['[inference] The lock is held. The queue drops jobs.', '1 inference, 1 unflagged'],
    ['The lock is held. The queue drops jobs. [inference]', '1 unflagged, 1 inference'],
    ['The lock is held `[inference]`.', '1 unflagged'],
    ['The lock is held [Inference].', '1 unflagged'],
    ['I would prefer option A. What would you do?', '1 opinion, 1 opinion'],
    ['The cache is lost on a restart (README.md) [inference].', '1 cited'],
    ['See e.g. README.md for that: the cache is lost on a restart, i.e. v. 3.5 drops it.', '1 cited'],
    [
      'A line that goes on\nover the next one: the lock is held\nfor a minute. The cache is lost (README.md).',
      '1 unflagged, 3 cited',
    ],
  ])('%j: %s', async (body, wanted) => {
    expect((await verdictsOf(body)).join(', ')).toBe(wanted);
  });

  test('only claims without either hold a turn', async () => {
    const claims = await check(
      'The lock is held. I would wait. It is so [inference]. The cache is lost (README.md). The lock is held (docs/plan.md).',
    );
    expect(claims.map(({ verdict }) => verdict)).toEqual(['unflagged', 'opinion', 'inference', 'cited', 'not-found']);
    expect(offenders(claims)).toEqual([{ line: 1, text: 'The lock is held.', verdict: 'unflagged', citations: [] }]);
  });
});

describe('a source counts only if it is there [CNC-DIS-14]', () => {
  test.each([
    ['src/cache.ts', 'cited'],
    ['./src/cache.ts', 'cited'],
    ['src/cache.ts:202', 'cited'],
    ['src/cache.ts#L202', 'cited'],
    ['src/cache.ts:200-202', 'cited'],
    ['src/cache.ts:900', 'unflagged'],
    ['src/cash.ts', 'unflagged'],
    ['../src/cache.ts', 'unflagged'],
    ['/etc/passwd', 'unflagged'],
    ['and/or', 'unflagged'],
    ['_memory/cache.md', 'unflagged'],
    ['`src/a file.ts`', 'cited'],
    ['https://example.org/cache', 'cited'],
    ['https://example.org/cache#top', 'cited'],
    ['https://example.org/cache/', 'cited'],
    ['https://example.org/other', 'unflagged'],
    ['www.example.org/other', 'unflagged'],
    ['.gaia/memory/nate-sidecar/decisions/a.md', 'cited'],
    ['.gaia/memory/nate-sidecar/decisions/b.md', 'unflagged'],
    ['logo.png', 'cited'],
  ])('%s: %s', async (source, verdict) => {
    expect((await only(`The cache is lost on a restart (${source}).`)).verdict).toBe(verdict);
  });

  test('what an agent has from a page stands with its address, or is marked [CNC-THR-2]', async () => {
    const said = 'The vendor caps uploads at two gigabytes';
    expect((await only(`${said} (https://example.org/a?b=1).`)).citations).toEqual(['https://example.org/a?b=1']);
    expect((await only(`${said} [inference].`)).verdict).toBe('inference');
    expect((await only(`${said}, as a page says.`)).verdict).toBe('unflagged');
    expect((await only(`${said} (https://example.org/unread).`)).verdict).toBe('unflagged');
  });

  test('the sources that are there are named, with their lines, once', async () => {
    const { citations } = await only('The cache is lost: README.md, README.md, src/cache.ts:202 and src/gone.ts.');
    expect(citations).toEqual(['README.md', 'src/cache.ts:202']);
  });
});

describe('a source that says nothing like it is told apart [CNC-DIS-15]', () => {
  test.each([
    ['We sell shoes (docs/plan.md).', 'cited'],
    ['The parser accepts trailing commas (docs/plan.md).', 'not-found'],
    ['The parser accepts trailing commas (docs/plan.md, README.md).', 'not-found'],
    ['Restarts empty the cache (docs/plan.md, README.md).', 'cited'],
    ['It gives up after five retries (src/cache.ts:201).', 'cited'],
    ['It gives up after five retries (src/cache.ts:3).', 'not-found'],
    ['The cache is lost (src/).', 'not-found'],
    ['I would read docs/plan.md first.', 'cited'],
  ])('%j: %s', async (body, verdict) => {
    expect((await only(body)).verdict).toBe(verdict);
  });
});

describe('nothing is freed by its form [CNC-DIS-16]', () => {
  test.each([
    ['> The lock is held.', '1 unflagged'],
    ['> > - The lock is held.', '1 unflagged'],
    ['The lock is held?', '1 unflagged'],
    ['The lock is held, right?', '1 unflagged'],
    ['Did you know that the lock is held?', '1 unflagged'],
    ['[round 1 / turn 2] The lock is held.', '1 unflagged'],
    ['[round The lock is held.', '1 unflagged'],
    [
      '[round 1 / turn 2 / The lock is held for an hour (fact) / per-turn-cost 1 tokens / running-total 1 tokens]',
      '1 unflagged',
    ],
    ['[Prelude] The lock is held.', '1 unflagged'],
    ['[decision] The lock is held.', '1 unflagged'],
    ['[challenge] The lock is held.', '1 unflagged'],
    ['**The lock is held.**', '1 unflagged'],
    ['1. The lock is held.', '1 unflagged'],
    ['- [x] The lock is held.', '1 unflagged'],
    ['The lock is held.\n---', '1 unflagged'],
    ['<b>The lock is held.</b>', '1 unflagged'],
    ['<!-- The lock is held. -->', '1 unflagged'],
    ['[a]: b.md "The lock is held."', '1 unflagged'],
    ['[^1]: The lock is held.', '1 unflagged'],
    ['`The lock is held for a minute`.', '1 unflagged'],
    ['    The lock is held for a minute.', '1 unflagged'],
    ['```\nit goes on:\n\nThe lock is held.', '4 unflagged'],
    ['The lock i\u00ads h\u200beld.', '1 unflagged'],
    ['I think that the lock is held.', '1 unflagged'],
    ['We should wait, because the lock is held.', '1 unflagged'],
    ['Das Schloss wird erst nach einer Stunde wieder freigegeben.', '1 unflagged'],
  ])('%j: %s', async (body, wanted) => {
    expect((await verdictsOf(body)).filter((verdict) => !verdict.endsWith('opinion')).join(', ')).toBe(wanted);
  });

  test('code, headings and the names of columns claim nothing, and free nothing around them', async () => {
    const body = [
      '# The lock is held',
      '',
      'The lock is held.',
      '```ts',
      'the lock is held',
      '```',
      'The queue drops jobs.',
      '',
      '| The lock is held | Source |',
      '| --- | --- |',
      '| The lock is kept. | README.md |',
      '| The queue drops jobs. | none |',
      '| Restarts empty the cache. | README.md |',
      '| One is so. Two is so. | README.md |',
      '| p99 | 4 s |',
      '| Redis | I would keep it |',
      '',
      '- > The lock is held',
      '  > for a minute.',
    ].join('\n');
    const found = (await verdictsOf(body)).filter((verdict) => !verdict.endsWith('opinion'));
    expect(found).toEqual([
      '3 unflagged',
      '7 unflagged',
      '11 not-found',
      '12 unflagged',
      '13 cited',
      '14 unflagged',
      '14 unflagged',
      '15 unflagged',
      '18 unflagged',
    ]);
  });
});

test('the sources of a prelude cover its entries, as far as they are there [CNC-DIS-12]', async () => {
  const prelude = `[Prelude] Nate (Scrum Master) — 120 tokens
Sources consulted:
  README.md
  src/gone.ts
What I know:
  - Restarts empty the cache.
  - The parser accepts trailing commas.
  - The queue drops jobs [inference].

The lock is held.`;
  const claims = await check(prelude, ['README.md', 'src/gone.ts']);
  const told = claims.filter(({ verdict }) => verdict !== 'opinion');
  expect(told.filter(({ line }) => line > 3).map(({ line, verdict, citations }) => [line, verdict, citations])).toEqual(
    [
      [6, 'cited', ['README.md']],
      [7, 'not-found', ['README.md']],
      [8, 'inference', []],
      [10, 'unflagged', []],
    ],
  );
  expect(offenders(await check(prelude, ['src/gone.ts'])).map(({ line }) => line)).toEqual([6, 7, 10]);
});

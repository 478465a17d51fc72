import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksIn, readBlock } from './blocks.ts';
import { checkWaves } from './waves.ts';

const fenced = (kind: string, value: unknown, fence = '```'): string =>
  `${fence}conclave:${kind}\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n${fence}`;
const next = { label: 'Go on', command: '/req a', metaContext: 'a' };
const kindsIn = (markdown: string): string[] => blocksIn(markdown).map(({ block }) => block.kind);

describe('where blocks are found', () => {
  test('in paragraphs, lists and quotations, with a longer fence and with tildes; each by its position [UC-4.6, UC-4.7]', () => {
    const inList = `- first\n- second:\n\n  ${fenced('next', next).replaceAll('\n', '\n  ')}\n`;
    const markdown = [
      `Words.\n\n${fenced('next', next)}`,
      inList,
      fenced('next', { ...next, label: 'B' }, '`````'),
      fenced('next', { ...next, label: 'C' }, '~~~'),
      `> ${fenced('next', { ...next, label: 'D' }).replaceAll('\n', '\n> ')}`,
    ].join('\n\n');
    const found = blocksIn(markdown);
    expect(found.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
    expect(found.map(({ block }) => block.kind === 'next' && block.next.label)).toEqual([
      'Go on',
      'Go on',
      'B',
      'C',
      'D',
    ]);
  });

  test('not where one is quoted within another fence, indented as code, or written inline [UC-4.6]', () => {
    const quoted = `\`\`\`\`markdown\n${fenced('next', next)}\n\`\`\`\``;
    const indented = `Words.\n\n    ${fenced('next', next).replaceAll('\n', '\n    ')}`;
    expect(kindsIn(`${quoted}\n\n${indented}\n\nand \`conclave:next\` here`)).toEqual([]);
  });

  test('words made to cost the reader minutes cost little, and hide no block behind them', () => {
    const hostile = ['_a**'.repeat(20_000), '>'.repeat(4000), '['.repeat(20_000), `${'> a\n'.repeat(1000)}`];
    // Without care one of them takes a minute, which is longer than a test may.
    for (const words of hostile) expect(kindsIn(`${words}\n\n${fenced('next', next)}`).length).toBeLessThanOrEqual(1);
    expect(kindsIn(`${hostile[0]}\n\n${fenced('next', next)}`)).toEqual(['next']);
  });

  test('other languages are none of ours', () => {
    expect(kindsIn('```conclave:nothing\n{}\n```\n\n```json\n{}\n```\n\n```conclave:next-one\n{}\n```')).toEqual([]);
    expect(readBlock('typescript', '{}')).toBeUndefined();
  });
});

describe('conclave:next', () => {
  test('has three texts, and keeps escapes, other alphabets and back-ticks as they are [CTX-BLK-1, CTX-BLK-3]', () => {
    const odd = {
      label: 'Say "ja" — 続ける 🎈',
      command: '/req a\nwith `ticks` and \\ and ``` three',
      metaContext: 'größe',
    };
    const [found] = blocksIn(fenced('next', odd, '````'));
    expect(found?.block).toEqual({ kind: 'next', next: odd });
  });

  test.each([
    ['no JSON', '{ "label": "x", '],
    ['no object', '[1]'],
    ['no label', { command: '/a', metaContext: 'a' }],
    ['a blank label', { ...next, label: ' ' }],
    ['no command', { label: 'a', metaContext: 'a' }],
    ['a command that is no text', { ...next, command: 7 }],
  ])('with %s it is code [CTX-BLK-2]', (_, value) => {
    expect(kindsIn(fenced('next', value))).toEqual(['code']);
  });

  test.each([
    ['without it', { label: 'Go on', command: '/req a' }],
    ['blank', { ...next, metaContext: ' \n' }],
    ['no text', { ...next, metaContext: 3 }],
    ['null', { ...next, metaContext: null }],
  ])('a metaContext that is missing, here %s, leaves nothing to press [UC-9.1, UC-9.3]', (_, value) => {
    expect(blocksIn(fenced('next', value))[0]?.block).toEqual({ kind: 'nameless', label: 'Go on', command: '/req a' });
  });

  test('a name is exact after trimming, case counts [CTX-DEC-1]', () => {
    const [found] = blocksIn(fenced('next', { ...next, metaContext: '  Spec-A ' }));
    expect(found?.block).toMatchObject({ kind: 'next', next: { metaContext: 'Spec-A' } });
  });
});

describe('the others', () => {
  const useCase = {
    id: 'UC-1',
    name: 'Stop',
    actor: 'Person',
    summary: 'It stops.',
    priority: 'high',
    given: ['It runs'],
    when: ['A press'],
    then: ['It is off'],
  };

  test('a use case has its lists; dependencies may be left out [CTX-BLK-9]', () => {
    const [one, other] = blocksIn(
      `${fenced('usecase', useCase)}\n\n${fenced('usecase', { ...useCase, dependencies: ['UC-0'] })}`,
    );
    expect(one?.block).toEqual({ kind: 'usecase', useCase: { ...useCase, dependencies: [] } });
    expect(other?.block).toMatchObject({ useCase: { dependencies: ['UC-0'] } });
    for (const key of Object.keys(useCase))
      expect([key, ...kindsIn(fenced('usecase', { ...useCase, [key]: undefined }))]).toEqual([key, 'code']);
  });

  test('a slice has what it has: a label, a screen and side effects are enough [CTX-BLK-4, CTX-BLK-7]', () => {
    const small = { slice: 'render', label: 'Render', screen: 'Page', sideEffects: ['It is drawn.'] };
    expect(blocksIn(fenced('eventmodel', small))[0]?.block).toEqual({
      kind: 'eventmodel',
      slice: { ...small, command: undefined, events: [], projections: [] },
    });
    expect(kindsIn(fenced('eventmodel', { ...small, label: undefined }))).toEqual(['code']);
    expect(kindsIn(fenced('eventmodel', { ...small, sideEffects: [1] }))).toEqual(['code']);
  });

  test('commands, events and projections have a name and `new`, and may have fields and feeds [CTX-BLK-5, CTX-BLK-6]', () => {
    const value = {
      slice: 'click',
      label: 'Click',
      command: { name: 'Click', new: true, fields: { label: 'string' } },
      events: [{ name: 'Clicked', new: false, feeds: ['Registry'] }],
      projections: [{ name: 'Registry', new: true, fields: { contexts: 'Map<string, X>' } }],
    };
    const [found] = blocksIn(fenced('eventmodel', value));
    expect(found?.block).toMatchObject({
      slice: {
        command: { name: 'Click', isNew: true, fields: [['label', 'string']], feeds: [] },
        events: [{ name: 'Clicked', isNew: false, feeds: ['Registry'] }],
        projections: [{ name: 'Registry', isNew: true, fields: [['contexts', 'Map<string, X>']] }],
      },
    });
    const bad = [
      { name: 'Click' },
      { new: true },
      { name: 'A', new: 'yes' },
      { name: 'A', new: true, fields: { a: 1 } },
    ];
    for (const command of bad) expect(kindsIn(fenced('eventmodel', { ...value, command }))).toEqual(['code']);
    for (const event of bad) expect(kindsIn(fenced('eventmodel', { ...value, events: [event] }))).toEqual(['code']);
  });

  const task = (id: string, wave: number, change: object = {}): Record<string, unknown> => ({
    id,
    name: id,
    ucs: [],
    depends: [],
    wave,
    kind: 'code',
    description: 'Do it.',
    files: { create: [], modify: [] },
    ...change,
  });
  const wavesOf = (...tasks: unknown[]): unknown => {
    const block = blocksIn(fenced('tasks', tasks))[0]?.block;
    if (block?.kind !== 'tasks') return block?.kind;
    return checkWaves(block.tasks).map(({ wave, tasks: own }) => [
      wave,
      own.map((each) => [each.task.id, each.faults]),
    ]);
  };

  test('tasks stand in waves, and what cannot be done so is said [CTX-BLK-10]', () => {
    expect(wavesOf(task('T-0', 0), task('T-1', 1, { depends: ['T-0'] }))).toEqual([
      [0, [['T-0', []]]],
      [1, [['T-1', []]]],
    ]);
    const files = { create: ['b.ts'], modify: ['a.ts'] };
    expect(
      wavesOf(
        task('T-0', 1, { depends: ['T-9', 'T-1', 'T-2'], files }),
        task('T-1', 1, { files: { create: [], modify: ['a.ts', 'c.ts'] } }),
        task('T-2', 2),
      ),
    ).toEqual([
      [
        1,
        [
          [
            'T-0',
            [
              'It depends on T-9, which is not there.',
              'It depends on T-1, which is in the same wave.',
              'It depends on T-2, which is in wave 2, which is later.',
              'It touches a.ts at the same time as T-1.',
            ],
          ],
          ['T-1', ['It touches a.ts at the same time as T-0.']],
        ],
      ],
      [2, [['T-2', []]]],
    ]);
    expect(wavesOf(task('T-0', 0), task('T-0', 1))).toMatchObject([
      [0, [['T-0', ['The id T-0 is given twice.']]]],
      [1, {}],
    ]);
    for (const bad of [task('T-0', -1), task('T-0', 0.5), task('', 0), { ...task('T-0', 0), files: [] }, 7])
      expect(wavesOf(bad)).toBe('code');
  });
});

describe('what is too much to be drawn is shown as code', () => {
  const kindOf = (kind: string, value: unknown) => readBlock(`conclave:${kind}`, JSON.stringify(value))?.kind;
  const many = (length: number) => Array.from({ length }, (_, nth) => `n${nth}`);
  const task = (id: string, create: readonly string[]) => {
    return { id, name: id, ucs: [], depends: [], wave: 0, kind: 'code', description: '', files: { create } };
  };

  test('a slice with thousands of feeds, of fields, of elements', () => {
    const sliceOf = (count: number, make: (names: string[]) => object) => {
      return kindOf('eventmodel', { slice: 'a', label: 'A', ...make(many(count)) });
    };
    const element = { name: 'E', new: true };
    const makers: ((names: string[]) => object)[] = [
      (feeds) => ({ events: [{ ...element, feeds }] }),
      (names) => ({ command: { ...element, fields: Object.fromEntries(names.map((name) => [name, 'string'])) } }),
      (names) => ({ projections: names.map((name) => ({ ...element, name })) }),
      (sideEffects) => ({ sideEffects }),
    ];
    for (const make of makers) expect([sliceOf(400, make), sliceOf(600, make)]).toEqual(['eventmodel', 'code']);
  });

  test('a use case with thousands of sentences, a list of thousands of tasks or files', () => {
    const useCase = { id: 'U', name: 'U', actor: 'A', summary: 'S', priority: 'high', when: [], then: [] };
    expect(kindOf('usecase', { ...useCase, given: many(400) })).toBe('usecase');
    expect(kindOf('usecase', { ...useCase, given: many(600) })).toBe('code');
    const tasks = (count: number) => many(count).map((id) => task(id, [id]));
    expect([kindOf('tasks', tasks(400)), kindOf('tasks', tasks(600))]).toEqual(['tasks', 'code']);
    const withFiles = (count: number) => kindOf('tasks', [task('T-0', many(count)), task('T-1', many(count))]);
    expect([withFiles(2000), withFiles(3000)]).toEqual(['tasks', 'code']);
  });

  test('hundreds of tasks that meet in one file tell some of them each', () => {
    const block = readBlock('conclave:tasks', JSON.stringify(many(500).map((id) => task(id, ['a.ts']))));
    const waves = block?.kind === 'tasks' ? checkWaves(block.tasks) : [];
    const faults = waves.flatMap((wave) => wave.tasks.map((each) => each.faults));
    expect(faults).toHaveLength(500);
    for (const each of faults) expect(each).toHaveLength(21);
    expect(faults[0]!.slice(-2)).toEqual(['It touches a.ts at the same time as n20.', 'There is more of this kind.']);
  });
});

test('whatever stands in a block, reading it never fails, and nothing but what was written is drawn', () => {
  const kinds = fc.constantFrom('next', 'usecase', 'eventmodel', 'tasks');
  fc.assert(
    fc.property(kinds, fc.jsonValue(), fc.string(), (kind, value, rest) => {
      const known = ['next', 'nameless', 'usecase', 'eventmodel', 'tasks', 'code'];
      for (const text of [JSON.stringify(value), rest])
        expect(known).toContain(readBlock(`conclave:${kind}`, text)?.kind);
      expect(blocksIn(`${rest}\n\n${fenced(kind, value)}\n${rest}`).length).toBeLessThanOrEqual(3);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['quotations', '> a\n\n', 4_000],
  ['quotations in a list', '- > a\n\n', 4_000],
  ['headings', '#\n', 190_000],
  ['items', '- a\n', 90_000],
])(
  'a text of %s by the thousand has none that are found, and holds nobody up',
  { timeout: 10_000 },
  (_what, part, times) => {
    const step = '```conclave:next\n{"label":"On","command":"/on","metaContext":"x"}\n```\n';
    expect(blocksIn(`${step}${part.repeat(200)}`)).toHaveLength(1);
    expect(blocksIn(`${step}${part.repeat(times)}`)).toEqual([]);
  },
);

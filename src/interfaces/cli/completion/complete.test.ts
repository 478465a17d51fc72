import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { describeOperation } from '../../../kernel/pure/operations.ts';
import type { HallClient } from '../client.ts';
import { createTerminal } from '../terminal.ts';
import { type CandidateSource, idCandidates } from './candidates.ts';
import { runCompletion } from './complete.ts';

const common = { access: 'write', audience: 'person', output: z.object({}) } as const;
const descriptions = [
  describeOperation({
    ...common,
    name: 'talk.open',
    summary: 'Open a talk',
    input: z.strictObject({
      project: z.string().optional().describe('which project'),
      worker: z.string().describe('whom to meet'),
      artifacts: z.array(z.string()).default([]).describe('what it is about'),
      mood: z.enum(['glad', 'grave']).optional().describe('how'),
      quiet: z.boolean().default(false).describe('say little'),
      greet: z.boolean().default(true).describe('do not greet'),
      message: z.string(),
    }),
    commandLine: {
      positionals: [{ field: 'message', rest: true }],
      flags: { artifacts: 'artifact' },
      examples: [],
    },
  }),
  describeOperation({
    ...common,
    name: 'talk.show',
    summary: 'Show a talk',
    input: z.strictObject({ project: z.string().optional(), id: z.string() }),
    commandLine: { positionals: [{ field: 'id' }], examples: [] },
  }),
  describeOperation({
    ...common,
    name: 'folder.add',
    summary: 'Add a folder',
    input: z.strictObject({ path: z.string().meta({ isPath: true }) }),
    commandLine: { positionals: [{ field: 'path' }], examples: [] },
  }),
  describeOperation({
    ...common,
    name: 'check',
    summary: 'Check things',
    input: z.strictObject({}),
    commandLine: { examples: [] },
  }),
];

const follow = { subjectOf: String, eventType: 'x', interrupt: 'x', over: [], show: String };
const client = { url: '', call: async () => ({}), events: async function* () {} } as HallClient;
const workers: CandidateSource = async () => [
  { value: 'ann', about: 'Knows\nthings' },
  { value: 'bea', about: '' },
  { value: 'odd\u001b[2J', about: 'not to be typed' },
];

interface World {
  readonly candidates?: Readonly<Record<string, CandidateSource>>;
  readonly connect?: () => Promise<HallClient>;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The lines that a shell gets. */
async function complete(words: readonly string[], world: World = {}): Promise<string[]> {
  let out = '';
  const stream = { write: (text: string) => (out += text) };
  const parts = {
    terminal: createTerminal({ out: stream, err: { write: () => expect.unreachable('nothing is said') } }, {}),
    descriptions,
    nounSummaries: { talk: 'talks', folder: 'folders' },
    ownCommands: [
      {
        name: 'up',
        summary: 'Start',
        options: [{ flags: '--port <number>', help: 'which port' }],
        examples: [],
        run: async () => 0,
      },
      {
        name: 'shell',
        summary: 'A script',
        places: [{ name: 'kind', help: 'which', choices: ['bash', 'zsh'] }],
        options: [],
        examples: [],
        run: async () => 0,
      },
    ],
    follows: { 'talk.open': follow },
    candidates: { worker: workers },
    connect: async () => client,
    projectHere: async () => 'here',
    sleep: async (_ms: number, signal: AbortSignal) => {
      const late = deferred();
      signal.addEventListener('abort', () => late.reject(signal.reason));
      await late.promise;
    },
    ...world,
  };
  expect(await runCompletion(parts, words)).toBe(0);
  return out.split('\n').slice(0, -1);
}

/** Without what they are. */
async function valuesOf(words: readonly string[], world: World = {}): Promise<string[]> {
  return (await complete(words, world)).map((line) => line.split('\t')[0]!);
}

const openFlags = [
  '--project',
  '--worker',
  '--artifact',
  '--mood',
  '--quiet',
  '--no-greet',
  '--no-follow',
  '--json',
  '--help',
];

describe('what may follow [DOOR-COMPLETION]', () => {
  test.each([
    [[''], ['up', 'shell', 'talk', 'folder', 'check', 'help']],
    [['t'], ['talk']],
    [['-'], ['--help', '--version', '--no-color']],
    [
      ['talk', ''],
      ['open', 'show'],
    ],
    [['talk', 'o'], ['open']],
    [['tlak', ''], []],
    [['talk', 'opne', ''], []],
    [['talk', 'open', ''], openFlags],
    [['talk', 'open', '--'], openFlags],
    [['talk', 'open', 'some words', ''], openFlags],
    [['talk', 'open', 'wor'], []],
    [['talk', 'open', '--worker', 'ann', '--quiet', '--w'], []],
    [['talk', 'open', '--artifact', 'a.md', '--a'], ['--artifact']],
    [
      ['talk', 'open', '--mood', ''],
      ['glad', 'grave'],
    ],
    [['talk', 'open', '--mood', 'gr'], ['grave']],
    [['talk', 'open', '--mood=gr'], ['--mood=grave']],
    [['talk', 'open', '--', '--'], []],
    [
      ['check', ''],
      ['--json', '--help'],
    ],
    [
      ['check', 'x', ''],
      ['--json', '--help'],
    ],
    [['up', '--port', ''], []],
    [['up', '--port', '1', '--p'], []],
    [
      ['shell', ''],
      ['bash', 'zsh'],
    ],
    [['shell', 'z'], ['zsh']],
    [['folder', 'add', ''], [':files']],
    [['folder', 'add', 'x'], [':files']],
    [
      ['help', 'e'],
      ['exit-codes', 'environment'],
    ],
    [
      ['help', 'talk', ''],
      ['open', 'show'],
    ],
    [['help', 'talk', 'open', ''], []],
    [[], ['up', 'shell', 'talk', 'folder', 'check', 'help']],
  ])('%j → %j', async (words, expected) => {
    expect(await valuesOf(words)).toEqual(expected);
  });

  test('each comes with what it is, in one line', async () => {
    expect(await complete(['talk', 's'])).toEqual(['show\tShow a talk']);
    expect(await complete(['talk', 'open', '--wo'])).toEqual(['--worker\twhom to meet']);
    expect(await complete(['talk', 'open', '--worker', ''])).toEqual(['ann\tKnows things', 'bea\t']);
  });
});

describe('what only the hall knows', () => {
  test('is asked of it, by the field of the operation, else by the field', async () => {
    const candidates = {
      worker: workers,
      'talk.show.id': async () => [{ value: 'k3f9', about: 'A talk' }],
    };
    expect(await valuesOf(['talk', 'open', '--worker=b'], { candidates })).toEqual(['--worker=bea']);
    expect(await valuesOf(['talk', 'show', ''], { candidates })).toEqual(['k3f9']);
    expect(await valuesOf(['talk', 'show', 'x'], { candidates })).toEqual([]);
  });

  test('may depend on what was typed before, and on the folder', async () => {
    const seen: unknown[] = [];
    const note: CandidateSource = async ({ given, typed, project }) => {
      seen.push([given, typed, await project()]);
      return [];
    };
    const world = { candidates: { artifacts: note, project: note } };
    await complete(['talk', 'open', '--worker', 'ann', '--artifact', 'a'], world);
    await complete(['talk', 'open', '--project=shop', '--artifact', ''], world);
    expect(seen).toEqual([
      [{ worker: 'ann' }, 'a', 'here'],
      [{ project: 'shop' }, '', 'shop'],
    ]);
  });

  test('is left out in silence without a hall, by one that refuses, and by one that does not answer', async () => {
    const connect = async (): Promise<HallClient> => {
      throw fail('unavailable', 'No hall is running.', 'x');
    };
    expect(await valuesOf(['talk', 'open', '--worker', ''], { connect })).toEqual([]);
    expect(await valuesOf(['talk', 'show', ''], { connect })).toEqual(['--project', '--json', '--help']);
    const never = { worker: async () => await deferred<[]>().promise };
    expect(await valuesOf(['talk', 'open', '--worker', ''], { candidates: never, sleep: async () => {} })).toEqual([]);
  });
});

describe('ids', () => {
  const things = [
    { id: 'writer-20260214-093001-a1b2', about: 'second', fits: true },
    { id: 'writer-20260214-093000-k3f9', about: 'first', fits: true },
    { id: 'named-by-hand', about: 'third', fits: true },
    { id: 'reviewer-20260213-080000-k3f9', about: 'closed', fits: false },
    { id: 'a1b-20260213-080000-zzzz', about: 'fourth', fits: false },
  ];
  test.each([
    ['', ['a1b2', 'writer-20260214-093000-k3f9', 'hand']],
    ['a', ['a1b2']],
    ['wr', ['writer-20260214-093001-a1b2', 'writer-20260214-093000-k3f9']],
    ['named', ['named-by-hand']],
    ['rev', []],
    ['x', []],
  ])('%j → %j: short where that means one thing only, and only those that fit', (typed, expected) => {
    expect(idCandidates(things, typed).map(({ value }) => value)).toEqual(expected);
  });
});

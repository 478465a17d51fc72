import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bindOperation } from '../../kernel/operations/operations.ts';
import { deferred } from '../../kernel/pure/deferred.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';
import type { HallClient } from './client.ts';
import { runCli } from './program.ts';
import type { CliParts } from './parts.ts';
import { createTerminal } from './terminal.ts';

const talkOpen = describeOperation({
  name: 'talk.open',
  access: 'write',
  audience: 'person',
  summary: 'Open a talk',
  input: z.strictObject({
    project: z.string().optional(),
    worker: z.string().min(1).describe('whom to meet'),
    artifacts: z.array(z.string()).default([]),
    maxTurns: z.number().int().optional(),
    dryRun: z.boolean().default(false),
    mood: z.enum(['glad', 'grave']).optional(),
    message: z.string().min(1),
  }),
  output: z.object({ id: z.string() }),
  commandLine: {
    positionals: [{ field: 'message', rest: true }],
    fromFile: { flag: 'file', field: 'message' },
    flags: { artifacts: 'artifact' },
    examples: [{ line: 'guild-hall talk open --worker ann hello', does: 'says hello' }],
  },
});
const talkShow = describeOperation({
  name: 'talk.show',
  access: 'read',
  audience: 'person',
  summary: 'Show a talk',
  input: z.strictObject({ project: z.string().optional(), id: z.string() }),
  output: z.object({ id: z.string(), words: z.array(z.string()) }),
  commandLine: { positionals: [{ field: 'id' }], examples: [] },
});
const folderAdd = describeOperation({
  name: 'folder.add',
  access: 'write',
  audience: 'person',
  summary: 'Add a folder',
  input: z.strictObject({ project: z.string().optional(), path: z.string().meta({ isPath: true }).optional() }),
  output: z.object({}),
  commandLine: { positionals: [{ field: 'project' }, { field: 'path' }], examples: [] },
});
const heapList = describeOperation({
  name: 'heap.list',
  access: 'read',
  audience: 'person',
  summary: 'List the heap of all projects',
  input: z.strictObject({ project: z.string().optional() }),
  output: z.object({}),
  commandLine: { ofAllProjects: true, examples: [] },
});
const pileList = describeOperation({
  ...heapList,
  name: 'pile.list',
  summary: 'List the pile',
  commandLine: { narrowsByFolder: true, examples: [] },
});
const check = describeOperation({
  name: 'check',
  access: 'read',
  audience: 'person',
  summary: 'Check things',
  input: z.strictObject({}),
  output: z.object({ fine: z.boolean() }),
  commandLine: { examples: [] },
});
const boxList = describeOperation({
  name: 'box.list',
  access: 'read',
  audience: 'person',
  summary: 'List the box',
  input: z.strictObject({ kind: z.string().optional() }),
  output: z.object({}),
  commandLine: { isDefault: true, examples: [] },
});
const boxEmpty = describeOperation({
  ...boxList,
  name: 'box.empty',
  summary: 'Empty the box',
  commandLine: { examples: [] },
});

interface Run {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
  readonly calls: readonly [string, unknown][];
}

interface World extends Partial<CliParts> {
  readonly answer?: (name: string, input: unknown) => unknown;
  readonly events?: readonly unknown[];
  /** The type of one event more, after `events`. */
  readonly lastType?: string;
}

async function run(argv: string[], world: World = {}): Promise<Run> {
  let out = '';
  let err = '';
  const calls: [string, unknown][] = [];
  const client: HallClient = {
    url: 'http://127.0.0.1:1',
    call: async (name, input) => {
      calls.push([name, input]);
      return world.answer?.(name, input) ?? { id: 'talk-1' };
    },
    events: async function* ({ signal }) {
      const turns = (world.events ?? []).map((data) => ({ type: 'talk.turn', data }));
      const last = world.lastType === undefined ? [] : [{ type: world.lastType, data: {} }];
      for (const [index, { type, data }] of [...turns, ...last].entries()) {
        if (signal.aborted) return;
        yield {
          type,
          project: 'p',
          subject: 'talk:talk-1',
          data,
          epoch: 'e',
          seq: index + 1,
          at: '',
        } as HallEvent;
      }
    },
  };
  const parts: CliParts = {
    version: '1.2.3',
    terminal: createTerminal(
      { out: { write: (text) => (out += text) }, err: { write: (text) => (err += text) } },
      { NO_COLOR: '1' },
    ),
    descriptions: [talkOpen, talkShow, folderAdd, heapList, pileList, check, boxList, boxEmpty],
    nounSummaries: { talk: 'talks with workers' },
    groups: [],
    firstSteps: [],
    waits: {},
    candidates: {},
    isTypedInput: () => false,
    ownCommands: [],
    renderers: {},
    verdicts: {},
    follows: {},
    connect: async () => client,
    withoutHall: {},
    projectHere: async () => 'here',
    absolute: (path) => `/cwd/${path}`,
    readInput: async () => 'from standard input',
    readFile: async (path) => `from ${path}`,
    onInterrupt: () => () => {},
    // Time passes only where a test lets it.
    sleep: async (_ms, signal) => await once(signal),
    ...world,
  };
  const exitCode = await runCli(parts, argv);
  return { exitCode, out, err, calls };
}

async function once(signal: AbortSignal): Promise<void> {
  const late = deferred();
  signal.addEventListener('abort', () => late.reject(signal.reason));
  await late.promise;
}

const noHall = async (): Promise<HallClient> => {
  throw fail('unavailable', 'No hall is running on /h.', 'guild-hall up --detach');
};

describe('words become input', () => {
  test('positionals, flags, lists, numbers and the folder’s project [DOOR-PROJECT]', async () => {
    const line = [
      'talk',
      'open',
      '--worker',
      'ann',
      '--artifact',
      'a.md',
      'good',
      '--artifact',
      'b.md',
      'day',
      '--max-turns',
      '3',
      '--dry-run',
    ];
    const { calls, exitCode } = await run(line);
    expect(exitCode).toBe(0);
    expect(calls).toEqual([
      [
        'talk.open',
        { message: 'good day', worker: 'ann', artifacts: ['a.md', 'b.md'], maxTurns: 3, dryRun: true, project: 'here' },
      ],
    ]);
  });

  test('at a screen a list that the folder narrows says so; not to a script, and not where the project was named', async () => {
    const said = async (line: string[], isTTY: boolean, here = true): Promise<string> => {
      let out = '';
      const stream = { isTTY, columns: 100, write: (text: string) => (out += text) };
      const terminal = createTerminal({ out: stream, err: stream }, { NO_COLOR: '1' });
      const world = { terminal, ...(here ? {} : { projectHere: async () => undefined }) };
      expect((await run(['pile', 'list', ...line], world)).calls).toHaveLength(1);
      return out;
    };
    const words = 'Of project here, in whose folder you are; outside it, of all projects.';
    expect(await said([], true)).toContain(words);
    for (const other of [said(['--json'], true), said(['--project', 'other'], true), said([], false)])
      expect(await other).not.toContain('Of project');
    expect(await said([], true, false)).not.toContain('Of project');
  });

  test('--project wins over the folder, and an id needs no folder', async () => {
    const named = await run(['talk', 'open', '--project', 'other', '--worker', 'ann', 'hi']);
    expect(named.calls[0]![1]).toMatchObject({ project: 'other' });
    const byId = await run(['talk', 'show', 'talk-1']);
    expect(byId.calls).toEqual([['talk.show', { id: 'talk-1' }]]);
  });

  test('what is about all projects is not narrowed by the folder', async () => {
    expect((await run(['heap', 'list'])).calls[0]![1]).toEqual({});
    expect((await run(['heap', 'list', '--project', 'x'])).calls[0]![1]).toEqual({ project: 'x' });
  });

  test('--project is taken by commands that have no use for it', async () => {
    expect((await run(['check', '--project', 'x', '--json'])).exitCode).toBe(0);
  });

  test('a project may have a place or a flag, and paths are made absolute', async () => {
    const placed = await run(['folder', 'add', 'shop', 'x/y']);
    expect(placed.calls[0]![1]).toEqual({ project: 'shop', path: '/cwd/x/y' });
    const flagged = await run(['folder', 'add', '--project', 'shop']);
    expect(flagged.calls[0]![1]).toEqual({ project: 'shop' });
    expect((await run(['folder', 'add'])).calls[0]![1]).toEqual({ project: 'here' });
  });

  test('a dash is standard input, once', async () => {
    const { calls } = await run(['talk', 'open', '--worker', 'ann', '-']);
    expect(calls[0]![1]).toMatchObject({ message: 'from standard input' });
    const twice = await run(['talk', 'open', '--worker', '-', '-']);
    expect(twice).toMatchObject({ exitCode: 2, calls: [] });
    expect(twice.err).toContain('asked for twice');
  });

  test('a text that is needed may stand in a file, or in words, and not in both', async () => {
    const { calls } = await run(['talk', 'open', '--worker', 'ann', '--file', 'words.md']);
    expect(calls[0]![1]).toMatchObject({ message: 'from words.md' });
    const neither = await run(['talk', 'open', '--worker', 'ann']);
    expect(neither).toMatchObject({ exitCode: 2, calls: [] });
    expect(neither.err).toContain('<message> is missing');
    const both = await run(['talk', 'open', '--worker', 'ann', '--file', 'words.md', 'hi']);
    expect(both).toMatchObject({ exitCode: 2, calls: [] });
    expect(both.err).toContain('given twice');
  });

  test('words after -- are words', async () => {
    const { calls } = await run(['talk', 'open', '--worker', 'ann', '--', '--strange', 'words']);
    expect(calls[0]![1]).toMatchObject({ message: '--strange words' });
  });

  test('wrong words are refused before the hall is asked, in the names that were typed', async () => {
    const { exitCode, err, calls } = await run(['talk', 'open', '--max-turns', 'many', 'hi'], { connect: noHall });
    expect(exitCode).toBe(2);
    expect(calls).toEqual([]);
    expect(err).toContain('--worker is missing (whom to meet)');
    expect(err).toContain('--max-turns: expected a number, given "many"');
    expect(err).toContain('→ See: guild-hall talk open --help');
  });
});

test('a noun alone means its default verb, which takes its flags', async () => {
  expect((await run(['box'])).calls).toEqual([['box.list', {}]]);
  expect((await run(['box', '--kind', 'x', '--json'])).calls).toEqual([['box.list', { kind: 'x' }]]);
  expect((await run(['box', 'empty'])).calls).toEqual([['box.empty', {}]]);
  expect((await run(['box', '--help'])).out).toContain('empty');
});

describe('mistakes', () => {
  test.each([
    [['tlak', 'open'], 'Did you mean talk?', 'guild-hall --help'],
    [['talk', 'opne'], 'Did you mean open?', 'guild-hall talk --help'],
    [['talk', 'open', '--wroker', 'x', 'hi'], 'Did you mean --worker?', 'guild-hall talk open --help'],
    [['talk', 'show'], '<id> is missing.', 'guild-hall talk show --help'],
    [['talk', 'show', 'a', 'b'], 'Too many words: expected 1, given 2.', 'guild-hall talk show --help'],
    [['check', 'x'], 'Too many words: expected none, given 1.', 'guild-hall check --help'],
    [['talk', 'open', '--worker'], '--worker is followed by no value.', 'guild-hall talk open --help'],
    [['--jsn', 'talk', 'show'], "Unknown option '--jsn'", 'guild-hall talk show --help'],
    [['box', 'emtpy'], 'Did you mean empty?', 'guild-hall box --help'],
    [['box', 'something'], '→ See: guild-hall box --help', 'guild-hall box --help'],
    [['help', 'tlak'], 'Did you mean talk?', 'guild-hall --help'],
    [['help', 'exit-code'], 'Did you mean exit-codes?', 'guild-hall --help'],
    [['chalk'], '→ See: guild-hall --help', 'guild-hall --help'],
    [['hack'], '→ See: guild-hall --help', 'guild-hall --help'],
  ])('%j', async (argv, said, hint) => {
    const { exitCode, err } = await run(argv);
    expect(exitCode).toBe(2);
    expect(err).toContain(said);
    expect(err).toContain(hint);
    expect(err.trimEnd().split('\n')).toHaveLength(3);
  });

  test('errors are JSON with --json, and the exit code follows the error code [DOOR-ERRORS]', async () => {
    const answer = () => {
      throw fail('not_found', 'There is no talk "x".', 'guild-hall talk list');
    };
    const { exitCode, err, out } = await run(['talk', 'show', 'x', '--json'], { answer });
    expect(exitCode).toBe(4);
    expect(out).toBe('');
    expect(JSON.parse(err)).toEqual({
      code: 'not_found',
      message: 'There is no talk "x".',
      hint: 'guild-hall talk list',
    });
  });

  test('control characters in an error do not reach the terminal', async () => {
    const answer = () => {
      throw fail('conflict', 'bad \u001b[2J\u0007name', 'x');
    };
    expect((await run(['talk', 'show', 'x'], { answer })).err).toContain('bad [2Jname');
  });
});

test('a word that is nearly one of a closed list is answered with the right one [DOOR-HELP]', async () => {
  const { exitCode, err } = await run(['talk', 'open', '--worker', 'ann', '--mood', 'grve', 'hi']);
  expect(exitCode).toBe(2);
  expect(err).toContain('--mood: expected one of "glad", "grave", given "grve".');
  expect(err).toContain('→ Did you mean grave? See: guild-hall talk open --help');
});

describe('help', () => {
  test('needs no hall, lists nouns and verbs, shows examples', async () => {
    const root = await run(['--help'], { connect: noHall });
    expect(root).toMatchObject({ exitCode: 0 });
    expect(root.out).toContain('talks with workers');
    const leaf = await run(['talk', 'open', '--help'], { connect: noHall });
    expect(leaf.exitCode).toBe(0);
    expect(leaf.out).toContain('Open a talk.');
    expect(leaf.out).toContain('--artifact <text>');
    expect(leaf.out).toContain('guild-hall talk open --worker ann hello');
    expect((await run(['--version'])).out.trim()).toBe('1.2.3');
  });
  test('of a topic or a command may be asked for as JSON [DOOR-JSON]', async () => {
    for (const words of [['exit-codes'], ['talk', 'open'], []]) {
      const { out, exitCode } = await run(['help', ...words, '--json']);
      expect([words, exitCode]).toEqual([words, 0]);
      expect((JSON.parse(out) as { text: string }).text).toMatch(/guild-hall|Exit codes/);
    }
    expect((await run(['help', 'talk', 'open'])).out).toBe((await run(['talk', 'open', '--help'])).out);
  });
  test('a noun alone shows its verbs and is a mistake', async () => {
    const { exitCode, err } = await run(['talk']);
    expect(exitCode).toBe(2);
    expect(err).toContain('Show a talk');
  });
});

describe('answers', () => {
  test('as JSON, by the feature’s renderer, or by the general one', async () => {
    const answer = () => ({ id: 'talk-1', words: ['a', 'b'] });
    expect((await run(['talk', 'show', 'x', '--json'], { answer })).out).toBe('{"id":"talk-1","words":["a","b"]}\n');
    expect((await run(['talk', 'show', 'x'], { answer })).out).toBe('id  talk-1\nwords\n  · a\n  · b\n');
    const renderers = { 'talk.show': ({ id }: { id: string }) => `<${id}>\n` };
    expect((await run(['talk', 'show', 'x'], { answer, renderers })).out).toBe('<talk-1>\n');
  });

  test('an answer that is bad news has an exit code, which help tells', async () => {
    const verdicts = {
      check: { isBad: ({ fine }: { fine: boolean }) => !fine, code: 'conflict' as const, when: 'it is not fine' },
    };
    const codeFor = async (fine: boolean): Promise<number> =>
      (await run(['check'], { verdicts, answer: () => ({ fine }) })).exitCode;
    expect([await codeFor(true), await codeFor(false)]).toEqual([0, 5]);
    expect((await run(['check', '--help'], { verdicts })).out).toContain('Ends with exit code 5 when it is not fine.');
  });

  test('commands in hints and help are told as they are typed in a clone', async () => {
    let said = '';
    const stream = { write: (text: string) => (said += text) };
    const terminal = createTerminal({ out: stream, err: stream }, { npm_command: 'exec' });
    await run(['talk', 'show', 'x'], { connect: noHall, terminal });
    expect(said).toContain('→ npx guild-hall up --detach');
    await run(['talk', 'open', '--help'], { terminal });
    expect(said).toContain('Usage: npx guild-hall talk open');
    expect(said).toContain('npx guild-hall talk open --worker ann hello');
  });

  test('without a hall: run here where that is offered, else a clear error', async () => {
    const withoutHall = { check: async () => bindOperation(check, async () => ({ fine: true })) };
    expect((await run(['check', '--json'], { connect: noHall, withoutHall })).out).toBe('{"fine":true}\n');
    const refused = await run(['talk', 'show', 'x'], { connect: noHall, withoutHall });
    expect(refused.exitCode).toBe(7);
    expect(refused.err).toContain('→ guild-hall up --detach');
  });
});

describe('a followed operation', () => {
  const follows = {
    'talk.open': {
      subjectOf: (id: string) => `talk:${id}`,
      eventType: 'talk.turn',
      interrupt: 'talk.interrupt',
      over: ['talk.closed'],
      goOn: (id: string) => `talk say ${id}`,
      show: (id: string) => `talk show ${id}`,
    },
  };
  const answer = () => ({ id: 'talk-1', turn: 2, cursor: 'e.0' });
  const of = (turn: number, event: unknown) => ({ turn, event });
  const line = ['talk', 'open', '--worker', 'ann', 'hi'];

  test('prints the words of its turn as they come, and tools as quiet lines [DOOR-STREAM]', async () => {
    const events = [
      of(1, { type: 'text_delta', text: 'of an earlier turn' }),
      of(1, { type: 'turn_end' }),
      of(2, { type: 'text_delta', text: 'I look.' }),
      of(2, { type: 'tool_use', name: 'Grep', input: { path: 'src', pattern: 'foo' } }),
      of(2, { type: 'tool_result', name: 'Grep', summary: 'no such folder\nat all', ok: false }),
      of(2, { type: 'text_delta', text: 'Nothing\u001b[31m' }),
      of(2, { type: 'text_delta', text: ' there.' }),
      of(2, { type: 'turn_end', interrupted: false }),
      of(2, { type: 'text_delta', text: 'after the end' }),
    ];
    const { out, err, exitCode } = await run(line, { follows, answer, events });
    expect(exitCode).toBe(0);
    expect(out).toBe('I look.\n· Grep "foo"\n  Grep failed: no such folder at all\nNothing[31m there.\n');
    expect(err).toContain('turn 1 is still running');
    expect(err).toContain('Next: talk say talk-1\n');
  });

  test('an error ends it with its hint and an exit code', async () => {
    const events = [
      of(2, { type: 'text_delta', text: 'half' }),
      of(2, { type: 'error', reason: 'The model is overloaded.', hint: 'Wait.' }),
    ];
    const { out, err, exitCode } = await run(line, { follows, answer, events });
    expect(exitCode).toBe(7);
    expect(out).toBe('half\n');
    expect(err).toContain('The model is overloaded.');
    expect(err).toContain('→ Wait.');
  });

  test('with --json it prints one value: the answer with the whole reply [DOOR-JSON]', async () => {
    const events = [
      of(2, { type: 'text_delta', text: 'x' }),
      of(2, { type: 'tool_use', name: 'Grep', input: { pattern: 'p' } }),
      of(2, { type: 'text_delta', text: 'y' }),
      of(2, { type: 'turn_end', interrupted: false }),
    ];
    const { out } = await run([...line, '--json'], { follows, answer, events });
    const reply = { text: 'xy', tools: [{ name: 'Grep', input: { pattern: 'p' } }], end: 'done', error: null };
    expect(JSON.parse(out)).toEqual({ ...answer(), reply });
  });

  test('a hall that goes in the middle leaves the person with what is kept and how to go on', async () => {
    const connect = async (): Promise<HallClient> => ({
      url: '',
      call: async () => answer(),
      events: async function* () {
        yield { type: 'talk.turn', data: of(2, { type: 'text_delta', text: 'half' }) } as HallEvent;
        throw fail('unavailable', 'No hall is running on /h.', 'guild-hall up --detach');
      },
    });
    const { out, err, exitCode } = await run(line, { follows, connect });
    expect([exitCode, out]).toEqual([7, 'half\n']);
    expect(err).toContain('went away before turn 2 of talk-1 had ended. Your message is kept');
    expect(err).toContain('→ guild-hall up --detach, then: talk show talk-1');
  });

  test('on a terminal, silence is explained by a line that is taken back when words come [DOOR-HELP]', async () => {
    let err = '';
    const out: string[] = [];
    const silent = deferred();
    const streams = {
      out: { isTTY: true, columns: 80, write: (text: string) => out.push(text) },
      err: { isTTY: true, write: (text: string) => (err += text) },
    };
    let slept = 0;
    const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
      // The first is of the call itself, which is answered before it is over.
      slept += 1;
      if (slept > 1 && slept <= 3) return;
      if (slept > 3) silent.resolve();
      await once(signal);
    };
    const connect = async (): Promise<HallClient> => ({
      url: '',
      call: async () => answer(),
      events: async function* () {
        await silent.promise;
        yield { type: 'talk.turn', data: of(2, { type: 'text_delta', text: 'So. ' }) } as HallEvent;
        yield { type: 'talk.turn', data: of(2, { type: 'turn_end' }) } as HallEvent;
      },
    });
    const terminal = createTerminal(streams, { NO_COLOR: '1' });
    await run(line, { follows, connect, sleep, terminal });
    const back = '\r\u001b[2K';
    expect(err).toContain(
      `${back}◐ waiting for the answer of turn 2 · 2 s${back}◐ waiting for the answer of turn 2 · 3 s${back}`,
    );
    expect(out.join('')).toBe('So.\n');
    expect(err).toMatch(/Next: talk say talk-1\n$/);
  });

  test('a turn that can come no more ends it with an explanation', async () => {
    const { err, exitCode } = await run(line, { follows, answer, events: [], lastType: 'talk.closed' });
    expect(exitCode).toBe(5);
    expect(err).toContain('was closed before turn 2 had an answer');
  });

  test('--no-follow only sends', async () => {
    const { out } = await run([...line, '--no-follow', '--json'], { follows, answer });
    expect(JSON.parse(out)).toEqual(answer());
  });

  test('Ctrl-C interrupts the turn and waits for its end; the second leaves [DOOR-STREAM]', async () => {
    let press = () => {};
    const interrupted: unknown[] = [];
    const presses = (times: number): World => ({
      follows,
      onInterrupt: (listener) => {
        press = listener;
        return () => {};
      },
      answer: (name, input) => (name === 'talk.interrupt' ? interrupted.push(input) && {} : answer()),
      connect: async () => ({
        url: '',
        call: async (name, input) => (name === 'talk.interrupt' ? interrupted.push(input) : answer()),
        events: async function* ({ signal }) {
          for (let time = 0; time < times; time += 1) press();
          if (signal.aborted) return;
          yield { type: 'talk.turn', data: of(2, { type: 'turn_end' }) } as HallEvent;
        },
      }),
    });
    expect((await run(line, presses(1))).exitCode).toBe(0);
    expect(interrupted).toEqual([{ id: 'talk-1' }]);
    expect((await run(line, presses(2))).exitCode).toBe(130);
  });
});

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AcpRig, createAcpRig } from '../../../../../test/fixtures/acp-rig.ts';
import { systemClock } from '../../../clock/clock.ts';
import { silentLog } from '../../../log/log.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';
import { describeConformance } from '../../conformance.ts';
import {
  type Bench,
  benchOf,
  callTool,
  collect,
  lastOf,
  ofType,
  readRest,
  readUntil,
  say,
  sessionOf,
  textOf,
} from '../../conformance-bench.ts';
import type { AgentErrorClass, OpenOptions } from '../../contract.ts';
import { stopLeftoverAgents } from '../claude/records.ts';
import { createMapState, mapUpdate } from './map.ts';

describeConformance('acp', async () => createAcpRig({ isShared: true }));

let rig: AcpRig;
let bench: Bench;
beforeAll(async () => {
  rig = await createAcpRig({ handshakeMs: 5_000 });
  bench = benchOf(rig);
});
afterAll(async () => rig.close());

/** Opens a session whose process is started with `flags`. */
async function openWith(flags: readonly string[], more: Partial<OpenOptions> = {}) {
  rig.flags = flags;
  const folder = await rig.makeFolder();
  return bench.open({ cwd: folder, access: { root: folder, write: true }, ...more });
}

describe('one process', () => {
  test('serves the sessions of one place, outlives the first of them, and ends with the last', async () => {
    const first = await openWith([]);
    const { activity: _own, model, ...place } = first.options;
    const second = await bench.open({ ...place, model: { ...model, token: 'second' } });
    rig.model.answer(first.key, say('One.'));
    rig.model.answer('second', say('Two.'), say('Three.'));
    const [one, two] = await Promise.all([first, second].map(async ({ session }) => collect(session.prompt('Go.'))));
    expect([textOf(one!), textOf(two!)]).toEqual(['One.', 'Two.']);
    const pids = await rig.livePids();
    expect(pids.length).toBe(1);
    await first.session.close();
    expect(await rig.livePids()).toEqual(pids);
    const again = await collect(second.session.prompt('Go on.', { resume: sessionOf(two!) }));
    expect(textOf(again)).toBe('Three.');
    await second.session.close();
    expect(await rig.livePids()).toEqual([]);
  });

  test('that names no session in its calls is known by the words of the prompts', async () => {
    const first = await openWith(['anonymous']);
    const { activity: _own, model, ...place } = first.options;
    const second = await bench.open({ ...place, model: { ...model, token: 'second-anonymous' } });
    rig.model.answer(first.key, say('One.'));
    rig.model.answer('second-anonymous', say('Two.'));
    const turns = [first.session.prompt('I am the first.'), second.session.prompt('I am the second.')];
    expect((await Promise.all(turns.map(collect))).map(textOf)).toEqual(['One.', 'Two.']);
    await Promise.all([first, second].map(async ({ session }) => session.close()));
  });

  test('that a killed hall left behind is stopped at the next start [SYS-STOP]', async () => {
    const { session, key } = await openWith([]);
    rig.model.answer(key, { blocks: [{ type: 'text', chunks: ['Half'] }], then: 'stall' });
    const turn = session.prompt('Go.')[Symbol.asyncIterator]();
    await readUntil(turn, 'text');
    const pids = await rig.livePids();
    expect(await stopLeftoverAgents({ clock: systemClock, log: silentLog }, rig.recordsDir)).toEqual(pids);
    expect(lastOf(await readRest(turn))).toMatchObject({ type: 'error', errorClass: 'crashed' });
    await session.close();
  });

  test('has a few variables of the hall and nothing else of it [SEC-AGENT-ENV]', async () => {
    const { session, key } = await openWith([]);
    rig.model.answer(key, callTool('run', { command: 'env' }), say('Done.'));
    process.env['SECRET_OF_THE_PERSON'] = 'not to be seen';
    const asking = await bench.open({
      ...(await openWith([])).options,
      ask: async ({ options }) => Promise.resolve({ optionId: options[0]!.id }),
      model: { baseUrl: rig.model.baseUrl, token: key, model: rig.pricedModel },
    });
    const [result] = ofType(await collect(asking.session.prompt('Look.')), 'tool_result');
    delete process.env['SECRET_OF_THE_PERSON'];
    expect(result?.summary).toMatch(/^HOME=.*agent\/sample\/config$/m);
    expect(result?.summary).not.toContain('SECRET_OF_THE_PERSON');
    expect(result?.summary).not.toContain(`=${key}\n`);
    await asking.session.close();
    await session.close();
  });
});

describe('what an agent tells', () => {
  test('is a plan, commands with the shipped skills, diffs', async () => {
    const plugin = await rig.makeFolder();
    mkdirSync(join(plugin, 'skills/look'), { recursive: true });
    writeFileSync(
      join(plugin, 'skills/look/SKILL.md'),
      '---\nname: look\ndescription: Looks.\n---\nLook at $ARGUMENTS.\n',
    );
    const { session, key, options } = await openWith([], { plugins: [plugin], systemPrompt: '' });
    const path = join(options.cwd, 'a.txt');
    rig.model.answer(
      key,
      callTool('plan', { entries: ['first', 'second'] }),
      callTool('write_file', { path, text: 'x' }),
      say('Done.'),
    );
    const events = await collect(session.prompt('/look the sky'));
    expect(ofType(events, 'plan')[0]?.entries.map(({ text }) => text)).toEqual(['first', 'second']);
    // The agent made it of the hall's note, which stands before the words.
    expect(ofType(events, 'title')).toEqual([]);
    expect(
      ofType(events, 'commands')
        .at(-1)
        ?.commands.map(({ name }) => name),
    ).toEqual(['look', 'compact']);
    expect(ofType(events, 'tool_result').at(-1)?.diffs).toEqual([{ path, oldText: null, newText: 'x' }]);
    expect(ofType(events, 'tool_call')[1]).toMatchObject({ name: 'edit', title: 'Write a.txt', kind: 'edit' });
    expect(rig.model.requests(key)[0]?.conversation).toContain('Look at the sky.');
    // One piece: words of their own that begin with a command some agents take themselves.
    expect(rig.model.requests(key)[0]?.conversation).toMatch(/<\/system-reminder>(?:\\n|\n)+\/look the sky/);
    await session.close();
  });

  test('is a title of the first words of the person, not of what the hall says to it', async () => {
    const { session, key } = await openWith([]);
    rig.model.answer(key, say('Blue.'));
    const events = await collect(session.prompt('What colour has the sky?'));
    expect(ofType(events, 'title')).toEqual([{ type: 'title', title: 'What colour has the sky?' }]);
    expect(rig.model.requests(key)[0]?.conversation).toContain('You take part in a test.');
    await session.close();
  });

  test('of a session that it loads is not told again', async () => {
    for (const flags of [[], ['resume']]) {
      const first = await openWith(flags);
      rig.model.answer(first.key, say('Old words.'), say('New words.'));
      const before = await collect(first.session.prompt('One.'));
      await first.session.close();
      const { session } = await bench.open(first.options);
      const after = await collect(session.prompt('Two.', { resume: sessionOf(before) }));
      expect(textOf(after)).toBe('New words.');
      expect(rig.model.requests(first.key)[1]?.conversation).toContain('Old words.');
      await session.close();
    }
  });

  test('of its model is no choice where the hall has chosen; the rest is one', async () => {
    const { session } = await openWith([]);
    const { sessionId, choices } = await session.begin!();
    expect(choices.map(({ id }) => id)).toEqual(['mode', 'effort']);
    const chosen = await session.choose!(sessionId, 'effort', 'high');
    expect(chosen.find(({ id }) => id === 'effort')?.current).toBe('high');
    await expect(session.choose!(sessionId, 'model', 'small')).rejects.toMatchObject({ code: 'invalid' });
    await session.close();
  });
});

describe('an agent that offers much', () => {
  test('offers no more options than the hall takes, in groups or not', async () => {
    const { session } = await openWith(['many']);
    const { choices } = await session.begin!();
    const lengths = choices.map(({ options }) => options.length);
    expect(lengths.slice(0, 4)).toEqual([3, 2, 100, 100]);
    expect(lengths.slice(1).reduce((sum, length) => sum + length, 0)).toBe(998);
    await session.close();
  });

  // Compared as a whole at each of them, it would keep the hall busy for longer than a test may take.
  test('and tells small things often costs what the small things cost', async () => {
    const { session, key } = await openWith(['many', 'restless']);
    rig.model.answer(key, say('Done.'));
    const events = await collect(session.prompt('Go.'));
    expect(textOf(events)).toBe('Done.');
    expect(ofType(events, 'choices').length).toBe(1);
    expect(ofType(events, 'mode')).toEqual([]);
    await session.close();
  });

  test('has a long tool call of which it says nothing new: nothing is told, and nothing compared', () => {
    const state = createMapState(new Set());
    const update = (more: object) =>
      mapUpdate(state, { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'in_progress', ...more });
    const content = [{ type: 'content', content: { type: 'text', text: 'x'.repeat(30_000_000) } }];
    expect(update({ rawInput: { command: 'ls' }, content }).map(({ type }) => type)).toEqual([
      'tool_call',
      'tool_update',
    ]);
    for (let count = 0; count < 500; count += 1) if (update({}).length > 0) throw new Error('told again');
    expect(update({ title: 'Look' })).toEqual([{ type: 'tool_update', callId: 'c', text: '', title: 'Look' }]);
  });
});

test('what was chosen holds in the process that comes after one that died, before anything is said there', async () => {
  const { session, key } = await openWith(['usual-mode']);
  const { sessionId } = await session.begin!();
  await session.choose!(sessionId, 'mode', 'plan');
  for (const pid of await rig.livePids()) process.kill(pid, 'SIGKILL');
  await expect.poll(async () => await rig.livePids()).toEqual([]);
  rig.model.answer(key, callTool('run', { command: 'echo ran' }), say('Done.'));
  let events = await collect(session.prompt('Go.', { resume: sessionId }));
  // The hall may hear of its death only now.
  if (lastOf(events)?.type === 'error') events = await collect(session.prompt('Go.', { resume: sessionId }));
  expect(ofType(events, 'tool_result')[0]?.summary).toContain('refused');
  await session.close();
});

describe('an agent that misbehaves', () => {
  test.each([
    ['dies at its start', ['die'], 'crashed', /exit code 3.*no such setting: colour/],
    ['dies in a turn', ['exit'], 'crashed', /exit code 7.*out of paper/],
    [
      'speaks another version',
      ['version'],
      'protocol',
      /speaks version 2 of the Agent Client Protocol; the hall speaks version 1/,
    ],
    [
      'writes what is no message',
      ['garbage'],
      'protocol',
      /no messages of the protocol, such as: this is no protocol, line/,
    ],
    ['writes a line without end', ['long-line'], 'protocol', /a line of more than 32 MB/],
    ['says too much in a turn', ['flood'], 'protocol', /more in one turn than the hall takes/],
    ['asks and takes no answers', ['asks'], 'protocol', /asks for more than 1000 things/],
    ['is not signed in', ['auth'], 'auth', /is not signed in/],
  ] as const)('%s', async (_name, flags, errorClass, words) => {
    const { session, key } = await openWith(flags);
    rig.model.answer(key, say('Never.'), say('Never.'));
    let last: ReturnType<typeof lastOf> | undefined;
    for await (const event of session.prompt('Go.')) if (event.type === 'error' || event.type === 'end') last = event;
    expect(last).toMatchObject({ type: 'error', errorClass, hint: expect.stringMatching(/.{15}/) });
    expect((last as { message: string }).message.replaceAll('\n', ' ')).toMatch(words);
    rig.flags = [];
    if (errorClass !== 'auth') expect(textOf(await collect(session.prompt('Now?')))).toBe('Never.');
    await session.close();
    expect(await rig.livePids()).toEqual([]);
  });

  test('says nothing: the handshake has an end', async () => {
    const quick = await createAcpRig({ handshakeMs: 300, flags: ['mute'] });
    const { session } = await benchOf(quick).open();
    const last = lastOf(await collect(session.prompt('Go.')));
    expect(last).toMatchObject({
      errorClass: 'protocol',
      message: expect.stringMatching(/did not answer .* within 0.3 s/),
    });
    await expect(session.begin!()).rejects.toMatchObject({ code: 'unavailable' });
    await session.close();
    await quick.close();
  });

  test('is not there at all', async () => {
    const { session } = await openWith([]);
    rig.command = ['no-such-agent', '--acp'];
    const last = lastOf(await collect(session.prompt('Go.')));
    rig.command = undefined;
    expect(last).toMatchObject({
      errorClass: 'crashed',
      message: expect.stringContaining('no program "no-such-agent"'),
    });
    await session.close();
  });

  test('prints a banner first: that is passed over', async () => {
    const { session, key } = await openWith(['banner']);
    rig.model.answer(key, say('Here.'));
    expect(textOf(await collect(session.prompt('Go.')))).toBe('Here.');
    await session.close();
  });

  test('does not stop when asked: it is killed, and the session goes on', async () => {
    const { session, key } = await openWith(['no-cancel']);
    rig.model.answer(key, say('Noted.'), { blocks: [{ type: 'text', chunks: ['Half'] }], then: 'stall' }, say('On.'));
    const resume = sessionOf(await collect(session.prompt('Note.')));
    const turn = session.prompt('Go.', { resume })[Symbol.asyncIterator]();
    await readUntil(turn, 'text');
    await session.interrupt();
    expect(lastOf(await readRest(turn))).toMatchObject({ type: 'end', reason: 'interrupted' });
    expect(textOf(await collect(session.prompt('Go on.', { resume })))).toBe('On.');
    await session.close();
  });

  test.each([['forget'], ['no-load'], ['errors=gemini']])('has lost its sessions (%s)', async (flag) => {
    const { session } = await openWith([flag]);
    const resume = '99999999-9999-4999-8999-999999999999' as AgentSessionId;
    expect(lastOf(await collect(session.prompt('Go.', { resume })))).toMatchObject({ errorClass: 'expired_session' });
    await session.close();
  });

  test('takes no images: that is said, and nothing is sent', async () => {
    const { session, key } = await openWith(['no-image']);
    const last = lastOf(await collect(session.prompt([{ type: 'image', mimeType: 'image/png', data: 'aaaa' }])));
    expect(last).toMatchObject({ errorClass: 'protocol', message: 'The small agent takes no images.' });
    expect(rig.model.requests(key)).toEqual([]);
    await session.close();
  });
});

describe('an agent with a model of its own', () => {
  let own: AcpRig;
  beforeAll(async () => {
    own = await createAcpRig({ takesGateway: false });
  });
  afterAll(async () => own.close());

  const said: readonly (readonly [style: string, cases: readonly (readonly [number, AgentErrorClass])[]])[] = [
    [
      'gemini',
      [
        [400, 'protocol'],
        [429, 'rate_limit'],
      ],
    ],
    [
      'codex',
      [
        [400, 'protocol'],
        [401, 'auth'],
        [529, 'overloaded'],
      ],
    ],
    [
      'claude',
      [
        [401, 'auth'],
        [500, 'overloaded'],
      ],
    ],
  ];
  test.each(said)('as %s says it', async (style, cases) => {
    own.flags = [`errors=${style}`];
    const { session, key } = await benchOf(own).open();
    for (const [status, errorClass] of cases) {
      own.model.otherwise(key, { status });
      const events = await collect(session.prompt('Go.'));
      expect(lastOf(events)).toMatchObject({ type: 'error', errorClass });
      expect(textOf(events)).toBe('');
    }
    await session.close();
  });
});

describe('where nobody is asked', () => {
  test('its session’s access answers [SEC-PATHS]', async () => {
    const outside = await rig.makeFolder();
    for (const write of [true, false]) {
      const folder = await rig.makeFolder();
      const { session, key } = await openWith([], { cwd: folder, access: { root: folder, write } });
      const calls = [
        callTool('write_file', { path: join(folder, 'a.txt'), text: 'x' }),
        callTool('write_file', { path: join(outside, 'b.txt'), text: 'x' }),
        callTool('run', { command: `touch ${outside}/c.txt` }),
      ];
      rig.model.answer(key, ...calls, say('Done.'));
      const events = await collect(session.prompt('Go.'));
      expect(ofType(events, 'tool_result').map(({ ok }) => ok)).toEqual([write, false, false]);
      expect(ofType(events, 'permission').length).toBe(write ? 2 : 3);
      expect(existsSync(join(folder, 'a.txt'))).toBe(write);
      expect(['b.txt', 'c.txt'].filter((name) => existsSync(join(outside, name)))).toEqual([]);
      await session.close();
    }
  });
});

describe('files through the hall', () => {
  test('are those below the session’s root, whatever links stand there [SEC-PATHS]', async () => {
    const outside = await rig.makeFolder();
    writeFileSync(join(outside, 'secret.txt'), 'the hidden word');
    const ask: OpenOptions['ask'] = async ({ options }) => Promise.resolve({ optionId: options[0]!.id });
    const { session, key, options } = await openWith(['client-fs'], { ask });
    const at = (name: string): string => join(options.cwd, name);
    symlinkSync(outside, at('link'));
    symlinkSync(join(outside, 'new.txt'), at('new-link'));
    mkdirSync(at('.git'));
    writeFileSync(at('lines.txt'), 'one\ntwo\nthree\n');
    const read = (path: string, more = {}) => callTool('read_file', { path, ...more });
    const write = (path: string) => callTool('write_file', { path, text: 'written' });
    const calls = [
      read(at('lines.txt'), { line: 2, limit: 1 }),
      read(join(outside, 'secret.txt')),
      read(at('link/secret.txt')),
      read(at('missing.txt')),
      write(at('sub/new.txt')),
      write(at('lines.txt')),
      write(at('link/more.txt')),
      write(at('new-link')),
      write(at('.git/config')),
    ];
    rig.model.answer(key, ...calls, say('Done.'));
    const results = ofType(await collect(session.prompt('Go.')), 'tool_result');
    expect(results.map(({ ok }) => ok)).toEqual([true, false, false, false, true, true, false, false, false]);
    expect(results[0]?.summary).toBe('two');
    expect(results.map(({ summary }) => summary).join()).not.toContain('hidden');
    expect([at('sub/new.txt'), at('lines.txt')].map((path) => readFileSync(path, 'utf8'))).toEqual([
      'written',
      'written',
    ]);
    expect(['more.txt', 'new.txt'].filter((name) => existsSync(join(outside, name)))).toEqual([]);
    await session.close();
  });
});

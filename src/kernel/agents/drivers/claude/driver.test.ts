import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClaudeRig, createClaudeRig } from '../../../../../test/fixtures/claude-rig.ts';
import { isSameProcess, readProcessIdentity } from '../../../processes/identity.ts';
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
import { environmentOf } from './options.ts';
import { stopLeftoverAgents } from './records.ts';

describeConformance('claude', createClaudeRig);

describe('the claude driver', () => {
  let rig: ClaudeRig;
  let bench: Bench;
  beforeAll(async () => {
    rig = await createClaudeRig({ maxPrepared: 2 });
    bench = benchOf(rig);
  });
  afterAll(async () => {
    await rig.close();
  });

  test('the agent’s own tools stay below the root, and its shell is denied [SEC-PATHS]', async () => {
    const { session, key, options } = await bench.open({ builtInTools: ['Read', 'Grep', 'Glob', 'Write', 'Bash'] });
    const outside = await rig.makeFolder();
    writeFileSync(join(outside, 'secret.txt'), 'the hidden word');
    writeFileSync(join(options.cwd, 'open.txt'), 'the open word');
    symlinkSync(outside, join(options.cwd, 'link'));
    const calls: [name: string, input: object, ok: boolean][] = [
      ['Read', { file_path: join(options.cwd, 'open.txt') }, true],
      ['Read', { file_path: join(outside, 'secret.txt') }, false],
      ['Read', { file_path: join(options.cwd, 'link/secret.txt') }, false],
      ['Grep', { pattern: 'word', output_mode: 'content' }, true],
      ['Grep', { pattern: 'word', path: join(options.cwd, 'link') }, false],
      ['Glob', { pattern: '**/*.txt' }, true],
      ['Glob', { pattern: 'link/*' }, true],
      ['Write', { file_path: join(options.cwd, 'new.txt'), content: 'x' }, false],
      ['Bash', { command: 'cat open.txt' }, false],
    ];
    rig.model.answer(key, ...calls.map(([name, input]) => callTool(name, input)), say('Done.'));
    const events = await collect(session.prompt('Look around.'));
    expect(ofType(events, 'tool_result').map(({ name, ok }) => [name, ok])).toEqual(
      calls.map(([name, , ok]) => [name, ok]),
    );
    expect(ofType(events, 'permission').length).toBe(calls.filter(([, , ok]) => !ok).length);
    const found = ofType(events, 'tool_result').map((result) => result.summary);
    expect(found[0]).toContain('the open word');
    expect(found[3]).toContain('the open word');
    expect(found[5]).toContain('open.txt');
    expect(found.join('\n')).not.toMatch(/hidden|secret\.txt\n/);
    await session.close();
  });

  test('a worker that may write does so, though not to git’s own files', async () => {
    const { session, key, options } = await bench.open({ builtInTools: ['Read', 'Write', 'Edit'] });
    await session.close();
    const writer = await bench.open({ ...options, access: { root: options.cwd, write: true } });
    mkdirSync(join(options.cwd, '.git'));
    const file_path = join(options.cwd, 'sub/new.md');
    rig.model.answer(
      key,
      callTool('Write', { file_path, content: 'First.\n' }),
      callTool('Edit', { file_path, old_string: 'First', new_string: 'Second' }),
      callTool('Write', { file_path: join(options.cwd, '.git/config'), content: 'x' }),
      say('Done.'),
    );
    const events = await collect(writer.session.prompt('Write.'));
    expect(ofType(events, 'tool_result').map((result) => result.ok)).toEqual([true, true, false]);
    expect(readFileSync(file_path, 'utf8')).toBe('Second.\n');
    await writer.session.close();
  });

  test('a prompt is words, not a command and not a file to read', async () => {
    const { session, key, options } = await bench.open({ builtInTools: ['Read'] });
    writeFileSync(join(options.cwd, 'private.txt'), 'not to be sent');
    rig.model.answer(key, say('Heard.'), say('Heard again.'));
    const first = await collect(session.prompt('/clear'));
    expect(textOf(first)).toBe('Heard.');
    await collect(session.prompt('See @private.txt and @/etc/hostname', { resume: sessionOf(first) }));
    const seen = rig.model.requests(key)[1]!.conversation;
    expect(seen).toContain('/clear');
    expect(seen).toContain('See @private.txt and @/etc/hostname');
    expect(seen).not.toContain('not to be sent');
    await session.close();
  });

  test('what is said aside reaches the model with the answer of the next tool call, once, whichever tool it is', async () => {
    const waiting = ['The person says: use JSON.'];
    const { session, key, options } = await bench.open({
      builtInTools: ['Read'],
      aside: async () => await Promise.resolve(waiting.shift()),
    });
    writeFileSync(join(options.cwd, 'a.txt'), 'something');
    const read = callTool('Read', { file_path: join(options.cwd, 'a.txt') });
    rig.model.answer(key, read, read, say('Done.'));
    await collect(session.prompt('Look.'));
    const told = rig.model.requests(key).map(({ body }) => JSON.stringify(body.messages).split('use JSON').length - 1);
    expect(told).toEqual([0, 1, 1]);
    await session.close();
  });

  test('a resumed turn has the system prompt and the tools of now', async () => {
    const { session, key, options } = await bench.open({ systemPrompt: 'The old prompt.' });
    rig.model.answer(key, say('One.'), say('Two.'));
    const first = await collect(session.prompt('Go.'));
    await session.close();
    const later = await bench.open({ ...options, systemPrompt: 'The new prompt.', builtInTools: ['Read'] });
    await collect(later.session.prompt('Go on.', { resume: sessionOf(first) }));
    const [before, after] = rig.model.requests(key).map((request) => request.body);
    expect(JSON.stringify(before!.system)).toContain('The old prompt.');
    expect(JSON.stringify(after!.system)).toContain('The new prompt.');
    expect(JSON.stringify(after!.system)).not.toContain('The old prompt.');
    expect(before!.tools).toEqual([]);
    expect(after!.tools?.map((tool) => tool.name)).toEqual(['Read']);
    await later.session.close();
  });

  test('the process has a few variables of the hall and nothing else of it [SEC-AGENT-ENV]', async () => {
    const { session, key, options } = await bench.open();
    const hall = {
      PATH: '/bin',
      LANG: 'C',
      ANTHROPIC_API_KEY: 'of the person',
      HTTPS_PROXY: 'x',
      GUILD_HALL_HOME: '/h',
      AWS_SECRET: 's',
    };
    const environment = environmentOf(options, 2, hall);
    expect(environment).toMatchObject({
      PATH: '/bin',
      LANG: 'C',
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_MAX_RETRIES: '2',
      HOME: options.configDir,
    });
    expect(Object.keys(environment).filter((name) => /PROXY|SECRET|GUILD/.test(name))).toEqual(['NO_PROXY']);
    rig.model.answer(key, { blocks: [{ type: 'text', chunks: ['Here.'] }], then: 'stall' });
    const turn = session.prompt('Go.')[Symbol.asyncIterator]();
    await readUntil(turn, 'text');
    const [pid] = await rig.livePids();
    if (process.platform === 'linux') {
      const real = readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((line) => line.split('=')[0]);
      const added = real.filter((name) => name !== '' && !(name! in environmentOf(options, 1, process.env)));
      expect(added.filter((name) => !name!.startsWith('CLAUDE_'))).toEqual([]);
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(key);
    }
    await session.close();
  });

  test('only so many sessions are kept ready, the last ones', async () => {
    const opened = await Promise.all([bench.open(), bench.open(), bench.open()]);
    const ids: AgentSessionId[] = [];
    for (const { session, key } of opened) {
      rig.model.answer(key, say('One.'), say('Two.'));
      ids.push(sessionOf(await collect(session.prompt('Go.'))));
    }
    opened.slice(0, 2).forEach(({ session }, index) => session.prepare(ids[index]!));
    await rig.background.idle();
    expect((await rig.livePids()).length).toBe(2);
    opened[2]!.session.prepare(ids[2]!);
    let isIdle = false;
    const idle = rig.background.idle().then(() => (isIdle = true));
    let most = 0;
    while (!isIdle) most = Math.max(most, (await rig.livePids()).length);
    await idle;
    const ready = await rig.livePids();
    expect([most, ready.length]).toEqual([2, 2]);
    const last = opened[2]!;
    expect(textOf(await collect(last.session.prompt('Go on.', { resume: ids[2]! })))).toBe('Two.');
    await rig.background.idle();
    const left = await rig.livePids();
    expect(left.length).toBe(1);
    expect(ready).toContain(left[0]);
    await Promise.all(opened.map(async ({ session }) => session.close()));
    expect(await rig.livePids()).toEqual([]);
  });

  test('what was made ready and died, or is not for this turn, is replaced', async () => {
    const { session, key } = await bench.open();
    rig.model.answer(key, say('One.'), say('Two.'), say('Three.'), say('Four.'));
    const resume = sessionOf(await collect(session.prompt('Go.')));
    session.prepare(resume);
    await rig.background.idle();
    for (const pid of await rig.livePids()) process.kill(pid, 'SIGKILL');
    expect(textOf(await collect(session.prompt('Go on.', { resume })))).toBe('Two.');
    session.prepare(resume);
    await rig.background.idle();
    for (const pid of await rig.livePids()) process.kill(pid, 'SIGKILL');
    let records: string[];
    do records = await readdir(rig.recordsDir);
    while (records.length > 0);
    expect(textOf(await collect(session.prompt('And on.', { resume })))).toBe('Three.');
    session.prepare(resume);
    await rig.background.idle();
    expect(textOf(await collect(session.prompt('Afresh.')))).toBe('Four.');
    expect(rig.model.requests(key)[3]!.conversation).not.toContain('Go on.');
    await session.close();
  });

  test('agents of a hall that was killed are stopped at the next start', async () => {
    const recordsDir = await rig.makeFolder();
    const script = join(import.meta.dirname, '../../../../../test/fixtures/stalled-hall.ts');
    const hall = spawn(process.execPath, ['--import', 'tsx', script, recordsDir, await rig.makeFolder()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) =>
      hall.stdout.once('data', (data: Buffer) => resolve(Number(data))),
    );
    const ended = new Promise((resolve) => hall.once('exit', resolve));
    hall.kill('SIGKILL');
    await ended;
    const identity = await readProcessIdentity(pid);
    expect(identity).toBeDefined();
    expect(await stopLeftoverAgents(rig.ctx, recordsDir)).toEqual([pid]);
    expect(await isSameProcess(identity!)).toBe(false);
  });

  test.each([
    ['asked to stop', 'SIGCONT', 1],
    ['forced when it does not answer', 'SIGSTOP', 0],
  ] as const)('an agent is %s', async (_how, signal, usages) => {
    const { session, key } = await bench.open();
    rig.model.answer(key, { blocks: [{ type: 'text', chunks: ['Here.'] }], then: 'stall' });
    const turn = session.prompt('Go.')[Symbol.asyncIterator]();
    await readUntil(turn, 'text');
    for (const pid of await rig.livePids()) process.kill(pid, signal);
    await session.interrupt();
    const rest = await readRest(turn);
    expect(lastOf(rest)).toMatchObject({ type: 'end', reason: 'interrupted' });
    // Only an agent that ended its turn itself has counted it.
    expect(ofType(rest, 'usage').length).toBe(usages);
    await session.close();
    expect(await rig.livePids()).toEqual([]);
  });

  test('stopping the driver ends every session with all its processes [SYS-STOP]', async () => {
    const { session, key } = await bench.open();
    rig.model.answer(key, { blocks: [{ type: 'text', chunks: ['Here.'] }], then: 'stall' });
    const turn = session.prompt('Go.')[Symbol.asyncIterator]();
    await readUntil(turn, 'text');
    expect((await rig.livePids()).length).toBe(1);
    await rig.driver.stop();
    expect(await rig.livePids()).toEqual([]);
    expect(() => session.prompt('Go on.')).toThrow('is closed');
  });

  test('a folder that is not there is named in the error', async () => {
    const { session } = await bench.open({ cwd: '/not/there' });
    const last = lastOf(await collect(session.prompt('Go.')));
    expect(last).toMatchObject({
      type: 'error',
      errorClass: 'crashed',
      message: expect.stringContaining('/not/there'),
    });
    await session.close();
  });
});

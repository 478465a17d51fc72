/** What a person types, on a hall in a process of its own. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { errorTable } from '../../src/kernel/pure/errors.ts';
import {
  freshHome,
  identityOf,
  type Home,
  runProgram,
  spawnProgram,
  type Up,
  useBuiltProgram,
  waitUntil,
} from '../help/programs.ts';
import { makeRepository, type TestRepository } from '../help/repositories.ts';

useBuiltProgram();

interface Shop extends Home {
  readonly url: string;
  readonly repository: TestRepository;
}

async function homeWithProject(): Promise<Shop> {
  const home = await freshHome();
  const { url } = await home.json<Up>('up', '--detach', '--port', '0');
  const repository = await makeRepository({
    files: { 'src/deep/x.ts': 'export const x = 1;\n', 'README.md': '# Shop\n' },
  });
  await home.json('project', 'add', repository.path, '--name', 'shop');
  return { ...home, url, repository };
}

const open = ['meeting', 'open', '--worker', 'researcher', 'Hello'];

describe('ids and projects', () => {
  test('an id may be any part that fits only one; an ambiguous one is refused with what it could be [DOOR-SHORT-IDS]', async () => {
    const home = await homeWithProject();
    const first = (await home.json<{ id: string }>(...open)).id;
    const other = (await home.json<{ id: string }>(...open)).id;
    const shown = async (id: string): Promise<string> =>
      (await home.json<{ meeting: { id: string } }>('meeting', 'show', id)).meeting.id;
    for (const id of [first, first.slice(-4), first.split('-').slice(-2).join('-')])
      expect(await shown(id)).toBe(first);
    expect(await shown(other.slice(-4))).toBe(other);
    for (const words of [['show'], ['close'], ['say'], ['interrupt'], ['rename']]) {
      const refused = await home.run(
        'meeting',
        ...words,
        'researcher',
        ...(words[0] === 'say' || words[0] === 'rename' ? ['x'] : []),
      );
      expect([words, refused.exitCode]).toEqual([words, errorTable.invalid.exit]);
      for (const candidate of [first, other]) expect(refused.err).toContain(candidate);
      expect(refused.err).toContain('→ ');
    }
    expect((await home.json<{ meetings: unknown[] }>('meeting', 'list', '--status', 'open')).meetings).toHaveLength(2);
  });

  test('--project may be left out in a folder of a project and where there is only one; else it is asked for [DOOR-PROJECT]', async () => {
    const home = await homeWithProject();
    const list = async (cwd: string, ...more: string[]): Promise<unknown> => {
      const { out, err } = await runProgram(home.env, cwd, ['artifact', 'list', '--json', ...more]);
      return (JSON.parse(out === '' ? err : out) as { project?: string; code?: string }).project ?? JSON.parse(err);
    };
    expect(await list(home.folder)).toBe('shop');
    const farm = await makeRepository();
    await home.json('project', 'add', farm.path, '--name', 'farm');
    expect(await list(home.folder)).toMatchObject({ code: 'invalid', message: expect.stringMatching(/shop.*farm/) });
    expect(await list(join(home.repository.path, 'src/deep'))).toBe('shop');
    expect(await list(farm.path)).toBe('farm');
    expect(await list(join(home.path, 'projects/shop'))).toBe('shop');
    expect(await list(farm.path, '--project', 'shop')).toBe('shop');
    const opened = await runProgram(home.env, farm.path, [...open, '--json']);
    expect(JSON.parse(opened.out)).toMatchObject({ project: 'farm' });
    // An id says by itself which project is meant, wherever one stands.
    const { id } = JSON.parse(opened.out) as { id: string };
    expect((await runProgram(home.env, home.repository.path, ['meeting', 'show', id])).exitCode).toBe(0);
  });
});

describe('a turn on the command line', () => {
  const slow = ['meeting', 'open', '--worker', 'researcher', '[rehearse: slow 50ms x 400]'];

  test('is shown as it is said; Ctrl-C interrupts it, the meeting stays open; twice leaves [DOOR-STREAM]', async () => {
    const home = await homeWithProject();
    const child = spawnProgram(home, ...slow);
    let out = '';
    let err = '';
    child.stdout!.on('data', (part: Buffer) => (out += String(part)));
    child.stderr!.on('data', (part: Buffer) => (err += String(part)));
    const exited = once(child, 'exit');
    const seen = new Set<number>();
    await waitUntil(() => seen.add(out.length).size > 4);
    const [meeting] = (await home.json<{ meetings: { id: string }[] }>('meeting', 'list')).meetings;
    const running = await home.json<{ running: string[] }>('status');
    expect(running.running.join()).toContain(meeting!.id);
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    expect(err).toContain(`guild-hall meeting say ${meeting!.id}`);
    const view = await home.json<{ meeting: { status: string }; turns: { mark: string; text: string }[] }>(
      'meeting',
      'show',
      meeting!.id,
    );
    expect(view.meeting.status).toBe('open');
    expect(view.turns.at(-1)).toMatchObject({ mark: 'interrupted' });
    expect(out.replaceAll(/\s+/g, ' ')).toContain(view.turns.at(-1)!.text.trim().slice(-20).replaceAll(/\s+/g, ' '));

    const again = spawnProgram(home, 'meeting', 'say', meeting!.id, '[rehearse: slow 50ms x 400]');
    const left = once(again, 'exit');
    let said = '';
    again.stderr!.on('data', (part: Buffer) => (said += String(part)));
    await once(again.stdout!, 'data');
    // While the hall stands still the turn cannot end by itself between the two.
    const { pid } = identityOf(home);
    process.kill(pid, 'SIGSTOP');
    again.kill('SIGINT');
    await waitUntil(() => said.includes('Ctrl-C again leaves'));
    again.kill('SIGINT');
    process.kill(pid, 'SIGCONT');
    expect(await left).toEqual([130, null]);
  });
});

describe('--json', () => {
  test('each command prints one JSON value on standard output and nothing else; a refusal one on standard error [DOOR-JSON]', async () => {
    const home = await homeWithProject();
    home.repository.write({ '.lore/a.md': '# A\n' });
    const { id } = await home.json<{ id: string }>(...open);
    const lines = [
      ['status'],
      ['project', 'list'],
      ['project', 'sync'],
      ['worker', 'list'],
      ['worker', 'show', 'researcher'],
      ['worker', 'new', 'mender', '--from', 'researcher'],
      ['meeting', 'say', id, 'Where is x?'],
      ['meeting', 'list'],
      ['meeting', 'show', id],
      ['meeting', 'interrupt', id],
      ['meeting', 'rename', id, 'Another title'],
      ['meeting', 'close', id],
      ['artifact', 'list'],
      ['artifact', 'show', `.lore/meetings/${id}.md`],
      ['doctor'],
      ['config', 'show'],
      ['config', 'check'],
      ['project', 'sample'],
      ['project', 'remove', 'shop'],
      ['down'],
    ];
    for (const line of lines) {
      const { out, err, exitCode } = await home.run(...line, '--json');
      expect([line, exitCode, err]).toEqual([line, 0, '']);
      expect([line, out.trimEnd().split('\n').length]).toEqual([line, 1]);
      expect(JSON.parse(out)).toBeTypeOf('object');
    }
    const refused = await home.run('meeting', 'list', '--json');
    expect(refused).toMatchObject({ exitCode: 7, out: '' });
    expect(JSON.parse(refused.err)).toMatchObject({ code: 'unavailable', hint: 'guild-hall up --detach' });
  });
});

describe('errors', () => {
  test('HTTP and the command line refuse in the same words, with the same code and hint; the code decides both ends [DOOR-ONE-LIST, DOOR-ERRORS]', async () => {
    const home = await homeWithProject();
    const token = readFileSync(join(home.path, 'token'), 'utf8').trim();
    const { id } = await home.json<{ id: string }>(...open);
    await home.json('meeting', 'close', id);
    const cases = [
      ['not_found', 'meeting/show', { id: 'nobody-0000' }, ['meeting', 'show', 'nobody-0000']],
      ['not_found', 'worker/show', { name: 'nobody' }, ['worker', 'show', 'nobody']],
      ['not_found', 'artifact/list', { project: 'none' }, ['artifact', 'list', '--project', 'none']],
      ['conflict', 'meeting/say', { id, message: 'x' }, ['meeting', 'say', id, 'x']],
      [
        'invalid',
        'artifact/show',
        { path: '../x.md', project: 'shop' },
        ['artifact', 'show', '../x.md', '--project', 'shop'],
      ],
    ] as const;
    for (const [code, path, input, words] of cases) {
      const response = await fetch(`${home.url}/api/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      });
      const problem = (await response.json()) as { code: string; detail: string; hint: string };
      const typed = await home.run(...words, '--json');
      const facts = JSON.parse(typed.err) as { code: string; message: string; hint: string };
      expect([path, problem.code, response.status]).toEqual([path, code, errorTable[code].http]);
      expect([path, facts.code, typed.exitCode]).toEqual([path, code, errorTable[code].exit]);
      expect([path, facts.message, facts.hint]).toEqual([path, problem.detail, problem.hint]);
      for (const text of [facts.message, facts.hint]) expect(text).toMatch(/\w{2}/);
    }
  });
});

describe('up, down, status and logs', () => {
  test('work from any folder, also in one that is no project; each says what to type [DOOR-UP]', async () => {
    const home = await freshHome();
    const elsewhere = join(home.folder, 'some where');
    mkdirSync(elsewhere);
    const at = async (...words: string[]) => await runProgram(home.env, elsewhere, words);
    for (const words of [['status'], ['meeting', 'list']]) {
      const refused = await at(...words);
      expect([words, refused.exitCode]).toEqual([words, errorTable.unavailable.exit]);
      expect(refused.err).toContain(`No hall is running on ${home.path}`);
      expect(refused.err).toContain('→ guild-hall up --detach');
    }
    expect((await at('logs')).err).toContain('→ guild-hall up --detach');
    expect(await at('down')).toMatchObject({ exitCode: 0, out: `No hall is running on ${home.path}.\n` });

    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    for (const words of [['up'], ['up', '--detach']]) {
      const taken = await at(...words, '--port', String(port));
      expect([words, taken.exitCode]).toEqual([words, errorTable.conflict.exit]);
      expect(taken.err).toContain(`Port ${port} is in use`);
      expect(taken.err).toContain('guild-hall up --port 0');
    }

    const up = await at('up', '--detach', '--port', '0');
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(up.out)?.[0] ?? 'none';
    expect((await runProgram(home.env, '/', ['status'])).out).toContain(url);
    expect((await at('logs')).out).toContain('the hall answers');
    expect(await runProgram(home.env, '/', ['down'])).toMatchObject({ exitCode: 0 });
    expect((await at('status')).exitCode).toBe(errorTable.unavailable.exit);
  });

  test.each(['0', 'abc', '-1', '1.5'])('logs --lines %s is refused, with a line that works', async (lines) => {
    const home = await freshHome();
    const refused = await home.run('logs', `--lines=${lines}`);
    expect(refused.exitCode).toBe(errorTable.invalid.exit);
    expect(refused.err).toContain(`--lines: expected a whole number from 1 to 999999, given "${lines}".`);
    expect(refused.err).toContain('→ guild-hall logs --lines 100');
  });

  test('a start tells what is wrong in config.yaml, with its place', async () => {
    const home = await freshHome();
    mkdirSync(home.path, { mode: 0o700 });
    const file = join(home.path, 'config.yaml');
    writeFileSync(file, 'port: 0\nkeepTranscripts: maybe\n', { mode: 0o600 });
    const problem = `${file}:2:18: \`keepTranscripts\` is "maybe"; expected true or false.`;
    expect((await home.run('up', '--detach')).out).toContain(`▲ ${problem}\n`);
    expect((await home.json<{ problems: string[] }>('status')).problems).toEqual([problem]);
    await home.run('down');
    expect(await home.json('up', '--detach')).toMatchObject({ problems: [{ line: 2, column: 18 }] });
  });

  test('the examples in their help do what they say', async () => {
    const home = await freshHome();
    mkdirSync(home.path, { mode: 0o700 });
    writeFileSync(join(home.path, 'config.yaml'), 'port: 0\n', { mode: 0o600 });
    const linesOf = async (command: string): Promise<string[]> => {
      const { out } = await home.run(command, '--help');
      return [...out.matchAll(/^ {2}guild-hall (.+?) {3}/gm)].map((match) => match[1]!);
    };
    expect(await linesOf('up')).toEqual(['up', 'up --detach']);
    const foreground = spawnProgram(home, 'up');
    expect(String((await once(foreground.stdout!, 'data'))[0])).toContain('The hall is at');
    foreground.kill('SIGINT');
    expect((await once(foreground, 'exit'))[0]).toBe(0);
    expect((await home.run('up', '--detach')).exitCode).toBe(0);
    expect(await linesOf('logs')).toEqual(['logs --follow']);
    const following = spawnProgram(home, 'logs', '--follow');
    await once(following.stdout!, 'data');
    following.kill('SIGINT');
    expect((await once(following, 'exit'))[0]).toBe(0);
    expect(await linesOf('down')).toEqual(['down']);
    expect((await home.run('down')).out).toContain('has stopped');
    // What the test of the documents takes for the flags of these commands.
    expect((await home.run('up', '--help')).out).toMatch(/--port <number>[^]*--detach/);
    expect((await home.run('logs', '--help')).out).toMatch(/--follow[^]*--lines <number>/);
  });
});

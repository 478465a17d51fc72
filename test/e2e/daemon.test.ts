/** The hall as a process of its own: started, asked, killed, stopped, by the commands that a person types. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isSameProcess } from '../../src/kernel/processes/identity.ts';
import {
  freshHome,
  identityOf,
  runProgram,
  spawnProgram,
  type Up,
  useBuiltProgram,
  waitUntil,
} from '../help/programs.ts';
import { makeRepository } from '../help/repositories.ts';

useBuiltProgram();

describe('up and down', () => {
  test('detached: answers when the command returns, says where it is, stops without a trace', async () => {
    const home = await freshHome();
    const up = await home.json<Up>('up', '--detach', '--port', '0');
    const status = await home.json<Record<string, unknown>>('status');
    expect(status).toMatchObject({
      pid: up.pid,
      url: up.url,
      home: home.path,
      projects: [],
      model: { isRehearsal: true },
      problems: [],
    });
    const identity = identityOf(home);
    expect(identity.pid).toBe(up.pid);
    expect((await home.run('status')).out).toContain(up.url);

    const second = await home.run('up', '--port', '0', '--json');
    expect(second.exitCode).toBe(5);
    expect(JSON.parse(second.err)).toMatchObject({ code: 'conflict', details: { pid: up.pid, url: up.url } });

    expect(await home.run('down')).toMatchObject({ exitCode: 0, out: `The hall (pid ${up.pid}) has stopped.\n` });
    expect(await isSameProcess(identity)).toBe(false);
    expect(
      readdirSync(join(home.path, 'state')).filter((name) => /lock|hall\.json|\.tmp/.test(name) && name !== 'locks'),
    ).toEqual([]);
    expect(await home.run('down')).toMatchObject({ exitCode: 0, out: `No hall is running on ${home.path}.\n` });
    expect(await home.run('status')).toMatchObject({ exitCode: 7 });
    expect((await home.run('logs')).out).toContain('the hall answers');
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('in the foreground: %s stops it', async (signal) => {
    const home = await freshHome();
    const child = spawnProgram(home, 'up', '--port', '0', '--json');
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    const { pid } = JSON.parse(String(line)) as Up;
    expect(pid).toBe(child.pid);
    child.kill(signal);
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    expect(exitCode).toBe(0);
    expect(existsSync(join(home.path, 'state/hall.json'))).toBe(false);
  });

  test('after kill -9 the next start takes over', async () => {
    const home = await freshHome();
    const first = await home.json<Up>('up', '--detach', '--port', '0');
    const identity = identityOf(home);
    process.kill(first.pid, 'SIGKILL');
    await waitUntil(async () => !(await isSameProcess(identity)));
    expect(await home.run('status')).toMatchObject({ exitCode: 7 });
    writeFileSync(join(home.path, 'state', '.config.yaml.k3f9.tmp'), 'half');
    const second = await home.json<Up>('up', '--detach', '--port', '0');
    expect(second.pid).not.toBe(first.pid);
    expect((await home.json<{ pid: number }>('status')).pid).toBe(second.pid);
  });

  test('two at once on one home: one runs, the other says so [SYS-ONE-HALL]', async () => {
    const home = await freshHome();
    mkdirSync(home.path, { recursive: true });
    const both = await Promise.all([
      home.run('up', '--detach', '--port', '0', '--json'),
      home.run('up', '--detach', '--port', '0', '--json'),
    ]);
    expect(both.map(({ exitCode }) => exitCode).toSorted((a, b) => a - b)).toEqual([0, 5]);
    const refused = both.find(({ exitCode }) => exitCode === 5)!;
    expect(JSON.parse(refused.err)).toMatchObject({ code: 'conflict' });
  });

  test('a taken port: a clear error, and nothing runs [DOOR-UP]', async () => {
    const home = await freshHome();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { exitCode, err } = await home.run('up', '--detach', '--port', String(port));
    expect(exitCode).toBe(5);
    expect(err).toContain(`Port ${port} is in use`);
    expect(err).toContain('--port 0');
    expect(existsSync(join(home.path, 'state/hall.json'))).toBe(false);
    expect(await home.run('status')).toMatchObject({ exitCode: 7 });
  });
});

describe('a first project', () => {
  test('added, listed, worked out from the folder, removed without a trace', async () => {
    const home = await freshHome();
    const up = await home.json<Up>('up', '--detach', '--port', '0');
    const repository = await makeRepository({
      files: { 'README.md': '# x\n', '.lore/a.md': '---\ntitle: A\nstatus: open\n---\ntext\n', 'src/x.ts': '' },
    });
    const before = readFileSync(join(repository.path, '.git/config'), 'utf8');
    const added = await home.json<{ name: string; notes: string[] }>(
      'project',
      'add',
      repository.path,
      '--name',
      'shop',
    );
    expect(added.name).toBe('shop');
    expect(added.notes.join(' ')).toContain('claude/main');

    const inside = await runProgram(home.env, join(repository.path, 'src'), ['artifact', 'list', '--json']);
    expect(JSON.parse(inside.out)).toMatchObject({ project: 'shop', artifacts: [{ path: '.lore/a.md', title: 'A' }] });

    const sample = await home.json<{ name: string; path: string }>('project', 'sample');
    expect(existsSync(join(sample.path, 'src/cli.ts'))).toBe(true);
    expect((await home.json<{ projects: string[] }>('status')).projects).toEqual(['shop', sample.name]);

    const token = readFileSync(join(home.path, 'token'), 'utf8').trim();
    const listed = await fetch(`${up.url}/api/project/list`, { headers: { authorization: `Bearer ${token}` } });
    expect(((await listed.json()) as { projects: { name: string }[] }).projects.map(({ name }) => name)).toEqual([
      'shop',
      sample.name,
    ]);
    expect((await fetch(`${up.url}/api/project/list`)).status).toBe(401);

    const removed = await home.json<{ branches: string[] }>('project', 'remove', 'shop');
    expect(removed.branches).toEqual(['claude/main']);
    expect(readFileSync(join(repository.path, '.git/config'), 'utf8')).toBe(before);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  test('doctor and config work without a hall, and name what is wrong', async () => {
    const home = await freshHome();
    mkdirSync(home.path, { recursive: true, mode: 0o755 });
    writeFileSync(join(home.path, 'config.yaml'), 'port: 4747\nprojects:\n  - name: "Not A Name"\n    path: 5\n');
    const examined = await home.run('doctor', '--json');
    expect(examined.exitCode).toBe(5);
    const { healthy, checks } = JSON.parse(examined.out) as {
      healthy: boolean;
      checks: { name: string; state: string; found: string }[];
    };
    expect(healthy).toBe(false);
    expect(checks.filter(({ state }) => state === 'bad').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['home', 'config']),
    );
    const checked = await home.run('config', 'check', '--json');
    expect(checked.exitCode).toBe(5);
    const { problems } = JSON.parse(checked.out) as { problems: { line: number }[] };
    expect(problems[0]!.line).toBeGreaterThanOrEqual(3);
  });
});

/** The real sandbox of this machine around small programs. Needs bubblewrap, and user namespaces that are allowed. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { makeTestSandbox, type TestSandbox } from '../../../../test/fixtures/test-sandbox.ts';
import { systemClock, systemIds } from '../../clock/clock.ts';
import { silentLog } from '../../log/log.ts';
import { runCommand } from '../../processes/command.ts';
import { stopProcessGroup } from '../../processes/group.ts';
import { startProcess } from '../../processes/start.ts';
import { bubblewrapArguments } from './bubblewrap.ts';
import type { SandboxRequest } from './contract.ts';
import { createSandbox, removeLeftoverEnclosures, type SandboxOptions } from './sandbox.ts';
import { systemMounts } from './system.ts';

const ctx = { clock: systemClock, ids: systemIds, log: silentLog };

async function makeOne(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const sandbox = await makeTestSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function requestFor(more: Partial<SandboxRequest> = {}): Promise<SandboxRequest & { own: string }> {
  const root = await tempFolder();
  const own = await tempFolder();
  const access = { root, write: true };
  return { project: null, cwd: root, access, writable: [own], gatewayUrl: 'http://127.0.0.1:4711', own, ...more };
}

async function runIn(sandbox: TestSandbox, request: SandboxRequest, script: string): Promise<string> {
  const enclosure = await sandbox.enter(request);
  const command = enclosure.wrap({ file: '/bin/sh', args: ['-c', script] });
  const { stdout, stderr } = await runCommand(ctx, { ...command, cwd: request.cwd, timeoutMs: 20_000 });
  await enclosure.leave();
  return `${stdout}${stderr}`.trim();
}

test('one who may only read writes its own folders and nothing of the checkout [SEC-SANDBOX]', async () => {
  const sandbox = await makeOne();
  const request = await requestFor();
  const { root } = request.access;
  writeFileSync(join(root, 'a.txt'), 'as it was');
  const reading = { ...request, access: { root, write: false } };
  const script = `cat a.txt; echo; echo x > a.txt || touch b.txt || echo HELD; touch '${request.own}/c' && echo WROTE`;
  expect(await runIn(sandbox, reading, script)).toMatch(/^as it was\nHELD\nWROTE/);
  expect(readdirSync(root)).toEqual(['a.txt']);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('as it was');
  await runIn(sandbox, request, 'echo y > a.txt');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('y\n');
});

test('[CNC-RES-10] a folder of the checkout that is hidden is empty inside', async () => {
  const sandbox = await makeOne();
  const request = await requestFor();
  const { root } = request.access;
  mkdirSync(join(root, 'kept/deep'), { recursive: true });
  writeFileSync(join(root, 'kept/deep/a.txt'), 'not for you');
  const hiding = { ...request, access: { root, write: false, hidden: [join(root, 'kept/deep')] } };
  expect(await runIn(sandbox, hiding, 'ls kept; cat kept/deep/a.txt || echo HELD')).toMatch(/^deep\nHELD/);
});

test('what the person names is shown besides, and cannot be written', async () => {
  const tools = await tempFolder();
  writeFileSync(join(tools, 'tool'), 'a tool');
  const settings = { mode: 'required', network: 'full', readable: [tools, '/not/there'] } as const;
  const sandbox = await makeOne({ settings: () => settings });
  const words = await runIn(sandbox, await requestFor(), `cat '${tools}/tool'; touch '${tools}/x' || echo HELD`);
  expect(words).toContain('a tool');
  expect(words).toContain('HELD');
  const without = await makeOne();
  expect(await runIn(without, await requestFor(), `cat '${tools}/tool' || echo HELD`)).toContain('HELD');
});

test('the hall’s home stays hidden where a checkout that is shown holds it [SEC-SANDBOX]', async () => {
  const request = await requestFor();
  const { root } = request.access;
  const home = join(root, 'hall');
  const own = join(home, 'agents', 'one');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(home, 'token'), 'the token');
  const sandbox = await makeOne({ hidden: [home] });
  const script = `cat hall/token || echo HELD; touch hall/x || echo HELD; echo mine > '${own}/f' && cat '${own}/f'`;
  const words = await runIn(sandbox, { ...request, writable: [own] }, script);
  expect(words.replaceAll(/^(cat|touch|\/bin\/sh):.*\n?/gm, '').trim()).toBe('HELD\nHELD\nmine');
  expect(readFileSync(join(own, 'f'), 'utf8')).toBe('mine\n');
});

test.runIf(process.platform === 'linux')(
  'it has no rights over its own mounts, for root and with an older bubblewrap too',
  async () => {
    const mounts = [...systemMounts(), { how: 'read', path: process.execPath } as const];
    for (const canDisableUserNamespaces of [true, false]) {
      const words = bubblewrapArguments(
        { mounts, cwd: '/', ownNetwork: false, canDisableUserNamespaces },
        { file: '/bin/sh', args: ['-c', 'grep CapEff /proc/self/status; mount -o remount,rw / || echo HELD'] },
      );
      const { stdout } = await runCommand(ctx, { file: 'bwrap', args: words, cwd: '/', timeoutMs: 20_000 });
      expect(stdout).toMatch(/^CapEff:\s+0{16}\nHELD\n$/);
    }
  },
);

/** Pids of processes whose words hold `mark`, as this machine sees them. */
function pidsOf(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(mark);
      } catch {
        // It ended meanwhile.
        return false;
      }
    })
    .map(Number);
}

/** Leaves daemons behind, each with words that name it. */
const daemons = (mark: string): string =>
  `for n in 1 2 3; do setsid sleep 86${mark} </dev/null >/dev/null 2>&1 & done; echo ready; sleep 86${mark}`;

test.skipIf(process.platform !== 'linux')(
  'the end of it is the end of everything in it, also of what has left its group [SEC-SANDBOX-SHELL, SYS-STOP]',
  async () => {
    const sandbox = await makeOne();
    const request = await requestFor();
    const mark = String(process.pid);
    for (const graceMs of [2_000, 0]) {
      const enclosure = await sandbox.enter(request);
      const command = enclosure.wrap({ file: '/bin/sh', args: ['-c', daemons(mark)] });
      const { child, identity } = startProcess(ctx, {
        ...command,
        cwd: '/',
        env: { PATH: process.env['PATH'] },
        stdio: 'pipe',
        detached: true,
      });
      await new Promise((resolve) => child.stdout!.once('data', resolve));
      expect(pidsOf(`86${mark}`).length).toBeGreaterThan(3);
      await stopProcessGroup(ctx, identity, { graceMs });
      expect(pidsOf(`86${mark}`)).toEqual([]);
      await enclosure.leave();
    }
  },
);

test.skipIf(process.platform !== 'linux')(
  'a hall that is killed leaves nothing of it running [SYS-CRASH]',
  async () => {
    const sandbox = await makeOne();
    const enclosure = await sandbox.enter(await requestFor());
    const mark = `99${process.pid}`;
    const { file, args } = enclosure.wrap({ file: '/bin/sh', args: ['-c', daemons(mark)] });
    const hall = `const c = require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { detached: true });
    c.stdout.pipe(process.stdout);`;
    const child = spawn(process.execPath, ['-e', hall, '--', file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(pidsOf(`86${mark}`).length).toBeGreaterThan(3);
    child.kill('SIGKILL');
    await expect.poll(() => pidsOf(`86${mark}`)).toEqual([]);
    await enclosure.leave();
  },
);

test('without one: `auto` goes on and says so, `required` refuses with what to type, `off` has none [SEC-SANDBOX-STATE]', async () => {
  const folder = await tempFolder();
  const make = (mode: 'auto' | 'required' | 'off', path?: string) =>
    createSandbox(ctx, {
      settings: () => ({ mode, network: 'full', readable: [] }),
      folder,
      hidden: [],
      repositoryOf: () => undefined,
      ...(path === undefined ? {} : { path }),
    });
  const command = { file: '/bin/true', args: ['x'] };
  const auto = make('auto', '/nowhere');
  expect(auto.state()).toMatchObject({ kind: 'none', reason: 'The machine has not been looked at yet.' });
  const free = await auto.enter(await requestFor());
  expect([free.kind, free.wrap(command)]).toEqual(['none', command]);
  expect(auto.state()).toMatchObject({ kind: 'none', reason: 'bubblewrap (bwrap) is not installed.' });
  await expect(make('required', '/nowhere').enter(await requestFor())).rejects.toMatchObject({
    code: 'unavailable',
    message: 'No agent is started without a sandbox: bubblewrap (bwrap) is not installed.',
    hint: expect.stringContaining('bubblewrap'),
  });
  const off = make('off');
  await off.check();
  expect([off.state().kind, (await off.enter(await requestFor())).kind]).toEqual(['none', 'none']);
  expect(existsSync(folder)).toBe(true);
});

test('what was made for a program goes with it; what killed halls left goes at the next start', async () => {
  const sandbox = await makeOne();
  const enclosure = await sandbox.enter(await requestFor());
  const [mine] = readdirSync(sandbox.folder);
  expect(readdirSync(join(sandbox.folder, mine!))).toHaveLength(1);
  // No pid is this high.
  mkdirSync(join(sandbox.folder, '99999999-left'));
  await removeLeftoverEnclosures(sandbox.folder);
  expect(readdirSync(sandbox.folder)).toEqual([mine]);
  await enclosure.leave();
  expect(readdirSync(join(sandbox.folder, mine!))).toEqual([]);
  await sandbox.close();
  expect(existsSync(sandbox.folder)).toBe(false);
});

test('one activity can ask for less of the network than the settings give [SEC-SANDBOX-NETWORK]', async () => {
  const sandbox = await makeOne();
  const request = await requestFor();
  const devices = 'grep -c : /proc/net/dev';
  expect(await runIn(sandbox, { ...request, network: 'model-only' }, devices)).toBe('1');
  expect(Number(await runIn(sandbox, request, devices))).toBeGreaterThan(1);
  const end = await sandbox.enter({ ...request, network: 'model-only' });
  const { exitCode } = await runCommand(ctx, {
    ...end.wrap({ file: '/bin/sh', args: ['-c', 'exit 7'] }),
    cwd: '/',
    timeoutMs: 20_000,
  });
  expect(exitCode).toBe(7);
});

test('a home whose path is too long for a socket is told before anything is started', async () => {
  const folder = join(await tempFolder(), 'x'.repeat(100));
  const sandbox = await makeOne({ folder });
  await expect(sandbox.enter(await requestFor({ network: 'model-only' }))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('is too long for a socket'),
  });
});

/** `npm start` in a clone that nobody has started yet: the real script, the real build; only npm itself is a stand-in. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { wantsBrowser } from '../../scripts/screen.mjs';
import { startOnTerminal } from '../help/pty.ts';
import { packageRoot, waitUntil } from '../help/programs.ts';
import { tempFolder } from '../help/repositories.ts';
import { postSecret } from '../help/sign-in.ts';

/** What a clone has of the program; packages are those of this folder, one by one, so that the clone's own stay its own. */
async function makeClone(): Promise<{
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly calls: string;
}> {
  const folder = await tempFolder();
  const root = join(folder, 'clone');
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: packageRoot,
    encoding: 'utf8',
  });
  const wanted = /^(?:bin|scripts|src|web|workers|examples)\/|^[^/]+\.json$/;
  for (const path of tracked.split('\0').filter((each) => wanted.test(each) && existsSync(join(packageRoot, each)))) {
    cpSync(join(packageRoot, path), join(root, path), { recursive: true });
  }
  const calls = join(folder, 'npm-calls');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  // Installing from a registry is npm's work; here the packages are put where it would put them.
  writeFileSync(
    join(bin, 'npm'),
    `#!/bin/sh\necho "$*" >> ${calls}\nmkdir -p node_modules\ncp -R ${bin}/packages/. node_modules\n`,
  );
  chmodSync(join(bin, 'npm'), 0o755);
  linkPackages(join(bin, 'packages'));
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    GUILD_HALL_HOME: join(folder, 'home'),
    NO_COLOR: '1',
  };
  return { root, env, calls };
}

function linkPackages(target: string): void {
  const real = join(packageRoot, 'node_modules');
  mkdirSync(target);
  for (const name of readdirSync(real).filter((each) => !each.startsWith('.'))) {
    symlinkSync(join(real, name), join(target, name));
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly exited: Promise<unknown[]>;
}

function start(root: string, env: NodeJS.ProcessEnv): Started {
  const child = spawn(process.execPath, ['scripts/start.mjs', '--port', '0'], {
    cwd: root,
    env: { ...env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (part: Buffer) => (text += String(part)));
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGTERM'));
  return { child, said: () => text, exited };
}

test(
  'npm start in a fresh clone installs, builds, starts, and says the address, the home, what answers, how to sign in and what to type; the second time it only starts, and at a screen it opens the pages [DOOR-START, DOOR-OPEN]',
  { timeout: 180_000 },
  async () => {
    const { root, env, calls } = await makeClone();
    const first = start(root, env);
    // The hall and `npm start` both write here; which of them comes first is nobody's promise.
    const isToldAll = (said: string): boolean => said.includes('Stop with Ctrl-C') && /sign-in#\S+\s/.test(said);
    await waitUntil(() => isToldAll(first.said()) || first.child.exitCode !== null);
    const text = first.said();
    expect(text).toMatch(/^Installing packages\.[^]*^Building\.[^]*The hall is at http:\/\/127\.0\.0\.1:\d+/m);
    expect(readFileSync(calls, 'utf8')).toMatch(/^install .*--no-audit/);
    const [, url = ''] = /Guild Hall {3}(http:\/\/127\.0\.0\.1:\d+)/.exec(text) ?? [];
    expect(text).toContain(`home         ${env['GUILD_HALL_HOME']}`);
    expect(text).toMatch(/projects {5}none yet/);
    expect(text).toMatch(/answers {6}rehearsal/);
    for (const line of [
      'project sample',
      'project add <path>',
      'worker list',
      'meeting open --worker',
      'down',
      'open',
    ]) {
      expect(text).toContain(`npx guild-hall ${line}`);
    }
    const [link = ''] = /http:\S+\/app\/sign-in#\S+/.exec(text) ?? [];
    expect((await postSecret(url, new URL(link).hash.slice(1))).status).toBe(200);
    expect((await fetch(`${url}/app/`)).status).toBe(200);
    const program = join(root, 'node_modules/.bin/guild-hall');
    const status = JSON.parse(execFileSync(program, ['status', '--json'], { env, encoding: 'utf8' })) as {
      url: string;
    };
    expect(status.url).toBe(url);

    const beside = start(root, env);
    expect(await beside.exited).toEqual([0, null]);
    expect(beside.said()).toContain('A hall already runs on this home; it is left as it is.');
    expect(beside.said()).toContain(url);
    expect(beside.said()).not.toMatch(/Installing|Building|sign-in#/);

    first.child.kill('SIGTERM');
    expect(await first.exited).toEqual([0, null]);
    const again = start(root, env);
    await waitUntil(() => again.said().includes('Stop with Ctrl-C') || again.child.exitCode !== null);
    expect(again.said()).not.toMatch(/Installing|Building/);
    again.child.kill('SIGTERM');
    await again.exited;
    expect(readFileSync(calls, 'utf8').trim().split('\n')).toHaveLength(1);
    if (process.platform === 'linux' && existsSync('/usr/bin/script')) await startAtScreen(root, env);
  },
);

/** At a screen the pages are opened; where a hall runs already, those of that one. */
async function startAtScreen(root: string, env: NodeJS.ProcessEnv): Promise<void> {
  const bin = env['PATH']!.split(':')[0]!;
  const opened = join(root, 'opened');
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\ncat "$1" >> ${opened}\n`);
  chmodSync(join(bin, 'xdg-open'), 0o755);
  const atScreen = { cwd: root, env: { ...env, DISPLAY: ':99', CI: '', npm_lifecycle_event: 'start' }, width: 120 };
  const words = [process.execPath, 'scripts/start.mjs', '--port', '0'];
  const linksOpened = (): string[] => readFileSync(opened, 'utf8').match(/(?<=url=)[^"]+/g) ?? [];

  const hall = startOnTerminal(words, atScreen);
  await hall.until(/opened in your browser[^]*Stop with Ctrl-C|Stop with Ctrl-C[^]*opened in your browser/);
  expect(linksOpened()).toHaveLength(1);
  expect(hall.written()).toContain(linksOpened()[0]);

  const beside = startOnTerminal(words, atScreen);
  await beside.until('A hall already runs');
  await beside.until('It is being opened in your browser');
  expect(await beside.ended).toBe(0);
  expect(linksOpened()).toHaveLength(2);
  expect(beside.written()).toContain(linksOpened()[1]);

  const quiet = startOnTerminal([...words, '--no-open'], atScreen);
  await quiet.until('/app/sign-in#');
  expect(await quiet.ended).toBe(0);
  expect(linksOpened()).toHaveLength(2);

  hall.type('\u0003');
  await hall.until('The hall has stopped.');
  expect(await hall.ended).toBe(0);
}

describe('a browser is opened unasked', () => {
  const screen = { DISPLAY: ':0' };
  test.each([
    ['by a person at a screen', [], true, screen, 'linux', true],
    ['on Wayland', [], true, { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    ['on macOS', [], true, {}, 'darwin', true],
    ['not with --no-open', ['--no-open'], true, screen, 'linux', false],
    ['not over SSH', [], true, { DISPLAY: '' }, 'linux', false],
    ['not where nobody looks on', [], undefined, screen, 'linux', false],
    ['not by CI', [], true, { ...screen, CI: 'true' }, 'darwin', false],
    ['where CI is said to be false', [], true, { ...screen, CI: 'false' }, 'linux', true],
  ] as const)('%s', (_when, args, isTty, env, platform, expected) => {
    expect(wantsBrowser(args, isTty, env, platform)).toBe(expected);
  });
});

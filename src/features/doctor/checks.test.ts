import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock/clock.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { homePaths, type HomePaths } from '../../kernel/projects/home.ts';
import {
  checkAgent,
  checkDisk,
  checkGit,
  checkGitVersion,
  checkHome,
  checkIdentity,
  checkNode,
  checkToken,
} from './checks.ts';

let folder: string;
let home: HomePaths;
const ctx = { clock: systemClock, log: silentLog };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gh-doctor-'));
  home = homePaths(join(folder, 'home'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['20.19.0', 'good'],
  ['20.18.3', 'bad'],
  ['18.20.0', 'bad'],
  ['24.1.0', 'good'],
])('node %s is %s', (version, state) => {
  expect(checkNode(version)).toMatchObject({ state });
});

test.each([
  ['git version 2.39.5', 'good'],
  ['git version 2.38.0 (Apple Git-1)', 'good'],
  ['git version 2.37.9', 'bad'],
  ['git version 3.0.1', 'good'],
  [undefined, 'bad'],
  ['nonsense', 'bad'],
])('%s is %s', (output, state) => {
  const finding = checkGitVersion(output);
  expect(finding).toMatchObject({ state });
  expect(finding.hint === '').toBe(state === 'good');
});

test('this machine’s git is asked', async () => {
  expect(await checkGit(ctx, folder)).toMatchObject({ state: 'good' });
});

describe('who commits', () => {
  const withConfig = async (text: string) => {
    const file = join(folder, 'gitconfig');
    await writeFile(file, text);
    process.env['GIT_CONFIG_GLOBAL'] = file;
    try {
      return await checkIdentity(ctx, folder);
    } finally {
      delete process.env['GIT_CONFIG_GLOBAL'];
    }
  };
  test('known', async () => {
    const finding = await withConfig('[user]\n\tname = Test Person\n\temail = person@example.invalid\n');
    expect(finding).toMatchObject({
      state: 'good',
      found: 'Commits are made as Test Person <person@example.invalid>.',
    });
  });
  test.each([
    ['', 'user.name'],
    ['[user]\n\tname = Test Person\n', 'user.email'],
  ])('unknown', async (text, missing) => {
    expect((await withConfig(text)).hint).toContain(`git config --global ${missing}`);
  });
});

describe('the agent’s program', () => {
  test('missing, not executable, fine', async () => {
    expect(await checkAgent(undefined)).toMatchObject({ state: 'bad' });
    const program = join(folder, 'agent');
    await writeFile(program, '', { mode: 0o600 });
    expect(await checkAgent(join(folder, 'none'))).toMatchObject({ state: 'bad' });
    await chmod(program, 0o700);
    expect(await checkAgent(program)).toMatchObject({ state: 'good' });
  });
});

describe('the home', () => {
  test('not there, open to others, closed, no folder', async () => {
    expect(await checkHome(home)).toMatchObject({ state: 'note' });
    await mkdir(home.root, { mode: 0o700 });
    expect(await checkHome(home)).toMatchObject({ state: 'good' });
    await chmod(home.root, 0o755);
    expect(await checkHome(home)).toMatchObject({ state: 'bad', hint: `chmod 700 '${home.root}'` });
    await rm(home.root, { recursive: true });
    await writeFile(home.root, '');
    expect(await checkHome(home)).toMatchObject({ state: 'bad' });
  });

  test('its token', async () => {
    await mkdir(home.root);
    expect(await checkToken(home)).toMatchObject({ state: 'note' });
    await writeFile(home.token, 'x', { mode: 0o600 });
    expect(await checkToken(home)).toMatchObject({ state: 'good' });
    await chmod(home.token, 0o640);
    expect(await checkToken(home)).toMatchObject({ state: 'bad', hint: `chmod 600 '${home.token}'` });
  });
});

test('free space is told', async () => {
  expect((await checkDisk(folder)).found).toMatch(/GiB free/);
  expect(await checkDisk(join(folder, 'none'))).toMatchObject({ state: 'note' });
});

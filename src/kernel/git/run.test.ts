import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeRepository, tempFolder } from '../../../test/help/repositories.ts';
import { systemClock, type Clock } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import { explainGit } from './explain.ts';
import { git, gitEnvironment, runGit } from './run.ts';

const ctx = { clock: systemClock, log: silentLog };

/** A clock that notes how long it was asked to wait, and does something in the meantime. */
function clockThat(onSleep: (sleeps: number) => void): { clock: Clock; slept: number[] } {
  const slept: number[] = [];
  const clock: Clock = {
    ...systemClock,
    sleep: async (ms) => {
      slept.push(ms);
      onSleep(slept.length);
    },
  };
  return { clock, slept };
}

function setEnv(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

describe('a call of git', () => {
  test('sees nothing of the caller’s GIT_ variables', async () => {
    const repo = await makeRepository();
    setEnv('GIT_DIR', '/nowhere');
    setEnv('GIT_INDEX_FILE', '/nowhere/index');
    setEnv('GIT_CONFIG_COUNT', '1');
    setEnv('GIT_CONFIG_KEY_0', 'alias.status');
    setEnv('GIT_CONFIG_VALUE_0', '!false');
    expect(await git(ctx, repo.path, ['ls-files'])).toBe('README.md\n');
    const env = gitEnvironment(process.env);
    expect(
      Object.keys(env)
        .filter((name) => name.startsWith('GIT_'))
        .toSorted(),
    ).toEqual(['GIT_EDITOR', 'GIT_LFS_SKIP_SMUDGE', 'GIT_OPTIONAL_LOCKS', 'GIT_TERMINAL_PROMPT']);
  });

  test('runs no hook of the repository, and signs nothing [SYS-GIT-HOOKS]', async () => {
    const repo = await makeRepository();
    const hooks = join(repo.path, '.git', 'hooks');
    mkdirSync(hooks, { recursive: true });
    for (const name of ['pre-commit', 'commit-msg', 'reference-transaction', 'post-checkout']) {
      writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${repo.path}/hook-ran\nexit 1\n`);
      chmodSync(join(hooks, name), 0o755);
    }
    repo.git('config', 'commit.gpgsign', 'true');
    repo.git('config', 'gpg.program', '/no/such/gpg');
    await git(ctx, repo.path, ['commit', '--allow-empty', '-m', 'x']);
    await git(ctx, repo.path, ['update-ref', 'refs/heads/other', 'HEAD']);
    expect(existsSync(join(repo.path, 'hook-ran'))).toBe(false);
  });

  test('waits for a lock that is given back, and repeats', async () => {
    const repo = await makeRepository();
    const lock = join(repo.path, '.git', 'index.lock');
    writeFileSync(lock, '');
    const { rmSync } = await import('node:fs');
    const waiting = clockThat((sleeps) => {
      if (sleeps === 3) rmSync(lock);
    });
    repo.write({ 'a.md': 'a' });
    await git({ ...ctx, clock: waiting.clock }, repo.path, ['add', '--', 'a.md']);
    expect(waiting.slept).toEqual([20, 40, 80]);
    expect(repo.git('ls-files')).toContain('a.md');
  });

  test('gives up on a lock that stays, names it, and leaves it', async () => {
    const repo = await makeRepository();
    const lock = join(repo.path, '.git', 'index.lock');
    writeFileSync(lock, 'somebody');
    repo.write({ 'a.md': 'a' });
    const waiting = clockThat(() => {});
    await expect(git({ ...ctx, clock: waiting.clock }, repo.path, ['add', '--', 'a.md'])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(lock),
      hint: expect.stringContaining(`rm '${lock}'`),
    });
    expect(waiting.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(2_000);
    expect(existsSync(lock)).toBe(true);
  });

  test('takes pathspec signs in a name for what they are', async () => {
    const repo = await makeRepository({ files: { '*.md': 'star', 'a.md': 'a', ':(top)x': 'colon' } });
    expect(await git(ctx, repo.path, ['ls-files', '-z', '--', '*.md', ':(top)x'])).toBe('*.md\0:(top)x\0');
  });

  test('that fails tells in git’s words, with the folder', async () => {
    const repo = await makeRepository();
    await expect(git(ctx, repo.path, ['cat-file', 'blob', 'HEAD:nothing'])).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/git cat-file failed in .*nothing/),
      details: { exitCode: 128 },
    });
    const folder = await tempFolder();
    await expect(git(ctx, folder, ['status'])).rejects.toMatchObject({
      code: 'invalid',
      hint: expect.stringContaining('init'),
    });
    await expect(git(ctx, join(folder, 'gone'), ['status'])).rejects.toMatchObject({ code: 'not_found' });
    const ended = runGit(ctx, { cwd: repo.path, args: ['-c', 'alias.z=!sleep 50', 'z'], timeoutMs: 200 });
    await expect(ended).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('too long') });
  });
});

test.each([
  ['error: file write error: No space left on device\nfatal: sha1 file write error', 'unavailable', /disk is full/],
  ['error: unable to create temporary file: Read-only file system', 'unavailable', /read-only/],
  ["fatal: detected dubious ownership in repository at '/r'", 'forbidden', /another user/],
  [
    'Author identity unknown\n\n*** Please tell me who you are.\n\nfatal: no email was given and auto-detection is disabled',
    'conflict',
    /your name/,
  ],
  ["fatal: 'claude/main' is already checked out at '/person'", 'conflict', /claude\/main is checked out at \/person/],
  ["fatal: 'claude/main' is already used by worktree at '/person'", 'conflict', /\/person/],
  [
    "fatal: cannot lock ref 'refs/heads/claude/main': 'refs/heads/claude' exists; cannot create 'refs/heads/claude/main'",
    'conflict',
    /"claude" stands in the way/,
  ],
  [
    'error: insufficient permission for adding an object to repository database .git/objects',
    'forbidden',
    /may not write/,
  ],
  ['fatal: loose object 1234 (stored in .git/objects/12/34) is corrupt', 'conflict', /damaged/],
  ['a.md: unmerged (0123)\nfatal: git-write-tree: error building trees', 'conflict', /merge was begun/],
  [
    "git-lfs filter-process: 1: git-lfs: not found\nfatal: the remote end hung up\nerror: external filter 'git-lfs filter-process' failed",
    'unavailable',
    /filter git-lfs filter-process/,
  ],
] as const)('%s: a sentence and the next thing to do', (stderr, code, message) => {
  const result = { exitCode: 128, signal: null, stdout: '', stderr, timedOut: false, truncated: false };
  const error = explainGit(result, { cwd: '/r', args: ['x'] }, 'x');
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  expect(error.hint.length).toBeGreaterThan(15);
});

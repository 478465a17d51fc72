import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  isSameProcess,
  ownIdentity,
  parseProcStat,
  parsePsLine,
  readProcessFacts,
  readProcessIdentity,
} from './identity.ts';

/** Starts a small shell program and waits for its first line. */
async function shell(program: string): Promise<{ pid: number; line: string; end(): Promise<void> }> {
  const child = spawn('/bin/sh', ['-c', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { pid: child.pid!, line: chunk.toString().trim(), end };
}

describe('a process is known by its pid and its start', () => {
  test('this process is itself, and reads the same twice', async () => {
    const identity = await readProcessIdentity(process.pid);
    expect(identity).toEqual(ownIdentity());
    expect(await isSameProcess(ownIdentity())).toBe(true);
  });

  test('the same pid with another start is another process [SYS-PROCESS]', async () => {
    expect(await isSameProcess({ pid: process.pid, startTime: '1@other-boot' })).toBe(false);
  });

  test('a process that was ended is gone', async () => {
    const child = await shell('echo up; exec sleep 60');
    const identity = (await readProcessIdentity(child.pid))!;
    expect(await isSameProcess(identity)).toBe(true);
    await child.end();
    expect(await isSameProcess(identity)).toBe(false);
    expect(await readProcessIdentity(child.pid)).toBeUndefined();
  });

  test.runIf(process.platform === 'linux')('one that ended without being taken note of counts as gone', async () => {
    // The shell becomes `sleep`, which takes note of no child; the child ends only when that has happened.
    const child = 'while ! grep -q "(sleep)" /proc/$$/stat; do :; done';
    const teller = 'while ! grep -q ") Z" /proc/$child/stat; do :; done; echo $child';
    const parent = await shell(`(${child}) & child=$!; (${teller}) & exec sleep 60`);
    const pid = Number(parent.line);
    const facts = (await readProcessFacts(pid))!;
    expect(facts.isZombie).toBe(true);
    expect(await readProcessIdentity(pid)).toBeUndefined();
    expect(await isSameProcess({ pid, startTime: facts.startTime })).toBe(false);
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 30])('no process has the pid %s', async (pid) => {
    expect(await readProcessIdentity(pid)).toBeUndefined();
  });
});

describe('a look at the process table that fails', () => {
  const failure = (facts: object) => async (): Promise<string> => {
    throw Object.assign(new Error('no look'), facts);
  };

  test.each([
    ['ENOENT', 'open'],
    ['ESRCH', 'read'],
  ])('with %s: the process is gone', async (code, syscall) => {
    expect(await isSameProcess(ownIdentity(), failure({ code, syscall }))).toBe(false);
  });

  test.each([
    ['too many open files', { code: 'EMFILE', syscall: 'open' }],
    ['no permission', { code: 'EPERM', syscall: 'open' }],
    ['no memory', { code: 'ENOMEM', syscall: 'read' }],
    ['no ps', { code: 'ENOENT', syscall: 'spawn ps' }],
  ])('%s: nothing is said of the process', async (_name, facts) => {
    const answer = isSameProcess(ownIdentity(), failure(facts));
    await expect(answer).rejects.toMatchObject({ code: 'unavailable', hint: expect.any(String) });
  });
});

describe('what the system prints', () => {
  test('a name with blanks, brackets and line ends does not shift the fields of /proc', () => {
    const after = ['S', '1', '77', ...Array.from({ length: 16 }, () => '0'), '4242', '0'].join(' ');
    expect(parseProcStat(`812 (a ) S (b\n) ${after}`, 'boot')).toEqual({
      pid: 812,
      group: 77,
      isZombie: false,
      startTime: '4242@boot',
    });
  });

  test('rubbish is no process', () => {
    expect(parseProcStat('', 'boot')).toBeUndefined();
    expect(parseProcStat('12 (x) S 1', 'boot')).toBeUndefined();
    expect(parsePsLine(12, '')).toBeUndefined();
  });

  test('a line of ps is read', () => {
    expect(parsePsLine(812, '  810 Ss   Sat Nov 21 22:05:38 2026\n')).toEqual({
      pid: 812,
      group: 810,
      isZombie: false,
      startTime: 'Sat Nov 21 22:05:38 2026',
    });
    expect(parsePsLine(812, '810 Z+ Sat Nov 21 22:05:38 2026')?.isZombie).toBe(true);
  });
});

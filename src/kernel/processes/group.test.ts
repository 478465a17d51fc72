import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import { signalGroup } from './command.ts';
import { hasLiveMemberByPs, stopProcessGroup } from './group.ts';
import { isSameProcess, type ProcessIdentity, readProcessIdentity } from './identity.ts';
import { startProcess, type StartedProcess } from './start.ts';

const ctx = { clock: systemClock, log: silentLog };

/** Starts a shell program and waits until it has printed `lines` lines. */
async function start(program: string, options: { lines: number; detached?: boolean }) {
  const started = startProcess(ctx, {
    file: '/bin/sh',
    args: ['-c', program],
    cwd: '/',
    env: process.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: options.detached ?? true,
  });
  onTestFinished(() => {
    if (options.detached ?? true) signalGroup(started.pid, 'SIGKILL');
    else started.child.kill('SIGKILL');
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: started.child.stdout! })) {
    lines.push(line);
    if (lines.length === options.lines) break;
  }
  return { started, lines };
}

async function identityOf(pid: string): Promise<ProcessIdentity> {
  return (await readProcessIdentity(Number(pid)))!;
}

describe('a started process', () => {
  test('has an identity at once and tells its end', async () => {
    const { started } = await start('echo up; exit 4', { lines: 1 });
    expect(started.identity.pid).toBe(started.pid);
    expect(started.identity.startTime).not.toBe('unknown');
    expect(await started.exited).toEqual({ exitCode: 4, signal: null });
  });

  test('tells its end although something that it started still holds its output', async () => {
    const { started, lines } = await start('sleep 63 & echo $!; exit 0', { lines: 1 });
    expect(await started.exited).toEqual({ exitCode: 0, signal: null });
    const inner = await identityOf(lines[0]!);
    expect(await stopProcessGroup(ctx, inner, { graceMs: 5_000 })).toBe('asked');
  });

  test('that cannot be started is an error that says why', () => {
    const request = { args: [], cwd: '/', env: {}, stdio: 'ignore', detached: false } as const;
    expect(() => startProcess(ctx, { ...request, file: 'no-such-program-here' })).toThrow(/no such program/);
    expect(() => startProcess(ctx, { ...request, file: '/bin/sh', cwd: '/no/such' })).toThrow(
      /\/no\/such does not exist/,
    );
  });
});

describe('stopping a group', () => {
  test('ends the process and what it started, when asked', async () => {
    const { started, lines } = await start('sleep 64 & echo $!; wait', { lines: 1 });
    const inner = await identityOf(lines[0]!);
    expect(await stopProcessGroup(ctx, started.identity, { graceMs: 5_000 })).toBe('asked');
    expect(await isSameProcess(started.identity)).toBe(false);
    expect(await isSameProcess(inner)).toBe(false);
    expect(await stopProcessGroup(ctx, started.identity, { graceMs: 0 })).toBe('gone');
  });

  test('forces what does not listen [SYS-STOP]', async () => {
    const { started } = await start("trap '' TERM; echo up; while :; do sleep 65; done", { lines: 1 });
    expect(await stopProcessGroup(ctx, started.identity, { graceMs: 50 })).toBe('killed');
    expect(await started.exited).toMatchObject({ signal: 'SIGKILL' });
  });

  test('forces a child that does not listen although its parent went at once', async () => {
    const { started, lines } = await start("(trap '' TERM; echo up; while :; do sleep 66; done) & echo $!; wait", {
      lines: 2,
    });
    const inner = await identityOf(lines.find((line) => line !== 'up')!);
    expect(await stopProcessGroup(ctx, started.identity, { graceMs: 50 })).toBe('killed');
    expect(await isSameProcess(inner)).toBe(false);
    expect(await hasLiveMemberByPs(started.pid)).toBe(false);
  });

  test('touches nobody when the pid belongs to another process now [SYS-PROCESS]', async () => {
    const { started } = await start('echo up; exec sleep 67', { lines: 1 });
    const other = { pid: started.pid, startTime: 'another' };
    expect(await stopProcessGroup(ctx, other, { graceMs: 0 })).toBe('gone');
    expect(await isSameProcess(started.identity)).toBe(true);
    expect(await hasLiveMemberByPs(started.pid)).toBe(true);
    await stopProcessGroup(ctx, started.identity, { graceMs: 5_000 });
  });

  test('a process in the group of its starter is stopped alone', async () => {
    const first: StartedProcess = (await start('echo up; exec sleep 68', { lines: 1, detached: false })).started;
    const second: StartedProcess = (await start('echo up; exec sleep 69', { lines: 1, detached: false })).started;
    expect(await stopProcessGroup(ctx, first.identity, { graceMs: 5_000 })).toBe('asked');
    expect(await isSameProcess(second.identity)).toBe(true);
    expect(await stopProcessGroup(ctx, second.identity, { graceMs: 5_000 })).toBe('asked');
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/help/repositories.ts';
import { silentLog } from '../log/log.ts';
import { type CommandRequest, type CommandResult, runCommand } from './command.ts';
import { readProcessIdentity } from './identity.ts';

const ctx = { log: silentLog };

async function run(request: Partial<CommandRequest> & { args?: readonly string[] }): Promise<CommandResult> {
  return runCommand(ctx, { file: '/bin/sh', args: [], cwd: '/', timeoutMs: 20_000, ...request });
}

/** A killed process closes its streams a moment before it leaves the table. Ends with the test's time when it never does. */
async function untilGone(pid: number): Promise<void> {
  while ((await readProcessIdentity(pid)) !== undefined) await new Promise(setImmediate);
}

describe('a command gives facts', () => {
  test('exit code, output and error output', async () => {
    const result = await run({ args: ['-c', 'echo out; echo err >&2; exit 3'] });
    expect(result).toEqual({
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      timedOut: false,
      truncated: false,
    });
  });

  test('a signal', async () => {
    const result = await run({ args: ['-c', 'kill -9 $$'] });
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  test('input goes in whole, and without it standard input is empty', async () => {
    const input = 'zeile\n'.repeat(50_000);
    expect((await run({ file: 'cat', input })).stdout).toBe(input);
    expect((await run({ file: 'cat' })).stdout).toBe('');
  });

  test('words reach the program as they are: there is no shell between', async () => {
    const words = ['$HOME', '`id`', 'a b', '; echo no', '*', '', "it's", '"'];
    const result = await run({ file: 'printf', args: ['%s\\n', ...words] });
    expect(result.stdout).toBe(`${words.join('\n')}\n`);
  });

  test('the environment is exactly the given one', async () => {
    const result = await run({ file: '/usr/bin/env', env: { ONLY: 'this', NOT: undefined } });
    expect(result.stdout).toBe('ONLY=this\n');
  });

  test('a program that is missing, and a folder that is missing, are told and not thrown', async () => {
    const program = await run({ file: 'no-such-program-here' });
    expect(program.exitCode).toBeNull();
    expect(program.failedToStart).toContain('no-such-program-here');
    const folder = await run({ args: ['-c', 'true'], cwd: '/no/such/folder' });
    expect(folder.failedToStart).toContain('/no/such/folder');
  });

  test('bytes that are not UTF-8 survive when asked for', async () => {
    const result = await run({ file: 'printf', args: ['\\377\\000\\302'], encoding: 'latin1' });
    expect(Buffer.from(result.stdout, 'latin1')).toEqual(Buffer.from([0xff, 0, 0xc2]));
  });

  test('too much output is cut off', async () => {
    const result = await run({ file: 'yes', maxOutputBytes: 1000 });
    expect(result.truncated).toBe(true);
    expect(result.stdout).toHaveLength(1000);
  });
});

describe('time', () => {
  test('a command that takes too long is ended with all that it started, also what ignores a polite end', async () => {
    const folder = await tempFolder();
    const program = `(trap '' TERM; echo $$ > ${folder}/up; exec sleep 61) & echo $!; wait`;
    const result = await run({ args: ['-c', program], timeoutMs: 300 });
    expect(result.timedOut).toBe(true);
    await untilGone(Number(result.stdout));
    expect(await readProcessIdentity(Number(result.stdout))).toBeUndefined();
  });

  test('what a command leaves running with its output open does not hold the answer for ever', async () => {
    const result = await run({ args: ['-c', 'sleep 62 & echo $!'], timeoutMs: 300 });
    expect(result.exitCode).toBe(0);
    await untilGone(Number(result.stdout));
    expect(await readProcessIdentity(Number(result.stdout))).toBeUndefined();
  });
});

test('commands at the same time do not disturb each other', async () => {
  const folder = await tempFolder();
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) => run({ args: ['-c', `echo ${n} > ${folder}/${n}; echo ${n}`] })),
  );
  expect(results.map((r) => r.stdout.trim())).toEqual(results.map((_, n) => String(n)));
  expect(existsSync(join(folder, '19'))).toBe(true);
});

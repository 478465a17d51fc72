import { expect, test, onTestFinished } from 'vitest';
import { silentLog } from '../log/log.ts';
import { findProcessesByMark, hasMark, pidsOfPs } from './marks.ts';
import { startProcess } from './start.ts';

const deaf = "setInterval(() => {}, 1000); require('node:fs').writeSync(1, 'up')";

async function startMarked(env: Readonly<Record<string, string>>, script = deaf): Promise<number> {
  const started = startProcess(
    { log: silentLog },
    {
      file: process.execPath,
      args: ['-e', script],
      cwd: '/',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    },
  );
  onTestFinished(() => void process.kill(-started.pid, 'SIGKILL'));
  await new Promise((resolve) => started.child.stdout?.once('data', resolve));
  return started.pid;
}

test('processes are found by their mark, whatever group they are in, and no others', async () => {
  const value = 'mark-0123456789abcdef';
  const child = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
    require('node:fs').writeSync(1, String(child.pid)); setInterval(() => {}, 1000);
    process.on('exit', () => {}); `;
  const parent = await startMarked({ TEST_MARK: value }, child);
  const other = await startMarked({ TEST_MARK: `${value}x` });
  const found = await findProcessesByMark('TEST_MARK', value);
  onTestFinished(() => {
    for (const { pid } of found) if (pid !== parent) process.kill(pid, 'SIGKILL');
  });
  expect(found.map(({ pid }) => pid)).toContain(parent);
  expect(found, 'the one that left the group is among them').toHaveLength(2);
  expect(found.map(({ pid }) => pid)).not.toContain(other);
  expect(await findProcessesByMark('TEST_MARK', 'short')).toEqual([]);
  if (process.platform === 'linux') {
    expect(await hasMark(parent, 'TEST_MARK', value)).toBe(true);
    expect(await hasMark(other, 'TEST_MARK', value)).toBe(false);
    expect(await hasMark(2 ** 22 - 1, 'TEST_MARK', value)).toBeUndefined();
  }
});

test('the marked ones of a list of ps are read', () => {
  const text = '  812 node worker.js HOME=/home/p MARK=abc PATH=/bin\n  9 sh MARK=abcd\n 10 sh XMARK=abc\nnonsense\n';
  expect(pidsOfPs(text, 'MARK=abc')).toEqual([812]);
});

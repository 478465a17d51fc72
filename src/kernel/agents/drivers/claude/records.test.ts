import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../clock/clock.ts';
import { silentLog } from '../../../log/log.ts';
import { readProcessIdentity } from '../../../processes/identity.ts';
import { removeAgentRecord, stopLeftoverAgents, writeAgentRecord } from './records.ts';

const ctx = { clock: systemClock, log: silentLog };
let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'records-'))));
afterEach(() => rmSync(dir, { recursive: true }));

/** A process of its own group that ends only when it is made to. */
function startSleeper() {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  const ended = new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  return { pid: child.pid!, ended };
}

test('a leftover is stopped by its identity and forgotten', async () => {
  const { pid, ended } = startSleeper();
  await writeAgentRecord(ctx, dir, (await readProcessIdentity(pid))!, 'trial-1');
  expect(await stopLeftoverAgents(ctx, dir)).toEqual([pid]);
  expect(await ended).toBe('SIGTERM');
  expect(readdirSync(dir)).toEqual([]);
  expect(await stopLeftoverAgents(ctx, dir)).toEqual([]);
});

test('a process that has since got the same pid is let be [SYS-PROCESS]', async () => {
  const { pid, ended } = startSleeper();
  await writeAgentRecord(ctx, dir, { pid, startTime: 'another time' }, 'trial-1');
  expect(await stopLeftoverAgents(ctx, dir)).toEqual([]);
  expect(readdirSync(dir)).toEqual([]);
  process.kill(pid, 'SIGUSR1');
  expect(await ended).toBe('SIGUSR1');
});

test('a record that cannot be read stays, and other files are no concern', async () => {
  writeFileSync(join(dir, 'agent-1.json'), '{"version":2,"process":{"pid":1}}');
  writeFileSync(join(dir, 'agent-2.json'), 'not json');
  writeFileSync(join(dir, 'terminal-3.json'), '{}');
  expect(await stopLeftoverAgents(ctx, dir)).toEqual([]);
  expect(readdirSync(dir).length).toBe(3);
});

test('no folder means no leftovers, and a record can be removed twice', async () => {
  expect(await stopLeftoverAgents(ctx, join(dir, 'not-there'))).toEqual([]);
  const identity = { pid: 5, startTime: 'x' };
  await writeAgentRecord(ctx, join(dir, 'new'), identity, 'trial-1');
  expect(existsSync(join(dir, 'new/agent-5.json'))).toBe(true);
  await removeAgentRecord(join(dir, 'new'), identity);
  await removeAgentRecord(join(dir, 'new'), identity);
  expect(readdirSync(join(dir, 'new'))).toEqual([]);
});

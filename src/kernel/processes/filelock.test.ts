import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/help/repositories.ts';
import { systemClock, systemIds } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import { runCommand } from './command.ts';
import { acquireFileLock, type FileLock, withFileLock } from './filelock.ts';
import { fail } from '../pure/errors.ts';
import { ownIdentity } from './identity.ts';

const ctx = { clock: systemClock, ids: systemIds, log: silentLog };
const deadOwner = { pid: process.pid, startTime: '1@long-ago' };

function writeDeadLock(path: string, mark = 'dead'): void {
  writeFileSync(path, JSON.stringify({ version: 1, mark, owner: deadOwner }));
}

async function lockPath(): Promise<string> {
  return join(await tempFolder(), 'hall.lock');
}

function isLock(answer: Awaited<ReturnType<typeof acquireFileLock>>): answer is FileLock {
  return 'release' in answer;
}

describe('a lock between processes', () => {
  test('is held by one, tells by whom, and can be had again', async () => {
    const path = await lockPath();
    const first = await acquireFileLock(ctx, path);
    if (!isLock(first)) throw new Error('not held by anybody, yet refused');
    expect(await acquireFileLock(ctx, path)).toEqual({ heldBy: ownIdentity() });
    await first.release();
    await first.release();
    expect(existsSync(path)).toBe(false);
    expect(isLock(await acquireFileLock(ctx, path))).toBe(true);
    expect(readdirSync(join(path, '..'))).toEqual(['hall.lock']);
  });

  test('giving back late does not take away the next owner’s lock', async () => {
    const path = await lockPath();
    const first = await acquireFileLock(ctx, path);
    if (!isLock(first)) throw new Error('refused');
    writeDeadLock(path, 'another');
    await first.release();
    expect(readFileSync(path, 'utf8')).toContain('another');
  });

  test('of a dead owner goes to exactly one of many that want it', async () => {
    const path = await lockPath();
    writeDeadLock(path);
    const answers = await Promise.all(Array.from({ length: 20 }, () => acquireFileLock(ctx, path)));
    expect(answers.filter(isLock)).toHaveLength(1);
    expect(readdirSync(join(path, '..'))).toEqual(['hall.lock']);
  });

  test('of an owner of whom nothing can be learned stays held', async () => {
    const path = await lockPath();
    writeDeadLock(path);
    const blind = async () => {
      throw fail('unavailable', 'The process table cannot be read.', 'Try again.');
    };
    expect(await acquireFileLock(ctx, path, blind)).toEqual({ heldBy: deadOwner });
    expect(readFileSync(path, 'utf8')).toContain('"dead"');
    expect(isLock(await acquireFileLock(ctx, path))).toBe(true);
  });

  test('of a dead owner, whose taker-over died too, is still taken over', async () => {
    const path = await lockPath();
    writeDeadLock(path, 'one');
    writeDeadLock(`${path}.over-one`, 'two');
    writeDeadLock(`${path}.over-two`, 'three');
    writeDeadLock(`${path}.left.tmp`, 'left');
    expect(isLock(await acquireFileLock(ctx, path))).toBe(true);
    expect(readdirSync(join(path, '..'))).toEqual(['hall.lock']);
  });

  test('a file that is no lock is never overwritten', async () => {
    const path = await lockPath();
    writeFileSync(path, 'my own notes');
    await expect(acquireFileLock(ctx, path)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(path),
    });
    expect(readFileSync(path, 'utf8')).toBe('my own notes');
  });

  test('waiting has an end, and says for whom it waited', async () => {
    const path = await lockPath();
    await acquireFileLock(ctx, path);
    await expect(withFileLock(ctx, path, async () => 1, { waitMs: 30 })).rejects.toMatchObject({
      code: 'unavailable',
      details: { pid: process.pid },
    });
  });

  test('is given back when the work fails', async () => {
    const path = await lockPath();
    const work = withFileLock(ctx, path, () => Promise.reject(new RangeError('no')), { waitMs: 0 });
    await expect(work).rejects.toThrow('no');
    expect(existsSync(path)).toBe(false);
  });
});

test('processes that count under the lock, some of them killed while holding it, lose no count', async () => {
  const folder = await tempFolder();
  const path = join(folder, 'count.lock');
  const file = join(folder, 'count');
  writeFileSync(file, '0');
  writeDeadLock(path);
  const program = new URL('../../../test/fixtures/lock-contender.ts', import.meta.url).pathname;
  const contenders = [25, 25, 25, 0].map((_, n) => {
    const dies = n === 3 ? ['10'] : [];
    const args = ['--import', 'tsx', program, path, file, '25', ...dies];
    return runCommand(ctx, { file: process.execPath, args, cwd: process.cwd(), timeoutMs: 60_000 });
  });
  const ends = await Promise.all(contenders);
  expect(ends.map((end) => end.exitCode ?? end.signal)).toEqual([0, 0, 0, 'SIGKILL']);
  expect(readFileSync(file, 'utf8')).toBe(String(25 * 3 + 9));
});

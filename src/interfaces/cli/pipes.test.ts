import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/help/repositories.ts';
import { homePaths } from '../../kernel/projects/home.ts';
import { leaveWithReader } from './pipes.ts';

const root = join(import.meta.dirname, '../../..');

test('a command whose reader goes away ends quietly', async () => {
  const home = homePaths(await tempFolder());
  mkdirSync(dirname(home.log), { recursive: true });
  writeFileSync(home.log, 'a line that is somewhat long, so that a pipe does not hold all of them\n'.repeat(20_000));
  const command = ['--import', 'tsx', join(root, 'src/main/cli.ts'), 'logs', '--lines', '20000'];
  const child = spawn(process.execPath, command, { cwd: root, env: { ...process.env, GUILD_HALL_HOME: home.root } });
  let err = '';
  child.stderr.on('data', (part: Buffer) => (err += String(part)));
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect([await closed, err]).toEqual([[0, null], '']);
});

test('any other fault of a stream is one', () => {
  let left = 0;
  let report = (_error: NodeJS.ErrnoException): void => {};
  leaveWithReader([{ on: (_event, listener) => (report = listener) }], () => (left += 1));
  report(Object.assign(new Error('gone'), { code: 'EPIPE' }));
  expect(left).toBe(1);
  expect(() => report(Object.assign(new Error('no space'), { code: 'ENOSPC' }))).toThrow('no space');
});

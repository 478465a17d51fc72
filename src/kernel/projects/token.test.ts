import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../clock/clock.ts';
import { homePaths, type HomePaths } from './home.ts';
import { ensureToken, readToken } from './token.ts';

let home: HomePaths;
beforeEach(async () => {
  home = homePaths(await mkdtemp(join(tmpdir(), 'gh-token-')));
});
afterEach(async () => {
  await rm(home.root, { recursive: true, force: true });
});
const ctx = { ids: systemIds };

test('made once, also by callers at the same time, 0600 [SYS-HOME]', async () => {
  expect(await readToken(home)).toBeUndefined();
  const tokens = await Promise.all(Array.from({ length: 8 }, () => ensureToken(ctx, home)));
  expect(new Set(tokens).size).toBe(1);
  expect(await readFile(home.token, 'utf8')).toBe(`${tokens[0]}\n`);
  expect((await stat(home.token)).mode & 0o777).toBe(0o600);
  expect(await readToken(home)).toBe(tokens[0]);
});

test('a file that others could read is closed', async () => {
  const token = await ensureToken(ctx, home);
  await chmod(home.token, 0o644);
  expect(await ensureToken(ctx, home)).toBe(token);
  expect((await stat(home.token)).mode & 0o777).toBe(0o600);
});

test.each(['', '\n', 'short', 'two words that are long enough to be one token', 'a'.repeat(300)])(
  'a file that holds %j is named and left alone',
  async (content) => {
    await writeFile(home.token, content);
    await expect(ensureToken(ctx, home)).rejects.toMatchObject({ code: 'conflict', details: { file: home.token } });
    expect(await readFile(home.token, 'utf8')).toBe(content);
  },
);

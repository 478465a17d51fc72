import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepository, type TestRepository } from '../../../test/help/repositories.ts';
import { listIndex } from './index-file.ts';

const long = `${'deep/'.repeat(900)}end.md`;

async function setUp(): Promise<{ readonly repo: TestRepository; readonly index: string }> {
  const repo = await makeRepository({
    files: { 'a.md': 'a', 'ab/c.md': 'c', 'ab/ä ö.md': 'u', 'ab/cd/e': 'e', z: 'z' },
  });
  const blob = repo.git('rev-parse', 'HEAD:z');
  repo.git('update-index', '--add', '--cacheinfo', `160000,${repo.git('rev-parse', 'HEAD')},module`);
  repo.git('update-index', '--add', '--cacheinfo', `100755,${blob},${long}`);
  return { repo, index: join(repo.path, '.git', 'index') };
}

function asGitSays(repo: TestRepository): string[] {
  return repo
    .git('-c', 'core.quotePath=false', 'ls-files', '--stage', '-z')
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      return `${line.slice(0, 6)} ${line.slice(line.indexOf('\t') + 1)}`;
    });
}

async function asRead(index: string): Promise<string[] | undefined> {
  const listed = await listIndex(index);
  return listed?.map(
    ({ mode, name }) => `${mode.toString(8).padStart(6, '0')} ${Buffer.from(name, 'latin1').toString()}`,
  );
}

describe('what an index lists', () => {
  test.each([2, 3, 4])('is read from version %i as git reads it', async (version) => {
    const { repo, index } = await setUp();
    // What is left out of a checkout takes more room than a plain entry has.
    if (version === 3) repo.git('update-index', '--skip-worktree', 'ab/c.md');
    if (version === 4) repo.git('update-index', '--index-version', '4');
    expect(readFileSync(index).readUInt32BE(4)).toBe(version);
    const read = await asRead(index);
    expect(read).toEqual(asGitSays(repo));
    expect(read).toContain('160000 module');
    expect(read).toContain(`100755 ${long}`);
  });

  test('is left to git where parts of it are elsewhere, or it is broken off', async () => {
    const { repo, index } = await setUp();
    const whole = readFileSync(index).length;
    for (let length = 8; length < whole; length += 13) {
      copyFileSync(index, `${index}.cut`);
      truncateSync(`${index}.cut`, length);
      expect(await asRead(`${index}.cut`), `cut at ${length}`).toBeUndefined();
    }
    writeFileSync(
      `${index}.cut`,
      Buffer.concat([readFileSync(index).subarray(0, -20), Buffer.from('link'), Buffer.alloc(24)]),
    );
    expect(await asRead(`${index}.cut`)).toBeUndefined();
    repo.git('update-index', '--split-index');
    expect(await asRead(index)).toBeUndefined();
  });
});

/** What is remembered of a repository, while somebody else stages, cleans and deepens it. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { readCheckout, withIndexCopy } from './checkout.ts';
import { commitFiles } from './commit.ts';
import { readObjects } from './objects.ts';
import { mergeBase } from './read.ts';

test('the tree of an index that somebody staged in is made anew, since git may have cleared it away', async () => {
  const { ctx, repo, hall } = await makeHallRepository({ files: { 'a.md': 'a\n', 'b.md': 'b\n' } });
  const stage = async (text: string): Promise<string | undefined> => {
    writeFileSync(join(hall.path, 'a.md'), text);
    return commitFiles(ctx, { worktree: hall.path, paths: ['a.md'], message: `Write ${text}`, trailer: 'test one' });
  };
  await stage('one\n');
  writeFileSync(join(hall.path, 'b.md'), 'staged by somebody\n');
  hall.git('add', 'b.md');
  await withIndexCopy(ctx, await readCheckout(ctx, hall.path), async ({ treeBefore }) => treeBefore());
  repo.git('gc', '--quiet', '--prune=now');
  expect(await stage('two\n')).toBeDefined();
  expect(hall.git('show', 'HEAD:a.md')).toBe('two');
});

test('a copy of an index is never taken for another one that stood there a moment before', async () => {
  const { ctx, hall } = await makeHallRepository({ files: { 'a.md': 'a\n' } });
  const checkout = await readCheckout(ctx, hall.path);
  const index = join(checkout.gitDir, 'index');
  const trees = new Map<string, string>();
  const keep = async (name: string): Promise<string> => {
    const kept = join(checkout.gitDir, name);
    linkSync(index, kept);
    await withIndexCopy(ctx, checkout, async ({ file, treeBefore }) => {
      trees.set(readFileSync(file).toString('hex'), await treeBefore());
    });
    return kept;
  };
  const clean = await keep('kept-clean');
  writeFileSync(join(hall.path, 'new.md'), 'new\n');
  hall.git('add', 'new.md');
  const staged = await keep('kept-staged');
  expect(new Set(trees.values()).size).toBe(2);
  for (let n = 0; n < 200; n += 1) {
    for (const name of [clean, staged]) {
      rmSync(`${name}.next`, { force: true });
      linkSync(name, `${name}.next`);
    }
    renameSync(`${clean}.next`, index);
    const copied = withIndexCopy(ctx, checkout, async ({ file, treeBefore }) => {
      const tree = trees.get(readFileSync(file).toString('hex'));
      expect(await treeBefore(...trees.values())).toBe(tree);
    });
    // At another moment of its work each time.
    for (let looks = n % 5; looks > 0; looks -= 1) await stat(checkout.gitDir);
    await Promise.all([copied, rename(`${staged}.next`, index)]);
  }
  renameSync(clean, index);
});

test('where two commits part is asked again when it was not found: a history that was cut short may have been deepened', async () => {
  const { ctx, repo } = await makeHallRepository({ files: { 'a.md': 'a\n' } });
  const base = repo.git('rev-parse', 'HEAD');
  repo.git('commit', '--quiet', '--allow-empty', '-m', 'One');
  const one = repo.git('rev-parse', 'HEAD');
  repo.git('switch', '--quiet', '--detach', base);
  repo.git('commit', '--quiet', '--allow-empty', '-m', 'Other');
  const other = repo.git('rev-parse', 'HEAD');
  const shallow = join(repo.path, '.git', 'shallow');
  writeFileSync(shallow, `${one}\n${other}\n`);
  expect(await mergeBase(ctx, repo.path, one, other)).toBeUndefined();
  rmSync(shallow);
  expect(await mergeBase(ctx, repo.path, one, other)).toBe(base);
});

test('an object that was replaced is left to git, also when the note of it was packed since', async () => {
  const { ctx, repo } = await makeHallRepository({ files: { 'a.md': 'a\n' } });
  const blob = repo.git('rev-parse', 'HEAD:a.md');
  expect(await readObjects(ctx, repo.path, [blob])).toEqual([Buffer.from('a\n')]);
  writeFileSync(join(repo.path, 'b.md'), 'b\n');
  repo.git('replace', blob, repo.git('hash-object', '-w', 'b.md'));
  repo.git('pack-refs', '--all');
  expect(await readObjects(ctx, repo.path, [blob])).toEqual([Buffer.from('b\n')]);
  repo.git('replace', '-d', blob);
  expect(await readObjects(ctx, repo.path, [blob])).toEqual([Buffer.from('a\n')]);
});

import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { repositoryAt } from '../../../test/help/repositories.ts';
import { commitAll } from './commit.ts';
import { changedFiles } from './read.ts';

const text = { message: 'Write it down', trailer: 'activity one' };

describe('what an activity wrote below .lore/', () => {
  test.each(['.gitignore', 'info/exclude', 'core.excludesFile'])('is work although %s ignores it', async (where) => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a' } });
    const ignored = '.lore/\ntmp/\n*.log\n';
    if (where === '.gitignore') hall.hall.commit('ignore', { '.gitignore': ignored });
    if (where === 'info/exclude') writeFileSync(join(hall.repo.path, '.git/info/exclude'), ignored);
    if (where === 'core.excludesFile') {
      writeFileSync(join(hall.repo.path, '.git/ignored'), ignored);
      hall.repo.git('config', 'core.excludesFile', join(hall.repo.path, '.git/ignored'));
    }
    const tree = await hall.activity('one');
    tree.write({ '.lore/notes/n.md': 'n', '.lore/x.log': 'x', 'tmp/t.md': 't', 'y.log': 'y', 'new.md': 'n' });
    mkdirSync(join(tree.path, '.lore/cloned'));
    repositoryAt(join(tree.path, '.lore/cloned')).git('init', '--quiet');
    tree.write({ '.lore/cloned/c.md': 'c' });
    const commit = await commitAll(hall.ctx, { ...text, worktree: tree.path });
    const changed = await changedFiles(hall.ctx, tree.path, `${commit}^`, commit!);
    expect(changed.map(({ path }) => path)).toEqual(['.lore/cloned/c.md', '.lore/notes/n.md', '.lore/x.log', 'new.md']);
    expect(await commitAll(hall.ctx, { ...text, worktree: tree.path })).toBeUndefined();
  });
});

test('a link in a repository within, where a folder was, hinders nothing', async () => {
  const hall = await makeHallRepository();
  const tree = await hall.activity('one');
  const within = join(tree.path, 'cloned');
  mkdirSync(within);
  const cloned = repositoryAt(within);
  cloned.git('init', '--quiet');
  cloned.commit('x', { 'dir/in.md': 'in', 'other/in.md': 'other' });
  rmSync(join(within, 'dir'), { recursive: true });
  symlinkSync('other', join(within, 'dir'));
  symlinkSync('nowhere', join(within, 'dangling'));
  const commit = await commitAll(hall.ctx, { ...text, worktree: tree.path });
  expect(tree.git('ls-tree', '-r', '--format=%(objectmode) %(path)', commit!).split('\n')).toEqual([
    '100644 README.md',
    '120000 cloned/dangling',
    '120000 cloned/dir',
    '100644 cloned/other/in.md',
  ]);
  expect(readFileSync(join(within, 'dir/in.md'), 'utf8')).toBe('other');
});

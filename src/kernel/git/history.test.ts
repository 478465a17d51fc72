import { expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { commonDirOf } from './marker.ts';
import { branchSign, fileHistory, lastCommits } from './history.ts';

const odd = '.lore/ü\n two lines.md';

test('the commits that touched a file, the newest first, with their trailers', async () => {
  const { ctx, repo, hall, branch } = await makeHallRepository();
  hall.commit('First of it\n\nGuild-Hall: job a-1', { '.lore/a.md': 'one\n' });
  hall.commit('Something else', { '.lore/b.md': 'b\n' });
  const last = hall.commit('Second of it', { '.lore/a.md': 'two\n' });
  const found = await fileHistory(ctx, repo.path, { branch, path: '.lore/a.md', max: 20 });
  expect(found.map(({ subject, trailer, author }) => [subject, trailer, author])).toEqual([
    ['Second of it', null, 'Test Person'],
    ['First of it', 'job a-1', 'Test Person'],
  ]);
  expect(found[0]).toMatchObject({ commit: last, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) });
  expect(await fileHistory(ctx, repo.path, { branch, path: '.lore/a.md', max: 1 })).toHaveLength(1);
  expect(await fileHistory(ctx, repo.path, { branch, path: '.lore/none.md', max: 20 })).toEqual([]);
});

test('the last commit of each file of a folder, whatever it is called, also of the first commit', async () => {
  const { ctx, repo, hall, branch } = await makeHallRepository({ files: { '.lore/first.md': '1\n', 'x.md': 'x\n' } });
  repo.git('config', 'log.showRoot', 'false');
  repo.git('config', 'log.follow', 'true');
  hall.commit('One\n\nGuild-Hall: job a-1', { [odd]: 'one\n', '.lore/b.md': 'b\n' });
  hall.commit('Two', { '.lore/b.md': 'c\n', 'x.md': 'y\n' });
  const request = { branch, folder: '.lore', max: 100, since: '180 days ago' };
  const found = await lastCommits(ctx, repo.path, request);
  expect([...found].map(([path, { subject }]) => [path, subject])).toEqual([
    ['.lore/b.md', 'Two'],
    [odd, 'One'],
    ['.lore/first.md', 'First'],
  ]);
  expect(found.get(odd)?.trailer).toBe('job a-1');
  expect([...(await lastCommits(ctx, repo.path, { ...request, max: 1 })).keys()]).toEqual(['.lore/b.md']);
});

test('the sign of a branch changes with it, also when references are packed', async () => {
  const { ctx, repo, hall, branch } = await makeHallRepository();
  const commonDir = await commonDirOf(ctx, repo.path);
  const signs = [await branchSign(commonDir, branch)];
  expect(await branchSign(commonDir, branch)).toBe(signs[0]);
  hall.commit('One', { 'a.md': 'a\n' });
  signs.push(await branchSign(commonDir, branch));
  repo.git('pack-refs', '--all');
  signs.push(await branchSign(commonDir, branch));
  hall.commit('Two', { 'a.md': 'b\n' });
  signs.push(await branchSign(commonDir, branch));
  expect(new Set(signs).size).toBe(4);
});

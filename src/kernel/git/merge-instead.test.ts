import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { squashMerge, type SquashRequest } from './merge.ts';
import { objectSizes } from './objects.ts';
import { readBytesAt } from './read.ts';

async function activityWith(files: Record<string, string | { executable: string }>) {
  const hall = await makeHallRepository({ files: { 'a.md': 'a\n', 'b.md': 'b\n' } });
  const one = await hall.activity('one');
  one.commit('1', files);
  const squash = (instead: SquashRequest['instead']) =>
    squashMerge(hall.ctx, {
      repo: hall.repo.path,
      integrationBranch: hall.branch,
      integrationWorktree: hall.hall.path,
      activityBranch: one.branch,
      overlay: {},
      message: 'Work',
      trailer: 'activity one',
      ...(instead === undefined ? {} : { instead }),
    });
  return { hall, one, squash };
}

test('a file that is given other bytes is merged with those; the branch keeps its own; again it makes no second commit', async () => {
  const { hall, one, squash } = await activityWith({ 'a.md': 'mine\n', 'run.sh': { executable: 'x' } });
  const bytes = Buffer.from([0xff, 0x0d, 0x0a, 0x00]);
  const instead = [
    { path: 'a.md', mode: '100644', bytes: Buffer.from('yours\r\n') },
    { path: 'run.sh', mode: '100755', bytes },
  ];
  const merged = await squash(instead);
  expect(merged).toMatchObject({ kind: 'merged', isEmpty: false, activityTip: one.git('rev-parse', 'HEAD') });
  expect(readFileSync(join(hall.hall.path, 'a.md'), 'utf8')).toBe('yours\r\n');
  expect(await readBytesAt(hall.ctx, hall.repo.path, hall.branch, 'run.sh')).toEqual(bytes);
  expect(hall.repo.git('ls-tree', hall.branch, 'run.sh')).toMatch(/^100755 /);
  expect(hall.repo.git('show', `${one.branch}:a.md`)).toBe('mine');
  expect(await squash(instead)).toEqual({ ...merged, isEmpty: true });
});

test('it is merged like any other change: what the other side did to the same lines is a conflict, elsewhere it stays', async () => {
  const { hall, squash } = await activityWith({ 'a.md': 'mine\n' });
  hall.hall.commit('2', { 'a.md': 'theirs\n', 'b.md': 'theirs too\n' });
  const bytes = Buffer.from('yours\n');
  expect(await squash([{ path: 'a.md', mode: '100644', bytes }])).toMatchObject({ kind: 'conflict', files: ['a.md'] });
  expect(await squash([{ path: 'a.md', mode: '100644', bytes: Buffer.from('theirs\n') }])).toMatchObject({
    kind: 'merged',
  });
  expect(readFileSync(join(hall.hall.path, 'b.md'), 'utf8')).toBe('theirs too\n');
});

test('sizes of objects, also of one that is not there', async () => {
  const { hall, one } = await activityWith({ 'a.md': 'éé\n', 'empty.md': '' });
  const oids = ['a.md', 'empty.md'].map((path) => one.git('rev-parse', `HEAD:${path}`));
  expect(await objectSizes(hall.ctx, hall.repo.path, [...oids, '0'.repeat(40)])).toEqual([5, 0, undefined]);
  expect(await objectSizes(hall.ctx, hall.repo.path, [])).toEqual([]);
});

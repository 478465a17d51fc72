import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { setIndexEntries } from './checkout.ts';
import { gitWord } from './run.ts';
import { putIntoTree } from './trees.ts';

const files = {
  'a.md': 'a',
  'a-b': 'x',
  'a/in.md': 'in',
  a0: 'y',
  'dir/deep/one.md': '1',
  'dir/deep/two.md': '2',
  'dir.md': 'd',
  'ä/ö.md': 'u',
  z: 'z',
};

test('files are put into a tree as an index would take them, and what stands in their way gives way', async () => {
  const { ctx, hall } = await makeHallRepository({ files });
  const place = { cwd: hall.path, commonDir: hall.git('rev-parse', '--path-format=absolute', '--git-common-dir') };
  const tree = hall.git('rev-parse', 'HEAD^{tree}');
  const oid = hall.git('rev-parse', 'HEAD:z');
  const indexFile = join(place.commonDir, 'test-index');
  const asIndexed = async (paths: readonly string[]): Promise<string> => {
    const entries = paths.map((path) => ({ mode: '100644', oid, path }));
    await gitWord(ctx, hall.path, ['read-tree', tree], { indexFile });
    await setIndexEntries(ctx, hall.path, indexFile, entries);
    return gitWord(ctx, hall.path, ['write-tree'], { indexFile });
  };
  const cases = [
    ['a.md'],
    ['dir/deep/three.md', 'dir/deep/one.md', 'new/far/below.md'],
    ['dir/deep', 'a'],
    ['a.md/now/a/folder', 'ä/ö.md', 'ä/b c\n.md'],
    ['a.b', 'a/z', 'a0/x', '.lore/records/r.md'],
  ];
  for (const paths of cases) {
    const entries = paths.map((path) => ({ mode: '100644', oid, path }));
    const put = await putIntoTree(ctx, place, tree, entries);
    expect({ paths, put }).toEqual({ paths, put: await asIndexed(paths) });
    expect(hall.git('cat-file', '-t', put!)).toBe('tree');
  }
});

test('it is left to an index where a file is taken out, a path is both file and folder, or trees are packed', async () => {
  const { ctx, repo, hall } = await makeHallRepository({ files });
  const place = { cwd: hall.path, commonDir: hall.git('rev-parse', '--path-format=absolute', '--git-common-dir') };
  const tree = hall.git('rev-parse', 'HEAD^{tree}');
  const oid = hall.git('rev-parse', 'HEAD:z');
  const entry = (path: string, mode = '100644') => ({ mode, oid, path });
  expect(await putIntoTree(ctx, place, tree, [entry('a.md', '0')])).toBeUndefined();
  expect(await putIntoTree(ctx, place, tree, [entry('n'), entry('n/m')])).toBeUndefined();
  expect(await putIntoTree(ctx, place, hall.git('rev-parse', 'HEAD'), [entry('n')])).toBeUndefined();
  repo.git('gc', '--quiet', '--prune=now');
  expect(await putIntoTree(ctx, place, tree, [entry('n')])).toBeUndefined();
});

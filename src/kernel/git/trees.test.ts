import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
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

test('a tree that is not as git writes them is left to git, whatever its bytes', async () => {
  const { ctx, hall } = await makeHallRepository({ files });
  const place = { cwd: hall.path, commonDir: hall.git('rev-parse', '--path-format=absolute', '--git-common-dir') };
  const oid = hall.git('rev-parse', 'HEAD:z');
  const odd = [`garbage\0${'\u0001'.repeat(30)}`, '100644 a', '100644 a\0short', `100644 a\0${'x'.repeat(20)}rest`];
  for (const content of odd) {
    const object = Buffer.from(`tree ${content.length}\0${content}`, 'latin1');
    const tree = createHash('sha1').update(object).digest('hex');
    const file = join(place.commonDir, 'objects', tree.slice(0, 2), tree.slice(2));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, deflateSync(object));
    expect(await putIntoTree(ctx, place, tree, [{ mode: '100644', path: 'n', oid }])).toBeUndefined();
  }
});

test('very many files of one folder take no time that grows with their square', async () => {
  const { ctx, hall } = await makeHallRepository({ files });
  const place = { cwd: hall.path, commonDir: hall.git('rev-parse', '--path-format=absolute', '--git-common-dir') };
  const oid = hall.git('rev-parse', 'HEAD:z');
  const entries = Array.from({ length: 40_000 }, (_, at) => ({ mode: '100644', path: `many/f${at}`, oid }));
  expect(await putIntoTree(ctx, place, hall.git('rev-parse', 'HEAD^{tree}'), entries)).toMatch(/^[0-9a-f]{40}$/);
}, 15_000);

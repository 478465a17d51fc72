import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBackground } from '../background/background.ts';
import { silentLog } from '../log/log.ts';
import { deferred } from '../pure/deferred.ts';
import { type FolderWatch, watchFolder, type WatchOptions } from './watch.ts';
import { writeAtomically } from './write.ts';

let root: string;
const ctx = { log: silentLog, ...createBackground(silentLog) };
const watches: FolderWatch[] = [];
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'gh-watch-')));
});
afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.close()));
  await rm(root, { recursive: true, force: true });
});

/** Watches, and gives what waits until a path has been told (again). */
async function follow(folder: string, options: WatchOptions = {}) {
  const told: string[] = [];
  let changed = deferred();
  const onChange = (path: string) => {
    told.push(path);
    changed.resolve();
    changed = deferred();
  };
  watches.push(await watchFolder(ctx, folder, onChange, options));
  const until = async (path: string): Promise<void> => {
    while (!told.includes(path)) await changed.promise;
    expect(told).toContain(path);
    told.splice(0);
  };
  return { told, until };
}

test('new, changed and removed files, in folders too; what was there before is not told', async () => {
  await mkdir(join(root, 'w'));
  await writeFile(join(root, 'w/old.md'), 'x');
  const { told, until } = await follow(join(root, 'w'));
  expect(told).toEqual([]);
  await writeAtomically(join(root, 'w/deep/er/new.md'), 'x');
  await until('deep/er/new.md');
  await writeFile(join(root, 'w/old.md'), 'changed');
  await until('old.md');
  await rm(join(root, 'w/deep/er/new.md'));
  await until('deep/er/new.md');
});

test('a folder that comes later, goes, and comes again', async () => {
  const { told, until } = await follow(join(root, 'a/b/w'));
  await mkdir(join(root, 'a/b/w'), { recursive: true });
  await writeFile(join(root, 'a/b/w/one.md'), 'x');
  await until('one.md');
  await rm(join(root, 'a'), { recursive: true });
  await until('one.md');
  await mkdir(join(root, 'a/b/w'), { recursive: true });
  await writeFile(join(root, 'a/b/w/two.md'), 'x');
  await until('two.md');
  expect(told).not.toContain('one.md');
});

test('a folder that was there goes together with its parents, and comes again', async () => {
  await mkdir(join(root, 'a/b/w'), { recursive: true });
  await writeFile(join(root, 'a/b/w/one.md'), 'x');
  const { told, until } = await follow(join(root, 'a/b/w'));
  for (let time = 0; time < 3; time += 1) {
    await rm(join(root, 'a'), { recursive: true });
    await until('one.md');
    await mkdir(join(root, 'a/b/w'), { recursive: true });
    await writeFile(join(root, 'a/b/w/one.md'), 'x');
    await until('one.md');
  }
  expect(told).toEqual([]);
});

test('below an ancestor that stays, everything between is moved away and replaced', async () => {
  await mkdir(join(root, 'a/b/w'), { recursive: true });
  await writeFile(join(root, 'a/b/w/one.md'), 'x');
  const { until } = await follow(join(root, 'a/b/w'), { above: root });
  await rename(join(root, 'a'), join(root, 'old'));
  await until('one.md');
  await mkdir(join(root, 'new/b/w'), { recursive: true });
  await writeFile(join(root, 'new/b/w/two.md'), 'x');
  await rename(join(root, 'new'), join(root, 'a'));
  await until('two.md');
});

test('a file that editors replace again and again', async () => {
  const { told, until } = await follow(root, { only: 'config.yaml' });
  for (let time = 0; time < 50; time += 1) {
    await writeFile(join(root, 'config.yaml~'), String(time));
    await rename(join(root, 'config.yaml~'), join(root, 'config.yaml'));
    await until('config.yaml');
  }
  await rm(join(root, 'config.yaml'));
  await until('config.yaml');
  expect(told).toEqual([]);
});

test('whole trees that come, are replaced and go, in whatever order: in the end every file has been told', async () => {
  await mkdir(join(root, 'w'));
  const { told } = await follow(join(root, 'w'));
  for (let round = 0; round < 5; round += 1) {
    for (const path of ['a/b/c/1.md', 'a/b/2.md', 'a/3.md', 'd/4.md']) {
      await mkdir(dirname(join(root, 'w', path)), { recursive: true });
      await writeFile(join(root, 'w', path), String(round));
    }
    await rename(join(root, 'w/a'), join(root, 'w/e'));
    await rm(join(root, 'w/e'), { recursive: true });
  }
  await mkdir(join(root, 'w/a/b/c'), { recursive: true });
  await Promise.all(
    ['a/b/c/1.md', 'a/b/2.md', 'a/3.md', 'd/4.md'].map((path) => writeFile(join(root, 'w', path), 'end')),
  );
  told.splice(0);
  await writeFile(join(root, 'w/last.md'), 'x');
  for (const path of ['a/b/c/1.md', 'a/b/2.md', 'a/3.md', 'd/4.md', 'last.md']) {
    // Each is told again when it is touched, so none has lost its watch.
    await writeFile(join(root, 'w', path), 'touched');
    await expect.poll(() => told).toContain(path);
  }
});

test('neighbours and temporary files are not told, and a failing listener stops nothing', async () => {
  const told: string[] = [];
  const second = deferred();
  const onChange = (path: string) => {
    told.push(path);
    if (path === 'b.md') second.resolve();
    throw new Error('listener');
  };
  await mkdir(join(root, 'w'));
  watches.push(await watchFolder(ctx, join(root, 'w'), onChange));
  await writeFile(join(root, 'beside.md'), 'x');
  await writeFile(join(root, 'w/.guild-hall-1-1.tmp'), 'x');
  await writeAtomically(join(root, 'w/a.md'), 'x');
  await writeAtomically(join(root, 'w/b.md'), 'x');
  await second.promise;
  expect(new Set(told)).toEqual(new Set(['a.md', 'b.md']));
});

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { type Diff, diffTrees, type DiffLimits } from './diff.ts';
import { git } from './run.ts';
import { changesInCheckout, withSnapshot } from './snapshot.ts';

const files = {
  '.gitignore': 'ignored.txt\n.lore/\n',
  'a.txt': 'one\ntwo\nthree\n',
  'gone.txt': 'gone\n',
  'same.txt': 'same\n',
  thing: 'a file\n',
  kind: 'a file\n',
  'run.sh': 'echo\n',
  'picture.bin': 'a\0b',
};
const limits: DiffLimits = { perFile: 1000, inAll: 10_000, files: 100 };

async function changedActivity() {
  const { ctx, activity } = await makeHallRepository({ files });
  const tree = await activity('one');
  writeFileSync(join(tree.path, 'a.txt'), 'one\n2\nthree\nfour\n');
  rmSync(join(tree.path, 'gone.txt'));
  writeFileSync(join(tree.path, 'same.txt'), 'same\n');
  writeFileSync(join(tree.path, 'new "quoted"\ndiff --git a b.txt'), 'new\rdiff --git a/x b/x\n');
  writeFileSync(join(tree.path, 'ignored.txt'), 'ignored\n');
  mkdirSync(join(tree.path, '.lore'));
  writeFileSync(join(tree.path, '.lore/note.md'), '# Note\n');
  rmSync(join(tree.path, 'thing'));
  mkdirSync(join(tree.path, 'thing'));
  writeFileSync(join(tree.path, 'thing/within.txt'), 'within\n');
  rmSync(join(tree.path, 'kind'));
  symlinkSync('/etc/passwd', join(tree.path, 'kind'));
  chmodSync(join(tree.path, 'run.sh'), 0o755);
  writeFileSync(join(tree.path, 'picture.bin'), 'a\0c');
  writeFileSync(join(tree.path, 'empty.txt'), '');
  return { ctx, tree };
}

const diffOf = async (
  { ctx, tree }: Awaited<ReturnType<typeof changedActivity>>,
  bounds: DiffLimits,
  leaveOut = (_path: string): boolean => false,
): Promise<Diff> =>
  await withSnapshot(ctx, tree.path, (aside, to) =>
    diffTrees(aside, tree.path, { from: 'HEAD', to, leaveOut }, bounds),
  );

const expected = [
  ['.lore/note.md', 'A'],
  ['a.txt', 'M'],
  ['empty.txt', 'A'],
  ['gone.txt', 'D'],
  ['kind', 'T'],
  ['new "quoted"\ndiff --git a b.txt', 'A'],
  ['picture.bin', 'M'],
  ['run.sh', 'M'],
  ['thing', 'D'],
  ['thing/within.txt', 'A'],
];

describe('what stands in a checkout', () => {
  test('differs from a revision by new, changed and deleted files, committed or not; looking changes nothing', async () => {
    const { ctx, tree } = await changedActivity();
    const base = tree.git('rev-parse', 'HEAD');
    const before = tree.git('status', '--porcelain');
    const index = readFileSync(tree.git('rev-parse', '--git-path', 'index'));
    const changes = await changesInCheckout(ctx, tree.path, base);
    expect(changes.map(({ path, status }) => [path, status])).toEqual(expected);
    const objects = tree.git('count-objects', '-v');
    const names = await withSnapshot(ctx, tree.path, (aside, snapshot) =>
      git(aside, tree.path, ['ls-tree', '-r', '--name-only', snapshot]),
    );
    expect(names.split('\n')).toContain('.lore/note.md');
    expect(tree.git('count-objects', '-v')).toBe(objects);
    expect(readdirSync(tree.git('rev-parse', '--absolute-git-dir')).join()).not.toContain('guild-hall-');
    expect(readFileSync(tree.git('rev-parse', '--git-path', 'index'))).toEqual(index);
    expect(tree.git('status', '--porcelain')).toBe(before);
    expect(tree.git('rev-parse', 'HEAD')).toBe(base);
    tree.git('add', '--all');
    tree.git('commit', '--quiet', '-m', 'All');
    tree.git('rm', '--quiet', '--cached', 'same.txt');
    const committed = await changesInCheckout(ctx, tree.path, base);
    expect(committed.map(({ path, status }) => [path, status])).toEqual(
      [...expected, ['same.txt', 'M']].toSorted((x, y) => (x[0]! < y[0]! ? -1 : 1)),
    );
  });

  test('no filter, diff program or text conversion of the repository is started by looking [SYS-GIT-HOOKS]', async () => {
    const { ctx, tree } = await changedActivity();
    const mark = join(tree.path, 'started');
    writeFileSync(join(tree.path, '.gitattributes'), '* diff=evil\n');
    tree.git('config', 'diff.evil.command', `touch ${mark} #`);
    tree.git('config', 'diff.evil.textconv', `touch ${mark} #`);
    tree.git('config', 'diff.external', `touch ${mark} #`);
    await changesInCheckout(ctx, tree.path, 'HEAD');
    await diffOf({ ctx, tree }, limits);
    expect(existsSync(mark)).toBe(false);
  });
});

describe('changes as text', () => {
  test('are told although something that git cannot take stands in the place of a file', async () => {
    const { ctx, tree } = await changedActivity();
    rmSync(join(tree.path, 'same.txt'));
    execFileSync('mkfifo', [join(tree.path, 'same.txt')]);
    const { files: shown } = await diffOf({ ctx, tree }, limits);
    expect(shown.map(({ path, status }) => [path, status])).toEqual(expected);
  });

  test('of every kind of file, each with its own', async () => {
    const { ctx, tree } = await changedActivity();
    const { files: shown, more } = await diffOf({ ctx, tree }, limits);
    expect(more).toBe(0);
    expect(shown.map(({ path, status }) => [path, status])).toEqual(expected);
    const byPath = new Map(shown.map((file) => [file.path, file]));
    expect(byPath.get('a.txt')).toMatchObject({ isBinary: false, isCut: false, added: 2, removed: 1 });
    expect(byPath.get('a.txt')?.text).toBe('@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n');
    expect(byPath.get('gone.txt')?.text).toBe('@@ -1 +0,0 @@\n-gone\n');
    expect(byPath.get('new "quoted"\ndiff --git a b.txt')?.text).toBe('@@ -0,0 +1 @@\n+new\rdiff --git a/x b/x\n');
    expect(byPath.get('.lore/note.md')?.text).toBe('@@ -0,0 +1 @@\n+# Note\n');
    expect(byPath.get('thing')?.text).toBe('@@ -1 +0,0 @@\n-a file\n');
    expect(byPath.get('thing/within.txt')?.text).toBe('@@ -0,0 +1 @@\n+within\n');
    expect(byPath.get('picture.bin')).toMatchObject({ isBinary: true, text: '', isCut: false });
    for (const path of ['empty.txt', 'run.sh'])
      expect(byPath.get(path)).toMatchObject({ isBinary: false, text: '', isCut: false, added: 0, removed: 0 });
    expect(byPath.get('kind')).toMatchObject({ text: '', isCut: true });
    expect(JSON.stringify(shown)).not.toContain('root:');
  });

  test('within bounds, at whole lines, and says what is cut', async () => {
    const { ctx, activity } = await makeHallRepository({ files: { 'a.txt': '' } });
    const tree = await activity('one');
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join('');
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) writeFileSync(join(tree.path, name), lines);
    writeFileSync(join(tree.path, 'e.txt'), 'x'.repeat(4 * 1024 * 1024 + 1));
    const small = { perFile: 1000, inAll: 2500, files: 100 };
    const { files: shown } = await diffOf({ ctx, tree }, small);
    for (const { text } of shown) {
      expect(text.length).toBeLessThanOrEqual(1000);
      expect(text === '' || text.endsWith('\n')).toBe(true);
    }
    expect(shown.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(2500);
    expect(shown.map(({ path, isCut, added }) => [path, isCut, added])).toEqual([
      ['a.txt', true, 500],
      ['b.txt', true, 500],
      ['c.txt', true, 500],
      ['d.txt', true, 500],
      ['e.txt', true, 0],
    ]);
    const leaveOut = (path: string): boolean => path === 'b.txt';
    const few = await diffOf({ ctx, tree }, { ...limits, files: 2 }, leaveOut);
    expect([few.files.map(({ path }) => path), few.more]).toEqual([['a.txt', 'c.txt'], 2]);
  });
});

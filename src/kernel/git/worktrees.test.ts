import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HallRepository, homeContext, makeHallRepository } from '../../../test/help/hall-repository.ts';
import { makeRepository, repositoryAt, tempFolder } from '../../../test/help/repositories.ts';
import { deleteBranch } from './branches.ts';
import { listWorktrees } from './listing.ts';
import { makingNotePath, writeMakingNote } from './marker.ts';
import { undoSparseConfig } from './sparse.ts';
import { addWorktree, type NewWorktree, ownsWorktree, removeWorktree } from './worktrees.ts';

function placeOf({ ctx, repo }: HallRepository, id = 'one'): NewWorktree {
  const path = join(ctx.home.root, 'worktrees', 'sample', `activity-${id}`);
  return {
    repo: repo.path,
    path,
    branch: `claude/activity/${id}`,
    startPoint: 'claude/main',
    scope: 'full',
    owner: id,
  };
}

const files = { 'README.md': 'x\n', '.lore/notes/a b.md': 'note\n', 'src/deep/main.ts': 'code\n' };

describe('a worktree', () => {
  test('in full has every file, and its branch at the start', async () => {
    const hall = await makeHallRepository({ files });
    const place = placeOf(hall);
    expect(await addWorktree(hall.ctx, place)).toEqual({ changedSettings: false });
    const tree = repositoryAt(place.path);
    expect(tree.git('ls-files').split('\n')).toHaveLength(3);
    expect(existsSync(join(place.path, 'src/deep/main.ts'))).toBe(true);
    expect(tree.git('status', '--porcelain')).toBe('');
    expect(tree.git('rev-parse', 'HEAD')).toBe(hall.hall.git('rev-parse', 'claude/main'));
    expect(await ownsWorktree(hall.ctx, place)).toBe(true);
    expect(await ownsWorktree(hall.ctx, { path: place.path, owner: 'two' })).toBe(false);
    expect(readdirSync(dirname(place.path))).toEqual(['activity-one']);
  });

  test('that is sparse has only .lore/, and says that it changed the repository’s settings', async () => {
    const hall = await makeHallRepository({ files });
    const config = readFileSync(join(hall.repo.path, '.git/config'), 'utf8');
    const folder = readdirSync(join(hall.repo.path, '.git')).filter((name) => name !== 'worktrees');
    const place = placeOf(hall);
    expect(await addWorktree(hall.ctx, { ...place, scope: 'sparse' })).toEqual({ changedSettings: true });
    expect(readdirSync(place.path).toSorted()).toEqual(['.git', '.lore']);
    expect(repositoryAt(place.path).git('status', '--porcelain')).toBe('');
    const second = { ...placeOf(hall, 'two'), scope: 'sparse' } as const;
    expect(await addWorktree(hall.ctx, second)).toEqual({ changedSettings: false });
    expect(repositoryAt(second.path).git('ls-files', '-t', 'README.md')).toBe('S README.md');
    expect(hall.repo.git('status', '--porcelain')).toBe('');

    expect(await undoSparseConfig(hall.ctx, hall.repo.path)).toBe(false);
    await removeWorktree(hall.ctx, place);
    await removeWorktree(hall.ctx, second);
    expect(await undoSparseConfig(hall.ctx, hall.repo.path)).toBe(true);
    expect(await undoSparseConfig(hall.ctx, hall.repo.path)).toBe(false);
    expect(readFileSync(join(hall.repo.path, '.git/config'), 'utf8')).toBe(config);
    expect(readdirSync(join(hall.repo.path, '.git')).filter((name) => name !== 'worktrees')).toEqual(folder);
  });

  test('that is sparse in a repository without .lore/ is empty', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a' } });
    const tree = await hall.activity('one', 'sparse');
    expect(readdirSync(tree.path)).toEqual(['.git']);
    expect(tree.git('status', '--porcelain')).toBe('');
  });

  test.each(['cone', 'no-cone', 'legacy'])(
    'of a repository that is sparse itself (%s) has every file in full, and .lore/ when sparse',
    async (kind) => {
      const hall = await makeHallRepository({ files });
      if (kind === 'legacy') {
        hall.repo.git('config', 'core.sparseCheckout', 'true');
        writeFileSync(join(hall.repo.path, '.git/info/sparse-checkout'), 'src/\n');
        hall.repo.git('read-tree', '-m', '-u', 'HEAD');
      } else {
        hall.repo.git('sparse-checkout', 'set', `--${kind}`, 'src');
        hall.repo.git('config', 'index.sparse', 'true');
      }
      const config = readFileSync(join(hall.repo.path, '.git/config'), 'utf8');
      const full = await hall.activity('one');
      expect(readdirSync(full.path, { recursive: true })).toEqual(expect.arrayContaining(Object.keys(files)));
      expect(full.git('status', '--porcelain')).toBe('');
      expect(full.git('ls-files', '-t')).not.toContain('S ');
      expect(readFileSync(join(hall.repo.path, '.git/config'), 'utf8')).toBe(config);
      const sparse = await hall.activity('two', 'sparse');
      expect(readdirSync(sparse.path).toSorted()).toEqual(['.git', '.lore']);
      expect(hall.repo.git('sparse-checkout', 'list')).toMatch(/^src\/?$/);
      expect(existsSync(join(hall.repo.path, 'README.md'))).toBe(kind === 'cone');
      full.git('switch', '--quiet', '--detach', 'HEAD');
      expect(existsSync(join(full.path, 'README.md'))).toBe(true);
    },
  );

  test('made a second time for the same owner stays as it is', async () => {
    const hall = await makeHallRepository({ files });
    const tree = await hall.activity('one');
    tree.write({ 'work.md': 'not committed' });
    await hall.activity('one');
    expect(readFileSync(join(tree.path, 'work.md'), 'utf8')).toBe('not committed');
    await expect(addWorktree(hall.ctx, { ...placeOf(hall), owner: 'two' })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('whose folder was deleted by hand is made again on its branch', async () => {
    const hall = await makeHallRepository({ files });
    const tree = await hall.activity('one');
    tree.commit('work', { 'work.md': 'committed' });
    tree.git('worktree', 'lock', tree.path);
    rmSync(tree.path, { recursive: true });
    await addWorktree(hall.ctx, { ...placeOf(hall), startPoint: tree.branch });
    expect(readFileSync(join(tree.path, 'work.md'), 'utf8')).toBe('committed');
    expect(await listWorktrees(hall.ctx, hall.repo.path)).toHaveLength(3);
  });

  test('is refused where somebody else’s folder or branch is', async () => {
    const hall = await makeHallRepository({ files });
    const place = placeOf(hall);
    mkdirSync(place.path, { recursive: true });
    writeFileSync(join(place.path, 'mine.txt'), 'mine');
    await expect(addWorktree(hall.ctx, place)).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(join(place.path, 'mine.txt'), 'utf8')).toBe('mine');

    const taken = placeOf(hall, 'two');
    hall.repo.git('checkout', '--quiet', '--orphan', 'claude/activity/two');
    hall.repo.commit('other', { 'other.md': 'x' });
    hall.repo.git('checkout', '--quiet', 'main');
    await expect(addWorktree(hall.ctx, taken)).rejects.toMatchObject({
      message: expect.stringContaining('other work'),
    });
    expect(existsSync(taken.path)).toBe(false);
  });

  test('is made and removed only below the home, also where a link leads out of it', async () => {
    const hall = await makeHallRepository({ files });
    const outside = join(await tempFolder(), 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(hall.ctx.home.root, 'link'));
    const root = hall.ctx.home.root;
    for (const path of [outside, join(root, 'link', 'x'), root, join(root, '..', 'x'), 'relative/x']) {
      const refused = { code: 'forbidden' };
      await expect(addWorktree(hall.ctx, { ...placeOf(hall), path })).rejects.toMatchObject(refused);
      await expect(removeWorktree(hall.ctx, { ...placeOf(hall), path })).rejects.toMatchObject(refused);
    }
    expect(existsSync(outside)).toBe(true);
  });
});

describe('removing a worktree', () => {
  test('takes everything in it, keeps the branch, and is fine twice', async () => {
    const hall = await makeHallRepository({ files });
    const tree = await hall.activity('one');
    tree.write({ 'work.md': 'x', 'locked/in.txt': 'x' });
    const outside = join(await tempFolder(), 'precious.txt');
    writeFileSync(outside, 'precious');
    symlinkSync(dirname(outside), join(tree.path, 'link'));
    chmodSync(join(tree.path, 'locked'), 0o500);
    await removeWorktree(hall.ctx, placeOf(hall));
    await removeWorktree(hall.ctx, placeOf(hall));
    expect(existsSync(tree.path)).toBe(false);
    expect(readFileSync(outside, 'utf8')).toBe('precious');
    expect(hall.repo.git('branch', '--list', tree.branch)).toContain(tree.branch);
    expect(await listWorktrees(hall.ctx, hall.repo.path)).toHaveLength(2);
  });

  test('is refused to all but its owner', async () => {
    const hall = await makeHallRepository({ files });
    const tree = await hall.activity('one');
    const refused = removeWorktree(hall.ctx, { ...placeOf(hall), owner: 'two' });
    await expect(refused).rejects.toMatchObject({ code: 'conflict', details: { madeFor: 'one' } });
    expect(existsSync(join(tree.path, 'README.md'))).toBe(true);
    const stranger = join(hall.ctx.home.root, 'worktrees', 'stranger');
    hall.repo.git('worktree', 'add', '--quiet', '-b', 'theirs', stranger);
    await expect(removeWorktree(hall.ctx, { ...placeOf(hall), path: stranger })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(existsSync(stranger)).toBe(true);
  });

  test('works when the folder, or the link in it, is gone; others’ stale registrations stay', async () => {
    const hall = await makeHallRepository({ files });
    const gone = await hall.activity('one');
    const cut = await hall.activity('two');
    const theirs = join(await tempFolder(), 'on-a-stick');
    hall.repo.git('worktree', 'add', '--quiet', '-b', 'theirs', theirs);
    rmSync(theirs, { recursive: true });
    rmSync(gone.path, { recursive: true });
    rmSync(join(cut.path, '.git'));
    await removeWorktree(hall.ctx, placeOf(hall, 'one'));
    await removeWorktree(hall.ctx, placeOf(hall, 'two'));
    expect(existsSync(cut.path)).toBe(false);
    const left = await listWorktrees(hall.ctx, hall.repo.path);
    expect(new Map(left.map(({ path, isStale }) => [path, isStale]))).toEqual(
      new Map([
        [hall.repo.path, false],
        [hall.hall.path, false],
        [theirs, true],
      ]),
    );
  });

  test('a link set by an agent to another worktree leads nobody there', async () => {
    const hall = await makeHallRepository({ files });
    const one = await hall.activity('one');
    const two = await hall.activity('two');
    writeFileSync(join(one.path, '.git'), readFileSync(join(two.path, '.git'), 'utf8'));
    await removeWorktree(hall.ctx, placeOf(hall, 'one'));
    expect(existsSync(one.path)).toBe(false);
    expect(await ownsWorktree(hall.ctx, placeOf(hall, 'two'))).toBe(true);
  });
});

describe('half-made worktrees', () => {
  async function halfMade(hall: HallRepository, steps: number): Promise<NewWorktree> {
    const place = placeOf(hall);
    await writeMakingNote(place.path, { owner: place.owner, branch: place.branch });
    if (steps > 0) hall.repo.git('branch', place.branch, 'claude/main');
    if (steps > 1) hall.repo.git('worktree', 'add', '--quiet', '--no-checkout', place.path, place.branch);
    if (steps > 2) hall.repo.git('worktree', 'lock', '--reason', 'initializing', place.path);
    if (steps > 3) rmSync(join(place.path, '.git'));
    return place;
  }

  test.each([0, 1, 2, 3, 4])('after %i steps can be made again by the same owner', async (steps) => {
    const hall = await makeHallRepository({ files });
    const place = await halfMade(hall, steps);
    await addWorktree(hall.ctx, place);
    expect(repositoryAt(place.path).git('status', '--porcelain', '--branch')).toBe('## claude/activity/one');
    expect(await ownsWorktree(hall.ctx, place)).toBe(true);
    expect(existsSync(makingNotePath(place.path))).toBe(false);
  });

  test.each([0, 1, 2, 3, 4])('after %i steps can be removed by the same owner, and only by it', async (steps) => {
    const hall = await makeHallRepository({ files });
    const place = await halfMade(hall, steps);
    if (steps > 1) {
      await expect(removeWorktree(hall.ctx, { ...place, owner: 'two' })).rejects.toMatchObject({ code: 'conflict' });
    }
    await removeWorktree(hall.ctx, place);
    expect(existsSync(place.path) || existsSync(makingNotePath(place.path))).toBe(false);
    expect(await listWorktrees(hall.ctx, hall.repo.path)).toHaveLength(2);
  });
});

describe('moved', () => {
  test('repository: its worktrees are linked again, with what was in them', async () => {
    const hall = await makeHallRepository({ files });
    const tree = await hall.activity('one');
    tree.write({ 'work.md': 'not committed' });
    const moved = join(await tempFolder(), 'moved');
    renameSync(hall.repo.path, moved);
    await addWorktree(hall.ctx, { ...placeOf(hall), repo: moved });
    expect(tree.git('status', '--porcelain')).toBe('?? work.md');
  });

  test('home: likewise; a copy of a worktree is not taken for it', async () => {
    const hall = await makeHallRepository({ files });
    const tree = await hall.activity('one');
    tree.write({ 'work.md': 'not committed' });
    const copy = placeOf(hall, 'copy');
    cpSync(tree.path, copy.path, { recursive: true });
    await expect(addWorktree(hall.ctx, { ...copy, owner: 'one', branch: tree.branch })).rejects.toMatchObject({
      code: 'conflict',
    });
    const root = join(await tempFolder(), 'new-home');
    renameSync(hall.ctx.home.root, root);
    const place = { ...placeOf(hall), path: join(root, 'worktrees', 'sample', 'activity-one') };
    await addWorktree({ ...hall.ctx, home: { root } }, place);
    expect(repositoryAt(place.path).git('status', '--porcelain')).toBe('?? work.md');
  });
});

test('a person’s repository with an odd path and odd names works', async () => {
  const ctx = await homeContext();
  const path = join(await tempFolder(), "it's a – folder\twith $(odd) name");
  const repo = await makeRepository({ path, files: { '-dash.md': 'a', 'ü ß.md': 'b' } });
  const place = join(ctx.home.root, 'worktrees', 'x');
  await addWorktree(ctx, {
    repo: path,
    path: place,
    branch: 'claude/x',
    startPoint: 'HEAD',
    scope: 'full',
    owner: 'x',
  });
  expect(readFileSync(join(place, '-dash.md'), 'utf8')).toBe('a');
  expect((await listWorktrees(ctx, path)).map((entry) => entry.branch)).toEqual(['main', 'claude/x']);
  await removeWorktree(ctx, { repo: repo.path, path: place, owner: 'x' });
});

test('a registration whose removal was broken off is cleared by the next try, and by nobody else', async () => {
  const hall = await makeHallRepository({ files });
  const place = placeOf(hall);
  await addWorktree(hall.ctx, place);
  const gitDir = repositoryAt(place.path).git('rev-parse', '--absolute-git-dir');
  rmSync(place.path, { recursive: true });
  rmSync(join(gitDir, 'gitdir'));
  await removeWorktree(hall.ctx, { ...place, owner: 'two' });
  expect(existsSync(gitDir)).toBe(true);
  await removeWorktree(hall.ctx, place);
  expect(existsSync(gitDir)).toBe(false);
  expect(await deleteBranch(hall.ctx, hall.repo.path, place.branch, hall.repo.git('rev-parse', place.branch))).toBe(
    'deleted',
  );
});

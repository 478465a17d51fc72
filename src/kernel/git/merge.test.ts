import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HallRepository, makeHallRepository } from '../../../test/help/hall-repository.ts';
import {
  makeRepository,
  manyCommits,
  repositoryAt,
  tempFolder,
  type TestRepository,
} from '../../../test/help/repositories.ts';
import { moveBranch } from './checkout.ts';
import { commitAll, commitFiles } from './commit.ts';
import { followIntegration } from './follow.ts';
import { squashMerge, type SquashOutcome, type SquashRequest } from './merge.ts';
import { changedFiles, readBytesAt, readFileAt } from './read.ts';

const text = { message: 'Work of one', trailer: 'activity one' };

function squash(
  hall: HallRepository,
  activity: { branch: string },
  more: Partial<SquashRequest> = {},
): Promise<SquashOutcome> {
  return squashMerge(hall.ctx, {
    repo: hall.repo.path,
    integrationBranch: hall.branch,
    integrationWorktree: hall.hall.path,
    activityBranch: activity.branch,
    overlay: {},
    ...text,
    ...more,
  });
}

function read(tree: TestRepository, path: string): string {
  return readFileSync(join(tree.path, path), 'utf8');
}

describe('finished work becomes one commit', () => {
  test('of the integration branch, with all of it; the checkout follows; the person’s branch does not move [SYS-GIT-MAIN, SYS-GIT-SQUASH]', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c'.repeat(99) } });
    const main = hall.repo.git('rev-parse', 'main');
    const one = await hall.activity('one');
    one.commit('1', { 'a.md': 'a1', 'bin.dat': Buffer.from([0, 255, 10, 13, 0]), run: { executable: 'x' } });
    one.git('rm', '--quiet', 'b.md');
    one.git('mv', 'c.md', 'moved.md');
    one.commit('2', { 'a.md': 'a2', link: { link: '../../etc' } });
    const before = hall.hall.git('rev-parse', 'HEAD');
    const merged = await squash(hall, one);
    const commit = hall.hall.git('rev-parse', 'claude/main');
    const activityTip = one.git('rev-parse', 'HEAD');
    expect(merged).toEqual({ kind: 'merged', commit, activityTip, isEmpty: false, keptLocal: [] });
    expect(hall.hall.git('rev-list', '--parents', '-1', commit)).toBe(`${commit} ${before}`);
    expect(hall.hall.git('log', '-1', '--format=%an: %B')).toBe(
      `Test Person: Work of one\n\nGuild-Hall: activity one\nGuild-Hall-Tip: ${activityTip}\n`,
    );
    expect(hall.hall.git('rev-parse', 'HEAD^{tree}')).toBe(one.git('rev-parse', 'HEAD^{tree}'));
    expect(hall.hall.git('status', '--porcelain')).toBe('');
    expect(lstatSync(join(hall.hall.path, 'run')).mode & 0o111).not.toBe(0);
    expect(lstatSync(join(hall.hall.path, 'link')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(hall.hall.path, 'b.md'))).toBe(false);
    expect(hall.repo.git('rev-parse', 'main')).toBe(main);
    expect(hall.repo.git('status', '--porcelain', '--branch')).toBe('## main');
  });

  test('of two activities, one after the other; then nothing is left to merge again', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n', 'b.md': 'b\n' } });
    const [one, two] = [await hall.activity('one'), await hall.activity('two')];
    one.commit('x', { 'a.md': 'one\n' });
    two.commit('x', { 'b.md': 'two\n' });
    const first = await squash(hall, one);
    await squash(hall, two);
    expect([read(hall.hall, 'a.md'), read(hall.hall, 'b.md')]).toEqual(['one\n', 'two\n']);
    const again = await squash(hall, one);
    expect(again).toMatchObject({ kind: 'merged', isEmpty: true, commit: first.kind === 'merged' && first.commit });
    expect(hall.hall.git('rev-list', '--count', 'HEAD')).toBe('3');
  });

  test('once, also when it is repeated after the same lines were changed again', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n' } });
    const one = await hall.activity('one');
    one.commit('x', { 'a.md': 'one\n' });
    const first = await squash(hall, one);
    hall.hall.write({ 'a.md': 'later\n' });
    await commitFiles(hall.ctx, { ...text, worktree: hall.hall.path, paths: ['a.md'] });
    expect(await squash(hall, one)).toMatchObject({ isEmpty: true, commit: first.kind === 'merged' && first.commit });
    expect(read(hall.hall, 'a.md')).toBe('later\n');
  });

  test('leaves a file of the checkout that git is told to ignore as it is, and what lies in the way of a new folder', async () => {
    const hall = await makeHallRepository({ files: { '.gitignore': 'own.md\nkept\n' } });
    hall.hall.write({ 'own.md': 'mine\n', kept: 'mine\n' });
    const one = await hall.activity('one');
    one.commit('x', { '.gitignore': '', 'own.md': 'forged\n', 'kept/deep.md': 'forged\n', 'plain.md': 'new\n' });
    const merged = await squash(hall, one);
    expect(merged).toMatchObject({ kind: 'merged', keptLocal: ['kept/deep.md', 'own.md'] });
    expect([read(hall.hall, 'own.md'), read(hall.hall, 'kept')]).toEqual(['mine\n', 'mine\n']);
    expect(read(hall.hall, 'plain.md')).toBe('new\n');
  });

  test('is not taken for done because somebody wrote the same words in a title or a text', async () => {
    const hall = await makeHallRepository();
    const one = await hall.activity('one');
    const tip = one.commit('x', { 'a.md': 'one\n' });
    const words = `Guild-Hall-Tip: ${tip}`;
    hall.hall.commit(`About ${words}`, { 'b.md': 'b' });
    hall.hall.commit(`T\n\nsee ${words}\n\n${words}\n\nGuild-Hall: x`, { 'c.md': 'c' });
    expect(await squash(hall, one)).toMatchObject({ kind: 'merged', isEmpty: false });
    expect(read(hall.hall, 'a.md')).toBe('one\n');
  });

  test('or none when there was nothing to do', async () => {
    const hall = await makeHallRepository();
    const one = await hall.activity('one');
    const tip = hall.hall.git('rev-parse', 'HEAD');
    expect(await squash(hall, one)).toMatchObject({ kind: 'merged', isEmpty: true, commit: tip });
    expect(await squash(hall, { branch: hall.branch })).toMatchObject({ kind: 'merged', isEmpty: true, commit: tip });
    expect(hall.hall.git('rev-parse', 'HEAD')).toBe(tip);
  });
});

describe('a conflict', () => {
  test('changes nothing at all, and names the files [SYS-GIT-CONFLICT]', async () => {
    const hall = await makeHallRepository({ files: { 'ü b.md': 'a\n', 'gone.md': 'g\n', 'dir/x': 'x' } });
    const one = await hall.activity('one');
    one.git('rm', '--quiet', '-r', 'dir');
    one.commit('x', { 'ü b.md': 'one\n', 'gone.md': 'changed\n', dir: 'a file now' });
    rmSync(join(hall.hall.path, 'gone.md'));
    hall.hall.commit('y', { 'ü b.md': 'other\n', 'dir/y': 'y' });
    hall.hall.write({ 'record.md': 'being written' });
    const before = hall.hall.git('rev-parse', 'HEAD');
    const outcome = await squash(hall, one);
    expect(outcome).toMatchObject({ kind: 'conflict', activityTip: one.git('rev-parse', 'HEAD') });
    expect(outcome.kind === 'conflict' && outcome.files).toEqual(expect.arrayContaining(['gone.md', 'ü b.md']));
    expect(hall.hall.git('rev-parse', 'HEAD')).toBe(before);
    expect(hall.hall.git('status', '--porcelain')).toBe('?? record.md');
    expect(one.git('status', '--porcelain')).toBe('');
  });

  test('is gone when the person has settled it on the activity’s branch', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n' } });
    const one = await hall.activity('one');
    one.commit('x', { 'a.md': 'one\n' });
    hall.hall.commit('y', { 'a.md': 'other\n' });
    expect((await squash(hall, one)).kind).toBe('conflict');
    expect(() => one.git('merge', '--quiet', hall.branch)).toThrow(/CONFLICT|conflict|failed/);
    one.commit('settled', { 'a.md': 'both\n' });
    expect((await squash(hall, one)).kind).toBe('merged');
    expect(read(hall.hall, 'a.md')).toBe('both\n');
  });
});

describe('files that the integration side decides alone', () => {
  const record = '.lore/records/-one.md';

  test('win over whatever the activity did to them, and bring the last text in the same commit', async () => {
    const hall = await makeHallRepository({ files: { [record]: 'requested\n' } });
    const one = await hall.activity('one');
    one.commit('x', { [record]: 'forged\n', 'work.md': 'work\n' });
    hall.hall.commit('open', { [record]: 'open\n' });
    writeFileSync(join(hall.hall.path, record), 'closed\n');
    const merged = await squash(hall, one, { overlay: { [record]: 'closed\n' } });
    expect(merged).toMatchObject({ kind: 'merged', keptLocal: [] });
    expect(await readFileAt(hall.ctx, hall.repo.path, hall.branch, record)).toBe('closed\n');
    expect(read(hall.hall, 'work.md')).toBe('work\n');
    expect(hall.hall.git('status', '--porcelain')).toBe('');
    const changed = await changedFiles(hall.ctx, hall.repo.path, `${hall.branch}^`, hall.branch);
    expect(changed.map(({ path }) => path)).toEqual([record, 'work.md']);
  });

  test('win also where the activity deleted them, or made a folder or a link of them', async () => {
    for (const damage of ['delete', 'folder', 'link']) {
      const hall = await makeHallRepository({ files: { [record]: 'requested\n' } });
      const one = await hall.activity('one');
      rmSync(join(one.path, record));
      if (damage === 'folder') one.write({ [`${record}/inner.md`]: 'x' });
      if (damage === 'link') one.write({ [record]: { link: '/etc/passwd' } });
      one.commit('x', { 'work.md': 'work\n' });
      hall.hall.commit('open', { [record]: 'open\n' });
      expect(await squash(hall, one, { overlay: { [record]: 'closed\n' } })).toMatchObject({ kind: 'merged' });
      expect(hall.hall.git('ls-tree', '-r', '--name-only', '-z', hall.branch)).toBe(`${record}\0work.md\0`);
      expect(read(hall.hall, record)).toBe('closed\n');
      expect(hall.hall.git('status', '--porcelain')).toBe('');
    }
  });

  test('do not hide a true conflict beside them', async () => {
    const hall = await makeHallRepository({ files: { [record]: 'requested\n', 'a.md': 'a\n' } });
    const one = await hall.activity('one');
    one.commit('x', { [record]: 'forged\n', 'a.md': 'one\n' });
    hall.hall.commit('open', { [record]: 'open\n', 'a.md': 'other\n' });
    expect(await squash(hall, one, { overlay: { [record]: 'z' } })).toMatchObject({
      kind: 'conflict',
      files: ['a.md'],
    });
  });

  test('are written when the checkout has an older text, or nothing; a newer text there stays', async () => {
    const hall = await makeHallRepository({ files: { 'old.md': 'old', 'newer.md': 'old' } });
    const one = await hall.activity('one');
    hall.hall.write({ 'newer.md': 'newer' });
    const merged = await squash(hall, one, { overlay: { 'old.md': 'last', 'absent.md': 'last', 'newer.md': 'last' } });
    expect(merged).toMatchObject({ keptLocal: ['newer.md'], isEmpty: false });
    expect(['old.md', 'absent.md', 'newer.md'].map((path) => read(hall.hall, path))).toEqual(['last', 'last', 'newer']);
    expect(hall.hall.git('status', '--porcelain')).toBe(' M newer.md');
  });

  test('and paths that are left behind do not come over, whatever was done to them', async () => {
    const hall = await makeHallRepository({ files: { 'keep/a.md': 'a\n', 'keep/b.md': 'b\n' } });
    const one = await hall.activity('one');
    rmSync(join(one.path, 'keep/b.md'));
    one.commit('x', { 'keep/a.md': 'one\n', 'keep/new.md': 'n', 'scratch.txt': 's', 'work.md': 'w' });
    hall.hall.commit('y', { 'keep/a.md': 'other\n' });
    expect(await squash(hall, one, { dropPaths: ['keep', 'scratch.txt'] })).toMatchObject({ kind: 'merged' });
    expect(hall.hall.git('ls-files')).toBe('keep/a.md\nkeep/b.md\nwork.md');
    expect(read(hall.hall, 'keep/a.md')).toBe('other\n');
  });
});

describe('the checkout follows without losing anything', () => {
  test('records that are being written, and files git does not know, stay', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a', '.lore/two.md': 'open' } });
    const one = await hall.activity('one');
    one.commit('x', { 'a.md': 'one', 'dir/new.md': 'n' });
    hall.hall.write({ '.lore/two.md': 'open, being written', 'unknown.md': 'u', 'dir/own.md': 'o' });
    expect(await squash(hall, one)).toMatchObject({ keptLocal: [] });
    expect(hall.hall.git('status', '--porcelain')).toBe(' M .lore/two.md\n?? dir/own.md\n?? unknown.md');
    expect(read(hall.hall, '.lore/two.md')).toBe('open, being written');
  });

  test('what both sides touched stays as it stands there, and is told', async () => {
    const names = ['both.md', 'deleted by work.md', 'new in both.md', 'now a folder', 'was a folder'];
    const files = {
      'both.md': 'b\n',
      'deleted by work.md': 'd',
      'now a folder': 'f',
      'was a folder/x': 'x',
      'z.md': 'z',
    };
    const hall = await makeHallRepository({ files });
    const one = await hall.activity('one');
    for (const gone of ['deleted by work.md', 'now a folder', 'was a folder/x']) rmSync(join(one.path, gone));
    rmSync(join(one.path, 'was a folder'), { recursive: true });
    one.write({
      'both.md': 'work\n',
      'new in both.md': 'work',
      'now a folder/in.md': 'in',
      'was a folder': 'file now',
    });
    one.commit('x', { 'z.md': 'work' });
    hall.hall.write({
      'both.md': 'b, and mine\n',
      'deleted by work.md': 'mine',
      'new in both.md': 'mine',
      'now a folder': 'mine',
      'was a folder/own.md': 'mine',
    });
    const merged = await squash(hall, one);
    expect(merged.kind === 'merged' && merged.keptLocal.toSorted()).toEqual([
      'both.md',
      'deleted by work.md',
      'new in both.md',
      'now a folder',
      'now a folder/in.md',
      'was a folder',
    ]);
    expect(read(hall.hall, 'z.md')).toBe('work');
    const mine = names
      .map((name) => (name === 'was a folder' ? `${name}/own.md` : name))
      .map((path) => read(hall.hall, path));
    expect(mine).toEqual(['b, and mine\n', 'mine', 'mine', 'mine', 'mine']);
    expect(await readFileAt(hall.ctx, hall.repo.path, hall.branch, 'both.md')).toBe('work\n');
    // What was kept can be committed as what it is: a change on top of the work.
    await commitFiles(hall.ctx, { ...text, worktree: hall.hall.path, paths: ['both.md'] });
    expect(await readFileAt(hall.ctx, hall.repo.path, hall.branch, 'both.md')).toBe('b, and mine\n');
  });

  test('a file that was only touched, or already holds the new text, is no change of anybody', async () => {
    const hall = await makeHallRepository({ files: { 'touched.md': 't', 'same.md': 's' } });
    const one = await hall.activity('one');
    one.commit('x', { 'touched.md': 'work', 'same.md': 'work' });
    utimesSync(join(hall.hall.path, 'touched.md'), 1, 1);
    hall.hall.write({ 'same.md': 'work' });
    expect(await squash(hall, one)).toMatchObject({ keptLocal: [] });
    expect(hall.hall.git('status', '--porcelain')).toBe('');
    expect(read(hall.hall, 'touched.md')).toBe('work');
  });

  test('a link in the place of a folder is not followed', async () => {
    const hall = await makeHallRepository({ files: { 'dir/a.md': 'a' } });
    const outside = await tempFolder();
    writeFileSync(join(outside, 'a.md'), 'precious');
    writeFileSync(join(outside, 'b.md'), 'precious');
    const one = await hall.activity('one');
    one.commit('x', { 'dir/a.md': 'work', 'dir/b.md': 'work' });
    rmSync(join(hall.hall.path, 'dir'), { recursive: true });
    symlinkSync(outside, join(hall.hall.path, 'dir'));
    expect((await squash(hall, one)).kind).toBe('merged');
    expect([readFileSync(join(outside, 'a.md'), 'utf8'), readFileSync(join(outside, 'b.md'), 'utf8')]).toEqual([
      'precious',
      'precious',
    ]);
  });

  test.each([
    ['nothing', () => {}],
    ['a file cut off in the middle', (path: string) => writeFileSync(join(path, 'a.md'), 'work, lo')],
    ['an empty file', (path: string) => writeFileSync(join(path, 'a.md'), '')],
    ['a file that is missing', (path: string) => rmSync(join(path, 'a.md'))],
    ['half of the files', (path: string) => writeFileSync(join(path, 'new.md'), 'new')],
  ])('after a crash between the move and the last file, with %s written', async (_, crash) => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a', 'b.md': 'b', 'gone.md': 'g' } });
    const one = await hall.activity('one');
    rmSync(join(one.path, 'gone.md'));
    const tip = one.commit('x', { 'a.md': 'work, long and more', 'new.md': 'new', 'c.md': 'c' });
    hall.hall.write({ 'b.md': 'being written', 'own.md': 'own' });
    hall.repo.git('update-ref', 'refs/heads/claude/main', tip);
    crash(hall.hall.path);
    const follow = { integrationWorktree: hall.hall.path, branch: hall.branch };
    expect(await followIntegration(hall.ctx, follow)).toEqual({ keptLocal: [] });
    expect(hall.hall.git('status', '--porcelain')).toBe(' M b.md\n?? own.md');
    expect(read(hall.hall, 'a.md')).toBe('work, long and more');
    expect(await followIntegration(hall.ctx, follow)).toEqual({ keptLocal: [] });
  });
});

describe('a checkout that a crash left behind', () => {
  test.each(['with reflogs off', 'with its reflog cleared before the move'])(
    'a move of very many commits, %s, follows later',
    async (how) => {
      const hall = await makeHallRepository({ files: { 'a.md': 'a', 'gone.md': 'g' } });
      if (how === 'with reflogs off') hall.repo.git('config', 'core.logAllRefUpdates', 'false');
      hall.repo.git('reflog', 'expire', '--expire=all', '--all');
      const ref = `refs/heads/${hall.branch}`;
      hall.repo.git('rm', '--quiet', 'gone.md');
      const tip = manyCommits(hall.repo, hall.repo.commit('theirs', { 'a.md': 'new' }), 210);
      const from = hall.hall.git('rev-parse', 'HEAD');
      expect(await moveBranch(hall.ctx, hall.repo.path, { ref, from, to: tip, why: 'sync' })).toBe(true);
      hall.hall.write({ 'own.md': 'own' });
      const follow = { integrationWorktree: hall.hall.path, branch: hall.branch };
      expect(await followIntegration(hall.ctx, follow)).toEqual({ keptLocal: [] });
      expect(hall.hall.git('status', '--porcelain')).toBe('?? own.md');
      expect(read(hall.hall, 'a.md')).toBe('new');
    },
  );

  test('although the branch was moved several times since', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a' } });
    let from = hall.hall.git('rev-parse', 'HEAD');
    for (const round of [1, 2, 3]) {
      const to = manyCommits(hall.repo, hall.repo.commit('theirs', { 'a.md': `${round}` }), 210);
      await moveBranch(hall.ctx, hall.repo.path, { ref: `refs/heads/${hall.branch}`, from, to, why: 'sync' });
      hall.repo.git('reset', '--quiet', '--hard', to);
      from = to;
    }
    const follow = { integrationWorktree: hall.hall.path, branch: hall.branch };
    expect(await followIntegration(hall.ctx, follow)).toEqual({ keptLocal: [] });
    expect(read(hall.hall, 'a.md')).toBe('3');
  });
});

describe('what may stand in the way', () => {
  test('the person has the integration branch checked out: refused before anything moves', async () => {
    const hall = await makeHallRepository();
    const one = await hall.activity('one');
    one.commit('x', { 'a.md': 'a' });
    hall.repo.git('checkout', '--quiet', '--ignore-other-worktrees', hall.branch);
    await expect(squash(hall, one)).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('switch'),
    });
    hall.repo.git('checkout', '--quiet', 'main');
    expect((await squash(hall, one)).kind).toBe('merged');
  });

  test('somebody moves the branch at the same time: the merge is computed anew', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n' } });
    const one = await hall.activity('one');
    one.commit('x', { 'a.md': 'one\n' });
    // The lock on the branch makes the merge wait at its last step; while it waits, somebody else is faster.
    const lock = join(hall.repo.path, '.git/refs/heads/claude/main.lock');
    mkdirSync(join(lock, '..'), { recursive: true });
    writeFileSync(lock, '');
    const other = join(await tempFolder(), 'other');
    hall.repo.git('worktree', 'add', '--quiet', '--detach', other, hall.branch);
    const moved = repositoryAt(other).commit('theirs', { 'b.md': 'b\n' });
    let waited = 0;
    const clock = {
      ...hall.ctx.clock,
      sleep: async (): Promise<void> => {
        waited += 1;
        rmSync(lock, { force: true });
        if (waited === 1) hall.repo.git('update-ref', 'refs/heads/claude/main', moved);
      },
    };
    expect(await squash({ ...hall, ctx: { ...hall.ctx, clock } }, one)).toMatchObject({ kind: 'merged' });
    expect(waited).toBeGreaterThan(0);
    expect([read(hall.hall, 'a.md'), read(hall.hall, 'b.md')]).toEqual(['one\n', 'b\n']);
    expect(hall.hall.git('rev-list', '--count', 'HEAD')).toBe('3');
  });

  test('submodules and large-file pointers come over as what they are', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n';
    const files = { 'a.md': 'a', 'big.bin': pointer, '.gitattributes': '*.bin filter=lfs -text\n' };
    const repo = await makeRepository({ files, path: join(await tempFolder(), 'with-submodule') });
    const oid = repo.git('rev-parse', 'HEAD');
    mkdirSync(join(repo.path, 'sub'));
    repo.git('update-index', '--add', '--cacheinfo', `160000,${oid},sub`);
    repo.git('commit', '--quiet', '-m', 'sub');
    const hall = await makeHallRepository({ path: repo.path, files: {} });
    const one = await hall.activity('one');
    one.write({ 'big2.bin': pointer, 'a.md': 'one' });
    await commitAll(hall.ctx, { ...text, worktree: one.path });
    expect(await squash(hall, one)).toMatchObject({ kind: 'merged', keptLocal: [] });
    expect([read(hall.hall, 'big.bin'), read(hall.hall, 'big2.bin')]).toEqual([pointer, pointer]);
    expect(hall.hall.git('ls-tree', hall.branch, 'sub')).toBe(`160000 commit ${oid}\tsub`);
    expect(hall.hall.git('status', '--porcelain')).toBe('');
  });
});

test('any file under any name comes through commit, merge and checkout unchanged', async () => {
  const part = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 12 })
    .filter((name) => !/[/\0]/.test(name) && !/^(\.|\.\.|\.git.*|git~.*)$/i.test(name) && Buffer.byteLength(name) < 100)
    // Names that the file system or git fold together are another matter than their content.
    .filter(
      (name) => name === Buffer.from(name).toString() && !/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/.test(name),
    );
  const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `f/${parts.join('/')}x`);
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary' }).map((s) => Buffer.from(s)),
  );
  const hall = await makeHallRepository();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(path, content, path, content, async (one, bytesOne, two, bytesTwo) => {
      round += 1;
      fc.pre(one !== two && !one.startsWith(`${two}/`) && !two.startsWith(`${one}/`));
      const [top, below] = [`here-${round}/${one}`, `there-${round}/${two}`];
      hall.hall.write({ [top]: bytesOne });
      await commitFiles(hall.ctx, { ...text, worktree: hall.hall.path, paths: [top] });
      const activity = await hall.activity(`r${round}`);
      activity.write({ [below]: bytesTwo });
      await commitAll(hall.ctx, { ...text, worktree: activity.path });
      expect(await squash(hall, activity)).toMatchObject({ kind: 'merged', isEmpty: false, keptLocal: [] });
      expect(await readBytesAt(hall.ctx, hall.repo.path, hall.branch, top)).toEqual(Buffer.from(bytesOne));
      expect(await readBytesAt(hall.ctx, hall.repo.path, hall.branch, below)).toEqual(Buffer.from(bytesTwo));
      expect(readFileSync(join(hall.hall.path, below))).toEqual(Buffer.from(bytesTwo));
      expect(hall.hall.git('status', '--porcelain')).toBe('');
    }),
    { numRuns: 12 },
  );
}, 60_000);

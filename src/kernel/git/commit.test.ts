import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { repositoryAt, tempFolder } from '../../../test/help/repositories.ts';
import { commitAll, commitFiles } from './commit.ts';
import { changedFiles, readBytesAt, readFileAt } from './read.ts';

const text = { message: 'Write it down', trailer: 'activity one' };

describe('committing chosen files', () => {
  test('takes new, changed and deleted ones, in the person’s name, and nothing else [SYS-GIT-IDENTITY]', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' } });
    const { ctx, hall: tree } = hall;
    tree.write({ 'a.md': 'a2', 'c.md': 'other', 'new.md': 'n', 'other.md': 'o' });
    rmSync(join(tree.path, 'b.md'));
    const commit = await commitFiles(ctx, {
      ...text,
      worktree: tree.path,
      paths: ['a.md', 'b.md', 'new.md', 'gone.md'],
    });
    expect(commit).toBe(tree.git('rev-parse', 'claude/main'));
    expect(tree.git('log', '-1', '--format=%an|%ae|%cn|%B')).toBe(
      'Test Person|person@example.invalid|Test Person|Write it down\n\nGuild-Hall: activity one\n',
    );
    expect(await changedFiles(ctx, tree.path, `${commit}^`, commit!)).toEqual([
      { path: 'a.md', status: 'M' },
      { path: 'b.md', status: 'D' },
      { path: 'new.md', status: 'A' },
    ]);
    expect(tree.git('status', '--porcelain')).toBe(' M c.md\n?? other.md');
    expect(await commitFiles(ctx, { ...text, worktree: tree.path, paths: ['a.md', 'b.md'] })).toBeUndefined();
    expect(await commitFiles(ctx, { ...text, worktree: tree.path, paths: [] })).toBeUndefined();
  });

  test('takes ignored files, executables and links; a link is never followed', async () => {
    const { ctx, hall: tree } = await makeHallRepository({ files: { '.gitignore': '.lore/\n' } });
    const outside = await tempFolder();
    writeFileSync(join(outside, 'secret.md'), 'secret');
    tree.write({ '.lore/a.md': 'a', run: { executable: '#!/bin/sh\n' }, link: { link: '/etc/hostname' } });
    symlinkSync(outside, join(tree.path, 'out'));
    await commitFiles(ctx, { ...text, worktree: tree.path, paths: ['.lore/a.md', 'run', 'link', 'out'] });
    expect(tree.git('ls-tree', '-r', '--format=%(objectmode) %(path)', 'HEAD').split('\n')).toEqual([
      '100644 .gitignore',
      '100644 .lore/a.md',
      '120000 link',
      '120000 out',
      '100755 run',
    ]);
    const through = commitFiles(ctx, { ...text, worktree: tree.path, paths: ['out/secret.md'] });
    await expect(through).rejects.toMatchObject({ message: expect.stringContaining('beyond a symbolic link') });
  });

  test('replaces a file by a folder', async () => {
    const { ctx, hall: tree } = await makeHallRepository({ files: { thing: 'file' } });
    rmSync(join(tree.path, 'thing'));
    tree.write({ 'thing/in.md': 'in' });
    await commitFiles(ctx, { ...text, worktree: tree.path, paths: ['thing/in.md'] });
    expect(tree.git('ls-files')).toBe('thing/in.md');
    expect(tree.git('status', '--porcelain')).toBe('');
  });

  test.each(['', '/etc/passwd', '../x', 'a/../b', 'a//b', '.git/config', 'a/.GIT/x', 'a\0b', './a', 'a/'])(
    'refuses %j as a path',
    async (path) => {
      const { ctx, hall: tree } = await makeHallRepository();
      const refused = commitFiles(ctx, { ...text, worktree: tree.path, paths: [path] });
      await expect(refused).rejects.toMatchObject({ code: 'invalid' });
    },
  );

  test('commits on the true tip also when the checkout had not followed it; nothing of the work is undone', async () => {
    const { ctx, hall: tree, repo, branch } = await makeHallRepository({ files: { 'a.md': 'a', 'b.md': 'b' } });
    tree.write({ 'record.md': 'being written' });
    // As a crash leaves it: the branch has moved, index and files are of before.
    const ahead = join(await tempFolder(), 'ahead');
    repo.git('worktree', 'add', '--quiet', '--detach', ahead, branch);
    const tip = repositoryAt(ahead).commit('work', { 'a.md': 'a by work', 'new.md': 'by work' });
    repo.git('update-ref', `refs/heads/${branch}`, tip);
    expect(tree.git('status', '--porcelain')).toContain('D  new.md');
    const commit = await commitFiles(ctx, { ...text, worktree: tree.path, paths: ['record.md'] });
    expect(await changedFiles(ctx, tree.path, tip, commit!)).toEqual([{ path: 'record.md', status: 'A' }]);
    expect(tree.git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(tree.path, 'a.md'), 'utf8')).toBe('a by work');
  });

  test('does not take in what somebody staged there, and does not lose it', async () => {
    const { ctx, hall: tree } = await makeHallRepository({ files: { 'a.md': 'a', 'b.md': 'b' } });
    tree.write({ 'a.md': 'staged by a person', 'record.md': 'r' });
    tree.git('add', 'a.md');
    const commit = await commitFiles(ctx, { ...text, worktree: tree.path, paths: ['record.md'] });
    expect(await changedFiles(ctx, tree.path, `${commit}^`, commit!)).toEqual([{ path: 'record.md', status: 'A' }]);
    expect(readFileSync(join(tree.path, 'a.md'), 'utf8')).toBe('staged by a person');
    expect(tree.git('status', '--porcelain')).toBe(' M a.md');
  });

  test('tells when no branch, no name or a locked index is in the way', async () => {
    const { ctx, hall: tree, repo } = await makeHallRepository();
    tree.write({ 'a.md': 'a' });
    const commit = (): Promise<unknown> => commitFiles(ctx, { ...text, worktree: tree.path, paths: ['a.md'] });
    const lock = join(tree.git('rev-parse', '--absolute-git-dir'), 'index.lock');
    writeFileSync(lock, '');
    const instant = { ...ctx, clock: { ...ctx.clock, sleep: async (): Promise<void> => {} } };
    const locked = commitFiles(instant, { ...text, worktree: tree.path, paths: ['a.md'] });
    await expect(locked).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(lock) });
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
    repo.git('config', '--unset', 'user.email');
    await expect(commit()).rejects.toMatchObject({ hint: expect.stringContaining('user.email') });
    repo.git('config', 'user.email', 'x@example.invalid');
    tree.git('checkout', '--quiet', '--detach');
    await expect(commit()).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a message may hold anything; the trailer stays one line at its end', async () => {
    const { ctx, hall: tree } = await makeHallRepository();
    tree.write({ 'a.md': 'a' });
    const message = '-m "x" $(id)\n\n# not a comment\nGuild-Hall: forged\0\u0007\n';
    await commitFiles(ctx, { worktree: tree.path, paths: ['a.md'], message, trailer: 'activity\none' });
    expect(tree.git('log', '-1', '--format=%B')).toBe(
      '-m "x" $(id)\n\n# not a comment\nGuild-Hall: forged\n\nGuild-Hall: activity one\n',
    );
    expect(tree.git('log', '-1', '--format=%(trailers:key=Guild-Hall,valueonly)')).toBe('activity one\n');
    tree.write({ 'b.md': 'b' });
    await commitFiles(ctx, { worktree: tree.path, paths: ['b.md'], message: ' \n', trailer: 't' });
    expect(tree.git('log', '-1', '--format=%s')).toBe('Work of the hall');
  });

  test('many at once, one after the other, all arrive', async () => {
    const { ctx, hall: tree } = await makeHallRepository();
    const names = Array.from({ length: 4 }, (_, n) => `r${n}.md`);
    for (const name of names) {
      tree.write({ [name]: name });
      await commitFiles(ctx, { ...text, worktree: tree.path, paths: [name] });
    }
    expect(tree.git('rev-list', '--count', 'HEAD')).toBe('5');
    expect(tree.git('status', '--porcelain')).toBe('');
  });
});

describe('committing all of a worktree', () => {
  test('takes changed, new, deleted, moved, binary files; leaves ignored ones [SYS-GIT-SQUASH]', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a', 'b.md': 'b', '.gitignore': 'tmp/\n' } });
    const tree = await hall.activity('one');
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    tree.write({ 'a.md': 'a2', 'tmp/x': 'x', 'new dir/-x\ny.md': 'odd', 'bin.dat': bytes, run: { executable: 'x' } });
    tree.git('mv', 'b.md', 'moved.md');
    const commit = await commitAll(hall.ctx, { ...text, worktree: tree.path });
    expect(commit).toBe(tree.git('rev-parse', tree.branch));
    const changed = await changedFiles(hall.ctx, tree.path, `${commit}^`, commit!);
    expect(changed.map(({ path, status }) => `${status} ${path}`)).toEqual([
      'M a.md',
      'D b.md',
      'A bin.dat',
      'A moved.md',
      'A new dir/-x\ny.md',
      'A run',
    ]);
    expect(await readBytesAt(hall.ctx, tree.path, commit!, 'bin.dat')).toEqual(bytes);
    expect(tree.git('status', '--porcelain')).toBe('');
    expect(await commitAll(hall.ctx, { ...text, worktree: tree.path })).toBeUndefined();
  });

  test('in a sparse worktree deletes nothing of what is not checked out, and takes what lies outside', async () => {
    const hall = await makeHallRepository({ files: { 'src/a.ts': 'code', '.lore/a.md': 'a' } });
    const tree = await hall.activity('one', 'sparse');
    tree.write({ '.lore/b.md': 'b', 'outside.md': 'o' });
    const commit = await commitAll(hall.ctx, { ...text, worktree: tree.path });
    expect(await changedFiles(hall.ctx, tree.path, `${commit}^`, commit!)).toEqual([
      { path: '.lore/b.md', status: 'A' },
      { path: 'outside.md', status: 'A' },
    ]);
  });

  test('does not mind a lock that an agent’s git left', async () => {
    const hall = await makeHallRepository();
    const tree = await hall.activity('one');
    const lock = join(tree.git('rev-parse', '--absolute-git-dir'), 'index.lock');
    writeFileSync(lock, '');
    tree.write({ 'a.md': 'a' });
    const commit = await commitAll(hall.ctx, { ...text, worktree: tree.path });
    tree.write({ 'b.md': 'b' });
    const second = await commitAll(hall.ctx, { ...text, worktree: tree.path });
    expect(await changedFiles(hall.ctx, tree.path, commit!, second!)).toEqual([{ path: 'b.md', status: 'A' }]);
    expect(existsSync(lock)).toBe(true);
  });

  test('keeps the files of repositories that an agent made within, with or without a commit', async () => {
    const hall = await makeHallRepository();
    const tree = await hall.activity('one');
    for (const name of ['cloned', 'cloned/inner', 'fresh']) {
      mkdirSync(join(tree.path, name), { recursive: true });
      repositoryAt(join(tree.path, name)).git('init', '--quiet');
    }
    repositoryAt(join(tree.path, 'cloned/inner')).commit('x', { 'deep.md': 'deep' });
    repositoryAt(join(tree.path, 'cloned')).commit('x', { 'in.md': 'in' });
    tree.write({ 'cloned/later.md': 'later', 'fresh/f.md': 'f' });
    const commit = await commitAll(hall.ctx, { ...text, worktree: tree.path });
    const changed = await changedFiles(hall.ctx, tree.path, `${commit}^`, commit!);
    expect(changed.map(({ path }) => path)).toEqual([
      'cloned/in.md',
      'cloned/inner/deep.md',
      'cloned/later.md',
      'fresh/f.md',
    ]);
    expect(tree.git('ls-tree', '-r', commit!)).not.toContain('160000');
  });

  test('puts work on the activity’s branch although an agent switched to another one, or to none', async () => {
    const hall = await makeHallRepository();
    const tree = await hall.activity('one');
    tree.commit('first', { 'first.md': '1' });
    tree.git('switch', '--quiet', '-c', 'agents-own');
    tree.commit('second', { 'second.md': '2' });
    tree.write({ 'third.md': '3' });
    await commitAll(hall.ctx, { ...text, worktree: tree.path });
    expect(await readFileAt(hall.ctx, tree.path, tree.branch, 'second.md')).toBe('2');
    expect(await readFileAt(hall.ctx, tree.path, tree.branch, 'third.md')).toBe('3');
    tree.git('add', '.');
    tree.git('checkout', '--quiet', '--force', '--detach', 'claude/main');
    tree.write({ 'aside.md': 'a' });
    await commitAll(hall.ctx, { ...text, worktree: tree.path });
    const names = tree.git('ls-tree', '-r', '--name-only', tree.branch).split('\n');
    expect(names).toEqual(['README.md', 'aside.md', 'first.md', 'second.md', 'third.md']);
    expect(await commitAll(hall.ctx, { ...text, worktree: tree.path })).toBeUndefined();
  });

  test('refuses to choose when work beside the branch contradicts it; nothing is lost', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a' } });
    const tree = await hall.activity('one');
    tree.commit('here', { 'a.md': 'here' });
    tree.git('checkout', '--quiet', '--detach', 'claude/main');
    tree.write({ 'a.md': 'there' });
    const refused = commitAll(hall.ctx, { ...text, worktree: tree.path });
    await expect(refused).rejects.toMatchObject({ code: 'conflict', details: { files: ['a.md'] } });
    expect(readFileSync(join(tree.path, 'a.md'), 'utf8')).toBe('there');
    expect(await readFileAt(hall.ctx, tree.path, tree.branch, 'a.md')).toBe('here');
  });

  test('an unfinished merge is committed as it stands', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a' } });
    const tree = await hall.activity('one');
    tree.git('branch', 'other');
    tree.commit('mine', { 'a.md': 'mine' });
    tree.git('checkout', '--quiet', 'other');
    tree.commit('theirs', { 'a.md': 'theirs' });
    tree.git('checkout', '--quiet', tree.branch);
    expect(() => tree.git('merge', 'other')).toThrow(/failed/);
    const commit = await commitAll(hall.ctx, { ...text, worktree: tree.path });
    expect(await readFileAt(hall.ctx, tree.path, commit!, 'a.md')).toContain('<<<<<<<');
  });

  test('a folder whose .git is broken is a folder like any other', async () => {
    const hall = await makeHallRepository();
    const tree = await hall.activity('one');
    mkdirSync(join(tree.path, 'broken/.git'), { recursive: true });
    tree.write({ 'broken/a.md': 'a' });
    writeFileSync(join(tree.path, 'broken/.git/HEAD'), 'ref: refs/heads/x\n');
    const commit = await commitAll(hall.ctx, { ...text, worktree: tree.path });
    expect(await readFileAt(hall.ctx, tree.path, commit!, 'broken/a.md')).toBe('a');
  });
});

test('reading a file at a revision: text, bytes, odd names, nothing', async () => {
  const files = { 'a\nb – ü.md': 'x\r\ny\n', '-r': 'dash', 'dir/x missing': 'm', link: { link: 'target' } } as const;
  const { ctx, repo } = await makeHallRepository({ files });
  const read = (path: string): Promise<string | undefined> => readFileAt(ctx, repo.path, 'HEAD', path);
  expect(await Promise.all(Object.keys(files).map(read))).toEqual(['x\r\ny\n', 'dash', 'm', 'target']);
  expect(await Promise.all(['nothing', 'dir', 'dir/x', '-r missing'].map(read))).toEqual(Array(4).fill(undefined));
  expect(await readFileAt(ctx, repo.path, 'no-such-branch', '-r')).toBeUndefined();
  await expect(readFileAt(ctx, repo.path, '--help', 'x')).rejects.toMatchObject({ code: 'invalid' });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { branchTip } from './branches.ts';
import { readCheckout } from './checkout.ts';
import { commonDirOf } from './marker.ts';
import { foldersOf, headRef, isCheckedOut, looseObject, looseTip, looseTreeOf } from './native.ts';
import { objectSizes, readObjects } from './objects.ts';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';

const files = { 'a.md': 'a\n', 'b/c.md': 'c\n' };

async function setUp() {
  const hall = await makeHallRepository({ files });
  const { gitDir, commonDir } = (await foldersOf(hall.hall.path))!;
  return { ...hall, gitDir, commonDir };
}

describe('what is read without a process', () => {
  test('is what git says: folders, the branch of a checkout, its tip and tree, objects', async () => {
    const { hall, repo, gitDir, commonDir } = await setUp();
    expect(gitDir).toBe(hall.git('rev-parse', '--absolute-git-dir'));
    expect(commonDir).toBe(hall.git('rev-parse', '--path-format=absolute', '--git-common-dir'));
    expect(await foldersOf(repo.path)).toEqual({ gitDir: commonDir, commonDir });
    const ref = await headRef(gitDir);
    expect(ref).toBe(hall.git('symbolic-ref', 'HEAD'));
    const tip = await looseTip(commonDir, ref!);
    expect(tip).toBe(hall.git('rev-parse', 'HEAD'));
    expect(await looseTreeOf(commonDir, tip!)).toBe(hall.git('rev-parse', 'HEAD^{tree}'));
    const blob = hall.git('rev-parse', 'HEAD:a.md');
    expect(await looseObject(commonDir, blob)).toEqual({ type: 'blob', content: Buffer.from('a\n') });
    expect(await isCheckedOut(commonDir, ref!)).toBe(true);
    expect(await isCheckedOut(commonDir, 'refs/heads/main')).toBe(true);
    expect(await isCheckedOut(commonDir, 'refs/heads/other')).toBe(false);
  });

  test('is left to git where branches and objects are packed, and git is asked then', async () => {
    const { ctx, hall, repo, commonDir } = await setUp();
    const before = await readCheckout(ctx, hall.path);
    repo.git('gc', '--quiet', '--prune=now');
    expect(await looseTip(commonDir, before.ref!)).toBeUndefined();
    expect(await looseTreeOf(commonDir, before.tip)).toBeUndefined();
    expect(await readCheckout(ctx, hall.path)).toEqual(before);
    expect(await branchTip(ctx, repo.path, 'claude/main')).toBe(before.tip);
    const blob = hall.git('rev-parse', 'HEAD:a.md');
    expect(await readObjects(ctx, repo.path, [blob, '0'.repeat(40), before.tree])).toEqual([
      Buffer.from('a\n'),
      undefined,
      undefined,
    ]);
    expect(await objectSizes(ctx, repo.path, ['0'.repeat(40), blob, 'HEAD:b/c.md'])).toEqual([undefined, 2, 2]);
  });

  test('a tag of the same name is not the branch, and a branch that is a name of another one is followed by git', async () => {
    const { ctx, repo, commonDir } = await setUp();
    const tip = repo.git('rev-parse', 'refs/heads/main');
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Second');
    repo.git('tag', 'claude/main');
    expect(await branchTip(ctx, repo.path, 'claude/main')).toBe(tip);
    repo.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    expect(await looseTip(commonDir, 'refs/heads/alias')).toBeUndefined();
    expect(await branchTip(ctx, repo.path, 'alias')).toBe(repo.git('rev-parse', 'main'));
    expect(await branchTip(ctx, repo.path, 'nothing')).toBeUndefined();
  });

  test('no object is taken for what it is not: one with another content, one that is replaced', async () => {
    const { ctx, repo, commonDir } = await setUp();
    const [blob, other] = ['HEAD:a.md', 'HEAD:b/c.md'].map((name) => repo.git('rev-parse', name));
    const file = join(commonDir, 'objects', blob!.slice(0, 2), blob!.slice(2));
    renameSync(file, `${file}.good`);
    writeFileSync(file, deflateSync('blob 2\0b\n'));
    expect(await looseObject(commonDir, blob!)).toBeUndefined();
    writeFileSync(file, 'no object at all');
    expect(await looseObject(commonDir, blob!)).toBeUndefined();
    renameSync(`${file}.good`, file);
    repo.git('replace', blob!, other!);
    expect(await looseObject(commonDir, blob!)).toBeUndefined();
    expect(await readObjects(ctx, repo.path, [blob!])).toEqual([Buffer.from('c\n')]);
  });

  test('a checkout without a branch, a bare repository, a folder within a checkout are left to git', async () => {
    const { ctx, hall, repo, root } = await setUpWithRoot();
    hall.git('checkout', '--quiet', '--detach');
    expect((await readCheckout(ctx, hall.path)).ref).toBeNull();
    const bare = join(root, 'bare.git');
    execFileSync('git', ['clone', '--quiet', '--bare', repo.path, bare]);
    expect(await foldersOf(bare)).toBeUndefined();
    expect(await commonDirOf(ctx, bare)).toBe(bare);
    const within = join(repo.path, 'b');
    expect(await foldersOf(within)).toBeUndefined();
    expect(await commonDirOf(ctx, within)).toBe(join(repo.path, '.git'));
  });

  test('a repository that is reached by a link is the one that it is', async () => {
    const { ctx, repo, root, commonDir } = await setUpWithRoot();
    const link = join(root, 'link');
    symlinkSync(repo.path, link);
    expect(await commonDirOf(ctx, link)).toBe(commonDir);
    expect(repo.git('-C', link, 'rev-parse', '--absolute-git-dir')).toBe(commonDir);
  });
});

async function setUpWithRoot() {
  const made = await setUp();
  const root = join(made.ctx.home.root, 'beside');
  mkdirSync(root, { recursive: true });
  return { ...made, root };
}

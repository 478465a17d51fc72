import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HallRepository, homeContext, makeHallRepository } from '../../../test/help/hall-repository.ts';
import { makeRepository, repositoryAt, tempFolder } from '../../../test/help/repositories.ts';
import { ensureIntegration, integrationOwner, removeIntegration } from './integration.ts';
import { ownsWorktree } from './worktrees.ts';

function again(hall: HallRepository, repo = hall.repo.path): Promise<{ created: boolean }> {
  return ensureIntegration(hall.ctx, { repo, branch: hall.branch, worktree: hall.hall.path });
}

describe('the integration branch and its checkout', () => {
  test('are made once, at what the person has checked out; the person’s own checkout stays as it is', async () => {
    const ctx = await homeContext();
    const repo = await makeRepository();
    repo.git('switch', '--quiet', '-c', 'feature');
    const tip = repo.commit('more', { 'b.md': 'b' });
    repo.write({ 'README.md': 'being edited', 'untracked.md': 'x' });
    const before = readFileSync(join(repo.path, '.git/config'), 'utf8');
    const request = { repo: repo.path, branch: 'claude/main', worktree: join(ctx.home.root, 'projects', 'p') };
    expect(await ensureIntegration(ctx, request)).toEqual({ created: true });
    expect(await ensureIntegration(ctx, request)).toEqual({ created: false });
    expect(repositoryAt(request.worktree).git('rev-parse', 'claude/main')).toBe(tip);
    expect(repo.git('status', '--porcelain', '--branch')).toBe('## feature\n M README.md\n?? untracked.md');
    expect(readFileSync(join(repo.path, '.git/config'), 'utf8')).toBe(before);
  });

  test('begin at a detached commit too', async () => {
    const ctx = await homeContext();
    const repo = await makeRepository();
    repo.git('checkout', '--quiet', '--detach');
    const request = { repo: repo.path, branch: 'claude/main', worktree: join(ctx.home.root, 'projects', 'p') };
    expect(await ensureIntegration(ctx, request)).toEqual({ created: true });
  });

  test('cannot begin without a commit, nor beside a branch "claude", nor where the person has it checked out', async () => {
    const ctx = await homeContext();
    const worktree = join(ctx.home.root, 'projects', 'p');
    const ensure = (repo: string): Promise<unknown> =>
      ensureIntegration(ctx, { repo, branch: 'claude/main', worktree });
    await expect(ensure((await makeRepository({ files: {} })).path)).rejects.toMatchObject({
      hint: expect.stringContaining('--allow-empty'),
    });
    const old = await makeRepository({ branch: 'claude' });
    await expect(ensure(old.path)).rejects.toMatchObject({ hint: expect.stringContaining("branch -m 'claude'") });
    const used = await makeRepository();
    used.git('switch', '--quiet', '-c', 'claude/main');
    await expect(ensure(used.path)).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining(`git -C '${used.path}' switch`),
    });
    expect(existsSync(worktree)).toBe(false);
  });

  test('whose folder was deleted by hand are made again', async () => {
    const hall = await makeHallRepository();
    rmSync(hall.hall.path, { recursive: true });
    expect(await again(hall)).toEqual({ created: false });
    expect(hall.hall.git('status', '--porcelain', '--branch')).toBe('## claude/main');
  });

  test('whose registration was pruned are registered again; nothing in the folder is lost', async () => {
    const hall = await makeHallRepository();
    hall.hall.write({ 'README.md': 'being written', 'new.md': 'new' });
    const away = `${hall.hall.path}.away`;
    renameSync(hall.hall.path, away);
    hall.repo.git('worktree', 'prune');
    renameSync(away, hall.hall.path);
    await again(hall);
    expect(hall.hall.git('status', '--porcelain', '--branch')).toBe('## claude/main\n M README.md\n?? new.md');
    expect(readFileSync(join(hall.hall.path, 'README.md'), 'utf8')).toBe('being written');
    expect(readdirSync(join(hall.ctx.home.root, 'projects'))).toEqual(['sample']);
    await again(hall);
  });

  test('after a move of the repository are linked again', async () => {
    const hall = await makeHallRepository();
    hall.hall.write({ 'README.md': 'being written' });
    const moved = join(await tempFolder(), 'moved');
    renameSync(hall.repo.path, moved);
    await again(hall, moved);
    expect(hall.hall.git('status', '--porcelain')).toBe(' M README.md');
  });

  test('that are sparse in the person’s own checkout are not so in the hall’s, also registered anew', async () => {
    const ctx = await homeContext();
    const repo = await makeRepository({ files: { 'src/a.ts': 'a', 'docs/b.md': 'b' } });
    repo.git('sparse-checkout', 'set', 'docs');
    const worktree = join(ctx.home.root, 'projects', 'p');
    const request = { repo: repo.path, branch: 'claude/main', worktree };
    await ensureIntegration(ctx, request);
    expect(existsSync(join(worktree, 'src/a.ts'))).toBe(true);
    renameSync(worktree, `${worktree}.away`);
    repo.git('worktree', 'prune');
    renameSync(`${worktree}.away`, worktree);
    repo.git('update-ref', 'refs/heads/claude/main', repo.commit('more', { 'docs/c.md': 'c' }));
    await ensureIntegration(ctx, request);
    expect(existsSync(join(worktree, 'src/a.ts'))).toBe(true);
    expect(repositoryAt(worktree).git('ls-files', '-t')).not.toContain('S ');
    expect(existsSync(join(repo.path, 'src'))).toBe(false);
  });

  test('get another branch when the project’s is changed; records being written stay', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a', 'b.md': 'b' } });
    hall.hall.commit('ours', { 'a.md': 'ours', 'ours.md': 'o' });
    hall.hall.write({ 'b.md': 'being written', 'new.md': 'n' });
    const request = { repo: hall.repo.path, branch: 'hall/main', worktree: hall.hall.path, name: 'sample' };
    expect(await ensureIntegration(hall.ctx, request)).toEqual({ created: true });
    expect(hall.hall.git('status', '--porcelain', '--branch')).toBe('## hall/main\n M b.md\n?? new.md');
    expect(readFileSync(join(hall.hall.path, 'a.md'), 'utf8')).toBe('a');
    expect(existsSync(join(hall.hall.path, 'ours.md'))).toBe(false);
    expect(hall.repo.git('show', `${hall.branch}:ours.md`)).toBe('o');
    expect(await ensureIntegration(hall.ctx, { ...request, branch: hall.branch })).toEqual({ created: false });
    expect(hall.hall.git('status', '--porcelain', '--branch')).toBe('## claude/main\n M b.md\n?? new.md');
    expect(readFileSync(join(hall.hall.path, 'a.md'), 'utf8')).toBe('ours');
  });

  test('get another branch also where it was renamed, but not one that somebody works on', async () => {
    const hall = await makeHallRepository();
    const request = { repo: hall.repo.path, branch: 'hall/main', worktree: hall.hall.path, name: 'sample' };
    hall.repo.git('branch', '-m', hall.branch, 'hall/main');
    expect(await ensureIntegration(hall.ctx, request)).toEqual({ created: false });
    expect(hall.hall.git('status', '--porcelain', '--branch')).toBe('## hall/main');
    await expect(ensureIntegration(hall.ctx, { ...request, branch: 'main' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(hall.repo.path),
    });
    expect(await ensureIntegration(hall.ctx, request)).toEqual({ created: false });
  });

  test('are one project’s: owned by its name, as they once were by the branch; nobody else removes them', async () => {
    const hall = await makeHallRepository();
    const place = { repo: hall.repo.path, branch: hall.branch, worktree: hall.hall.path };
    await ensureIntegration(hall.ctx, { ...place, name: 'sample' });
    const path = hall.hall.path;
    expect(await ownsWorktree(hall.ctx, { path, owner: integrationOwner('sample') })).toBe(true);
    await expect(ensureIntegration(hall.ctx, { ...place, name: 'other' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(removeIntegration(hall.ctx, { ...place, name: 'other' })).rejects.toMatchObject({ code: 'conflict' });
    await removeIntegration(hall.ctx, { ...place, branch: 'changed', name: 'sample' });
    expect(existsSync(path)).toBe(false);
    await ensureIntegration(hall.ctx, place);
    await removeIntegration(hall.ctx, { ...place, branch: 'changed', name: 'sample' });
    expect(existsSync(path)).toBe(false);
  });

  test('do not take over a folder that is somebody else’s', async () => {
    const ctx = await homeContext();
    const worktree = join(ctx.home.root, 'projects', 'p');
    mkdirSync(worktree, { recursive: true });
    writeFileSync(join(worktree, 'mine.txt'), 'mine');
    const repo = await makeRepository();
    const refused = ensureIntegration(ctx, { repo: repo.path, branch: 'claude/main', worktree });
    await expect(refused).rejects.toMatchObject({ code: 'conflict', hint: expect.stringContaining('mv') });
    expect(readFileSync(join(worktree, 'mine.txt'), 'utf8')).toBe('mine');
  });

  test('sweep what a process that died left, and leave a checkout that somebody switched', async () => {
    const hall = await makeHallRepository();
    const gitDir = hall.hall.git('rev-parse', '--absolute-git-dir');
    writeFileSync(join(gitDir, 'guild-hall-index-999999999-1'), 'x');
    writeFileSync(join(gitDir, 'guild-hall-index-999999999-1.lock'), 'x');
    mkdirSync(join(gitDir, 'guild-hall-objects-999999999-abc/ab'), { recursive: true });
    mkdirSync(join(gitDir, `guild-hall-objects-${process.pid}-abc`));
    await again(hall);
    expect(readdirSync(gitDir).filter((name) => /guild-hall-(?:index|objects)/.test(name))).toEqual([
      `guild-hall-objects-${process.pid}-abc`,
    ]);
    hall.hall.git('checkout', '--quiet', '--detach');
    await expect(again(hall)).rejects.toMatchObject({ hint: expect.stringContaining("switch 'claude/main'") });
  });
});

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HallRepository, makeHallRepository } from '../../../test/help/hall-repository.ts';
import { tempFolder } from '../../../test/help/repositories.ts';
import { deleteBranch } from './branches.ts';

/** A branch that nobody has checked out, with a commit of its own. */
async function branchOf(hall: HallRepository): Promise<{ branch: string; tip: string }> {
  const branch = 'claude/activity/one';
  hall.repo.git('branch', branch, hall.branch);
  hall.repo.git('switch', '--quiet', branch);
  const tip = hall.repo.commit('x', { 'a.md': 'a' });
  hall.repo.git('switch', '--quiet', 'main');
  return { branch, tip };
}

describe('deleting a branch', () => {
  test('that points where it is expected to; one that is gone is fine', async () => {
    const hall = await makeHallRepository();
    const { branch, tip } = await branchOf(hall);
    expect(await deleteBranch(hall.ctx, hall.repo.path, branch, tip)).toBe('deleted');
    expect(hall.repo.git('branch', '--list', branch)).toBe('');
    expect(await deleteBranch(hall.ctx, hall.repo.path, branch, tip)).toBe('gone');
  });

  test('keeps one that has moved', async () => {
    const hall = await makeHallRepository();
    const { branch, tip } = await branchOf(hall);
    expect(await deleteBranch(hall.ctx, hall.repo.path, branch, `${tip}^`)).toBe('kept');
    expect(await deleteBranch(hall.ctx, hall.repo.path, branch, hall.repo.git('rev-parse', 'main'))).toBe('kept');
    expect(hall.repo.git('rev-parse', branch)).toBe(tip);
  });

  test('keeps one that somebody has checked out, in the repository or anywhere else', async () => {
    const hall = await makeHallRepository();
    const { branch, tip } = await branchOf(hall);
    hall.repo.git('switch', '--quiet', branch);
    expect(await deleteBranch(hall.ctx, hall.hall.path, branch, tip)).toBe('kept');
    expect(hall.repo.git('status', '--porcelain', '--branch')).toBe(`## ${branch}`);
    hall.repo.git('switch', '--quiet', 'main');
    hall.repo.git('worktree', 'add', '--quiet', join(await tempFolder(), 'theirs'), branch);
    expect(await deleteBranch(hall.ctx, hall.repo.path, branch, tip)).toBe('kept');
    expect(hall.repo.git('rev-parse', branch)).toBe(tip);
  });

  test('keeps one that moves in the moment it is deleted', async () => {
    const hall = await makeHallRepository();
    const { branch, tip } = await branchOf(hall);
    const lock = join(hall.repo.path, '.git/refs/heads', `${branch}.lock`);
    writeFileSync(lock, '');
    const clock = {
      ...hall.ctx.clock,
      sleep: async (): Promise<void> => {
        rmSync(lock, { force: true });
        hall.repo.git('update-ref', `refs/heads/${branch}`, 'main');
      },
    };
    expect(await deleteBranch({ ...hall.ctx, clock }, hall.repo.path, branch, tip)).toBe('kept');
    expect(hall.repo.git('rev-parse', branch)).toBe(hall.repo.git('rev-parse', 'main'));
  });
});

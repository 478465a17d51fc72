import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundled, runUntil } from '../../../test/help/fault-programs.ts';
import { type HallRepository, makeHallRepository } from '../../../test/help/hall-repository.ts';
import { manyCommits, repositoryAt } from '../../../test/help/repositories.ts';

const files = { 'shared.md': 'before\n', 'other.md': 'o\n' };

/** Dies at the n-th point, is started again, and has then done its work exactly once. */
async function dieAndGoOn(program: string, dieAt: number): Promise<'died' | 'came through'> {
  const hall = await makeHallRepository({ files });
  hall.hall.write({ 'other.md': 'being written', 'unknown.md': 'u' });
  const path = join(hall.ctx.home.root, 'worktrees', 'sample', 'activity-one');
  const branch = 'claude/activity/one';
  const words = [hall.ctx.home.root, hall.repo.path, hall.hall.path, path, branch];
  const first = await runUntil(program, words, { at: dieAt });
  expect(['SIGKILL', 0]).toContain(first);
  // What git was doing when its caller died is done to the end by git itself, or not begun.
  expect(await runUntil(program, words, { at: 0 })).toBe(0);

  const tree = repositoryAt(hall.hall.path);
  expect(tree.git('log', '--format=%s', '--grep=Guild-Hall-Tip')).toBe('Work');
  expect(tree.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual([
    'other.md',
    'record.md',
    'shared.md',
    'work.md',
  ]);
  expect(tree.git('show', 'HEAD:record.md')).toBe('closed');
  expect(tree.git('status', '--porcelain')).toBe(' M other.md\n?? unknown.md');
  expect(readFileSync(join(tree.path, 'shared.md'), 'utf8')).toBe('work of one, longer than before\n');
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(dirname(path))).toEqual([]);
  expect(tree.git('branch', '--list', '--format=%(refname:short)')).toBe('claude/main\nmain');
  expect(tree.git('worktree', 'list').split('\n')).toHaveLength(2);
  const gitDir = tree.git('rev-parse', '--absolute-git-dir');
  expect(readdirSync(gitDir).filter((name) => /guild-hall-index|lock/.test(name))).toEqual([]);
  return first === 0 ? 'came through' : 'died';
}

describe('a process killed between any two git steps', () => {
  // Every eleventh point, to be quick; with a step of 1 it tries each.
  test('goes on from there: nothing twice, nothing lost, nothing left lying about [SYS-CRASH]', async () => {
    const program = await bundled('merge-until-fault');
    let dieAt = 4;
    while ((await dieAndGoOn(program, dieAt)) === 'died') dieAt += 11;
    expect(dieAt).toBeGreaterThan(60);
  }, 120_000);

  test('while a checkout whose registration was pruned is registered anew: it is, and nothing in it is lost', async () => {
    const hall = await makeHallRepository({ files });
    const program = await bundled('ensure-until-fault');
    const words = [hall.ctx.home.root, hall.repo.path, hall.hall.path, hall.branch, 'ensure'];
    hall.hall.write({ 'other.md': 'being written', 'unknown.md': 'u' });
    let ended: string | number = '';
    // Every third point, to be quick; with a step of 1 it tries each.
    for (let at = 1; ended !== 0; at += 3) {
      const away = `${hall.hall.path}.away`;
      renameSync(hall.hall.path, away);
      hall.repo.git('worktree', 'prune');
      renameSync(away, hall.hall.path);
      ended = await runUntil(program, words, { at });
      expect(['SIGKILL', 0]).toContain(ended);
      expect(await runUntil(program, words, { at: 0 }), `after dying at ${at}`).toBe(0);
      expect(hall.hall.git('status', '--porcelain', '--branch')).toBe('## claude/main\n M other.md\n?? unknown.md');
      expect(readdirSync(dirname(hall.hall.path))).toEqual(['sample']);
      expect(hall.repo.git('worktree', 'list').split('\n')).toHaveLength(2);
      expect(at).toBeLessThan(100);
    }
  }, 120_000);

  /** The person's branch gets very many commits, a sync dies, and the next start goes on. */
  async function syncAgain(
    hall: HallRepository,
    program: string,
    fault: { readonly at: number; readonly match?: string },
  ): Promise<string | number> {
    const words = [hall.ctx.home.root, hall.repo.path, hall.hall.path, hall.branch];
    const mark = `${fault.match ?? ''}${fault.at}\n`;
    rmSync(join(hall.repo.path, 'gone.md'), { force: true });
    if (fault.at % 2 === 1) hall.repo.write({ 'gone.md': 'g' });
    hall.repo.git(
      'reset',
      '--quiet',
      '--hard',
      manyCommits(hall.repo, hall.repo.commit('t', { 'shared.md': mark }), 201),
    );
    const ended = await runUntil(program, [...words, 'sync'], fault);
    expect(['SIGKILL', 0]).toContain(ended);
    expect(await runUntil(program, [...words, 'ensure', 'sync'], { at: 0 })).toBe(0);
    expect(hall.hall.git('status', '--porcelain'), `after dying at ${mark}`).toBe(' M other.md\n?? unknown.md');
    expect(readFileSync(join(hall.hall.path, 'shared.md'), 'utf8')).toBe(mark);
    return ended;
  }

  async function makeSynced(): Promise<HallRepository> {
    const hall = await makeHallRepository({ files });
    hall.repo.git('config', 'core.logAllRefUpdates', 'false');
    hall.repo.git('reflog', 'expire', '--expire=all', '--all');
    hall.hall.write({ 'other.md': 'being written', 'unknown.md': 'u' });
    return hall;
  }

  test('in a sync by very many commits: the checkout follows, with reflogs off too', async () => {
    const hall = await makeSynced();
    const program = await bundled('ensure-until-fault');
    let at = 1;
    while ((await syncAgain(hall, program, { at })) !== 0) at += 3;
    expect(hall.hall.git('rev-parse', 'HEAD')).toBe(hall.repo.git('rev-parse', 'main'));
    expect(at).toBeGreaterThan(15);
  }, 120_000);

  test('in a sync that merges very many commits: likewise', async () => {
    const hall = await makeSynced();
    hall.hall.write({ 'ours.md': 'o' });
    hall.hall.git('add', 'ours.md');
    hall.hall.git('commit', '--quiet', '-m', 'ours', '--', 'ours.md');
    const program = await bundled('ensure-until-fault');
    // From the first step that changes anything.
    for (const match of ['after:commit-tree', 'update-ref', 'write-tree', 'read-tree', ':index:']) {
      for (const at of [1, 2]) expect(await syncAgain(hall, program, { at, match })).toBe('SIGKILL');
    }
    expect(hall.hall.git('diff', '--name-only', 'main', 'HEAD')).toBe('ours.md');
  }, 120_000);

  test('while the checkout gets another integration branch: it has that one, and what is being written stays', async () => {
    const hall = await makeHallRepository({ files });
    hall.repo.git('branch', 'other', hall.branch);
    hall.hall.commit('ours', { 'shared.md': 'ours\n', 'ours.md': 'o' });
    hall.hall.write({ 'other.md': 'being written', 'unknown.md': 'u' });
    const program = await bundled('ensure-until-fault');
    const words = (branch: string): string[] => [hall.ctx.home.root, hall.repo.path, hall.hall.path, branch, 'ensure'];
    let ended: string | number = '';
    for (let at = 1; ended !== 0; at += 3) {
      const branch = at % 2 === 0 ? hall.branch : 'other';
      ended = await runUntil(program, words(branch), { at });
      expect(['SIGKILL', 0]).toContain(ended);
      expect(await runUntil(program, words(branch), { at: 0 }), `after dying at ${at}`).toBe(0);
      expect(hall.hall.git('status', '--porcelain', '--branch')).toBe(`## ${branch}\n M other.md\n?? unknown.md`);
      expect(existsSync(join(hall.hall.path, 'ours.md'))).toBe(branch === hall.branch);
      expect(at).toBeLessThan(100);
    }
  }, 120_000);
});

import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { followIntegration } from './follow.ts';
import { squashMerge, type SquashOutcome } from './merge.ts';
import { beginMerge, mergeCommits } from './mergetree.ts';

const record = '.lore/records/one.md';

async function setUp() {
  const hall = await makeHallRepository({ files: { [record]: 'open\n', 'work.md': 'w\n', 'gone.md': 'g\n' } });
  const one = await hall.activity('one');
  one.git('rm', '--quiet', 'gone.md');
  one.commit('1', { 'work.md': 'w\nmore\n', 'new/file.md': 'n\n' });
  hall.hall.write({ [record]: 'completed, not committed\n', 'mine.md': 'being written\n' });
  const squash = async (writtenAfter: readonly string[]): Promise<SquashOutcome> =>
    squashMerge(hall.ctx, {
      repo: hall.repo.path,
      integrationBranch: hall.branch,
      integrationWorktree: hall.hall.path,
      activityBranch: one.branch,
      message: 'Work of one',
      trailer: 'activity one',
      overlay: { [record]: 'merged\n' },
      writtenAfter,
    });
  return { ...hall, one, squash };
}

test('a record that its writer has changed already does not keep the checkout from following; it stays for its writer', async () => {
  const { ctx, hall, squash } = await setUp();
  const merged = await squash([record]);
  expect(merged).toMatchObject({ kind: 'merged', isEmpty: false, keptLocal: [] });
  expect(hall.git('show', `HEAD:${record}`)).toBe('merged');
  expect(readFileSync(join(hall.path, record), 'utf8')).toBe('completed, not committed\n');
  expect(hall.git('status', '--porcelain')).toBe(` M ${record}\n?? mine.md`);
  // The writer died before it wrote: whoever comes next finds the same, and merges nothing twice.
  expect(await followIntegration(ctx, { integrationWorktree: hall.path, branch: 'claude/main' })).toEqual({
    keptLocal: [],
  });
  expect(await squash([record])).toMatchObject({
    kind: 'merged',
    isEmpty: true,
    commit: hall.git('rev-parse', 'HEAD'),
  });
  hall.write({ [record]: 'merged\n' });
  expect(hall.git('status', '--porcelain')).toBe('?? mine.md');
});

test('of others, and where it is no file, the checkout is left as it stands, and that is told', async () => {
  const other = await setUp();
  expect(await other.squash([])).toMatchObject({ kind: 'merged', keptLocal: [record] });
  const linked = await setUp();
  rmSync(join(linked.hall.path, record));
  symlinkSync('/etc/hostname', join(linked.hall.path, record));
  expect(await linked.squash([record])).toMatchObject({ kind: 'merged', keptLocal: [record] });
  expect(linked.hall.git('show', `HEAD:${record}`)).toBe('merged');
});

test('a merge that was begun ahead is taken once and only while it is fresh; one that fails is done anew', async () => {
  const { ctx, hall, one } = await setUp();
  const [ours, theirs] = [hall.git('rev-parse', 'HEAD'), one.git('rev-parse', 'HEAD')];
  const calls: string[] = [];
  let nowMs = 0;
  const clock = { ...ctx.clock, monotonicMs: () => nowMs };
  const watched = { ...ctx, clock };
  const expected = await mergeCommits(watched, hall.path, ours, theirs);
  await beginMerge(watched, hall.path, ours, theirs);
  // It is the answer that was begun that is given: git is not there any more.
  const path = process.env['PATH'];
  const without = async (): Promise<unknown> => {
    process.env['PATH'] = '/nowhere';
    try {
      return await mergeCommits(watched, hall.path, ours, theirs);
    } catch (error) {
      calls.push(String(error));
      return undefined;
    } finally {
      process.env['PATH'] = path;
    }
  };
  expect(await without()).toEqual(expected);
  expect(await without()).toBeUndefined();
  expect(calls).toHaveLength(1);
  await beginMerge(watched, hall.path, ours, theirs);
  nowMs += 10_000;
  expect(await without()).toBeUndefined();
  await beginMerge(watched, hall.path, ours, '1'.repeat(40));
  await expect(mergeCommits(watched, hall.path, ours, '1'.repeat(40))).rejects.toThrow(/merge-tree/);
});

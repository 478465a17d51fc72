import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundled, runUntil } from '../../../../test/help/fault-programs.ts';
import { makeWorkingHall, startWork } from '../../../../test/help/finished-work.ts';
import { refOf } from '../../../../test/help/working-context.ts';
import { requireCommission } from '../store/files.ts';
import { branchOf, stateFolder, worktreeOf } from '../store/place.ts';

type Kind = 'merges' | 'conflicts' | 'fails its check';

/** Dies at the n-th point, is started again, and has then done its work exactly once. */
async function dieAndGoOn(program: string, kind: Kind, match: string, dieAt: number): Promise<boolean> {
  const hall = await makeWorkingHall({ 'shared.md': 'before\n' });
  const { ctx, repo } = hall;
  const ref = refOf(hall, 'commission-one');
  const work = await startWork(ctx, ref);
  work.write({ 'shared.md': 'worker\n', '.lore/notes/a.md': 'a\n' });
  if (kind !== 'fails its check') work.write({ 'made.txt': 'm\n' });
  if (kind === 'conflicts') hall.hall.commit('meanwhile', { 'shared.md': 'somebody\n' });
  const before = repo.git('rev-parse', 'claude/main');
  const words = [ctx.home.root, repo.path, ref.id];
  const first = await runUntil(program, words, {
    at: dieAt,
    match,
  });
  expect(['SIGKILL', 0]).toContain(first);
  if (first !== 0) expect(await runUntil(program, words, { at: 0 }), `${kind}, after dying at ${dieAt}`).toBe(0);

  const record = await requireCommission(ref.project, ref.id);
  const events = record.timeline.map(({ event }) => event);
  const end = { merges: 'merged', conflicts: 'merge_conflict', 'fails its check': 'gate_failed' }[kind];
  expect(record.merge.state).toBe(end);
  expect(events).toEqual(['status', 'status', 'status', 'status', 'gate', 'merge']);
  expect(repo.git('rev-list', '--count', `${before}..claude/main`)).toBe('1');
  expect(repo.git('diff', '--name-only', before, 'claude/main').split('\n')).toEqual(
    kind === 'merges' ? [record.path, '.lore/notes/a.md', 'made.txt', 'shared.md'] : [record.path],
  );
  expect(hall.hall.git('status', '--porcelain')).toBe('');
  expect(existsSync(worktreeOf(ctx, ref, 1))).toBe(false);
  expect(readdirSync(join(ctx.home.root, 'worktrees', 'sample'))).toEqual([]);
  expect(repo.git('branch', '--list', '--format=%(refname:short)', 'claude/commission/*')).toBe(
    kind === 'merges' ? '' : branchOf(ref, 1),
  );
  expect(readdirSync(stateFolder(ctx, ref))).toEqual([]);
  return first !== 0;
}

// Every second of the points between the steps, to be quick. With GUILD_HALL_TEST_POINTS=: each one, each of git's and of
// every write, too, which takes long.
test.each([
  ['merges', 'commission:', 6],
  ['conflicts', 'commission:after:unmerged', 1],
  ['fails its check', 'commission:after:unmerged', 1],
] as const)(
  'killed between any two steps, work that %s is ended once: one commit, one entry, nothing left lying about [COM-14.2, COM-14.8, SYS-CRASH]',
  async (kind, points, atLeast) => {
    const program = await bundled('commission-until-fault');
    const match = process.env['GUILD_HALL_TEST_POINTS'] ?? points;
    const step = kind === 'merges' && match === points ? 2 : 1;
    let dieAt = step;
    while (await dieAndGoOn(program, kind, match, dieAt)) dieAt += step;
    expect(dieAt).toBeGreaterThan(atLeast);
  },
  120_000,
);

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { handClock } from '../../../test/help/hand-clock.ts';
import { createLocks } from '../../kernel/locks/locks.ts';
import { homePaths } from '../../kernel/projects/home.ts';
import { defaultConfig } from '../../kernel/projects/settings.ts';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { createForecastState, type ForecastContext } from './context.ts';
import { conflictsIn, conflictsOfActivity } from './forecasting.ts';
import { conflictsForeseen } from './waiting.ts';

const name = projectNameSchema.parse('sample');

test('what will not merge is told to who asks, on both pages and in the inbox, before anything is merged [SYS-FORECAST]', async () => {
  const hall = await makeHallRepository({ files: { 'a.md': 'a\n', 'b.md': 'b\n'.repeat(20) } });
  const [one, two] = [await hall.activity('one'), await hall.activity('two')];
  const clock = handClock();
  const ids = ['one', 'two'];
  const home = { ...homePaths(hall.ctx.home.root), integrationWorktree: () => hall.hall.path };
  const ctx: ForecastContext = {
    ...hall.ctx,
    clock,
    home,
    locks: createLocks(),
    config: () => ({ ...defaultConfig, projects: [{ name, path: hall.repo.path }] }),
    branches: async () =>
      ids.map((id) => ({
        kind: 'meeting',
        id,
        title: `Title ${id}`,
        branch: `claude/activity/${id}`,
        worktree: join(hall.ctx.home.root, 'worktrees', 'sample', `activity-${id}`),
        owner: id,
      })),
    recordFolders: () => ['.lore/records'],
    forecast: createForecastState(),
  };
  expect(await conflictsIn(ctx)).toEqual({ pairs: [], problems: [] });

  one.write({ 'a.md': 'one\n', 'b.md': `${'b\n'.repeat(20)}one\n`, '.lore/records/x.md': 'one\n' });
  two.write({ 'b.md': `two\n${'b\n'.repeat(20)}`, '.lore/records/x.md': 'two\n' });
  await clock.pass(3000);
  const [a, b] = ids.map((id) => ({ kind: 'meeting', id, title: `Title ${id}` }));
  expect((await conflictsIn(ctx, 'sample')).pairs).toEqual([
    { project: 'sample', a, b, files: ['b.md'], isConflict: false },
  ]);
  expect(await conflictsForeseen(ctx)).toEqual([]);

  two.write({ 'a.md': 'two\n' });
  // So soon the last answer counts.
  expect((await conflictsIn(ctx, 'sample')).pairs[0]).toMatchObject({ isConflict: false });
  await clock.pass(3000);
  expect((await conflictsIn(ctx, 'sample')).pairs).toEqual([
    { project: 'sample', a, b, files: ['a.md'], isConflict: true },
  ]);
  const seen = { files: ['a.md'], isConflict: true };
  expect(await conflictsOfActivity(ctx, { project: 'sample', kind: 'meeting', id: 'one' })).toEqual([
    { ...b, ...seen },
  ]);
  expect(await conflictsOfActivity(ctx, { project: 'sample', kind: 'meeting', id: 'two' })).toEqual([
    { ...a, ...seen },
  ]);
  expect(await conflictsOfActivity(ctx, { project: 'sample', kind: 'other', id: 'two' })).toEqual([]);
  expect(await conflictsForeseen(ctx)).toMatchObject([
    {
      kind: 'problem',
      project: 'sample',
      subject: a,
      title: 'Meeting “Title one” will not merge with meeting “Title two”',
    },
  ]);

  hall.hall.commit('meanwhile', { 'a.md': 'main\n' });
  ids.pop();
  await clock.pass(3000);
  expect(await conflictsOfActivity(ctx, { project: 'sample', kind: 'meeting', id: 'one' })).toEqual([
    { kind: 'branch', id: 'claude/main', title: 'claude/main', ...seen },
  ]);

  await expect(conflictsIn(ctx, 'nowhere')).rejects.toThrow('There is no project');
});

/** What counts as a change of the checkout during a turn, and what others of the hall do there meanwhile. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepository, type TestRepository } from '../../../../test/help/repositories.ts';
import { systemClock } from '../../../kernel/clock/clock.ts';
import { createLocks } from '../../../kernel/locks/locks.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import { councilIdSchema } from '../contract.ts';
import type { CouncilRef } from '../store/place.ts';
import { changedSince, lookAtCheckout } from './checkout.ts';

const ctx = {
  clock: systemClock,
  locks: createLocks(),
  log: silentLog,
  recordFolders: () => ['.lore/commissions'],
};
const record = '.lore/commissions/commission-ada.md';

function refOf({ path }: TestRepository, integrationWorktree = path): CouncilRef {
  const name = projectNameSchema.parse('sample');
  const project = { name, path, integrationBranch: 'main', integrationWorktree };
  return { project, root: path, id: councilIdSchema.parse('2026-11-22-a-council') };
}

test('Records that the hall writes while somebody speaks are no change, committed or not', async () => {
  const repo = await makeRepository({ files: { 'a.md': 'a\n', [record]: 'pending\n' } });
  const ref = refOf(repo);
  repo.write({ [record]: 'dispatched\n' });
  const before = await lookAtCheckout(ctx, ref);
  repo.git('commit', '-qam', 'dispatched');
  expect(await changedSince(ctx, ref, before)).toEqual([]);
  repo.write({ [record]: 'running\n', '.lore/commissions/commission-ben.md': 'pending\n', 'a.md': 'changed\n' });
  expect(await changedSince(ctx, ref, before)).toEqual(['a.md']);
});

test('What stood there uncommitted and is committed meanwhile is no change as long as its file is the same', async () => {
  const repo = await makeRepository({ files: { 'a.md': 'a\n', 'b.md': 'b\n' } });
  const ref = refOf(repo);
  repo.write({ 'a.md': 'by hand\n', 'new.md': 'by hand\n', 'b.md': 'by hand\n' });
  const before = await lookAtCheckout(ctx, ref);
  repo.git('add', 'a.md', 'new.md');
  repo.git('commit', '-qm', 'edited');
  expect(await changedSince(ctx, ref, before)).toEqual([]);
  repo.write({ 'b.md': 'by another hand\n' });
  expect(await changedSince(ctx, ref, before)).toEqual(['b.md']);
  // In place the hall commits nothing: there another commit is a change.
  expect(await changedSince(ctx, refOf(repo, join(repo.path, 'elsewhere')), before)).toContain('HEAD');
});

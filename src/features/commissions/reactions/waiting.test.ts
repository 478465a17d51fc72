import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startCommissions, type TestCommissions } from '../../../../test/help/commissions.ts';
import { dispatchCommission } from '../operations/dispatching.ts';
import type { CommissionRef } from '../store/place.ts';

const put = (ref: CommissionRef, path: string, text = ''): void => {
  const file = join(ref.project.integrationWorktree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const states = async (hall: TestCommissions, ref: CommissionRef): Promise<string[]> =>
  (await hall.record(ref)).timeline.flatMap((entry) => (entry.event === 'status' ? [entry.to] : []));

test('what waits for files is blocked and pending as they come and go, by nobody asking [COM-6.2, COM-6.4, COM-7.1, COM-7.2, COM-7.3, COM-7.4]', async () => {
  const hall = await startCommissions();
  const two = await hall.create({ dependencies: ['.lore/specs/a.md', '.lore/specs/b.md'], status: 'blocked' });
  const busy = await hall.create({
    dependencies: ['.lore/specs/c.md'],
    status: 'blocked',
    steps: [
      ['wait', 'end'],
      ['result', 'done'],
    ],
  });
  put(busy, '.lore/specs/c.md', 'not even: [frontmatter');
  await hall.reaches(busy, 'pending');
  await dispatchCommission(hall.ctx, busy);
  put(two, '.lore/specs/a.md');
  await hall.reaches(busy, 'in_progress');
  expect(await states(hall, two), 'one of two is not enough').toEqual(['blocked']);
  put(two, '.lore/specs/b.md');
  await hall.reaches(two, 'pending');
  put(two, '.lore/specs/b.md', 'changed');
  rmSync(join(busy.project.integrationWorktree, '.lore/specs/c.md'));
  rmSync(join(two.project.integrationWorktree, '.lore/specs/a.md'));
  const blocked = await hall.reaches(two, 'blocked');
  expect(blocked.timeline.at(-1)).toMatchObject({
    from: 'pending',
    to: 'blocked',
    reason: expect.stringContaining('.lore/specs/a.md'),
  });
  expect(await states(hall, two)).toEqual(['blocked', 'pending', 'blocked']);
  expect((await hall.record(busy)).status, 'what runs keeps its state').toBe('in_progress');
  hall.go(busy, 'end');
  expect(await states(hall, busy)).not.toContain('failed');
  await hall.ends(busy);
}, 60_000);

test('a chain starts itself: what a commission merges is what the next one waits for [COM-6.4, COM-7.1, COM-22.2]', async () => {
  const hall = await startCommissions();
  const queuedAt = hall.ctx.clock.nowIso();
  const first = await hall.create({
    steps: [
      ['write', '.lore/notes/first.md', 'x'],
      ['wait', 'end'],
      ['result', 'done'],
    ],
  });
  const byPath = await hall.create({ dependencies: ['.lore/notes/first.md'], status: 'blocked', queuedAt });
  const byId = await hall.create({ dependencies: [first.id], status: 'blocked', queuedAt });
  const asked = await hall.create({ dependencies: [first.id], status: 'blocked' });
  await dispatchCommission(hall.ctx, first);
  await hall.reaches(first, 'in_progress');
  hall.go(first, 'end');
  for (const ref of [byPath, byId]) expect((await hall.ends(ref)).status).toBe('completed');
  expect((await hall.record(asked)).status, 'nobody asked for it to start').toBe('pending');
}, 60_000);

test('changes that came while the hall was away are seen at its start; what leads out of the project is not there [COM-7.1]', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({ dependencies: ['.lore/specs/a.md'], status: 'blocked' });
  const out = await hall.create({ dependencies: ['.lore/specs/out/passwd'], status: 'blocked' });
  await hall.restart(() => {
    put(ref, '.lore/specs/a.md');
    symlinkSync('/etc', join(ref.project.integrationWorktree, '.lore/specs/out'));
  });
  await hall.reaches(ref, 'pending');
  expect((await hall.record(out)).status).toBe('blocked');
}, 60_000);

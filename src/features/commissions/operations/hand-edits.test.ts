/** What a person may change of a commission's file by hand, and what the editor of artifacts refuses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCommissions, type TestCommissions } from '../../../../test/help/commissions.ts';
import type { CommissionRef } from '../store/place.ts';
import { commissionPath } from '../store/place.ts';
import { changeCommission } from '../store/files.ts';
import { commissionRecords } from './hand-edits.ts';

type Change = (text: string) => string;
/** The refusal of an edit; `taken` for none. */
async function judged(hall: TestCommissions, ref: CommissionRef, change: Change): Promise<string> {
  const path = commissionPath(ref.id);
  const before = readFileSync(join(ref.project.integrationWorktree, path), 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  return (await commissionRecords(hall.ctx).judge(ref.project.name, path, after))?.message ?? 'taken';
}
const put =
  (from: string | RegExp, to: string): Change =>
  (text) =>
    text.replace(from, to);

test('while it waits its order is free; what the hall wrote, and what would break it, is refused', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({ id: 'first-1', prompt: 'Write it.' });
  const other = await hall.create({ id: 'second-2', dependencies: ['first-1'] });
  const say = async (change: Change): Promise<string> => await judged(hall, ref, change);
  for (const change of [
    put('prompt: Write it.', 'prompt: Write another.'),
    put('title: Job first-1', 'title: Mine'),
    put('dependencies: []', 'dependencies: [.lore/a.md]'),
    put('resource_overrides: {}', 'resource_overrides: {maxTurns: 3}'),
    put('  - commission\n', '  - commission\n  - mine\n'),
    put(/$/, '\nMy words.\n'),
  ]) {
    expect(await say(change)).toBe('taken');
  }
  expect(await say(put('status: pending', 'status: completed'))).toMatch(
    /^With this text commission first-1 could not be read any more, line 4: The field `status` says completed, but/,
  );
  expect(await say(put('status: pending', 'status: done'))).toMatch(/line 4: The field `status` says "done"; expected/);
  expect(await say(put('attempt: 0', 'attempt: 4'))).toBe(
    'The field `attempt` of commission first-1 tells what the hall did; it is not changed by hand.',
  );
  expect(await say(put('dependencies: []', 'dependencies: [../x]'))).toMatch(/is no path inside the project and no id/);
  expect(await say(put('dependencies: []', `dependencies: [${other.id}]`))).toBe(
    'These commissions would wait for each other for ever: first-1 → second-2 → first-1.',
  );
  expect(await say(put('resource_overrides: {}', 'resource_overrides: {maxTurns: 0}'))).toMatch(
    /expected a whole number/,
  );

  await changeCommission(ref.project, ref.id, { status: 'cancelled' }, [
    { timestamp: hall.ctx.clock.nowIso(), attempt: 0, event: 'status', from: 'pending', to: 'cancelled', reason: 'x' },
  ]);
  expect(await say(put('title: Job first-1', 'title: Mine'))).toMatch(
    /^The field `title` of commission first-1 is what was/,
  );
  expect(await say(put('# Job first-1', 'My words.\n\n# Job first-1'))).toBe('taken');
});

test('only its own files are its records, and what has not ended is unfinished', async () => {
  const hall = await startCommissions();
  const keeper = commissionRecords(hall.ctx);
  expect(keeper.lockOf('p1', '.lore/commissions/a-1.md')).toBe('commission:p1/a-1');
  for (const path of ['.lore/commissions/a/b.md', '.lore/notes/a.md', '.lore/commissions/a b.md']) {
    expect(keeper.lockOf('p1', path)).toBeUndefined();
    expect(await keeper.judge('p1', path, 'x')).toBeUndefined();
  }
  expect([keeper.isRecord('.lore/commissions/x.md'), keeper.isRecord('.lore/x.md')]).toEqual([true, false]);
  const words = ['pending', 'failed', 'completed', 'odd', null];
  expect(words.map((status) => keeper.isUnfinished('.lore/commissions/x.md', status))).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
});

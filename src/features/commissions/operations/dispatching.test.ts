import { expect, test } from 'vitest';
import { branchIsThere, startCommissions, worktreeIsThere } from '../../../../test/help/commissions.ts';
import { dispatchCommission } from './dispatching.ts';

test('a dispatched commission runs as a process and its work is merged as one commit [COM-6.1, COM-6.6, COM-6.8, COM-14.1, COM-14.2, COM-14.3]', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({
    steps: [
      ['progress', 'half'],
      ['write', '.lore/notes/a.md', '# A\n'],
      ['result', 'It is there', ['.lore/notes/a.md']],
    ],
  });
  const before = hall.repo.git('rev-list', '--count', 'claude/main');
  const given = await dispatchCommission(hall.ctx, ref);
  expect(given.status).toBe('dispatched');
  const record = await hall.ends(ref);
  expect(
    record.timeline.map((entry) => (entry.event === 'status' ? `${entry.from}>${entry.to}` : entry.event)),
  ).toEqual([
    'null>pending',
    'pending>dispatched',
    'dispatched>in_progress',
    'progress',
    'result',
    'artifact',
    'in_progress>completed',
    'merge',
  ]);
  expect(record).toMatchObject({
    status: 'completed',
    merge: { state: 'merged' },
    linkedArtifacts: ['.lore/notes/a.md'],
  });
  expect(worktreeIsThere(hall, ref)).toBe(false);
  expect(branchIsThere(hall, ref)).toBe(false);
  expect(hall.repo.git('show', '--stat=200', '--format=', 'claude/main')).toContain('notes/a.md');
  expect(hall.repo.git('show', '--stat=200', '--format=', 'claude/main')).toContain(`commissions/${ref.id}.md`);
  expect(Number(hall.repo.git('rev-list', '--count', 'claude/main')) - Number(before)).toBe(4);
});

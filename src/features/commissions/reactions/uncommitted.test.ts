import { expect, test } from 'vitest';
import { startCommissions } from '../../../../test/help/commissions.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { repositoryAt } from '../../../../test/help/repositories.ts';
import { dispatchCommission } from '../operations/dispatching.ts';
import { changeCommission } from '../store/files.ts';

test('what a killed hall had written of an ended commission and not committed is committed at the next start [COM-29.2]', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({ steps: [['failed', 'turn limit reached (3)']] });
  await dispatchCommission(hall.ctx, ref);
  await hall.ends(ref);
  const checkout = repositoryAt(ref.project.integrationWorktree);
  expect(checkout.git('status', '--porcelain')).toBe('');
  await hall.restart(async () => {
    await changeCommission(ref.project, ref.id, { reviewedAt: hall.ctx.clock.nowIso() });
    expect(checkout.git('status', '--porcelain')).not.toBe('');
  });
  await waitUntil(() => checkout.git('status', '--porcelain') === '');
  expect((await hall.record(ref)).reviewedAt).not.toBeNull();
}, 40_000);

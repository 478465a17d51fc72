/** What old attempts left goes after a while, and nothing that is asked for. */
import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCommissions, type TestCommissions } from '../../../../test/help/commissions.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { dispatchCommission } from '../operations/dispatching.ts';
import { artifactFile } from '../store/files.ts';
import { attemptFolder, type CommissionRef, stateFolder } from '../store/place.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** As if its last change were that long ago. */
function age(hall: TestCommissions, ref: CommissionRef, days: number): string {
  const folder = attemptFolder(hall.ctx, ref, 1);
  const then = new Date(hall.ctx.clock.nowMs() - days * dayMs);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);
  utimesSync(folder, then, then);
  return folder;
}

test('journals of attempts that ended thirty days ago go at the start of the hall; of younger ones, of running ones and of what is not merged they stay', async () => {
  const hall = await startCommissions({ commissions: { global: 9, perProject: 9 } });
  const failing = { steps: [['exit', 1]] } as const;
  const [old, young, deleted] = [await hall.create(failing), await hall.create(failing), await hall.create(failing)];
  for (const ref of [old, young, deleted]) {
    await dispatchCommission(hall.ctx, ref);
    await hall.ends(ref);
  }
  const running = await hall.create({ steps: [['wait', 'on']] });
  await dispatchCommission(hall.ctx, running);
  await hall.reaches(running, 'in_progress');
  rmSync(await artifactFile(deleted.project, deleted.id));
  const gone = [age(hall, old, 31), age(hall, deleted, 31)];
  const kept = [age(hall, young, 29), age(hall, running, 31)];
  await hall.restart();
  await waitUntil(() => gone.every((folder) => !existsSync(folder)));
  expect(kept.map((folder) => existsSync(folder))).toEqual([true, true]);
  await waitUntil(() => !existsSync(stateFolder(hall.ctx, old)));
  expect((await hall.record(old)).status).toBe('failed');
}, 60_000);

import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCommissions } from '../../../../test/help/commissions.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { keyOf, stateFolder } from '../store/place.ts';
import { dispatchCommission } from './dispatching.ts';

test('an end whose very beginning cannot be written down is begun as soon as it can, without a restart [COM-14.8]', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({
    steps: [
      ['progress', 'one'],
      ['wait', 'end'],
      ['result', 'done'],
    ],
  });
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'in_progress');
  await waitUntil(async () => (await hall.record(ref)).currentProgress === 'one');
  const run = join(stateFolder(hall.ctx, ref), 'run.json');
  // A folder in its place: it can be neither read nor replaced.
  renameSync(run, `${run}.kept`);
  mkdirSync(run);
  hall.go(ref, 'end');
  await waitUntil(() => hall.ctx.engine.troubles.has(keyOf(ref)));
  expect((await hall.record(ref)).status).toBe('in_progress');
  rmdirSync(run);
  renameSync(`${run}.kept`, run);
  const record = await hall.ends(ref);
  expect([record.status, record.merge.state]).toEqual(['completed', 'merged']);
  expect(hall.ctx.engine.troubles.size).toBe(0);
}, 40_000);

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { startCommissions, type TestCommissions } from '../../../../test/help/commissions.ts';
import { commissionIdSchema } from '../contract.ts';
import { dispatchCommission } from '../operations/dispatching.ts';
import { showCommission } from '../operations/reading.ts';
import { artifactFile } from '../store/files.ts';
import type { CommissionRef } from '../store/place.ts';

/** A record that came with the repository: the hall has not written it. */
async function foreign(hall: TestCommissions, id: string, edit: (text: string) => string): Promise<CommissionRef> {
  const model = await hall.create({ id: `${id}-model` });
  const ref = { project: model.project, id: commissionIdSchema.parse(id) };
  const file = await artifactFile(ref.project, ref.id);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, edit(readFileSync(await artifactFile(model.project, model.id), 'utf8')));
  return ref;
}

test('a record that came with the repository and says that it is queued starts nothing until the person says so', async () => {
  const hall = await startCommissions();
  const ref = await foreign(hall, 'evil', (text) =>
    text.replace(/^queued_at:.*$/m, 'queued_at: 2026-01-01T00:00:00.000Z'),
  );
  expect((await hall.record(ref)).queuedAt).not.toBeNull();
  const own = await hall.create();
  await dispatchCommission(hall.ctx, own);
  await hall.ends(own);
  expect((await hall.record(ref)).status).toBe('pending');
  await hall.restart();
  const second = await hall.create();
  await dispatchCommission(hall.ctx, second);
  await hall.ends(second);
  expect((await hall.record(ref)).status).toBe('pending');
  expect((await showCommission(hall.ctx, ref)).allowed).toContain('dispatch');
  await dispatchCommission(hall.ctx, ref);
  expect((await hall.ends(ref)).status).toBe('completed');
});

test('a record that claims to have been tried a thousand million times is shown all the same', async () => {
  const hall = await startCommissions();
  const ref = await foreign(hall, 'huge', (text) => text.replace(/^attempt:.*$/m, 'attempt: 4000000000'));
  const view = await showCommission(hall.ctx, ref);
  expect(view.branches).toEqual([]);
  expect(view.commission.problems).not.toEqual([]);
});

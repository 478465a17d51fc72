import { expect, test } from 'vitest';
import { startCommissions } from '../../../../test/help/commissions.ts';
import { createCommission } from './creating.ts';
import { dispatchChain } from './chaining.ts';
import { dispatchCommission } from './dispatching.ts';
import { readAwaited, showCommission } from './reading.ts';
import type { CommissionRef } from '../store/place.ts';

const makes = (path: string): string =>
  JSON.stringify([
    ['write', path, '# There\n'],
    ['result', 'It is there', [path]],
  ]);

test('one word starts a chain of five over ids and paths, and each begins when the one before it is merged', async () => {
  const hall = await startCommissions({ commissions: { perProject: 5 } });
  const { project } = await hall.create();
  const write = async (title: string, prompt: string, depends: readonly string[]): Promise<CommissionRef> => {
    const input = { worker: 'researcher', title, prompt, depends, dispatch: false };
    return { project, id: (await createCommission(hall.ctx, project, input, 'person')).id };
  };
  const one = await write('one', makes('.lore/notes/1.md'), []);
  const two = await write('two', makes('.lore/notes/2.md'), [one.id]);
  const three = await write('three', makes('.lore/notes/3.md'), [two.id, '.lore/notes/1.md']);
  const four = await write('four', makes('.lore/notes/4.md'), [three.id, one.id]);
  const five = await write('five', makes('.lore/notes/5.md'), [four.id, '.lore/notes/2.md']);
  const chain = [one, two, three, four];
  expect((await showCommission(hall.ctx, five)).undispatched.map(({ id }) => id)).toEqual(chain.map(({ id }) => id));
  await expect(dispatchCommission(hall.ctx, five)).rejects.toMatchObject({
    facts: { hint: expect.stringContaining('--with-dependencies') },
  });
  const done = await dispatchChain(hall.ctx, five);
  expect(done.also.map(({ id }) => id)).toEqual(chain.map(({ id }) => id));
  expect(done.unmade, 'known from nobody before it has run').toEqual(['.lore/notes/1.md', '.lore/notes/2.md']);
  expect(done.record.status).toBe('blocked');
  expect((await dispatchChain(hall.ctx, five)).also, 'asked again, nothing is asked for twice').toEqual([]);
  const records = [];
  for (const ref of [...chain, five]) records.push(await hall.ends(ref));
  expect(records.map(({ status, merge, attempt }) => `${status} ${merge.state} ${attempt}`)).toEqual(
    records.map(() => 'completed merged 1'),
  );
  const times = records.map(({ timeline }) => {
    const at = (to: string) => timeline.find((entry) => entry.event === 'status' && entry.to === to)!.timestamp;
    return { began: at('dispatched'), merged: timeline.findLast(({ event }) => event === 'merge')!.timestamp };
  });
  for (const [index, { began }] of times.slice(1).entries()) expect(began >= times[index]!.merged).toBe(true);
  await expect(dispatchChain(hall.ctx, five)).rejects.toThrow(/is completed; from there it can become nothing else/);
}, 60_000);

test('a chain with a link that has ended without being merged is refused, and nothing of it starts', async () => {
  const hall = await startCommissions();
  const failing = await hall.create({ steps: [['exit', 3]] });
  const first = await hall.create();
  const second = await hall.create({ dependencies: [failing.id, first.id], status: 'blocked' });
  const last = await hall.create({ dependencies: [second.id], status: 'blocked' });
  await dispatchCommission(hall.ctx, failing);
  expect((await hall.ends(failing)).status).toBe('failed');
  await expect(dispatchChain(hall.ctx, last)).rejects.toMatchObject({
    facts: {
      code: 'conflict',
      message: `Commission ${last.id} cannot start: it waits for ${failing.id}, which failed. Nothing was dispatched.`,
      hint: expect.stringContaining(`guild-hall commission redispatch ${failing.id}`),
    },
  });
  for (const ref of [first, second, last]) expect((await hall.record(ref)).queuedAt).toBeNull();
  await dispatchChain(hall.ctx, await hall.create({ dependencies: [first.id], status: 'blocked' }));
  expect((await hall.ends(first)).status).toBe('completed');
}, 60_000);

test('who waits for one that waits for what does not come is told so, and does not wait for ever', async () => {
  const hall = await startCommissions();
  const first = await hall.create({
    steps: [
      ['wait', 'end'],
      ['exit', 3],
    ],
  });
  const { project } = first;
  const write = async (title: string, depends: readonly string[], dispatch: boolean): Promise<CommissionRef> => {
    const input = { worker: 'researcher', title, prompt: '[]', depends, dispatch };
    return { project, id: (await createCommission(hall.ctx, project, input, 'person')).id };
  };
  const middle = await write('middle', [first.id], false);
  const last = await write('last', [middle.id], true);
  const how = async () => {
    const { commissions, isOver } = await readAwaited(hall.ctx, [last]);
    const { isStuck, reason, hint } = commissions[0]!;
    return { isOver, isStuck, reason, hint };
  };
  expect(await how()).toMatchObject({
    isOver: true,
    isStuck: true,
    reason: `It waits for ${first.id}, which nobody has dispatched.`,
    hint: expect.stringContaining(`dispatch ${last.id} --with-dependencies`),
  });
  await dispatchChain(hall.ctx, last);
  expect(await how()).toMatchObject({ isOver: false, isStuck: false });
  await hall.reaches(first, 'in_progress');
  hall.go(first, 'end');
  expect((await hall.ends(first)).status).toBe('failed');
  expect(await how()).toMatchObject({
    isOver: true,
    isStuck: true,
    reason: `It waits for ${first.id}, which failed.`,
    hint: `Try it again: guild-hall commission redispatch ${first.id}`,
  });
}, 60_000);

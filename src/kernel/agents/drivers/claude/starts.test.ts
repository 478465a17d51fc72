import { expect, test } from 'vitest';
import { acquireStart, createStarts, type StartKind } from './starts.ts';

const open = new AbortController().signal;

test('so many at once, persons’ turns first, each kind in the order it came', async () => {
  const starts = createStarts();
  const order: string[] = [];
  const held = [await acquireStart(starts, 'preparation', 2, open), await acquireStart(starts, 'turn', 2, open)];
  const ask = async (kind: StartKind, name: string): Promise<void> => {
    const release = await acquireStart(starts, kind, 2, open);
    order.push(name);
    release();
  };
  const all = [ask('preparation', 'p1'), ask('turn', 't1'), ask('preparation', 'p2'), ask('turn', 't2')];
  await Promise.resolve();
  expect(order).toEqual([]);
  held[0]!();
  held[0]!();
  await Promise.all(all);
  expect(order).toEqual(['t1', 't2', 'p1', 'p2']);
  expect(starts.running).toBe(1);
  held[1]!();
  expect(starts.running).toBe(0);
});

test('who gives up leaves the queue, and the place goes to the next', async () => {
  const starts = createStarts();
  const release = await acquireStart(starts, 'turn', 1, open);
  const givenUp = new AbortController();
  const first = acquireStart(starts, 'turn', 1, givenUp.signal);
  const second = acquireStart(starts, 'turn', 1, open);
  givenUp.abort(new RangeError('enough'));
  await expect(first).rejects.toThrow('enough');
  release();
  (await second)();
  expect(starts.running).toBe(0);
  await expect(acquireStart(starts, 'turn', 1, givenUp.signal)).rejects.toThrow('enough');
});

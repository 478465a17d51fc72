import { expect, test } from 'vitest';
import { deferred } from './deferred.ts';
import { someAtOnce } from './some-at-once.ts';

test('never more at once than said, each once, and the answers in the order of the things', async () => {
  let running = 0;
  let most = 0;
  const gates = Array.from({ length: 7 }, () => deferred());
  const answers = someAtOnce([0, 1, 2, 3, 4, 5, 6], 3, async (at) => {
    running += 1;
    most = Math.max(most, running);
    await gates[at]!.promise;
    running -= 1;
    return at * 10;
  });
  for (const at of [2, 1, 0, 5, 4, 6, 3]) gates[at]!.resolve();
  expect(await answers).toEqual([0, 10, 20, 30, 40, 50, 60]);
  expect(most).toBe(3);
  expect(await someAtOnce([], 3, async () => 1)).toEqual([]);
});

test('one that fails ends it: nothing more begins', async () => {
  const begun: number[] = [];
  const work = async (at: number): Promise<void> => {
    begun.push(at);
    await Promise.resolve();
    if (at === 1) throw new Error('the second');
  };
  await expect(someAtOnce([0, 1, 2, 3, 4, 5], 2, work)).rejects.toThrow('the second');
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).not.toContain(5);
});

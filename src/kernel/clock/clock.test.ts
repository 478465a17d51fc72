import { expect, test } from 'vitest';
import { untilCommonTick } from './clock.ts';

test.each([
  { now: 0, ms: 1000, wait: 1000 },
  { now: 999.5, ms: 1000, wait: 1 },
  { now: 1000, ms: 1000, wait: 1000 },
  { now: 12_345.25, ms: 5000, wait: 2655 },
  { now: 0.1, ms: 0.125, wait: 1 },
])('whoever waits $ms ms from $now on wakes after $wait ms, together with the others', ({ now, ms, wait }) => {
  expect(untilCommonTick({ monotonicMs: () => now }, ms)).toBe(wait);
});

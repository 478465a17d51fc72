import { expect, test } from 'vitest';
import type { CommissionStatus, MergeState } from '../contract.ts';
import { isOld, keptMs, mayForget } from './retention.ts';

test.each<[CommissionStatus | 'deleted', MergeState, boolean]>([
  ['deleted', 'none', true],
  ['failed', 'none', true],
  ['cancelled', 'none', true],
  ['completed', 'merged', true],
  ['completed', 'dismissed', true],
  ['completed', 'none', false],
  ['completed', 'merge_conflict', false],
  ['completed', 'gate_failed', false],
  ['completed', 'secrets', false],
  ['pending', 'none', false],
  ['blocked', 'none', false],
  ['dispatched', 'none', false],
  ['in_progress', 'none', false],
])('what an attempt left of one that is %s, %s, may go: %s', (status, state, may) => {
  expect(mayForget(status === 'deleted' ? undefined : { status, merge: { state, files: [] } })).toBe(may);
});

test('thirty days after the last change, and not before', () => {
  expect([isOld(1000, 1000 + keptMs - 1), isOld(1000, 1000 + keptMs)]).toEqual([false, true]);
});

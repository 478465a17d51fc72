import { expect, test } from 'vitest';
import { isAsked, sumAsked } from './fold.ts';

test('a problem is in the inbox, and is not counted among what waits for the person', () => {
  expect(sumAsked({ review: 20, question: 4, conflict: 1, problem: 2 })).toBe(25);
  expect(sumAsked({ problem: 2 })).toBe(0);
  expect(sumAsked({})).toBe(0);
  expect([isAsked({ kind: 'review' }), isAsked({ kind: 'problem' })]).toEqual([true, false]);
});

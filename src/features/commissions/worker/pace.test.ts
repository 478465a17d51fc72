import { expect, test } from 'vitest';
import { handClock } from '../../../../test/help/hand-clock.ts';
import type { NewJournalEntry } from '../contract/journal.ts';
import { paceMs, withPace } from './pace.ts';

test.each([
  [1, 0, 0],
  [60, 0, 0],
  [61, 0, 200],
  [61, 150, 50],
  [61, 900, 0],
  [151, 0, 1000],
  [401, 0, 5000],
  [401, 60_000, 0],
])('line %i, %i ms after the one before, waits %i ms', (count, since, ms) => {
  expect(paceMs(count, since)).toBe(ms);
});

test('a flood of reports is written whole and slowed down; words are not', async () => {
  const clock = handClock();
  const written: NewJournalEntry[] = [];
  const add = async (entry: NewJournalEntry): Promise<void> => void written.push(entry);
  const journal = withPace({ clock }, { add, close: async () => {} });
  for (let n = 0; n < 500; n += 1) await journal.add({ kind: 'text', text: String(n) });
  const flood = (async () => {
    for (let n = 0; n < 200; n += 1) await journal.add({ kind: 'progress', text: String(n) });
  })();
  await clock.pass(10);
  const reports = (): number => written.filter(({ kind }) => kind === 'progress').length;
  expect(reports()).toBe(61);
  await clock.pass(5000);
  expect(reports()).toBeLessThanOrEqual(61 + 25);
  await clock.pass(120_000);
  await flood;
  expect(reports()).toBe(200);
});

/** The floor under what the tests run through, of all of the code and of a part by itself. */
import { expect, test } from 'vitest';
import { judgeCoverage } from '../../scripts/coverage.mjs';

const lines = (covered: number, total = 100) => ({ lines: { total, covered, pct: (100 * covered) / total } });
const summaryOf = (own: number, others: number, part = 'commissions') => ({
  total: lines(own + others + 100, 300),
  '/here/src/features/commissions/rules.ts': lines(part === 'commissions' ? own : 100),
  '/here/src/features/meetings/rules.ts': lines(part === 'meetings' ? own : 100),
  '/here/src/features/commissions-of-old/rules.ts': lines(0),
  '/here/src/kernel/git/diff.ts': lines(others),
});
/** Of all of the code, of meetings, of commissions. */
const passed = (own: number, others: number, part?: string): boolean[] =>
  judgeCoverage(summaryOf(own, others, part), '/here').map((verdict) => verdict.passed);

test('the code of commissions has to be run through by nine lines of ten, whatever the rest has [COM-V2]', () => {
  expect(passed(90, 90)).toEqual([true, true, true]);
  expect(passed(89, 100)).toEqual([true, true, false]);
  expect(passed(100, 60)).toEqual([false, true, true]);
  const [, , part] = judgeCoverage(summaryOf(89, 100), '/here');
  expect(part!.text).toBe(
    'src/features/commissions: 89 % of 100 lines; at least 90 % are needed\n     11 lines without a test in src/features/commissions/rules.ts',
  );
});

test('the code of meetings has to be run through by nine lines of ten, too [MTG-V2]', () => {
  expect(passed(90, 90, 'meetings')).toEqual([true, true, true]);
  expect(passed(89, 100, 'meetings')).toEqual([true, false, true]);
});

test('what was not measured has not passed', () => {
  expect(judgeCoverage({}, '/here').map((verdict) => verdict.passed)).toEqual([false, false, false]);
  expect(judgeCoverage({ total: lines(100) }, '/here').map((verdict) => verdict.passed)).toEqual([true, false, false]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hoursByTag, hoursByWeek, parseDaybook, printCsv, totalOf } from '../src/index.ts';

const { entries } = parseDaybook(
  '2026-03-02\n09:00-10:30 design Sketch\n10:30-12:00 code Parser, first part\n2026-03-09\n09:00-10:00 code Reports\n',
);

await test('hours by tag, the most first', () => {
  assert.deepEqual(hoursByTag(entries), [
    ['code', 2.5],
    ['design', 1.5],
  ]);
  assert.equal(totalOf(hoursByTag(entries)), 4);
});

await test('hours by week', () => {
  assert.deepEqual(
    hoursByWeek(entries).map(([, hours]) => hours),
    [3, 1],
  );
});

await test('a note with a comma stays one field', () => {
  assert.match(printCsv(entries), /,code,"Parser, first part"\r\n/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesOf, parseDaybook, parseTime, printTime } from '../src/index.ts';

await test('reads entries under their date', () => {
  const { entries, problems } = parseDaybook('# March\n2026-03-02\n09:00-10:30 Design  Sketch the parser\n');
  assert.deepEqual(problems, []);
  assert.deepEqual(entries, [{ date: '2026-03-02', start: 540, end: 630, tag: 'design', note: 'Sketch the parser' }]);
  assert.equal(minutesOf(entries[0]!), 90);
});

await test('names the line of what it cannot read, and keeps the rest', () => {
  const { entries, problems } = parseDaybook(
    '09:00-10:00 early\n2026-03-02\n9-10 code\n25:00-26:00 code\n11:00-12:00 code\n',
  );
  assert.equal(entries.length, 1);
  assert.deepEqual(
    problems.map(({ line }) => line),
    [1, 3, 4],
  );
});

await test('times go both ways', () => {
  assert.equal(parseTime('9:05'), 545);
  assert.equal(parseTime('09:60'), undefined);
  assert.equal(printTime(545), '09:05');
});

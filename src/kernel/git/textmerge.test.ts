import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { systemClock } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import { mergeTexts } from './textmerge.ts';

const ctx = { clock: systemClock, log: silentLog };
const base = Array.from({ length: 12 }, (_, at) => `line ${at}\n`).join('');
const changed = (...changes: [string, string][]): string =>
  changes.reduce((text, [from, to]) => text.replace(`${from}\n`, `${to}\n`), base);
const first = changed(['line 1', 'ours 1']);

test.each([
  ['changes in other places', first, changed(['line 9', 'theirs 9']), 0],
  ['the same change twice', first, first, 0],
  ['a change of the same line', first, changed(['line 1', 'theirs 1']), 1],
  [
    'two such places',
    changed(['line 1', 'ours 1'], ['line 9', 'ours 9']),
    changed(['line 1', 'theirs 1'], ['line 9', 'theirs 9']),
    2,
  ],
])('%s', async (_what, ours, theirs, conflicts) => {
  const merged = await mergeTexts(ctx, { base, ours, theirs });
  expect(merged?.conflicts).toBe(conflicts);
  expect(merged?.text.includes('<<<<<<<')).toBe(conflicts > 0);
  for (const word of ['ours 1', 'theirs 9'])
    if ((ours + theirs).includes(word)) expect(merged?.text).toContain(`${word}\n`);
});

test('line ends and a missing last one come through; what is no text is not merged; nothing stays behind', async () => {
  const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('guild-hall-merge-'));
  const before = left();
  const crlf = base.replaceAll('\n', '\r\n');
  const merged = await mergeTexts(ctx, { base: crlf, ours: crlf.replace('line 0', '0'), theirs: crlf.trimEnd() });
  expect(merged).toEqual({ text: crlf.replace('line 0', '0').trimEnd(), conflicts: 0 });
  expect(await mergeTexts(ctx, { base: 'a\0b', ours: 'a\0c', theirs: 'a\0d' })).toBeUndefined();
  expect(left()).toEqual(before);
});

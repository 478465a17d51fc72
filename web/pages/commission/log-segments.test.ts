import { expect, test } from 'vitest';
import type { JournalEntry } from '../../../src/features/commissions/contract.ts';
import { foldLive, liveOf } from '../../../src/features/commissions/fold/live.ts';
import { numberOf, segmentsOf } from './log-segments.ts';

const at = '2026-02-14T09:00:00.000Z';
const tool = (n: number, callId: string, name: string, input = '{}'): JournalEntry => ({
  n,
  at,
  kind: 'tool',
  callId,
  name,
  input,
  limitMs: null,
});
const done = (n: number, callId: string): JournalEntry => ({
  n,
  at,
  kind: 'tool_result',
  callId,
  name: 'Read',
  ok: true,
  summary: 'x',
});

const entries: readonly JournalEntry[] = [
  { n: 1, at, kind: 'text', text: 'I begin.' },
  tool(2, 'a', 'Read', '{"file_path":"a.ts"}'),
  done(3, 'a'),
  tool(4, 'b', 'Grep', '{"pattern":"x'),
  tool(5, 'c', 'mcp__hall__report_progress'),
  { n: 6, at, kind: 'progress', text: 'Half.' },
  { n: 7, at, kind: 'text', text: 'On.' },
];

test('words, calls that follow each other, and facts, in order; what is told by a fact is no call', () => {
  const segments = segmentsOf(liveOf(entries).items);
  expect(segments.map(({ kind }) => kind)).toEqual(['words', 'steps', 'fact', 'words']);
  const [, steps] = segments;
  expect(steps?.kind === 'steps' && steps.calls.map(({ name, input, result }) => [name, input, result?.ok])).toEqual([
    ['Read', { file_path: 'a.ts' }, true],
    ['Grep', { input: '{"pattern":"x' }, undefined],
  ]);
});

test('what did not change stays the same object, so that it is not drawn again', () => {
  const before = liveOf(entries);
  const segments = segmentsOf(before.items);
  const after = segmentsOf(foldLive(before, { n: 8, at, kind: 'text', text: ' And on.' }).items, segments);
  expect(after.slice(0, 3).every((segment, nth) => segment === segments[nth])).toBe(true);
  expect(after[3]).not.toBe(segments[3]);
  expect(after.map(numberOf)).toEqual(segments.map(numberOf));
  const answered = segmentsOf(foldLive(before, done(8, 'b')).items, segments);
  expect(answered[1]).not.toBe(segments[1]);
});

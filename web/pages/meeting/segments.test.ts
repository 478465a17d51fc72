import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToolCallView } from '../../../src/features/meetings/contract.ts';
import { segmentsOf } from './segments.ts';
import { sayGroup, sayNow } from '../../kit/steps/steps.ts';

function callOf(name: string, input: unknown = {}, after = 0, isOk = true): ToolCallView {
  return { callId: `${name}${after}`, name, input, result: { ok: isOk, summary: '' }, after, line: name };
}

describe('An answer is shown in the order in which it came', () => {
  test('words, then what was called between them', () => {
    const text = 'First words.\n\nThen more.';
    const segments = segmentsOf(text, [callOf('Read', {}, 12), callOf('Grep', {}, 13)]);
    expect(segments).toEqual([
      { kind: 'words', text: 'First words.' },
      { kind: 'steps', calls: [callOf('Read', {}, 12), callOf('Grep', {}, 13)] },
      { kind: 'words', text: '\n\nThen more.'.slice(1) },
    ]);
  });

  test('without losing a word or a call, wherever the calls stand', () => {
    const places = fc.array(fc.nat(60), { maxLength: 8 }).map((list) => list.toSorted((one, other) => one - other));
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), places, (text, afters) => {
        const calls = afters.map((after, nth) => callOf(`Tool${nth}`, {}, Math.min(after, text.length)));
        const segments = segmentsOf(text, calls);
        const words = segments.flatMap((segment) => (segment.kind === 'words' ? [segment.text] : []));
        expect(words.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
        expect(segments.flatMap((segment) => (segment.kind === 'steps' ? segment.calls : []))).toEqual(calls);
      }),
    );
  });

  test('only the last part of a growing one changes', () => {
    const calls = [callOf('Read', {}, 5)];
    const before = segmentsOf('Words and', calls);
    expect(segmentsOf('Words and more', calls).slice(0, -1)).toEqual(before.slice(0, -1));
  });
});

test.each([
  [[callOf('Read', { file_path: 'a' }), callOf('Read', { file_path: 'b' })], '2 steps: read 2 files'],
  [[callOf('Read', { file_path: 'a' }), callOf('Read', { file_path: 'a' })], '2 steps: read 1 file'],
  [[callOf('Grep', { pattern: 'x' }), callOf('mcp__hall__list_artifacts')], '2 steps: searched 2 times'],
  [
    [
      callOf('Grep', { pattern: 'x' }),
      callOf('Write', { file_path: 'a' }),
      callOf('Bash', { command: 'ls' }, 0, false),
    ],
    '3 steps: searched once, wrote 1 file, ran 1 command, 1 failed',
  ],
  [[callOf('Task'), callOf('mcp__other__draw')], '2 steps: used Task, draw'],
])('Steps are told in a few words', (calls, said) => {
  expect(sayGroup(calls)).toBe(said);
});

test.each([
  [callOf('Read', { file_path: 'src/a.ts' }), 'Reading src/a.ts'],
  [callOf('mcp__hall__write_artifact', { path: '.lore/a.md' }), 'Writing .lore/a.md'],
  [callOf('Task', { name: 'look' }), 'Using Task on look'],
  [callOf('Bash', 3), 'Using Bash'],
])('A call under way says what it does', (call, said) => {
  expect(sayNow(call)).toBe(said);
});

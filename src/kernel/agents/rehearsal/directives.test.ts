import { expect, test } from 'vitest';

import { directiveMove, directiveNames, parseDirective } from './directives.ts';
import { failureNames } from './failures.ts';
import type { Situation } from './situation.ts';

const situation: Situation = {
  systemPrompt: '',
  tools: [{ name: 'mcp__hall__read_memory', description: '', inputSchema: {} }],
  turns: [],
  turn: { userText: '', assistantText: '', calls: [], answers: 0 },
  model: 'rehearsal',
  stream: true,
  cwd: undefined,
  worker: 'w',
  activityKind: 'activity',
};

test.each([
  ['[rehearse: rate_limit]', { kind: 'fail', failure: 'rate_limit', times: Number.POSITIVE_INFINITY }],
  ['[rehearse: rate-limit x2]', { kind: 'fail', failure: 'rate_limit', times: 2 }],
  ['[Rehearse: RESET x 3]', { kind: 'fail', failure: 'reset', times: 3 }],
  ['[rehearse: slow 50ms x 200]', { kind: 'slow', delayMs: 50, pieces: 200 }],
  ['[rehearse: slow]', { kind: 'slow', delayMs: 50, pieces: 40 }],
  ['[rehearse: loop]', { kind: 'loop' }],
  ['[rehearse: earthquake]', { kind: 'unknown', text: 'earthquake' }],
])('%s', (text, directive) => {
  expect(parseDirective(`Please ${text} look at this`)).toEqual({ directive, rest: expect.not.stringContaining('[') });
});

test('a text without a directive is left as it is', () => {
  expect(parseDirective('see [1] and [rehearse]')).toEqual({ directive: undefined, rest: 'see [1] and [rehearse]' });
});

test('every name of the list is understood, and an unknown one is answered with the list', () => {
  for (const name of directiveNames) expect(parseDirective(`[rehearse: ${name}]`).directive?.kind).not.toBe('unknown');
  expect(directiveNames).toEqual(expect.arrayContaining([...failureNames]));
  const move = directiveMove({ kind: 'unknown', text: 'earthquake' }, situation);
  expect(move?.blocks[0]).toMatchObject({ text: expect.stringContaining('rate_limit') });
});

test('a huge answer has at least a megabyte; a loop calls what is offered and changes nothing', () => {
  const [huge] = directiveMove({ kind: 'huge' }, situation)!.blocks;
  expect(huge?.type === 'text' && huge.text.length).toBeGreaterThanOrEqual(1024 * 1024);
  expect(directiveMove({ kind: 'loop' }, situation)?.blocks).toEqual([
    { type: 'tool_use', name: 'mcp__hall__read_memory', input: {} },
  ]);
});

import { expect, test } from 'vitest';
import type { MessagePart, PermissionPart, ToolPart } from '../../../../src/features/sessions/contract.ts';
import { segmentsOf, wordsOf } from './segments.ts';

const text = (words: string): MessagePart => ({ type: 'text', text: words });
const thought = (words: string): MessagePart => ({ type: 'thought', text: words });
const tool = (callId: string, change: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId,
  name: 'Read',
  title: '',
  kind: 'read',
  input: {},
  state: 'done',
  output: '',
  summary: '',
  diffs: [],
  ...change,
});
const question = (callId: string, outcome: PermissionPart['outcome']): PermissionPart => ({
  type: 'permission',
  requestId: `r-${callId}`,
  callId,
  name: 'Write',
  title: 'Write a.md',
  input: {},
  diffs: [],
  options: [{ id: 'a', name: 'Allow', kind: 'allow_once' }],
  outcome,
});
const kinds = (parts: readonly MessagePart[]) =>
  segmentsOf(parts).map((segment) => (segment.kind === 'work' ? segment.parts.length : segment.kind));

test('what is done between words is one group, and empty words are none', () => {
  expect(kinds([thought('hm'), tool('1'), text(' \n'), tool('2'), text('So.'), tool('3'), thought(' ')])).toEqual([
    3,
    'words',
    1,
  ]);
  expect(kinds([])).toEqual([]);
});

test('a question that waits stands for its call; answered, the call tells the answer', () => {
  expect(kinds([tool('1'), tool('2', { state: 'running' }), question('2', null)])).toEqual([1, 'question']);
  const answered = segmentsOf([tool('1'), tool('2'), question('2', { optionId: 'a' })]);
  expect(answered).toHaveLength(1);
  expect(answered[0]).toMatchObject({
    kind: 'work',
    parts: [{ callId: '1' }, { callId: '2', answer: { requestId: 'r-2' } }],
  });
  expect(answered[0]).not.toHaveProperty('parts[0].answer');
  // Its call never came: it is a line of its own.
  expect(kinds([question('9', 'cancelled')])).toEqual([1]);
});

test('blocks are counted through all words of a message, each read by itself', () => {
  const block = (words: string) => text(`${words}\n\n\`\`\`conclave:next\n{"label":"${words}"}\n\`\`\`\n`);
  const found = segmentsOf([block('a'), tool('1'), text('none'), tool('2'), block('b'), tool('3'), block('c')]);
  expect(found.flatMap((segment) => (segment.kind === 'words' ? [segment.blocks] : []))).toEqual([0, 1, 1, 2]);
});

test('the words alone are what is copied', () => {
  expect(wordsOf([thought('hm'), text(' One.\n'), tool('1'), text('\n'), text('Two.')])).toBe('One.\n\nTwo.');
});

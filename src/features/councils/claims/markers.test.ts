import { expect, test } from 'vitest';
import { findChallenges, findDecisions, findPinBlocks } from './markers.ts';

test.each([
  ['[decision] We keep one file per day.', ['We keep one file per day.']],
  ['We keep one file per day. [decision]', ['We keep one file per day.']],
  ['- [Decision]: We keep it.\n- [decision] And that.', ['We keep it.', 'And that.']],
  ['[decision] One thing\nover two lines.\n\nNot this.', ['One thing over two lines.']],
  ['[decision] One. [challenge] Two. [decision] Three.', ['One.', 'Three.']],
  ['I spoke of `[decision]` only.', []],
  ['```\n[decision] Not this.\n```\n[decision]', []],
  ['```\n[decision] This, as the fence is open', ['This, as the fence is open']],
  ['[decisions] none', []],
])('decisions in %j', (body, wanted) => {
  expect(findDecisions(body)).toEqual(wanted);
});

test('challenges are found the same way', () => {
  expect(findChallenges('I agree.\n\n[challenge] Who reads it?\n\n[decision] We wait.')).toEqual(['Who reads it?']);
});

test.each([
  ['```pin\na\nb\n```', [{ content: 'a\nb', intent: '', target: undefined }]],
  ['```pin SP-2 the new table\n| a |\n```', [{ content: '| a |', intent: 'the new table', target: 'SP-2' }]],
  ['~~~ pin for later\n```\nx\n```\n~~~', [{ content: '```\nx\n```', intent: 'for later', target: undefined }]],
  ['````pin\n```\nx\n```\n````', [{ content: '```\nx\n```', intent: '', target: undefined }]],
  ['```pin\nnever closed', []],
  ['```pin\n \n```', []],
  ['```pinned\na\n```\n\n```ts\npin\n```', []],
  ['```md\n```pin\na\n```', []],
])('pins in %j', (body, wanted) => {
  expect(findPinBlocks(body)).toEqual(wanted);
});

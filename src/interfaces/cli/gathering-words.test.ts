import { expect, test } from 'vitest';
import { readTyped } from './gathering-words.ts';

test.each([
  ['', { kind: 'nothing' }],
  ['   ', { kind: 'nothing' }],
  ['I begin.', { kind: 'say', text: 'I begin.' }],
  ['two\nlines\n\nI pass', { kind: 'say', text: 'two\nlines\n\nI pass' }],
  ['/src/x.ts is where it begins', { kind: 'say', text: '/src/x.ts is where it begins' }],
  ['/ is the root', { kind: 'say', text: '/ is the root' }],
  ['/pass', { kind: 'pass', to: undefined }],
  ['/pass Ada', { kind: 'pass', to: 'Ada' }],
  ['/pass to Ada Lee ', { kind: 'pass', to: 'Ada Lee' }],
  ['/PASS', { kind: 'pass', to: undefined }],
  ['/host Ten minutes\nleft', { kind: 'host', text: 'Ten minutes\nleft' }],
  ['/end', { kind: 'end' }],
  ['/status', { kind: 'status' }],
  ['/help', { kind: 'help' }],
  ['/leave', { kind: 'leave' }],
  ['/quit', { kind: 'leave' }],
])('%j', (line, typed) => {
  expect(readTyped(line)).toEqual(typed);
});

test('what is no command is not said by mistake, and the nearest one is named', () => {
  expect(readTyped('/pas Ada')).toEqual({
    kind: 'doubt',
    message: '/pas is no command here. Did you mean /pass? Nothing was said. Which there are: /help',
  });
  expect(readTyped('/host')).toEqual({ kind: 'doubt', message: 'Type what the host says: /host <text>' });
  expect(readTyped('/zzzzzzz')).toMatchObject({ message: expect.not.stringContaining('Did you mean') });
});

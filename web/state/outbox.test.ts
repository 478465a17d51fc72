import { beforeEach, expect, test } from 'vitest';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { dropKept, type MessageStorage, type Outgoing, putKept, readKept, refuseKept } from './kept-messages.ts';

const key = 'guild-hall.outbox.sample/one';
const at = '2026-02-03T04:05:06.000Z';
const problem: ErrorFacts = { code: 'invalid', message: 'It looks as if a secret is in it.', hint: 'Take it out.' };
const message = (messageId: string): Outgoing => ({ messageId, text: `Words of ${messageId}`, at });

let kept: Map<string, string>;
let storage: MessageStorage;

beforeEach(() => {
  kept = new Map();
  storage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  };
});

test('Refused words stay, with the reason, whatever is sent or arrives after them [WEB-DRAFTS]', () => {
  putKept(storage, key, message('m-1'));
  refuseKept(storage, key, 'm-1', problem);
  putKept(storage, key, message('m-2'));
  refuseKept(storage, key, 'm-2', problem);
  putKept(storage, key, message('m-3'));
  dropKept(storage, key, ['m-3']);
  expect(readKept(storage, key)).toEqual([
    { ...message('m-1'), problem },
    { ...message('m-2'), problem },
  ]);
});

test('Sent again, a refused one is on its way once, without the old reason', () => {
  putKept(storage, key, message('m-1'));
  refuseKept(storage, key, 'm-1', problem);
  putKept(storage, key, { ...message('m-1'), problem } as Outgoing);
  expect(readKept(storage, key)).toEqual([message('m-1')]);
});

test('A refusal of a message that was taken back meanwhile does not bring it back', () => {
  putKept(storage, key, message('m-1'));
  dropKept(storage, key, ['m-1']);
  expect(refuseKept(storage, key, 'm-1', problem)).toEqual([]);
  expect(kept.size).toBe(0);
});

test('What the browser has no room for is kept as long as the page', () => {
  const full: MessageStorage = {
    ...storage,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  putKept(full, 'other', message('m-1'));
  expect(refuseKept(full, 'other', 'm-1', problem)).toEqual([{ ...message('m-1'), problem }]);
  expect(readKept(full, 'other')).toHaveLength(1);
  expect(dropKept(full, 'other', ['m-1'])).toEqual([]);
});

test.each([
  ['not JSON', '{'],
  ['no list', '{"a":1}'],
  ['messages that lack something', JSON.stringify([null, 1, { messageId: 'm-1', text: 'x' }])],
  ['a reason that is none', JSON.stringify([{ ...message('m-1'), problem: { code: 'invalid' } }])],
])('%s under the key is nothing', (_, value) => {
  kept.set(key, value);
  expect(readKept(storage, key)).toEqual([]);
});

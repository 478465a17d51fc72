import { expect, test } from 'vitest';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import { type InboxItem, problemItem } from './contract.ts';
import { decideAct, eachOnce, isSameList, itemMeant, ordered } from './rules.ts';

const item = (id: string, more: Partial<InboxItem> = {}): InboxItem => ({
  id,
  kind: 'request',
  project: 'shop',
  subject: { kind: 'job', id, title: id },
  title: id,
  detail: '',
  since: '2026-03-01T00:00:00Z',
  actions: [
    {
      verb: 'approve',
      label: 'Accept',
      operation: 'job.accept',
      input: { id },
      asks: 'text',
      field: 'message',
      required: false,
      warning: null,
    },
    {
      verb: 'defer',
      label: 'Leave for later',
      operation: 'job.defer',
      input: { id },
      asks: 'date',
      field: 'until',
      required: true,
      warning: null,
    },
    {
      verb: 'retry',
      label: 'Try again',
      operation: 'job.retry',
      input: { id },
      asks: 'nothing',
      field: null,
      required: false,
      warning: null,
    },
  ],
  ...more,
});

test('the longest waiting comes first, and what is wrong last', () => {
  const items = [
    item('problem', { kind: 'problem', since: '2026-01-01T00:00:00Z' }),
    item('younger', { since: '2026-03-02T00:00:00Z' }),
    item('b'),
    item('a'),
  ];
  expect(ordered(items).map(({ id }) => id)).toEqual(['a', 'b', 'younger', 'problem']);
});

test('an item that two tell is listed once, as the first told it', () => {
  expect(
    eachOnce([item('a', { title: 'one' }), item('b'), item('a', { title: 'two' })]).map(({ title }) => title),
  ).toEqual(['one', 'b']);
});

const two = [
  item('request.shop.review-of-x'),
  item('request.shop-b.parser-20260101-000000-k3f9'),
  item('conflict.shop.parser-k3f8'),
];

test.each([
  ['request.shop.review-of-x', 'request.shop.review-of-x'],
  ['review-of-x', 'request.shop.review-of-x'],
  ['k3f9', 'request.shop-b.parser-20260101-000000-k3f9'],
  ['conflict', 'conflict.shop.parser-k3f8'],
  ['request-shop-b', 'request.shop-b.parser-20260101-000000-k3f9'],
])('%j means %s', (given, id) => {
  expect(itemMeant(two, given).id).toBe(id);
});

test.each([
  ['nothing', 'not_found'],
  ['request', 'invalid'],
])('%j is refused as %s', (given, code) => {
  let thrown: unknown;
  try {
    itemMeant(two, given);
  } catch (error) {
    thrown = error;
  }
  expect(errorFactsOf(thrown)).toMatchObject({ code });
});

test.each([
  ['approve', '', 'job.accept', { id: 'a' }],
  ['approve', 'Start there', 'job.accept', { id: 'a', message: 'Start there' }],
  ['defer', '2026-03-31', 'job.defer', { id: 'a', until: '2026-03-31' }],
  ['retry', '', 'job.retry', { id: 'a' }],
])('%s %j is %s', (verb, text, operation, input) => {
  const decided = decideAct(item('a'), verb, text);
  expect(decided).toMatchObject({ ok: true, next: { action: { operation } } });
  expect(decided.ok && decided.next.input).toEqual(input);
});

test.each([
  ['answer', '', '"answer" is no answer to a. It can be answered with: approve, defer, retry.'],
  ['retry', 'words', '"retry" takes no words: Try again does one thing.'],
  ['defer', '', '"defer" needs a date, like 2026-03-31.'],
])('%s %j is refused, with what to type', (verb, text, message) => {
  const decided = decideAct(item('a'), verb, text);
  expect(decided).toMatchObject({ ok: false, refusal: { code: 'invalid', message } });
  expect(!decided.ok && decided.refusal.hint).toMatch(/guild-hall inbox act a (approve|retry|defer <date>)$/);
});

test('what cannot be answered says what to do', () => {
  const decided = decideAct(item('a', { actions: [], detail: 'Mend the file.' }), 'approve', '');
  expect(decided).toMatchObject({ ok: false, refusal: { hint: 'Mend the file.' } });
});

test('a problem keeps its id as long as it says the same', () => {
  const problem = {
    project: null,
    subject: { kind: 'check', id: 'git', title: 'git' },
    title: 'No git',
    detail: 'x',
    actions: [],
  };
  const [one, same, other] = [problem, { ...problem }, { ...problem, detail: 'y' }].map(problemItem);
  expect(one!.id).toMatch(/^problem\.hall\.[a-z0-9]{8}$/);
  expect(same!.id).toBe(one!.id);
  expect(other!.id).not.toBe(one!.id);
  expect(isSameList([one!], [same!])).toBe(true);
  expect(isSameList([one!], [other!])).toBe(false);
});

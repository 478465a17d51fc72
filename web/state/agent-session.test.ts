import { expect, test } from 'vitest';
import type { SessionMessage, SessionView } from '../../src/features/sessions/contract.ts';
import { emptySession } from '../../src/features/sessions/fold/session.ts';
import { keepEarlier, withEarlier } from './agent-session.ts';

const message = (seq: number): SessionMessage => ({
  role: 'person',
  seq,
  at: '2026-02-14T09:30:00Z',
  promptId: `p-${seq}`,
  text: String(seq),
  images: [],
  state: 'sent',
});
const view = (earlier: number, ...seqs: number[]): SessionView => ({
  session: { ...emptySession(), messages: seqs.map(message) },
  earlier,
  cursor: 'e.1',
});
const numbers = ({ session, earlier }: SessionView) => [earlier, session.messages.map(({ seq }) => seq)];

test('earlier messages come before those that are there, once', () => {
  const more = withEarlier(view(3, 40, 50), [20, 30].map(message), 1);
  expect(numbers(more)).toEqual([1, [20, 30, 40, 50]]);
  expect(withEarlier(more, [20, 30].map(message), 1)).toBe(more);
  // What is shown begins elsewhere by now: there would be a hole.
  const other = view(9, 90);
  expect(withEarlier(other, [20, 30].map(message), 1)).toBe(other);
});

test('what was read anew keeps the earlier messages that were shown, unless there is a hole', () => {
  expect(numbers(keepEarlier(view(1, 20, 30, 40, 50), view(4, 40, 50, 60)))).toEqual([2, [20, 30, 40, 50, 60]]);
  expect(numbers(keepEarlier(view(1, 20, 30), view(4, 60, 70)))).toEqual([4, [60, 70]]);
  expect(numbers(keepEarlier(undefined, view(4, 60)))).toEqual([4, [60]]);
});

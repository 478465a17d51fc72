import { expect, test } from 'vitest';
import type { SessionInfo } from '../../../src/features/sessions/contract.ts';
import { entriesOf } from '../../kit/session-entries.ts';
import { earlierPhases, phasesAbove } from './phases.ts';

const info = (id: string, at: number, more: Partial<SessionInfo> = {}): SessionInfo => ({
  id: id as SessionInfo['id'],
  title: `Session ${id}`,
  agent: 'claude' as SessionInfo['agent'],
  createdAt: `2026-01-0${at}T00:00:00.000Z`,
  lastAt: `2026-01-0${at}T01:00:00.000Z`,
  state: 'idle',
  metaContextId: null,
  from: null,
  ...more,
});
const from = (id: string): SessionInfo['from'] => ({
  clickId: `click-${id}`,
  block: { sessionId: id as SessionInfo['id'], message: 4, position: 0 },
  label: 'On',
});
const idsOf = (sessions: readonly { readonly id: string }[]) => sessions.map(({ id }) => id);

const first = info('first', 1);
const second = info('second', 2, { metaContextId: 'c', from: from('first') });
const third = info('third', 3, { metaContextId: 'c', from: from('second') });
const other = info('other', 4);
const list = {
  sessions: [other, third, second, first],
  metaContexts: [{ id: 'c', name: 'dictation', sessionIds: ['second', 'gone', 'third'] }],
};

test('before a session stand those of its context and the one in which it all began, in their order', () => {
  const context = { id: 'c', name: 'dictation' };
  expect(idsOf(earlierPhases({ ...third, metaContext: context }, list))).toEqual(['first', 'second']);
  expect(idsOf(earlierPhases({ ...second, metaContext: context }, list))).toEqual(['first']);
  expect(earlierPhases({ ...other, metaContext: null }, list)).toEqual([]);
  // One that no list tells of yet comes behind all of its context.
  const fourth = info('fourth', 5, { metaContextId: 'c', from: from('third') });
  expect(idsOf(earlierPhases({ ...fourth, metaContext: context }, list))).toEqual(['first', 'second', 'third']);
});

test('above stand those from the one that was asked for on, and none of themselves [CTX-DEC-12]', () => {
  expect(idsOf(phasesAbove([first, second], 'second'))).toEqual(['second']);
  expect(idsOf(phasesAbove([first, second], 'first'))).toEqual(['first', 'second']);
  expect(phasesAbove([first, second], undefined)).toEqual([]);
  expect(phasesAbove([first, second], 'gone')).toEqual([]);
});

test('a context is one entry that leads to its newest session that is left; its sessions are no entries [UC-5.6, UC-6.1, CTX-DEC-5]', () => {
  const { contexts, sessions } = entriesOf(list);
  expect(contexts).toEqual([{ kind: 'context', id: 'c', label: 'dictation', session: third }]);
  expect(idsOf(sessions)).toEqual(['other', 'first']);
  const without = { ...list, sessions: [other, second, first] };
  expect(entriesOf(without).contexts[0]?.session).toBe(second);
  expect(entriesOf({ ...list, sessions: [other, first] }).contexts[0]?.session).toBeUndefined();
});

test('of five thousand sessions in two thousand contexts each is looked at a few times, however many there are', () => {
  let looks = 0;
  const counted = (session: SessionInfo): SessionInfo =>
    new Proxy(session, {
      get: (of, key) => {
        looks += 1;
        return Reflect.get(of, key) as unknown;
      },
    });
  const sessions = Array.from({ length: 5000 }, (_, nth) =>
    counted(info(`s${nth}`, 1, nth < 4000 ? { metaContextId: 'x' } : {})),
  );
  const metaContexts = Array.from({ length: 2000 }, (_, nth) => ({
    id: `c${nth}`,
    name: `context ${nth}`,
    sessionIds: [`s${nth * 2}`, `s${nth * 2 + 1}`],
  }));
  const entries = entriesOf({ sessions, metaContexts });
  // Sorting the contexts compares two of them some twelve times each.
  expect(looks).toBeLessThan(20 * sessions.length);
  expect([entries.contexts.length, entries.sessions.length]).toEqual([2000, 1000]);
});

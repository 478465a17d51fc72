import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { SessionInfo, SessionList } from '../../src/features/sessions/contract.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import { createLink } from './link.ts';
import { followSessionLists } from './session-lists.ts';

const session = (id: string, title = id) => ({ id, title, state: 'idle', metaContextId: null }) as SessionInfo;
const listOf = (...sessions: SessionInfo[]): SessionList => ({
  project: 'sample' as SessionList['project'],
  sessions,
  metaContexts: [],
});
const queryKey = ['session.list', { project: 'sample' }];

function follow(before: SessionList | undefined) {
  const link = createLink();
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  if (before) queries.setQueryData(queryKey, before);
  followSessionLists(link, queries);
  const tell = (type: string, data: unknown) => {
    for (const listener of link.eventListeners) listener({ type, data } as HallEvent);
  };
  return { queries, tell, shown: () => queries.getQueryData<SessionList>(queryKey) };
}

test('what the hall tells of the list is the list, sessions and contexts alike [CTX-EVT-14]', () => {
  const { tell, shown } = follow(listOf(session('one')));
  const next: SessionList = {
    ...listOf(session('two'), session('one')),
    metaContexts: [{ id: 'c', name: 'dictation', sessionIds: ['two'] }],
  };
  tell('session.list', next);
  expect(shown()).toEqual(next);
  tell('session.list', { ...next, project: 'another' });
  expect(shown()).toEqual(next);
  tell('session.changed', { project: 'sample', session: session('one', 'Another title') });
  expect(shown()?.sessions.map(({ title }) => title)).toEqual(['two', 'Another title']);
  expect(shown()?.metaContexts).toEqual(next.metaContexts);
  tell('session.changed', { project: 'sample', session: session('gone') });
  expect(shown()?.sessions).toHaveLength(2);
});

test('what is told while the list is read stands behind what was read; a list that nobody read is not made up [CTX-EVT-14]', async () => {
  const { queries, tell, shown } = follow(undefined);
  tell('session.list', listOf(session('one')));
  expect(shown()).toBeUndefined();
  let answer = (_list: SessionList): void => {};
  const queryFn = () => new Promise<SessionList>((resolve) => (answer = resolve));
  const read = queries.fetchQuery({ queryKey, queryFn });
  tell('session.list', listOf(session('new')));
  answer(listOf(session('old')));
  await read;
  expect(shown()?.sessions.map(({ id }) => id)).toEqual(['new']);
});

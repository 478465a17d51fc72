/**
 * The lists of sessions and contexts that were read, as the hall tells them since: the picker and whatever else lists them
 * read them by `useRead('session.list', …)` and see what the last event told.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { SessionInfo, SessionList } from '../../src/features/sessions/contract.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import type { Link } from './link.ts';

type Told = Pick<HallEvent, 'type' | 'data'>;

/** For as long as the page lives. */
export function followSessionLists({ eventListeners }: Link, queries: QueryClient): void {
  /** What was told while an answer was on its way that may be older, by project. */
  const heard = new Map<string, Told[]>();
  const take = (project: string, events: readonly Told[]) =>
    queries.setQueryData<SessionList>(
      ['session.list', { project }],
      (list) => list && events.reduce(foldSessionList, list),
    );
  eventListeners.add((event) => {
    const project = projectOf(event);
    if (project === undefined) return;
    const isOnItsWay = queries.getQueryState(['session.list', { project }])?.fetchStatus === 'fetching';
    if (isOnItsWay) heard.set(project, [...(heard.get(project) ?? []), event]);
    else take(project, [event]);
  });
  queries.getQueryCache().subscribe(({ query }) => {
    const [name, input] = query.queryKey as [string, { readonly project?: string } | undefined];
    if (name !== 'session.list' || query.state.fetchStatus !== 'idle') return;
    const project = input?.project ?? '';
    const events = heard.get(project);
    heard.delete(project);
    if (events !== undefined) take(project, events);
  });
}

function projectOf({ type, data }: Told): string | undefined {
  if (type !== 'session.list' && type !== 'session.changed') return undefined;
  return (data as { readonly project: string }).project;
}

/** Pure. @param event `session.list` or `session.changed` of that project */
export function foldSessionList(list: SessionList, event: Told): SessionList {
  if (event.type === 'session.list') return event.data as SessionList;
  const { session } = event.data as { readonly session: SessionInfo };
  // What is in no list was removed, or is told by the next one.
  if (!list.sessions.some(({ id }) => id === session.id)) return list;
  return { ...list, sessions: list.sessions.map((each) => (each.id === session.id ? session : each)) };
}

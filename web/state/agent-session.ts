/** A session with an agent in a page: read, followed live, drawn at most once a frame. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { SessionMessage, SessionView } from '../../src/features/sessions/contract.ts';
import { foldSessionView } from '../../src/features/sessions/fold/session.ts';
import { callHall, type HallClient, useHall } from './hall.tsx';
import {
  createLiveStore,
  followLive,
  type LiveSource,
  type LiveState,
  type LiveStore,
  reviseView,
} from './live-view.ts';
import { onFrame } from './on-frame.ts';
import { factsOf } from './session.ts';

export type SessionStore = LiveStore<SessionView>;

const handedOver = new Map<string, SessionView>();

/** The next piece that follows the session shows this at first: what is known of it already. */
export function handOverSession(view: SessionView): void {
  handedOver.set(view.session.id, view);
}

/** Follows it for as long as the piece is on the screen. For another session it is to be another piece (`key`). */
export function useSession(project: string, id: string): SessionStore {
  const client = useHall();
  const [store] = useState(() => {
    const made: SessionStore = createLiveStore(sourceOf(client, project, id, () => made.state.view));
    const view = handedOver.get(id);
    handedOver.delete(id);
    // Shown at once; what came since is known when it is read.
    if (view !== undefined) made.state = { view, problem: undefined };
    return made;
  });
  useEffect(() => {
    followLive(store);
    return () => store.stop?.();
  }, [store]);
  return store;
}

/** A part of it. @param select gives the same object back for what did not change */
export function useShownSession<Part>(store: SessionStore, select: (state: LiveState<SessionView>) => Part): Part {
  return useSyncExternalStore(
    (listener) => {
      store.listeners.add(listener);
      return () => store.listeners.delete(listener);
    },
    () => select(store.state),
  );
}

/** Messages that are asked for at once. */
const earlierAtOnce = 60;

/** Puts messages before the first that is shown. @throws Refusal */
export async function loadEarlier(client: HallClient, store: SessionStore): Promise<void> {
  const { view } = store.state;
  const first = view?.session.messages[0];
  if (view === undefined || first === undefined || view.earlier === 0) return;
  const { project, id } = view.session;
  const input = { project, id, before: first.seq, count: earlierAtOnce };
  const more = await callHall(client, 'session.messages', input, { isRepeatable: true });
  reviseView(store, (now) => withEarlier(now, more.messages, more.earlier));
}

/** The messages come before those of the view, unless it has them already, or begins elsewhere by now. */
export function withEarlier(view: SessionView, messages: readonly SessionMessage[], earlier: number): SessionView {
  const known = new Set(view.session.messages.map(({ seq }) => seq));
  const fresh = messages.filter(({ seq }) => !known.has(seq));
  if (fresh.length === 0 || view.earlier !== earlier + fresh.length) return view;
  return { ...view, earlier, session: { ...view.session, messages: [...fresh, ...view.session.messages] } };
}

/** What was read anew begins with the newest messages: those that were shown before them stay. */
export function keepEarlier(before: SessionView | undefined, fresh: SessionView): SessionView {
  const [first] = fresh.session.messages;
  if (before === undefined || first === undefined) return fresh;
  const place = before.session.messages.findIndex(({ seq }) => seq === first.seq);
  if (place <= 0) return fresh;
  const messages = [...before.session.messages.slice(0, place), ...fresh.session.messages];
  return { ...fresh, earlier: fresh.earlier - place, session: { ...fresh.session, messages } };
}

function sourceOf(
  client: HallClient,
  project: string,
  id: string,
  shown: () => SessionView | undefined,
): LiveSource<SessionView> {
  const { eventListeners, resetListeners } = client.link;
  const subject = `session:${id}`;
  return {
    eventListeners,
    resetListeners,
    read: async () =>
      keepEarlier(shown(), await callHall(client, 'session.show', { project, id }, { isRepeatable: true })),
    fold: foldSessionView,
    isAbout: (event) => event.subject === subject && event.type === 'session.logged',
    tellsMore: () => false,
    factsOf,
    onFrame,
  };
}

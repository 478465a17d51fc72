/** A meeting's conversation in a page: read, followed live, drawn at most once a frame. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import {
  type ConversationSource,
  type ConversationState,
  type ConversationStore,
  createConversationStore,
  follow,
} from './conversation-store.ts';
import { callHall, type HallClient, useHall } from './hall.tsx';
import { onFrame } from './on-frame.ts';
import { factsOf } from './session.ts';

/** Follows the meeting for as long as the piece is on the screen. For another meeting it is to be another piece (`key`). */
export function useConversation(project: string, id: string): ConversationStore {
  const client = useHall();
  const [store] = useState(() => createConversationStore(sourceOf(client, project, id)));
  useEffect(() => {
    follow(store);
    return () => store.stop?.();
  }, [store]);
  return store;
}

/** A part of the conversation. @param select gives the same object back for what did not change */
export function useShown<Part>(store: ConversationStore, select: (state: ConversationState) => Part): Part {
  return useSyncExternalStore(
    (listener) => {
      store.listeners.add(listener);
      return () => store.listeners.delete(listener);
    },
    () => select(store.state),
  );
}

function sourceOf(client: HallClient, project: string, id: string): ConversationSource {
  const { eventListeners, resetListeners } = client.link;
  return {
    eventListeners,
    resetListeners,
    read: () => callHall(client, 'meeting.show', { project, id }, { isRepeatable: true }),
    factsOf,
    onFrame,
  };
}

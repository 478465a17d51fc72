/** A gathering in a page: read, followed live, drawn at most once a frame. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { GatheringView } from '../../src/features/gatherings/contract/gathering-views.ts';
import { foldGatheringEvent } from '../../src/features/gatherings/fold/gathering.ts';
import { callHall, type HallClient, useHall } from './hall.tsx';
import { createLiveStore, followLive, type LiveSource, type LiveState, readLiveAgain } from './live-view.ts';
import { onFrame } from './on-frame.ts';
import { factsOf } from './session.ts';

export interface LiveGathering extends LiveState<GatheringView> {
  readonly again: () => void;
}

/** Follows it for as long as the piece is on the screen. For another gathering it is to be another piece (`key`). */
export function useGathering(id: string): LiveGathering {
  const client = useHall();
  const [store] = useState(() => createLiveStore(sourceOf(client, id)));
  useEffect(() => {
    followLive(store);
    return () => store.stop?.();
  }, [store]);
  const state = useSyncExternalStore(
    (listener) => {
      store.listeners.add(listener);
      return () => store.listeners.delete(listener);
    },
    () => store.state,
  );
  return { ...state, again: () => readLiveAgain(store) };
}

function sourceOf(client: HallClient, id: string): LiveSource<GatheringView> {
  const { eventListeners, resetListeners } = client.link;
  return {
    eventListeners,
    resetListeners,
    read: () => callHall(client, 'gathering.show', { id }, { isRepeatable: true }),
    fold: foldGatheringEvent,
    // An address may be shortened: whose events these are is known when it was read.
    isAbout: ({ type, subject }) => type.startsWith('gathering.') && (subject?.startsWith('gathering:') ?? false),
    tellsMore: () => false,
    factsOf,
    onFrame,
  };
}

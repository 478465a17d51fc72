/** A commission in a page: read, followed live, drawn at most once a frame. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { CommissionEvents, CommissionView } from '../../src/features/commissions/contract.ts';
import { foldCommissionEvent } from '../../src/features/commissions/fold/commission.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import { callHall, type HallClient, useHall } from './hall.tsx';
import { createLiveStore, followLive, type LiveSource, type LiveState, readLiveAgain } from './live-view.ts';
import { onFrame } from './on-frame.ts';
import { factsOf } from './session.ts';

export interface LiveCommission extends LiveState<CommissionView> {
  readonly again: () => void;
}

/** Follows it for as long as the piece is on the screen. For another commission it is to be another piece (`key`). */
export function useCommission(project: string, id: string): LiveCommission {
  const client = useHall();
  const [store] = useState(() => createLiveStore(sourceOf(client, project, id)));
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

function sourceOf(client: HallClient, project: string, id: string): LiveSource<CommissionView> {
  const { eventListeners, resetListeners } = client.link;
  const subject = `commission:${id}`;
  return {
    eventListeners,
    resetListeners,
    read: () => callHall(client, 'commission.show', { project, id }, { isRepeatable: true }),
    fold: foldCommissionEvent,
    isAbout: (event) =>
      (event.subject === subject && event.project === project) ||
      event.type === 'commission.queue' ||
      isNeighbour(event, project),
    tellsMore,
    factsOf,
    onFrame,
  };
}

/** Another one of the project began, ended or was merged: it may be what this one waits for, or waits for this one. */
function isNeighbour({ type, project: of }: HallEvent, project: string): boolean {
  return (
    of === project && (type === 'commission.status' || type === 'commission.created' || type === 'commission.merge')
  );
}

/** What the journal and the timeline say is folded in; files, neighbours, what runs and the queue are told by a read. */
function tellsMore({ type, data, subject }: HallEvent, view: CommissionView): boolean {
  if (type === 'commission.queue') return view.queue !== null;
  if (type === 'commission.timeline') {
    const { entry } = data as CommissionEvents['commission.timeline'];
    return entry.event === 'edited' || entry.event === 'artifact' || entry.event === 'result';
  }
  if (type !== 'commission.journal') return subject !== null;
  const { entry } = data as CommissionEvents['commission.journal'];
  return entry.kind === 'tool_result' && entry.ok && /write|edit|bash|link/i.test(entry.name);
}

/** What is to be added to a log whose hall was stopped in the middle of something. Pure. */
import type { NewSessionEvent, SessionState } from '../contract.ts';
import { openPermissionsOf, queuedOf, runningOf } from '../fold/reading.ts';

/** A turn that had begun ends as interrupted, and nobody waits for an answer in it. Words that wait stay. */
export function eventsAfterCrash(state: SessionState): NewSessionEvent[] {
  const running = runningOf(state);
  if (running === undefined) return [];
  return [
    ...openPermissionsOf(state).map(({ requestId }): NewSessionEvent => ({
      type: 'PermissionResolved',
      requestId,
      outcome: 'cancelled',
    })),
    { type: 'TurnCompleted', promptId: running.promptId, stopReason: 'interrupted', usage: null },
  ];
}

/** A closed session takes up nothing, and one answer is given at a time. */
export function nextPrompt(state: SessionState): ReturnType<typeof queuedOf>[number] | undefined {
  return state.isClosed || runningOf(state) !== undefined ? undefined : queuedOf(state)[0];
}

/**
 * Who may start a process now. A start takes most of a core for half a second, so only a few go at once: persons' turns
 * first, in the order they came, then preparations.
 */
import { deferred, type Deferred } from '../../../pure/deferred.ts';

export type StartKind = 'turn' | 'preparation';

export interface Starts {
  running: number;
  readonly waiting: Record<StartKind, Deferred<void>[]>;
}

export function createStarts(): Starts {
  return { running: 0, waiting: { turn: [], preparation: [] } };
}

/**
 * Waits for a place.
 * @param max how many may start at once, at least 1
 * @returns gives the place back; to be called once the process is ready or has failed
 * @throws the signal's reason when it aborts first
 */
export async function acquireStart(
  starts: Starts,
  kind: StartKind,
  max: number,
  signal: AbortSignal,
): Promise<() => void> {
  signal.throwIfAborted();
  if (starts.running < Math.max(1, max)) starts.running += 1;
  else await waitForPlace(starts.waiting[kind], signal);
  let isHeld = true;
  return () => {
    if (isHeld) passOn(starts);
    isHeld = false;
  };
}

async function waitForPlace(queue: Deferred<void>[], signal: AbortSignal): Promise<void> {
  const place = deferred();
  const leave = (): void => {
    const index = queue.indexOf(place);
    if (index === -1) return;
    queue.splice(index, 1);
    place.reject(signal.reason);
  };
  signal.addEventListener('abort', leave);
  queue.push(place);
  try {
    await place.promise;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** The place goes straight to the next who waits, so that nobody can slip in between. */
function passOn(starts: Starts): void {
  const next = starts.waiting.turn.shift() ?? starts.waiting.preparation.shift();
  if (next) next.resolve();
  else starts.running -= 1;
}

/** A clock that a test turns by hand. */
import { systemClock, type Clock } from '../../src/kernel/clock/clock.ts';
import { deferred } from '../../src/kernel/pure/deferred.ts';

export interface HandClock extends Clock {
  /** Lets so much time pass, waking who sleeps in the order of their times. */
  pass(ms: number): Promise<void>;
}

export function handClock(): HandClock {
  let now = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const pass = async (ms: number): Promise<void> => {
    const end = now + ms;
    for (;;) {
      const next = [...sleepers].toSorted((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      now = Math.max(now, next.at);
      sleepers.delete(next);
      next.wake();
      await turns();
    }
    now = end;
    await turns();
  };
  const sleep: Clock['sleep'] = async (ms, signal) => {
    signal?.throwIfAborted();
    const slept = deferred();
    const sleeper = { at: now + ms, wake: slept.resolve };
    sleepers.add(sleeper);
    const stop = (): void => {
      sleepers.delete(sleeper);
      slept.reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop);
    await slept.promise;
    signal?.removeEventListener('abort', stop);
  };
  return { ...systemClock, monotonicMs: () => now, sleep, pass };
}

/** What was woken goes to sleep again. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Work that nobody waits for. It is started only here, so that every promise has an owner: a failure is logged with
 * the work's name, and stopping the hall first asks all of it to end and then waits for it.
 */
import { setMaxListeners } from 'node:events';
import type { Log } from '../log/log.ts';
import { deferred } from '../pure/deferred.ts';

export interface BackgroundContext {
  /** Starts `work` and returns at once. `signal` aborts when the hall stops. */
  readonly spawn: (name: string, work: (signal: AbortSignal) => Promise<void>) => void;
}

export interface Background extends BackgroundContext {
  /** Asks everything to end, and returns at once. What is spawned later begins with an aborted signal. */
  ask(): void;
  /** Asks everything to end and waits for it; resolves with the names of what did not end within `graceMs`. */
  stop(graceMs: number): Promise<string[]>;
  /** Resolves when nothing runs: the signal that tests wait for. */
  idle(): Promise<void>;
}

export function createBackground(log: Log): Background {
  const running = new Map<Promise<void>, string>();
  const stopping = new AbortController();
  // Everything that runs listens to it, and how much runs is nobody's mistake.
  setMaxListeners(0, stopping.signal);
  const spawn: BackgroundContext['spawn'] = (name, work) => {
    const task = work(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error, work: name }, 'background work failed');
      })
      .finally(() => running.delete(task));
    running.set(task, name);
  };
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running.keys());
  };
  const ask = (): void => stopping.abort(new Error('the hall stops'));
  const stop = async (graceMs: number): Promise<string[]> => {
    ask();
    const { promise: late, resolve } = deferred();
    const timer = setTimeout(resolve, graceMs);
    await Promise.race([idle(), late]);
    clearTimeout(timer);
    return [...running.values()];
  };
  return { spawn, ask, stop, idle };
}

/** Locks within one process: one holder a key, first come first served. */

import { deferred } from '../pure/deferred.ts';

export interface Locks {
  /** Runs `work` when everybody who asked for `key` before is done. The lock is given back however `work` ends. */
  with<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export interface LocksContext {
  readonly locks: Locks;
}

export function createLocks(): Locks {
  const tails = new Map<string, Promise<void>>();
  return {
    with: async (key, work) => {
      const before = tails.get(key) ?? Promise.resolve();
      const { promise: mine, resolve: release } = deferred();
      const tail = before.then(() => mine);
      tails.set(key, tail);
      await before;
      try {
        return await work();
      } finally {
        release();
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}

/** Work that is begun before it is asked for, while something else has to be waited for. */
import type { ClockContext } from '../clock/clock.ts';

export interface Ahead<T> {
  readonly begun: Map<string, { readonly atMs: number; readonly outcome: Promise<T | undefined> }>;
}

/** What is older is done anew: git may have cleared away meanwhile what was stored for it. Milliseconds. */
const freshMs = 10_000;
const maxBegun = 20;

/** Resolves when it is done. A failure is nobody's here: whoever needs it does it anew, and meets it. */
export async function begin<T>(
  ctx: ClockContext,
  { begun }: Ahead<T>,
  key: string,
  work: () => Promise<T>,
): Promise<void> {
  const outcome = work().catch(() => undefined); // who needs it does it again, and is told
  begun.set(key, { atMs: ctx.clock.monotonicMs(), outcome });
  for (const oldest of [...begun.keys()].slice(0, Math.max(0, begun.size - maxBegun))) begun.delete(oldest);
  await outcome;
}

/** Gives what was begun a moment ago, once; undefined where there is nothing. */
export async function takeBegun<T>(ctx: ClockContext, { begun }: Ahead<T>, key: string): Promise<T | undefined> {
  const found = begun.get(key);
  begun.delete(key);
  return found === undefined || ctx.clock.monotonicMs() - found.atMs >= freshMs ? undefined : found.outcome;
}

/** Whether a failed attempt is dispatched again by the hall itself. Pure. Off unless the person's settings say so. */
import type { EndClass } from '../contract/journal.ts';

export interface Retry {
  readonly afterMs: number;
  /** For the timeline. */
  readonly reason: string;
}

const retried: ReadonlySet<EndClass | null> = new Set<EndClass>(['rate_limit', 'overloaded']);
const longestMs = 24 * 60 * 60_000;

/**
 * @param retriesSoFar how many attempts since the person's own dispatch were made by the hall
 * @param retryAfterMs what the provider asks for, where it does
 * @returns undefined: it stays failed
 */
export function decideRetry(
  errorClass: EndClass | null,
  retriesSoFar: number,
  settings: { readonly attempts: number; readonly backoffSeconds: number },
  retryAfterMs: number | null,
): Retry | undefined {
  if (!retried.has(errorClass) || retriesSoFar >= settings.attempts) return undefined;
  const backoffMs = settings.backoffSeconds * 1000 * 2 ** Math.min(retriesSoFar, 20);
  const afterMs = Math.min(longestMs, Math.max(backoffMs, retryAfterMs ?? 0));
  const why = errorClass === 'rate_limit' ? 'usage limit' : 'overload';
  return { afterMs, reason: `Automatic retry ${retriesSoFar + 1} of ${settings.attempts} after ${why}` };
}

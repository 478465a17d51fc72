/** What a session used, and why a model is asked again, in words. Pure. */
import type { SessionUsage } from '../../../../src/features/sessions/contract.ts';
import { sayUsage } from '../../../kit/money.ts';

const reasons: Readonly<Record<string, string>> = {
  overloaded: 'The model is overloaded',
  rate_limit: 'The model’s rate limit is reached',
  server_error: 'The model’s server failed',
};

export function retryReason(errorClass: string): string {
  return reasons[errorClass] ?? `The model did not answer (${errorClass.replaceAll('_', ' ')})`;
}

/** How much of what the model can hold is filled: 0 … 100; undefined where nobody says. */
export function contextPercent({ contextUsed, contextWindow }: SessionUsage): number | undefined {
  if (contextUsed === null || contextWindow === null || contextWindow <= 0) return undefined;
  return Math.min(100, Math.round((contextUsed / contextWindow) * 100));
}

/** `$0.42`, `context 23 % full`. */
export function saySessionUsage(usage: SessionUsage | null): readonly string[] {
  if (usage === null) return [];
  const used = sayUsage(usage);
  const percent = contextPercent(usage);
  return [
    ...(used === undefined ? [] : [used]),
    ...(percent === undefined || percent === 0 ? [] : [`context ${percent} % full`]),
  ];
}

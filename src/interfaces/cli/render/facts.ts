/** Small facts in words: what was used, for how long, since when. */

export interface ShownUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
}

export function usageInBrief({ inputTokens, outputTokens, costUsd }: ShownUsage): string {
  const count = (tokens: number): string => tokens.toLocaleString('en-US');
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`;
  return `${count(inputTokens)} tokens in, ${count(outputTokens)} out${cost}`;
}

/** `2026-03-01 09:30`, UTC. */
export function minuteOf(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}

/** `45 s`, `2 min`, `3 min 20 s`, `2 h 5 min`. */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60 && seconds % 60 === 0) return `${minutes} min`;
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Which beat of a turn runs, as its page says it. @param told how many have been told; after the last one come the last words */
export function beatWords(told: number, beats: number): string {
  return told < beats ? `beat ${told + 1} of ${beats}` : 'last words';
}

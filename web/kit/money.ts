/** Figures of model use, as people say them. */
export interface UsageFigures {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
}

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const fineDollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 3 });
const tokens = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `$0.42`, or the tokens where the price is not known: `12.3K tokens`; nothing where nothing was used. */
export function sayUsage({ inputTokens, outputTokens, costUsd }: UsageFigures): string | undefined {
  if (costUsd !== null && costUsd > 0) return (costUsd < 0.1 ? fineDollars : dollars).format(costUsd);
  const all = inputTokens + outputTokens;
  return all === 0 ? undefined : `${tokens.format(all)} tokens`;
}

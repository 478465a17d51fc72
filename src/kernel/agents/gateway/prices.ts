/** List prices, US dollars for a million tokens: input, output. A model that is not here has no known price. */
const listPrices: readonly (readonly [RegExp, number, number])[] = [
  [/^claude-opus-4-[5-9]/, 5, 25],
  [/^claude-opus-4/, 15, 75],
  [/^claude-sonnet-4/, 3, 15],
  [/^claude-haiku-4-5/, 1, 5],
  [/^claude-3-7-sonnet|^claude-3-5-sonnet/, 3, 15],
  [/^claude-3-5-haiku/, 0.8, 4],
];

export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** US dollars, or null where the list price is not known. Cache writes count 1.25, reads 0.1 of the input price. */
export function costOf(modelId: string, counts: TokenCounts): number | null {
  const price = listPrices.find(([pattern]) => pattern.test(modelId));
  if (price === undefined) return null;
  const [, input, output] = price;
  const inputTokens = counts.inputTokens + counts.cacheWriteTokens * 1.25 + counts.cacheReadTokens * 0.1;
  return (inputTokens * input + counts.outputTokens * output) / 1_000_000;
}

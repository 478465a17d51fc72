/** What model calls used. */
import { z } from 'zod';

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  /** US dollars; null where a price is not known. */
  costUsd: z.number().nullable(),
});
export type CommissionUsage = z.infer<typeof usageSchema>;

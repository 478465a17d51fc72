/** Figures of a commission, in words. Pure. */
import type { CommissionUsage } from '../../../src/features/commissions/contract.ts';

export function sayWholeUsage({ inputTokens, outputTokens, cacheReadTokens }: CommissionUsage): string {
  const read = `${inputTokens.toLocaleString('en')} tokens read`;
  const again = cacheReadTokens === 0 ? '' : `, ${cacheReadTokens.toLocaleString('en')} of them again`;
  return `${read}${again}, ${outputTokens.toLocaleString('en')} written`;
}

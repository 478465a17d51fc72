/** What the turns of a council need of the hall. */
import type { AgentUsage } from '../../../kernel/agents/contract.ts';
import type { CouncilsContext } from '../context.ts';
import type { TurnUsage } from '../contract.ts';

export type TurnsContext = Pick<
  CouncilsContext,
  | 'catalogue'
  | 'clock'
  | 'config'
  | 'councilPrompts'
  | 'driver'
  | 'gateway'
  | 'home'
  | 'ids'
  | 'locks'
  | 'log'
  | 'recordFolders'
  | 'sandbox'
  | 'scrub'
  | 'spawn'
>;

export const noUsage: TurnUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
};

/** The sum; its cost is not known where one of the two is not. */
export function addUsage(sum: TurnUsage, more: AgentUsage | undefined): TurnUsage {
  if (more === undefined) return sum;
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    cacheReadTokens: sum.cacheReadTokens + more.cacheReadTokens,
    cacheWriteTokens: sum.cacheWriteTokens + more.cacheWriteTokens,
    costUsd: sum.costUsd === null || more.costUsd === null ? null : sum.costUsd + more.costUsd,
  };
}

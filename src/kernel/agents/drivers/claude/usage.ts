/** What a turn used, from the SDK's accounts by model. */
import type { ModelUsage, SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';
import type { AgentUsage } from '../../contract.ts';

/** Token counts of one model call, as they stand on an assistant message. */
export interface CallUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/** `modelUsage` goes on over resumes and over a process's turns; this field alone is the share of one turn. */
interface WithShare {
  readonly model_usage_since_last_result?: Readonly<Record<string, ModelUsage>>;
}

/** The usage of the turn that ends with `result`; null when no model call was counted. */
export function usageOf(result: SDKResultMessage & WithShare, contextUsed: number | null): AgentUsage | null {
  const models = Object.values(result.model_usage_since_last_result ?? {});
  if (models.length === 0) return null;
  const sum = (pick: (usage: ModelUsage) => number): number =>
    models.reduce((total, usage) => total + (pick(usage) || 0), 0);
  const isPriceKnown = models.every((usage) => usage.costBasis !== 'unknown');
  const windows = models.map((usage) => usage.contextWindow).filter((window) => window > 0);
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    cacheReadTokens: sum((usage) => usage.cacheReadInputTokens),
    cacheWriteTokens: sum((usage) => usage.cacheCreationInputTokens),
    costUsd: isPriceKnown ? sum((usage) => usage.costUSD) : null,
    contextWindow: windows.length === 0 ? null : Math.max(...windows),
    contextUsed,
  };
}

/** What the agent counts against its budget: a guess where the price is not known. US dollars. */
export function spentOf(result: SDKResultMessage & WithShare): number | null {
  const models = Object.values(result.model_usage_since_last_result ?? {});
  return models.length === 0 ? null : models.reduce((total, usage) => total + usage.costUSD, 0);
}

/** How much of the window the call filled: what it read, and its answer, which the next call will read. */
export function contextOf(usage: CallUsage | null | undefined): number | null {
  if (!usage) return null;
  const read =
    (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  return read === 0 ? null : read + (usage.output_tokens ?? 0);
}

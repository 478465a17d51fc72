/** Counts what a call used by reading along in the answer, streamed or not. */
import { StringDecoder } from 'node:string_decoder';

import type { TokenCounts } from './prices.ts';

const countFields = {
  input_tokens: 'inputTokens',
  output_tokens: 'outputTokens',
  cache_read_input_tokens: 'cacheReadTokens',
  cache_creation_input_tokens: 'cacheWriteTokens',
} as const satisfies Record<string, keyof TokenCounts>;

export const noTokens: TokenCounts = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export interface UsageReader {
  /** Takes the next bytes of the answer. */
  push(chunk: string | Uint8Array): void;
  /** What has been seen so far. */
  counts(): TokenCounts;
}

/** Longest line or JSON body that is looked into; what is longer carries no counts that we know of. */
const maxPending = 4 * 1024 * 1024;

/**
 * A reader of one answer. In a stream `message_start` has the input's count and later `message_delta`s replace the
 * counts that they name (they are totals, not additions).
 */
export function createUsageReader(contentType: string): UsageReader {
  const isStream = contentType.includes('text/event-stream');
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let counts: TokenCounts = noTokens;
  const push = (chunk: string | Uint8Array): void => {
    pending += typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
    if (pending.length > maxPending) pending = '';
    if (!isStream) return;
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:') && line.includes('"usage"')) counts = { ...counts, ...readUsage(line.slice(5)) };
    }
  };
  return { push, counts: () => (isStream ? counts : { ...counts, ...readUsage(pending) }) };
}

function readUsage(json: string): Partial<TokenCounts> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // A garbled answer is the client's to judge; it only gives no counts.
    return {};
  }
  const holder = value as { usage?: unknown; message?: { usage?: unknown } } | null;
  const usage = (holder?.usage ?? holder?.message?.usage ?? {}) as Record<string, unknown>;
  const found: Partial<Record<keyof TokenCounts, number>> = {};
  for (const [field, name] of Object.entries(countFields)) {
    const count = usage[field];
    if (typeof count === 'number' && count >= 0) found[name] = count;
  }
  return found;
}

/** The hall's own calls: one question, one answer, through the same way as an agent's. */
import { once } from 'node:events';

import { fail } from '../../pure/errors.ts';
import type { UpstreamReply } from '../rehearsal/upstream.ts';
import { callModel, type GatewayState } from './calls.ts';
import type { Grant } from './grants.ts';
import { rehearsalName, resolveModel } from './models.ts';

export interface CompletionRequest {
  readonly system: string;
  readonly prompt: string;
  /** Longest answer, in tokens. */
  readonly maxTokens: number;
  /** Milliseconds; 120,000 when left out. */
  readonly timeoutMs?: number | undefined;
}

/**
 * The text of the model's answer.
 * @throws HallError `unauthorized`, `limit` or `unavailable`, by what the model's server said; its words are in the message
 */
export async function completeText(state: GatewayState, grant: Grant, request: CompletionRequest): Promise<string> {
  const body = {
    model: resolveModel(state.ctx, grant.modelName)?.modelId ?? rehearsalName,
    max_tokens: request.maxTokens,
    system: [{ type: 'text', text: request.system }],
    messages: [{ role: 'user', content: request.prompt }],
    stream: false,
  };
  const timeoutMs = request.timeoutMs ?? 120_000;
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  const raw = Buffer.from(JSON.stringify(body));
  try {
    const reply = await callModel(state, { grant, pathAndQuery: '/v1/messages', headers, raw, body, signal });
    const text = await readAll(reply, signal);
    if (reply.status !== 200) throw failedCall(reply.status, text);
    return textOf(text);
  } catch (error) {
    if (!signal.aborted && !grant.ended.signal.aborted) throw error;
    const what = signal.aborted
      ? `gave no answer within ${timeoutMs / 1000} s`
      : 'was called for an activity that ended';
    throw fail(
      'unavailable',
      `The model ${what}.`,
      'Try again; `guild-hall doctor` checks the connection.',
      undefined,
      error,
    );
  }
}

/** Reads to the end, or rejects when `signal` aborts, also while the other side says nothing. */
async function readAll(reply: UpstreamReply, signal: AbortSignal): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of reply.body) {
    signal.throwIfAborted();
    parts.push(Buffer.from(part as Uint8Array));
  }
  if (reply.ending === 'stall') await once(signal, 'abort');
  signal.throwIfAborted();
  if (reply.ending === 'reset') throw failedCall(502, 'the connection was cut');
  return Buffer.concat(parts).toString('utf8');
}

function failedCall(status: number, text: string) {
  const said = (parseJson(text) as { error?: { message?: string } } | undefined)?.error?.message ?? text.slice(0, 300);
  const message = `The model refused the call (${status}): ${said}`;
  if (status === 401 || status === 403) {
    return fail('unauthorized', message, 'Correct the credential of the model in config.yaml.');
  }
  if (status === 429 || status === 402) return fail('limit', message, 'Wait, or choose another model in config.yaml.');
  return fail('unavailable', message, 'Try again; `guild-hall doctor` checks the connection.');
}

function textOf(text: string): string {
  const content = (parseJson(text) as { content?: { type: string; text?: string }[] } | undefined)?.content;
  if (!Array.isArray(content)) {
    throw fail('unavailable', 'The model gave an answer that cannot be read.', 'Is baseUrl a Messages API endpoint?');
  }
  return content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Undefined is the answer for "no JSON"; both callers say so in their own words.
    return undefined;
  }
}

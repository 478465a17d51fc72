/** Turns a move into what the Messages API would send, as one JSON object or as server-sent events. */
import { createHash } from 'node:crypto';

import type { ClockContext } from '../../clock/clock.ts';
import { type BrokenAnswer, httpFailures, isHttpFailure } from './failures.ts';
import type { Move, MoveBlock } from './move.ts';
import type { MessagesRequest } from './situation.ts';
import { errorReply, jsonReply, type UpstreamReply } from './upstream.ts';

type WireBlock =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Readonly<Record<string, unknown>> };

interface WireMessage {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly WireBlock[];
  readonly stopReason: 'tool_use' | 'end_turn' | 'max_tokens';
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** About four characters a token: the usual rule of thumb for English and code. */
function estimateTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}

export function renderMove(
  ctx: ClockContext,
  request: MessagesRequest,
  move: Move,
  signal: AbortSignal,
): UpstreamReply {
  if (move.fail !== undefined && isHttpFailure(move.fail)) {
    const failure = httpFailures[move.fail];
    const headers = 'headers' in failure ? failure.headers : {};
    return errorReply(failure.status, failure.type, `rehearsal: ${failure.says}`, headers);
  }
  const message = composeMessage(request, move.blocks);
  const broken = move.fail;
  if (request.stream) {
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
    const body = streamEvents(ctx, message, move, broken, signal);
    return { status: 200, headers: { ...headers, 'request-id': `req_${message.id}` }, body, ending: endingOf(broken) };
  }
  // Without a stream only what breaks the whole connection can happen.
  if (broken === 'reset' || broken === 'stalled')
    return { ...jsonReply(200, {}), body: nothing(), ending: endingOf(broken) };
  return jsonReply(200, wholeMessage(message), { 'request-id': `req_${message.id}` });
}

function endingOf(broken: BrokenAnswer | undefined): UpstreamReply['ending'] {
  if (broken === 'reset') return 'reset';
  return broken === 'stalled' ? 'stall' : 'end';
}

async function* nothing(): AsyncGenerator<string> {}

/** Ids follow from the request, so that a repeated request gets the same ones and a longer one others. */
/** What the agent's program asks for where nobody limits it: a rehearsed answer may be longer, to show what then happens. */
const usualMaxTokens = 32_000;

/** What fits into the answer that was asked for; as long as the agent has no limit of its own, everything. */
function withinMaxTokens(
  { max_tokens: max = usualMaxTokens }: MessagesRequest,
  blocks: readonly MoveBlock[],
): { readonly blocks: readonly MoveBlock[]; readonly isCut: boolean } {
  if (max >= usualMaxTokens || estimateTokens(JSON.stringify(blocks)) <= max) return { blocks, isCut: false };
  let left = max * 4;
  const fitting = blocks.flatMap((block): MoveBlock[] => {
    const size = JSON.stringify(block).length;
    const room = left;
    left -= size;
    if (size <= room) return [block];
    return block.type === 'text' && room > 80 ? [{ type: 'text', text: block.text.slice(0, room - 40) }] : [];
  });
  return { blocks: fitting, isCut: true };
}

function composeMessage(request: MessagesRequest, wanted: readonly MoveBlock[]): WireMessage {
  const { blocks, isCut } = withinMaxTokens(request, wanted);
  const asked = JSON.stringify([request.system, request.messages]);
  const digest = createHash('sha256').update(asked).digest('hex').slice(0, 20);
  const wireBlocks = blocks.map((block, index): WireBlock => {
    if (block.type === 'text') return block;
    return { type: 'tool_use', id: `toolu_${digest}${index}`, name: block.name, input: block.input };
  });
  return {
    id: `msg_${digest}`,
    model: request.model,
    blocks: wireBlocks,
    stopReason: isCut ? 'max_tokens' : blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
    inputTokens: estimateTokens(asked),
    outputTokens: Math.min(
      estimateTokens(JSON.stringify(blocks)),
      isCut ? (request.max_tokens ?? usualMaxTokens) : Infinity,
    ),
  };
}

function usageOf(message: WireMessage, outputTokens: number) {
  return {
    input_tokens: message.inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
  };
}

function wholeMessage(message: WireMessage) {
  const { id, model, blocks: content, stopReason: stop_reason } = message;
  const usage = usageOf(message, message.outputTokens);
  return { id, type: 'message', role: 'assistant', model, content, stop_reason, stop_sequence: null, usage };
}

function event(type: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

async function* streamEvents(
  ctx: ClockContext,
  message: WireMessage,
  move: Move,
  broken: BrokenAnswer | undefined,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const start = { ...wholeMessage(message), content: [], stop_reason: null, usage: usageOf(message, 1) };
  yield event('message_start', { message: start }) + event('ping');
  const pieces = message.blocks.flatMap((block, index) => [...blockEvents(block, index, move.chunkChars ?? 32)]);
  const breakAt = broken === undefined ? pieces.length : Math.ceil(pieces.length / 2);
  for (const piece of pieces.slice(0, breakAt)) {
    yield piece;
    await (move.delayMsPerChunk ? ctx.clock.sleep(move.delayMsPerChunk, signal) : nextTick());
  }
  if (broken === 'garbage') yield 'event: content_block_delta\ndata: {"type":"content_block_delta", oops\n\n';
  if (broken !== undefined) return;
  const delta = { stop_reason: message.stopReason, stop_sequence: null };
  yield event('message_delta', { delta, usage: usageOf(message, message.outputTokens) }) + event('message_stop');
}

/** Lets other work in between two pieces: a long answer must not hold up the hall. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function* blockEvents(block: WireBlock, index: number, chunkChars: number): Generator<string> {
  const empty = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
  yield event('content_block_start', { index, content_block: empty });
  const whole = block.type === 'text' ? block.text : JSON.stringify(block.input);
  for (const part of cut(whole, chunkChars)) {
    const delta =
      block.type === 'text' ? { type: 'text_delta', text: part } : { type: 'input_json_delta', partial_json: part };
    yield event('content_block_delta', { index, delta });
  }
  yield event('content_block_stop', { index });
}

/** Pieces of about `size` characters that never cut a character in two. */
function* cut(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + size);
    if (to < text.length && /[\uD800-\uDBFF]/.test(text[to - 1] ?? '')) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

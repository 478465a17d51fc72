/**
 * Streamed words, each given once. The SDK streams pieces and then repeats the whole; a broken stream is tried again
 * from the start, and at last without streaming. What was given before the break is not given again.
 */
import type { SDKPartialAssistantMessage } from '@anthropic-ai/claude-agent-sdk';
import type { AgentEvent } from '../../contract.ts';

export interface Words {
  /** Id of the message that streams, or was the last to stream whole; null after a break. */
  streamingId: string | null;
  /** Id of the last message that came whole without streaming. */
  wholeId: string | null;
  /** Text of the message that streams, by block. */
  blocks: string[];
  /** What the reader has of a message whose stream broke; empty when no try has to catch up with it. */
  given: string;
  /** What the next try has said so far, while it only repeats `given`. */
  repeated: string;
}

export function newWords(): Words {
  return { streamingId: null, wholeId: null, blocks: [], given: '', repeated: '' };
}

/** Part of the last event of a broken stream, though not of the SDK's types. */
interface MayBreak {
  readonly abandoned_blocks?: { readonly from_block_index?: number };
}

export function mapStream(words: Words, message: SDKPartialAssistantMessage & MayBreak): AgentEvent[] {
  const { event } = message;
  if (event.type === 'message_start') startMessage(words, event.message.id);
  if (event.type === 'message_stop') stopMessage(words, message.abandoned_blocks?.from_block_index);
  if (event.type !== 'content_block_delta') return [];
  const { delta, index } = event;
  if (delta.type === 'thinking_delta') return delta.thinking === '' ? [] : [{ type: 'thought', text: delta.thinking }];
  if (delta.type !== 'text_delta') return [];
  words.blocks[index] = (words.blocks[index] ?? '') + delta.text;
  return give(words, delta.text);
}

/** Text of a whole message: new only when it did not come in pieces before. */
export function takeWhole(words: Words, messageId: string, text: string): AgentEvent[] {
  if (messageId === words.streamingId) return [];
  words.wholeId = messageId;
  return give(words, text);
}

function startMessage(words: Words, id: string): void {
  // A stream that never came to its stop is a break that nobody announced.
  if (words.blocks.length > 0) breakFrom(words, 0);
  if (words.wholeId !== null) forgetBreak(words);
  words.wholeId = null;
  words.streamingId = id;
}

function stopMessage(words: Words, brokenFrom: number | undefined): void {
  if (brokenFrom !== undefined) {
    breakFrom(words, brokenFrom);
    return;
  }
  words.blocks = [];
  forgetBreak(words);
}

function breakFrom(words: Words, index: number): void {
  const lost = words.blocks.slice(index).join('');
  // A try that broke before it had caught up leaves the reader with what the earlier one gave.
  const isBehind = words.given !== '' && words.given.startsWith(lost);
  if (!isBehind) words.given = lost;
  words.repeated = '';
  words.blocks = [];
  words.streamingId = null;
}

function forgetBreak(words: Words): void {
  words.given = '';
  words.repeated = '';
}

function give(words: Words, piece: string): AgentEvent[] {
  if (words.given === '') return say(piece);
  const { given } = words;
  const said = words.repeated + piece;
  if (given.length > said.length && given.startsWith(said)) {
    words.repeated = said;
    return [];
  }
  forgetBreak(words);
  // A try that says something else cannot be joined to what the reader has; it begins on a line of its own.
  return said.startsWith(given) ? say(said.slice(given.length)) : say(`\n\n${said}`);
}

function say(text: string): AgentEvent[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/**
 * From the SDK's messages to the hall's events. Nothing here waits, reads or writes: the same function serves live
 * turns, recorded turns and the tests' tables.
 */
import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { AgentEvent, AgentLimits, AgentUsage } from '../../contract.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';
import { changedBy, describeCall } from './calls.ts';
import { classOfRetry, decideFailure, decideSilence } from './failures.ts';
import { contextOf, spentOf, usageOf } from './usage.ts';
import { mapStream, newWords, takeWhole, type Words } from './words.ts';

/** Everything that one turn remembers between two messages. `mapSdkMessage` alone changes it, `asked` apart. */
export interface MapState {
  readonly model: string;
  readonly limits: AgentLimits;
  /** Paths in titles are shown from here; empty for as they are. */
  readonly cwd: string;
  sessionId: AgentSessionId | null;
  /** Calls that have no result yet: id → name. */
  readonly openCalls: Map<string, string>;
  readonly words: Words;
  contextUsed: number | null;
  apiError: { readonly name: string; readonly text: string } | null;
  lastRetryDelayMs: number | null;
  /** Why the hall itself ended the turn, if it did. */
  asked: 'nothing' | 'interrupt' | 'silence';
  silentMs: number;
  /** The one `end` or `error` has been given. */
  isOver: boolean;
}

export const maxSummaryLength = 2_000;
const hallPrefix = 'mcp__hall__';

/** @param limits for the words of a reached limit */
export function createMapState(options: {
  readonly model: string;
  readonly limits: AgentLimits;
  readonly cwd?: string;
}): MapState {
  return {
    cwd: '',
    ...options,
    sessionId: null,
    openCalls: new Map(),
    words: newWords(),
    contextUsed: null,
    apiError: null,
    lastRetryDelayMs: null,
    asked: 'nothing',
    silentMs: 0,
    isOver: false,
  };
}

/** The events that `message` stands for; none for the many that say nothing to a reader. */
export function mapSdkMessage(state: MapState, message: SDKMessage): AgentEvent[] {
  if (state.isOver) return [];
  if (message.type === 'result') return mapResult(state, message);
  if (message.type === 'system') return mapSystem(state, message);
  // What a helper agent within the turn says is its own; its caller gets the outcome as a tool result.
  if ('parent_tool_use_id' in message && message.parent_tool_use_id !== null) return [];
  if (message.type === 'stream_event') {
    if (message.event.type === 'message_delta') state.contextUsed = contextOf(message.event.usage) ?? state.contextUsed;
    return mapStream(state.words, message);
  }
  if (message.type === 'assistant') return mapAssistant(state, message);
  if (message.type === 'user') return mapUser(state, message);
  return [];
}

type Of<Type extends SDKMessage['type']> = Extract<SDKMessage, { type: Type }>;

function mapSystem(state: MapState, message: Of<'system'>): AgentEvent[] {
  if (message.subtype === 'init') {
    const sessionId = message.session_id as AgentSessionId;
    if (state.sessionId === sessionId) return [];
    state.sessionId = sessionId;
    return [{ type: 'session', sessionId }];
  }
  if (message.subtype !== 'api_retry') return [];
  const delayMs = Math.round(message.retry_delay_ms);
  state.lastRetryDelayMs = delayMs;
  return [
    { type: 'retry', attempt: message.attempt, errorClass: classOfRetry(message.error, message.error_status), delayMs },
  ];
}

function mapAssistant(state: MapState, message: Of<'assistant'>): AgentEvent[] {
  const { content, usage, id } = message.message;
  if (message.error !== undefined) {
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    state.apiError = { name: message.error, text };
    return [];
  }
  state.contextUsed = contextOf(usage) ?? state.contextUsed;
  return content.flatMap((block): AgentEvent[] => {
    if (block.type === 'text') return takeWhole(state.words, id, block.text);
    return block.type === 'tool_use' ? announceCall(state, block.id, block.name, block.input) : [];
  });
}

/** Tells of a call, once: whoever asks for it before its message has come tells of it first. */
export function announceCall(state: MapState, callId: string, fullName: string, input: unknown): AgentEvent[] {
  if (state.isOver || state.openCalls.has(callId)) return [];
  const name = shownName(fullName);
  state.openCalls.set(callId, name);
  const call: AgentEvent = { type: 'tool_call', callId, name, input, ...describeCall(name, input, state.cwd) };
  return name === 'TodoWrite' ? [call, planOf(input)] : [call];
}

/** A tool's name as people know it: the hall's own tools without the prefix that the agent's program needs. */
export function shownName(fullName: string): string {
  return fullName.startsWith(hallPrefix) ? fullName.slice(hallPrefix.length) : fullName;
}

function planOf(input: unknown): AgentEvent {
  const todos = (input as { todos?: unknown } | null)?.todos;
  const entries = (Array.isArray(todos) ? todos : []).map((todo: { content?: unknown; status?: unknown } | null) => ({
    text: String(todo?.content ?? ''),
    status: String(todo?.status ?? 'pending'),
  }));
  return { type: 'plan', entries };
}

interface ResultBlock {
  readonly type?: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

function mapUser(state: MapState, message: Of<'user'>): AgentEvent[] {
  const { content } = message.message;
  if (!Array.isArray(content)) return [];
  const results = (content as readonly ResultBlock[]).filter(({ type }) => type === 'tool_result');
  // What a tool told besides its words belongs to one call, and says not to which.
  const told = results.length === 1 ? message.tool_use_result : undefined;
  return results.flatMap(({ tool_use_id: callId, is_error: isError, content: words }) =>
    callId === undefined ? [] : closeCall(state, callId, isError !== true, textOf(words), told),
  );
}

function closeCall(state: MapState, callId: string, ok: boolean, text: string, told?: unknown): AgentEvent[] {
  const name = state.openCalls.get(callId);
  if (name === undefined) return [];
  state.openCalls.delete(callId);
  const diffs = ok ? changedBy(name, told) : [];
  return [
    { type: 'tool_result', callId, name, ok, summary: summarise(text), ...(diffs.length === 0 ? {} : { diffs }) },
  ];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { type?: string; text?: string }) =>
      part.type === 'text' ? (part.text ?? '') : `[${part.type ?? 'something'}]`,
    )
    .join('\n');
}

function summarise(text: string): string {
  if (text.length <= maxSummaryLength) return text;
  const mark = `\n[cut: ${text.length} characters in all]`;
  return text.slice(0, maxSummaryLength - mark.length) + mark;
}

function mapResult(state: MapState, result: Of<'result'>): AgentEvent[] {
  const usage = usageOf(result, state.contextUsed);
  const reason = result.terminal_reason ?? null;
  const isBrokenOff = reason?.startsWith('aborted') === true;
  if (isBrokenOff && state.asked !== 'nothing') return finishTurn(state, undefined, usage);
  if (!result.is_error) return finishTurn(state, { type: 'end', reason: 'done', sessionId: state.sessionId }, usage);
  const words = result.subtype === 'success' ? result.result : (result.errors ?? []).join(' ');
  const failure = decideFailure({
    model: state.model,
    limits: state.limits,
    text: state.apiError?.text || words,
    subtype: result.subtype,
    terminalReason: reason,
    status: ('api_error_status' in result ? result.api_error_status : null) ?? null,
    apiError: state.apiError?.name ?? null,
    spentUsd: spentOf(result),
    lastRetryDelayMs: state.lastRetryDelayMs,
  });
  return finishTurn(state, { type: 'error', ...failure, sessionId: state.sessionId }, usage);
}

/** The last event of a turn: what it was, or by default what the hall asked for. */
type LastEvent = Extract<AgentEvent, { type: 'end' | 'error' }>;

/** Ends the turn, once: calls without a result get one that says so, then come the usage and the last event. */
export function finishTurn(
  state: MapState,
  last: LastEvent = askedEnd(state),
  usage: AgentUsage | null = null,
): AgentEvent[] {
  if (state.isOver) return [];
  const unanswered = [...state.openCalls.keys()].flatMap((callId) =>
    closeCall(state, callId, false, 'No result: the turn ended first.'),
  );
  state.isOver = true;
  return [...unanswered, ...(usage === null ? [] : [{ type: 'usage', usage } as const]), last];
}

function askedEnd({ asked, silentMs, sessionId }: MapState): LastEvent {
  if (asked === 'silence') return { type: 'error', ...decideSilence(silentMs), sessionId };
  return { type: 'end', reason: 'interrupted', sessionId };
}

/** From an ACP agent's updates to the hall's events. Nothing here waits, reads or writes. */
import { isDeepStrictEqual } from 'node:util';
import type { AgentDiff, AgentEvent, AgentUsage } from '../../contract.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';
import { hallToolName, shownName, summarise, textOfBlock } from './names.ts';
import { newRepeats, type Repeats, sayOnce } from './repeats.ts';
import type { ToolCallWire, UpdateWire } from './shapes.ts';

/** A call that has no result yet. */
interface OpenCall {
  readonly name: string;
  title: string;
  text: string;
  diffs: readonly AgentDiff[];
}

/** Everything that one turn remembers between two updates. */
export interface MapState {
  /** Names of the hall's own tools. */
  readonly tools: ReadonlySet<string>;
  sessionId: AgentSessionId | null;
  readonly openCalls: Map<string, OpenCall>;
  /** Announced, though without what they are given: told at the next word of them. */
  readonly held: Map<string, ToolCallWire>;
  /** Calls that have their result: what comes after it is not told. */
  readonly closed: Set<string>;
  readonly repeats: Repeats;
  /** While the model's last answer was a failure, what the agent says is about that: kept here, not told as its words. */
  aside: string;
  isFailing: boolean;
  /** The one `end` or `error` has been given. */
  isOver: boolean;
}

const maxAside = 4_000;

export function createMapState(tools: ReadonlySet<string>): MapState {
  return {
    tools,
    sessionId: null,
    openCalls: new Map(),
    held: new Map(),
    closed: new Set(),
    repeats: newRepeats(),
    aside: '',
    isFailing: false,
    isOver: false,
  };
}

/** The events that belong to a turn; the rest of the updates is the session's own and told elsewhere. */
export function mapUpdate(state: MapState, update: UpdateWire): AgentEvent[] {
  if (state.isOver) return [];
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return isOfHelper(update._meta) ? [] : mapText(state, textOfBlock(update.content));
    case 'agent_thought_chunk': {
      const text = isOfHelper(update._meta) ? '' : textOfBlock(update.content);
      return text === '' ? [] : [{ type: 'thought', text }];
    }
    case 'tool_call':
    case 'tool_call_update':
      return isOfHelper(update._meta) ? [] : mapCall(state, update);
    case 'plan':
      return [{ type: 'plan', entries: update.entries.map(({ content, status }) => ({ text: content, status })) }];
    default:
      return [];
  }
}

/** What a helper agent within the turn says is its own; its caller gets the outcome as a tool result. */
function isOfHelper(meta: ToolCallWire['_meta']): boolean {
  const own = (meta as { claudeCode?: { parentToolUseId?: unknown } } | null | undefined)?.claudeCode;
  return typeof own?.parentToolUseId === 'string';
}

function mapText(state: MapState, text: string): AgentEvent[] {
  if (text === '') return [];
  if (state.isFailing) {
    state.aside = (state.aside + text).slice(-maxAside);
    return [];
  }
  const fresh = sayOnce(state.repeats, text);
  return fresh === '' ? [] : [{ type: 'text', text: fresh }];
}

function mapCall(state: MapState, call: ToolCallWire): AgentEvent[] {
  const { toolCallId: id } = call;
  if (state.closed.has(id)) return [];
  const before = state.held.get(id);
  if (!state.openCalls.has(id)) {
    const known = before === undefined ? call : { ...before, ...withoutNothing(call) };
    // Some say that they will call before they say with what.
    if (before === undefined && isPreliminary(call)) {
      state.held.set(id, call);
      return [];
    }
    return [...openCall(state, known), ...goOn(state, known)];
  }
  return goOn(state, call);
}

function withoutNothing(call: ToolCallWire): Partial<ToolCallWire> {
  return Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined && value !== null));
}

function isPreliminary({ rawInput, status }: ToolCallWire): boolean {
  const isEmpty = rawInput === undefined || rawInput === null || Object.keys(rawInput).length === 0;
  return isEmpty && (status === undefined || status === null || status === 'pending');
}

/** Tells of a call that a question is about, where nobody has told of it yet. */
export function openForQuestion(state: MapState, call: ToolCallWire): AgentEvent[] {
  if (state.isOver || state.closed.has(call.toolCallId)) return [];
  const before = state.held.get(call.toolCallId);
  return state.openCalls.has(call.toolCallId)
    ? []
    : openCall(state, { ...before, ...withoutNothing(call) } as ToolCallWire);
}

/** The name by which the call was told of. */
export function nameOfCall(state: MapState, call: ToolCallWire): string {
  return state.openCalls.get(call.toolCallId)?.name ?? shownName(state.tools, call);
}

function openCall(state: MapState, call: ToolCallWire): AgentEvent[] {
  const callId = call.toolCallId;
  state.held.delete(callId);
  const name = shownName(state.tools, call);
  const title = call.title ?? '';
  state.openCalls.set(callId, { name, title, text: '', diffs: [] });
  const isHalls = hallToolName(state.tools, name) !== undefined;
  const words = {
    ...(title === '' || title === name || isHalls ? {} : { title }),
    ...(call.kind === undefined || call.kind === null ? {} : { kind: call.kind }),
  };
  return [{ type: 'tool_call', callId, name, input: call.rawInput ?? {}, ...words }];
}

function goOn(state: MapState, call: ToolCallWire): AgentEvent[] {
  const callId = call.toolCallId;
  const open = state.openCalls.get(callId)!;
  const diffs = diffsOf(call);
  if (call.status === 'completed' || call.status === 'failed') {
    if (diffs.length > 0) open.diffs = diffs;
    const text = textOfCall(call);
    return closeCall(state, callId, call.status === 'completed', text === '' ? open.text : text);
  }
  const isSilent = call.content === undefined || call.content === null;
  const text = isSilent ? open.text : textOfCall(call);
  // Not compared with itself: it may be long, and updates many.
  const more = isSilent ? '' : text.startsWith(open.text) ? text.slice(open.text.length) : text;
  const isNewTitle = (call.title ?? '') !== '' && call.title !== open.title && call.title !== open.name;
  const areNewDiffs = diffs.length > 0 && !isDeepStrictEqual(diffs, open.diffs);
  open.text = text;
  if (areNewDiffs) open.diffs = diffs;
  if (isNewTitle) open.title = call.title!;
  if (more === '' && !isNewTitle && !areNewDiffs) return [];
  return [
    {
      type: 'tool_update',
      callId,
      text: more,
      ...(areNewDiffs ? { diffs } : {}),
      ...(isNewTitle ? { title: open.title } : {}),
    },
  ];
}

function closeCall(state: MapState, callId: string, ok: boolean, text: string): AgentEvent[] {
  const open = state.openCalls.get(callId);
  if (open === undefined) return [];
  state.openCalls.delete(callId);
  state.closed.add(callId);
  const diffs = open.diffs.length === 0 ? {} : { diffs: open.diffs };
  return [{ type: 'tool_result', callId, name: open.name, ok, summary: summarise(text), ...diffs }];
}

export function diffsOf(call: ToolCallWire): AgentDiff[] {
  return (call.content ?? []).flatMap((part) =>
    part.type === 'diff' && typeof part.path === 'string' && typeof part.newText === 'string'
      ? [{ path: part.path, oldText: part.oldText ?? null, newText: part.newText }]
      : [],
  );
}

function textOfCall(call: ToolCallWire): string {
  const parts = (call.content ?? []).flatMap((part) =>
    part.type === 'content' && part.content !== undefined ? [textOfBlock(part.content)] : [],
  );
  if (parts.length > 0) return parts.join('\n');
  const raw = call.rawOutput;
  if (typeof raw === 'string') return raw;
  const output = (raw as { output?: unknown } | null | undefined)?.output;
  return typeof output === 'string' ? output : '';
}

/** The last event of a turn. */
export type LastEvent = Extract<AgentEvent, { type: 'end' | 'error' }>;

/** Ends the turn, once: calls without a result get one that says so, then come the usage and the last event. */
export function finishTurn(state: MapState, last: LastEvent, usage: AgentUsage | null): AgentEvent[] {
  if (state.isOver) return [];
  const late = [...state.held.values()].flatMap((call) => openCall(state, call));
  const unanswered = [...state.openCalls.keys()].flatMap((callId) =>
    closeCall(state, callId, false, 'No result: the turn ended first.'),
  );
  state.isOver = true;
  return [...late, ...unanswered, ...(usage === null ? [] : [{ type: 'usage', usage } as const]), last];
}

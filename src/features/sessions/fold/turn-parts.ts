/** What an agent does within a turn, folded into the answer that is being given. Pure. */
import type { SessionEvent, SessionEventType } from '../contract/events.ts';
import { replaced } from './lists.ts';
import { placeOfLastAnswer } from './reading.ts';
import type { AgentMessage, Diff, MessagePart, PermissionPart, SessionState, ToolPart } from '../contract.ts';

type PartEventType =
  | 'AgentText'
  | 'AgentThought'
  | 'ToolCallStarted'
  | 'ToolCallUpdated'
  | 'ToolCallCompleted'
  | 'UsageUpdated'
  | 'RetryAnnounced'
  | 'PermissionRequested'
  | 'PermissionResolved'
  | 'ErrorOccurred';
type PartEvent = Extract<SessionEvent, { type: PartEventType }>;
type Of<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>;

/** Without an answer that runs, nothing changes. */
export function foldTurnPart(state: SessionState, event: PartEvent): SessionState {
  const position = placeOfLastAnswer(state.messages);
  const message = state.messages[position];
  if (message?.role !== 'agent' || message.state !== 'running') return state;
  const folded = foldMessage(message, event);
  if (folded === message) return state;
  const changed = { ...state, messages: replaced(state.messages, position, folded) };
  return event.type === 'ToolCallCompleted' && event.ok ? withChangedFiles(changed, folded, event.callId) : changed;
}

function foldMessage(message: AgentMessage, event: PartEvent): AgentMessage {
  switch (event.type) {
    case 'UsageUpdated':
      return { ...message, usage: event.usage };
    case 'RetryAnnounced':
      return { ...message, retry: { attempt: event.attempt, errorClass: event.errorClass, at: event.at } };
    case 'ErrorOccurred': {
      const { errorClass, message: words, hint } = event;
      return { ...message, error: { errorClass, message: words, hint }, retry: null };
    }
    default: {
      const parts = foldParts(message.parts, event);
      return parts === message.parts && message.retry === null ? message : { ...message, parts, retry: null };
    }
  }
}

function foldParts(
  parts: readonly MessagePart[],
  event: Exclude<PartEvent, { type: 'UsageUpdated' | 'RetryAnnounced' | 'ErrorOccurred' }>,
): readonly MessagePart[] {
  switch (event.type) {
    case 'AgentText':
      return withWords(parts, 'text', event.text);
    case 'AgentThought':
      return withWords(parts, 'thought', event.text);
    case 'ToolCallStarted':
      return withTool(parts, event);
    case 'ToolCallUpdated':
      return changeTool(parts, event.callId, (tool) => ({
        ...tool,
        output: tool.output + event.output,
        diffs: mergeDiffs(tool.diffs, event.diffs),
        title: event.title ?? tool.title,
      }));
    case 'ToolCallCompleted':
      return changeTool(parts, event.callId, (tool) => ({
        ...tool,
        state: event.ok ? 'done' : 'failed',
        summary: event.summary,
        diffs: mergeDiffs(tool.diffs, event.diffs),
      }));
    case 'PermissionRequested':
      return withQuestion(parts, event);
    case 'PermissionResolved':
      return withOutcome(parts, event);
  }
}

function withWords(parts: readonly MessagePart[], type: 'text' | 'thought', text: string): readonly MessagePart[] {
  if (text === '') return parts;
  const last = parts.at(-1);
  if (last?.type !== type) return [...parts, { type, text }];
  return replaced<MessagePart>(parts, parts.length - 1, { type, text: last.text + text });
}

/** An id that was there before is begun anew at its place. */
function withTool(parts: readonly MessagePart[], event: Of<'ToolCallStarted'>): readonly MessagePart[] {
  const { callId, name, title, kind, input } = event;
  const fresh: ToolPart = {
    type: 'tool',
    callId,
    name,
    title,
    kind,
    input,
    state: 'running',
    output: '',
    summary: '',
    diffs: [],
  };
  const position = placeOfTool(parts, callId);
  return position === -1 ? [...parts, fresh] : replaced<MessagePart>(parts, position, fresh);
}

function placeOfTool(parts: readonly MessagePart[], callId: string): number {
  return parts.findLastIndex((part) => part.type === 'tool' && part.callId === callId);
}

function changeTool(
  parts: readonly MessagePart[],
  callId: string,
  change: (tool: ToolPart) => ToolPart,
): readonly MessagePart[] {
  const position = placeOfTool(parts, callId);
  const part = parts[position];
  return part?.type === 'tool' ? replaced<MessagePart>(parts, position, change(part)) : parts;
}

/** Of one call. Each is compared with all that were told before, at every start of the hall again. */
const mostDiffs = 500;

function mergeDiffs(before: readonly Diff[], more: readonly Diff[]): readonly Diff[] {
  if (more.length === 0 || before.length >= mostDiffs) return before;
  const isTold = ({ path, oldText, newText }: Diff): boolean =>
    before.some((one) => one.path === path && one.oldText === oldText && one.newText === newText);
  const fresh = more.filter((diff) => !isTold(diff));
  return fresh.length === 0 ? before : [...before, ...fresh].slice(0, mostDiffs);
}

function withQuestion(parts: readonly MessagePart[], event: Of<'PermissionRequested'>): readonly MessagePart[] {
  const { requestId, callId, name, title, input, diffs, options } = event;
  if (parts.some((part) => part.type === 'permission' && part.requestId === requestId)) return parts;
  const question: PermissionPart = {
    type: 'permission',
    requestId,
    callId,
    name,
    title,
    input,
    diffs,
    options,
    outcome: null,
  };
  return [...parts, question];
}

function withOutcome(parts: readonly MessagePart[], event: Of<'PermissionResolved'>): readonly MessagePart[] {
  const position = parts.findLastIndex(
    (part) => part.type === 'permission' && part.requestId === event.requestId && part.outcome === null,
  );
  const part = parts[position];
  return part?.type === 'permission'
    ? replaced<MessagePart>(parts, position, { ...part, outcome: event.outcome })
    : parts;
}

function withChangedFiles(state: SessionState, { parts }: AgentMessage, callId: string): SessionState {
  const part = parts[placeOfTool(parts, callId)];
  if (part?.type !== 'tool') return state;
  const changed = new Set(state.changedFiles);
  for (const { path } of part.diffs) changed.add(path);
  return changed.size === state.changedFiles.length ? state : { ...state, changedFiles: [...changed] };
}

/** From the events of a turn to what a screen shows of its answer. Pure; shared by hall, command line and web. */
import type {
  AnswerKept,
  MeetingEvents,
  ToolCallView,
  TranscriptEntry,
  TurnEvent,
  TurnView,
  Usage,
} from '../contract.ts';
import { boundedInput, boundedSummary, oneLine, toolLine } from './lines.ts';

export function emptyTurn(turn: number): TurnView {
  return { turn, text: '', tools: [], toolsBeforeText: 0, state: 'running', error: null, retry: null };
}

/** Adds one event of the turn's stream. Nothing follows an end: later events of the turn change nothing. */
export function foldTurnEvent(view: TurnView, event: TurnEvent): TurnView {
  if (view.state !== 'running') return view;
  switch (event.type) {
    case 'text_delta':
      return { ...view, text: view.text + event.text, toolsBeforeText: view.tools.length, retry: null };
    case 'tool_use':
      return { ...view, tools: [...view.tools, callOf(view, event)], retry: null };
    case 'tool_result':
      return { ...view, tools: view.tools.map((call) => withResult(call, event)), retry: null };
    case 'turn_end':
      return ended(view, event.interrupted ? 'interrupted' : 'done', null);
    case 'error':
      return ended(view, 'failed', { reason: oneLine(event.reason, 1000), hint: oneLine(event.hint, 1000) });
  }
}

/** Adds that the agent tries again; it is shown until something comes. */
export function foldRetry(view: TurnView, retry: MeetingEvents['meeting.agent_retry']): TurnView {
  const { attempt, errorClass, delayMs, at } = retry;
  return view.state === 'running' ? { ...view, retry: { attempt, errorClass, delayMs, at } } : view;
}

function callOf(view: TurnView, event: Extract<TurnEvent, { type: 'tool_use' }>): ToolCallView {
  const call = { callId: event.callId, name: event.name, input: boundedInput(event.input), result: null };
  return { ...call, after: view.text.length, line: toolLine(call, false) };
}

function withResult(call: ToolCallView, event: Extract<TurnEvent, { type: 'tool_result' }>): ToolCallView {
  // A result belongs to its call by id: two calls of one tool may be under way at once.
  if (call.callId !== event.callId || call.result !== null) return call;
  const result = { ok: event.ok, summary: boundedSummary(event.summary) };
  return { ...call, result, line: toolLine({ ...call, result }, true) };
}

function ended(view: TurnView, state: TurnView['state'], error: TurnView['error']): TurnView {
  const tools = view.tools.map((call) => (call.result === null ? { ...call, line: toolLine(call, true) } : call));
  return { ...view, tools, state, error, retry: null };
}

/** The ended turn as the transcript keeps it: a secret may be masked in its text, and the hall may have cut it off. */
export function withKept(view: TurnView, kept: Pick<AnswerKept, 'mark' | 'text'>): TurnView {
  const marked = { ...view, state: kept.mark };
  const { text } = kept;
  if (text === null || text === view.text) return marked;
  const place = placeAfterMasking(view.text, text);
  return { ...marked, text, tools: view.tools.map((call) => ({ ...call, after: place(call.after) })) };
}

/** Where a place of the text is in its masked form: before the first change, or as far from the end as it was. */
function placeAfterMasking(text: string, masked: string): (place: number) => number {
  let same = 0;
  while (same < text.length && text[same] === masked[same]) same += 1;
  const shift = masked.length - text.length;
  return (place) => (place <= same ? place : Math.min(masked.length, Math.max(same, place + shift)));
}

/** The turn as it is kept in the transcript. */
export function entryOfTurn(view: TurnView, at: string, usage: Usage | null): TranscriptEntry {
  return {
    speaker: 'assistant',
    turn: view.turn,
    at,
    mark: view.state === 'running' ? 'cut-off' : view.state,
    text: view.text,
    tools: view.tools,
    error: view.error?.reason ?? null,
    hint: view.error?.hint ?? null,
    usage,
  };
}

/** What a meeting has used when this answer is added. A cost that is not known makes the whole unknown. */
export function addUsage(sum: Usage | null, usage: Usage | null): Usage | null {
  if (sum === null || usage === null) return usage ?? sum;
  return {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    costUsd: sum.costUsd === null || usage.costUsd === null ? null : sum.costUsd + usage.costUsd,
    contextUsed: usage.contextUsed ?? sum.contextUsed,
    contextWindow: usage.contextWindow ?? sum.contextWindow,
  };
}

export function usageOfEntries(entries: readonly TranscriptEntry[]): Usage | null {
  return entries.reduce<Usage | null>((sum, { usage }) => addUsage(sum, usage), null);
}

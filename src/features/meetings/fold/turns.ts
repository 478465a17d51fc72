/** From the events of a meeting to what a screen shows of its turns. Pure; shared by the command line and the web. */
import type { TranscriptEntry, TurnEvent } from '../contract.ts';

export interface ToolCallView {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly result: { readonly ok: boolean; readonly summary: string } | null;
}

export interface TurnView {
  readonly turn: number;
  readonly text: string;
  readonly tools: readonly ToolCallView[];
  /** How many of the tools were called before the last words: words after a further call are a new paragraph. */
  readonly toolsBeforeText: number;
  readonly state: 'running' | 'done' | 'interrupted' | 'failed';
  readonly error: { readonly reason: string; readonly hint: string } | null;
}

export function emptyTurn(turn: number): TurnView {
  return { turn, text: '', tools: [], toolsBeforeText: 0, state: 'running', error: null };
}

/** Adds one event of the turn's stream. Nothing follows an end: later events of the turn change nothing. */
export function foldTurnEvent(view: TurnView, event: TurnEvent): TurnView {
  if (view.state !== 'running') return view;
  switch (event.type) {
    case 'text_delta':
      return { ...view, text: view.text + event.text, toolsBeforeText: view.tools.length };
    case 'tool_use':
      return {
        ...view,
        tools: [...view.tools, { callId: event.callId, name: event.name, input: event.input, result: null }],
      };
    case 'tool_result':
      return { ...view, tools: view.tools.map((call) => withResult(call, event)) };
    case 'turn_end':
      return { ...view, state: event.interrupted ? 'interrupted' : 'done' };
    case 'error':
      return { ...view, state: 'failed', error: { reason: event.reason, hint: event.hint } };
  }
}

function withResult(call: ToolCallView, event: Extract<TurnEvent, { type: 'tool_result' }>): ToolCallView {
  // A result belongs to its call by id: two calls of one tool may be under way at once.
  return call.callId === event.callId && call.result === null
    ? { ...call, result: { ok: event.ok, summary: event.summary } }
    : call;
}

/** The turn as it is kept in the transcript. */
export function entryOfTurn(view: TurnView, at: string): TranscriptEntry {
  return {
    speaker: 'assistant',
    turn: view.turn,
    at,
    mark: view.state === 'running' ? 'cut-off' : view.state,
    text: view.text,
    tools: view.tools.map(toolLineOf),
    error: view.error === null ? null : view.error.reason,
  };
}

function toolLineOf(call: ToolCallView): string {
  const outcome =
    call.result === null ? 'no result' : call.result.ok ? call.result.summary : `failed: ${call.result.summary}`;
  return `${call.name} ${inputInBrief(call.input)}: ${outcome}`.replaceAll(/\s+/g, ' ').slice(0, 280);
}

/** The one value of a tool's input that tells most, for a quiet line: a path, a pattern, the first text. */
export function inputInBrief(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = Object.entries(input).filter((field): field is [string, string] => typeof field[1] === 'string');
  const telling = fields.find(([name]) => /path|pattern|file|query|name|question|summary/.test(name)) ?? fields[0];
  return telling === undefined ? '' : JSON.stringify(telling[1].slice(0, 100));
}

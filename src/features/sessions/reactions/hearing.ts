/** What an agent says and does becomes events of the log: gathered for a moment, without secrets, in its order. */
import type { AgentEvent, AgentUsage } from '../../../kernel/agents/contract.ts';
import { errorFactsOf, fail, HallError } from '../../../kernel/pure/errors.ts';
import { rememberFrom } from '../../../kernel/secrets/find.ts';
import { maskKnown } from '../../../kernel/secrets/scrub.ts';
import { emptyMaskState, maskPiece, maskRest, type MaskState, withKnown } from '../../../kernel/secrets/stream.ts';
import type { OpenSession, SessionsContext } from '../context.ts';
import type { NewSessionEvent, SessionState, SessionUsage } from '../contract.ts';
import { runningOf } from '../fold/reading.ts';
import { boundedDiffs, boundedInput, boundedSummary, boundedText, boundedTitle } from './bounds.ts';
import { append } from './live.ts';
import { pause } from './pausing.ts';

/** Words are gathered so long, or until there are so many of them. Milliseconds; characters. */
const gatherMs = 50;
const gatherLength = 4_000;
/** Of what a tool was given and gave, so many characters are looked through for secrets that may be said again. */
const maxRemembered = 20_000;
/** Of one turn: bytes of the log, and what an answer is made of. An honest one has not a tenth of it. */
const mostBytes = 64_000_000;
const mostParts = 10_000;

export interface Hearing {
  readonly session: OpenSession;
  masking: MaskState;
  speaking: 'AgentText' | 'AgentThought';
  /** What tools put out, by their calls: it comes in pieces, too. */
  readonly outputs: Map<string, MaskState>;
  heard: NewSessionEvent[];
  length: number;
  /** Of the log, for this turn. */
  bytes: number;
  wake: AbortController;
  writing: Promise<void> | undefined;
  /** Why something that was heard could not be written. */
  failure: HallError | undefined;
  /** Nothing is heard any more. */
  isOver: boolean;
}

export function beginHearing(session: OpenSession, words: string): Hearing {
  return {
    session,
    masking: withKnown({ ...emptyMaskState, known: session.known }, rememberFrom(words)),
    speaking: 'AgentText',
    outputs: new Map(),
    heard: [],
    length: 0,
    bytes: 0,
    wake: new AbortController(),
    writing: undefined,
    failure: undefined,
    isOver: false,
  };
}

/** Takes it in and returns at once. @throws what kept earlier words from being written */
export function hear(ctx: SessionsContext, hearing: Hearing, event: AgentEvent): void {
  if (hearing.isOver) return;
  if (hearing.failure !== undefined) throw hearing.failure;
  if (event.type === 'text' || event.type === 'thought') {
    hearWords(ctx, hearing, event.type === 'text' ? 'AgentText' : 'AgentThought', event.text);
    return;
  }
  const told = eventOf(hearing.session, event);
  if (told === undefined) return;
  sayRest(hearing);
  if (event.type === 'tool_call' || event.type === 'tool_result') {
    const words = JSON.stringify(told).slice(0, maxRemembered);
    hearing.masking = withKnown(hearing.masking, rememberFrom(words));
  }
  if (told.type === 'ToolCallCompleted') sayRestOf(hearing, told.callId);
  const whole = told.type === 'ToolCallUpdated' ? { ...told, output: outputOf(hearing, told) } : told;
  if (!saysNothing(whole)) hearing.heard.push(maskKnown(whole, hearing.masking.known) as NewSessionEvent);
  if (hearing.heard.length % 1000 === 0) requireRoom(hearing);
  writeSoon(ctx, hearing, true);
}

function hearWords(ctx: SessionsContext, hearing: Hearing, type: Hearing['speaking'], piece: string): void {
  if (hearing.speaking !== type) sayRest(hearing);
  hearing.speaking = type;
  const { state, text } = maskPiece(hearing.masking, piece);
  hearing.masking = state;
  say(hearing, text);
  writeSoon(ctx, hearing, hearing.length >= gatherLength);
}

/** Words that were held because they might have begun a secret. */
function sayRest(hearing: Hearing): void {
  const text = maskRest(hearing.masking);
  hearing.masking = { ...emptyMaskState, known: hearing.masking.known };
  say(hearing, text);
}

/** All of it is held back as yet. */
function saysNothing(event: NewSessionEvent): boolean {
  return event.type === 'ToolCallUpdated' && event.output === '' && event.diffs.length === 0 && event.title === null;
}

/** What of a tool's output may be shown by now. */
function outputOf({ outputs, masking }: Hearing, { callId, output }: { callId: string; output: string }): string {
  const { state, text } = maskPiece(withKnown(outputs.get(callId) ?? emptyMaskState, masking.known), output);
  outputs.set(callId, state);
  return text;
}

/** Of a tool's output what was held because it might have begun a secret. */
function sayRestOf({ outputs, heard }: Hearing, callId: string): void {
  const held = outputs.get(callId);
  outputs.delete(callId);
  const output = held === undefined ? '' : maskRest(held);
  if (output !== '') heard.push({ type: 'ToolCallUpdated', callId, output, diffs: [], title: null });
}

function say(hearing: Hearing, text: string): void {
  if (text === '') return;
  hearing.length += text.length;
  const last = hearing.heard.at(-1);
  if (last?.type === hearing.speaking) hearing.heard[hearing.heard.length - 1] = { ...last, text: last.text + text };
  else hearing.heard.push({ type: hearing.speaking, text });
}

function writeSoon(ctx: SessionsContext, hearing: Hearing, now: boolean): void {
  if (hearing.heard.length === 0) return;
  if (now) hearing.wake.abort();
  hearing.writing ??= write(ctx, hearing);
}

async function write(ctx: SessionsContext, hearing: Hearing): Promise<void> {
  try {
    while (hearing.heard.length > 0) {
      await pause(ctx, gatherMs, hearing.wake.signal);
      hearing.wake = new AbortController();
      const batch = hearing.heard;
      hearing.heard = [];
      hearing.length = 0;
      const { session } = hearing;
      const before = session.log.bytes;
      await append(ctx, session, batch, { isDurable: false });
      hearing.bytes += session.log.bytes - before;
      requireRoom(hearing);
    }
  } catch (error) {
    hearing.failure ??= new HallError(errorFactsOf(error), { cause: error });
  } finally {
    hearing.writing = undefined;
  }
}

/** What never ends would fill the disk, and every reader's memory. */
function requireRoom({ session: { state }, bytes, heard }: Hearing): void {
  const parts = heard.length + (runningOf(state)?.parts.length ?? 0);
  if (bytes <= mostBytes && parts <= mostParts) return;
  throw fail(
    'too_large',
    'The agent says more in one turn than a session takes.',
    'Ask for less at a time, or begin a new session.',
  );
}

/** All that was heard is in the log when it resolves. @throws what kept it from being written */
export async function writeHeard(ctx: SessionsContext, hearing: Hearing): Promise<void> {
  sayRest(hearing);
  for (const callId of hearing.outputs.keys()) sayRestOf(hearing, callId);
  hearing.session.known = hearing.masking.known;
  writeSoon(ctx, hearing, true);
  await hearing.writing;
  if (hearing.failure !== undefined) throw hearing.failure;
}

/** The event of the log; undefined for what is not kept, or is known already. */
function eventOf({ state, titleBy }: OpenSession, event: AgentEvent): NewSessionEvent | undefined {
  switch (event.type) {
    case 'tool_call':
    case 'tool_update':
    case 'tool_result':
      return toolEventOf(event);
    case 'plan':
      return { type: 'PlanUpdated', entries: event.entries.map(({ text, status }) => ({ text, status })) };
    case 'choices':
      return choicesEvent(state, event.choices);
    case 'mode':
      return choicesEvent(
        state,
        state.choices.map((choice) => (choice.kind === 'mode' ? { ...choice, current: event.mode } : choice)),
      );
    case 'commands':
      return isSame(event.commands, state.commands)
        ? undefined
        : { type: 'CommandsUpdated', commands: [...event.commands] };
    case 'title': {
      const title = boundedTitle(event.title.trim());
      const isWanted = titleBy !== 'person' && title !== '' && title !== state.title;
      return isWanted ? { type: 'TitleChanged', title, by: 'agent' } : undefined;
    }
    case 'usage':
      return { type: 'UsageUpdated', usage: usageOf(event.usage) };
    case 'retry': {
      const { attempt, errorClass, delayMs } = event;
      return { type: 'RetryAnnounced', attempt, errorClass, delayMs };
    }
    default:
      return undefined;
  }
}

function toolEventOf(
  event: Extract<AgentEvent, { type: 'tool_call' | 'tool_update' | 'tool_result' }>,
): NewSessionEvent | undefined {
  const { callId } = event;
  if (event.type === 'tool_call') {
    const { name, kind = kindOf(name), title = name } = event;
    const input = boundedInput(event.input);
    return { type: 'ToolCallStarted', callId, name, title: boundedTitle(title), kind, input };
  }
  const diffs = boundedDiffs(event.diffs);
  if (event.type === 'tool_result') {
    return { type: 'ToolCallCompleted', callId, ok: event.ok, summary: boundedSummary(event.summary), diffs };
  }
  const title = event.title === undefined ? null : boundedTitle(event.title);
  if (event.text === '' && diffs.length === 0 && title === null) return undefined;
  return { type: 'ToolCallUpdated', callId, output: boundedText(event.text), diffs, title };
}

export function choicesEvent(
  state: Pick<SessionState, 'choices'>,
  choices: SessionState['choices'] | Extract<AgentEvent, { type: 'choices' }>['choices'],
): NewSessionEvent | undefined {
  if (isSame(choices, state.choices)) return undefined;
  const plain = choices.map((choice) => ({ ...choice, options: choice.options.map((option) => ({ ...option })) }));
  return { type: 'ChoicesUpdated', choices: plain };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const kinds: Readonly<Record<string, string>> = {
  Read: 'read',
  Grep: 'search',
  Glob: 'search',
  Edit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Bash: 'execute',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  TodoWrite: 'think',
};

function kindOf(name: string): string {
  return Object.hasOwn(kinds, name) ? kinds[name]! : 'other';
}

function usageOf({ inputTokens, outputTokens, costUsd, contextUsed, contextWindow }: AgentUsage): SessionUsage {
  return { inputTokens, outputTokens, costUsd, contextUsed, contextWindow };
}

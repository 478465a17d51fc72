/** Hears one prompt of an agent to its end: the words that count, the tools that were used, what it cost. */
import type { AgentEvent, AgentSession, AgentUsage } from '../../../kernel/agents/contract.ts';
import type { AgentSessionId } from '../../../kernel/pure/ids.ts';
import { emptyMaskState, maskPiece, maskRest } from '../../../kernel/secrets/stream.ts';
import type { SpeakHooks } from '../context.ts';
import type { TurnsContext } from './context.ts';

export interface HeardCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  /** What came back, at most 2,000 characters. */
  readonly summary: string;
}

export interface Heard {
  /** What was said after the last look, or, where nothing was, what was said last. */
  readonly speech: string;
  readonly calls: readonly HeardCall[];
  /** Calls that were not allowed, with the reason. */
  readonly denied: readonly string[];
  readonly usage: AgentUsage | undefined;
  readonly sessionId: AgentSessionId | undefined;
  readonly ending: Extract<AgentEvent, { type: 'end' | 'error' }>;
}

/** More than this is not kept of one answer. Characters. */
const maxKept = 2_000_000;

interface Hearing {
  readonly hooks: SpeakHooks;
  /** Names of the council's own tools: they are no looks. */
  readonly own: ReadonlySet<string>;
  readonly open: Map<string, { readonly name: string; readonly input: unknown }>;
  readonly calls: HeardCall[];
  readonly denied: string[];
  masking: typeof emptyMaskState;
  /** Paragraphs since the last look; and the last ones before it. */
  words: string;
  before: string;
  isNewParagraph: boolean;
  usage: AgentUsage | undefined;
  sessionId: AgentSessionId | undefined;
}

/** @param own names of tools that are no looks; a speech goes on after them */
export async function hearPrompt(
  ctx: Pick<TurnsContext, 'spawn'>,
  session: AgentSession,
  prompt: { readonly text: string; readonly resume: AgentSessionId | undefined },
  own: ReadonlySet<string>,
  hooks: SpeakHooks,
): Promise<Heard> {
  const hearing = startHearing(own, hooks);
  const interrupt = (): void => ctx.spawn('interrupt a speaker', () => session.interrupt());
  hooks.signal.addEventListener('abort', interrupt, { once: true });
  try {
    const events = session.prompt(prompt.text, prompt.resume === undefined ? {} : { resume: prompt.resume });
    if (hooks.signal.aborted) interrupt();
    for await (const event of events) {
      if (event.type === 'end' || event.type === 'error') return heardOf(hearing, event);
      hear(hearing, event);
    }
  } finally {
    hooks.signal.removeEventListener('abort', interrupt);
  }
  return heardOf(hearing, endedWithoutWord);
}

const endedWithoutWord: Heard['ending'] = {
  type: 'error',
  errorClass: 'protocol',
  message: 'The agent ended its turn without saying how it ended.',
  hint: 'Resume the council; `guild-hall logs` has the details.',
  retryAfterMs: null,
  sessionId: null,
};

function startHearing(own: ReadonlySet<string>, hooks: SpeakHooks): Hearing {
  return {
    hooks,
    own,
    open: new Map(),
    calls: [],
    denied: [],
    masking: emptyMaskState,
    words: '',
    before: '',
    isNewParagraph: false,
    usage: undefined,
    sessionId: undefined,
  };
}

function hear(hearing: Hearing, event: AgentEvent): void {
  switch (event.type) {
    case 'session':
      hearing.sessionId = event.sessionId;
      return;
    case 'text':
      hearWords(hearing, event.text);
      return;
    case 'tool_call':
      hearCall(hearing, event);
      return;
    case 'tool_result':
      hearResult(hearing, event);
      return;
    case 'permission':
      if (event.answer === 'denied') hearing.denied.push(`${event.name}: ${event.reason}`);
      return;
    case 'usage':
      hearing.usage = event.usage;
      return;
    default:
  }
}

function hearWords(hearing: Hearing, text: string): void {
  const joint = hearing.isNewParagraph && hearing.words.trim() !== '' && !hearing.words.endsWith('\n\n') ? '\n\n' : '';
  hearing.isNewParagraph = false;
  if (hearing.words.length < maxKept) hearing.words += joint + text;
  const { state, text: shown } = maskPiece(hearing.masking, joint + text);
  hearing.masking = state;
  if (shown !== '') hearing.hooks.onWords(shown);
}

function hearCall(hearing: Hearing, { callId, name, input }: Extract<AgentEvent, { type: 'tool_call' }>): void {
  hearing.open.set(callId, { name, input });
  showRest(hearing);
  hearing.isNewParagraph = true;
  if (!hearing.own.has(name)) {
    if (hearing.words.trim() !== '') hearing.before = hearing.words;
    hearing.words = '';
  }
  hearing.hooks.onTool(name, subjectOf(fieldsOf(input)));
}

function hearResult(hearing: Hearing, event: Extract<AgentEvent, { type: 'tool_result' }>): void {
  const call = hearing.open.get(event.callId);
  const { name, ok, summary } = event;
  hearing.calls.push({ name, input: fieldsOf(call?.input), ok, summary });
}

function showRest(hearing: Hearing): void {
  const rest = maskRest(hearing.masking);
  hearing.masking = { ...emptyMaskState, known: hearing.masking.known };
  if (rest !== '') hearing.hooks.onWords(rest);
}

function heardOf(hearing: Hearing, ending: Heard['ending']): Heard {
  showRest(hearing);
  const { words, before, calls, denied, usage, sessionId } = hearing;
  const speech = words.trim() === '' ? before : words;
  return { speech, calls, denied, usage, sessionId: sessionId ?? ending.sessionId ?? undefined, ending };
}

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
}

const subjectFields = ['file_path', 'pattern', 'command', 'url', 'query', 'path', 'question', 'target', 'decision'];

/** What a call is about, in one short line. */
function subjectOf(input: Readonly<Record<string, unknown>>): string {
  const field = subjectFields.map((name) => input[name]).find((value) => typeof value === 'string' && value !== '');
  return String(field ?? '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200);
}

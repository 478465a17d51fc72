/**
 * The reducer of sessions: the one for the hall and for pages, live, after a reconnect, and from the file. Pure. A
 * message that an event does not touch stays the same object. What an event names and nobody knows changes nothing.
 */
import type { HallEvent } from '../../../kernel/pure/events.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import { sessionKind, type SessionHallEvents } from '../contract.ts';
import type { SessionEvent, SessionEventType } from '../contract/events.ts';
import type { AgentMessage, SessionMessage, SessionState, SessionView } from '../contract/state.ts';
import { replaced, spliced } from './lists.ts';
import { addUsage, hasPrompt, placeOfLastAnswer, runningOf } from './reading.ts';
import { foldTurnPart } from './turn-parts.ts';

/** Before the first event. */
export function emptySession(): SessionState {
  return {
    seq: 0,
    id: '' as SessionState['id'],
    project: '' as SessionState['project'],
    agent: '' as SessionState['agent'],
    folder: '',
    title: '',
    createdAt: '',
    lastAt: '',
    from: null,
    metaContext: null,
    agentSessionId: null,
    messages: [],
    plan: [],
    choices: [],
    commands: [],
    usage: null,
    changedFiles: [],
    isClosed: false,
  };
}

/** An event that is folded in already changes nothing. */
export function foldSession(state: SessionState, event: SessionEvent): SessionState {
  if (event.seq <= state.seq) return state;
  return { ...foldOne(state, event), seq: event.seq, lastAt: event.at };
}

/** A page's view with an event of the hall's stream; others change nothing. */
export function foldSessionView(view: SessionView, event: HallEvent): SessionView {
  const subject = `${sessionKind}:${view.session.id}`;
  if (event.type !== 'session.logged' || event.subject !== subject) return view;
  const { events } = event.data as SessionHallEvents['session.logged'];
  const session = events.reduce(foldSession, view.session);
  return { ...view, session, cursor: printCursor(event) };
}

type Of<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>;

function foldOne(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'SessionCreated':
      return withBirth(state, event);
    case 'SessionAddedToMetaContext':
      return { ...state, metaContext: { id: event.metaContextId, name: event.name } };
    case 'AgentSessionStarted':
      return withAgentSession(state, event);
    case 'PromptSubmitted':
      return withPrompt(state, event);
    case 'PromptWithdrawn':
      return withWithdrawn(state, event.promptId);
    case 'TurnStarted':
      return withTurn(state, event);
    case 'TurnCompleted':
      return withTurnEnd(state, event);
    case 'PlanUpdated':
      return { ...state, plan: event.entries };
    case 'ChoicesUpdated':
      return { ...state, choices: event.choices };
    case 'CommandsUpdated':
      return { ...state, commands: event.commands };
    case 'TitleChanged':
      return { ...state, title: event.title };
    case 'SessionClosed':
      return { ...state, isClosed: true };
    case 'SessionReopened':
      return { ...state, isClosed: false };
    case 'MetaContextCreated':
      return state;
    default:
      return foldTurnPart(state, event);
  }
}

function withBirth(state: SessionState, event: Of<'SessionCreated'>): SessionState {
  const { sessionId: id, project, agent, folder, title, from, at: createdAt } = event;
  return { ...state, id, project, agent, folder, title, from, createdAt };
}

function withAgentSession(before: SessionState, event: Of<'AgentSessionStarted'>): SessionState {
  const state = { ...before, agentSessionId: event.agentSessionId };
  const running = runningOf(state);
  if (event.reason === 'new' || running === undefined) return state;
  const position = placeOfLastAnswer(state.messages);
  return { ...state, messages: replaced(state.messages, position, { ...running, renewed: true }) };
}

function withPrompt(state: SessionState, event: Of<'PromptSubmitted'>): SessionState {
  const { seq, at, promptId, text, images } = event;
  if (hasPrompt(state, promptId)) return state;
  return {
    ...state,
    messages: [...state.messages, { role: 'person', seq, at, promptId, text, images, state: 'queued' }],
  };
}

function withWithdrawn(state: SessionState, promptId: string): SessionState {
  const position = state.messages.findLastIndex(
    (message) => message.role === 'person' && message.promptId === promptId && message.state === 'queued',
  );
  const message = state.messages[position];
  if (message?.role !== 'person') return state;
  return { ...state, messages: replaced(state.messages, position, { ...message, state: 'withdrawn' }) };
}

/** The answer stands right behind its prompt: prompts that wait stay below both, and no answer stands below it. */
function withTurn(before: SessionState, event: Of<'TurnStarted'>): SessionState {
  const open = runningOf(before);
  const state = open === undefined ? before : withEnded(before, { ...open, state: 'interrupted', endedAt: event.at });
  const { messages } = state;
  const behind = placeOfLastAnswer(messages) + 1;
  const asked = messages.findLastIndex(
    (message) => message.role === 'person' && message.promptId === event.promptId && message.state === 'queued',
  );
  const prompt = messages[asked];
  const { seq, at, promptId } = event;
  const answer: AgentMessage = {
    role: 'agent',
    seq,
    at,
    promptId,
    parts: [],
    state: 'running',
    error: null,
    retry: null,
    usage: null,
    renewed: false,
    endedAt: null,
  };
  if (prompt?.role !== 'person') return { ...state, messages: spliced(messages, behind, 0, [answer]) };
  // Of several that wait it is the first, but for what no hall writes.
  const first = behind + messages.slice(behind).findIndex((message) => message.state === 'queued');
  const others = asked === first ? [] : messages.slice(first, asked);
  return {
    ...state,
    messages: spliced(messages, first, 1 + others.length, [{ ...prompt, state: 'sent' }, answer, ...others]),
  };
}

function withTurnEnd(state: SessionState, event: Of<'TurnCompleted'>): SessionState {
  const running = runningOf(state);
  if (running === undefined || running.promptId !== event.promptId) return state;
  const usage = event.usage ?? running.usage;
  const ended = withEnded(state, { ...running, state: event.stopReason, usage, endedAt: event.at });
  return { ...ended, usage: addUsage(state.usage, usage) };
}

/** What a turn left open is over with it. */
function withEnded(state: SessionState, message: AgentMessage): SessionState {
  const parts = message.parts.map((part) => {
    if (part.type === 'tool' && part.state === 'running') return { ...part, state: 'failed' as const };
    if (part.type === 'permission' && part.outcome === null) return { ...part, outcome: 'cancelled' as const };
    return part;
  });
  const position = placeOfLastAnswer(state.messages);
  const ended: SessionMessage = { ...message, parts, retry: null };
  return { ...state, messages: replaced(state.messages, position, ended) };
}

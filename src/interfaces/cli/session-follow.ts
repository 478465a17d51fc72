/**
 * Follows the answer to what was said in a session: prints it as it comes, asks the person at the terminal what the agent
 * asks them, and ends with the turn. Who leaves does not stop the agent; Ctrl-C stops it first, or takes
 * back words that still wait.
 */
import type { NextBlockClicked } from '../../features/contexts/contract.ts';
import type { AgentMessage, SessionEvent, SessionHallEvents, SessionView } from '../../features/sessions/contract.ts';
import { errorTable, fail, HallError } from '../../kernel/pure/errors.ts';
import type { HallClient } from './client.ts';
import { type AnswerFollow, type FollowParts, isGone, leftByInterrupt } from './follow.ts';
import { createProgress } from './progress.ts';
import { createLogPrinter, endWords } from './render/commission-logs.ts';
import { contextRenderers } from './render/contexts.ts';
import { nextSteps } from './render/session-next.ts';
import { callLine, failureLine, printLine, printPart, quiet } from './render/session-parts.ts';
import { printError } from './report.ts';
import { ask, type Asking, endQuestion, endQuestions } from './session-asking.ts';
import { sessionRenderers } from './render/sessions.ts';
import { plainText, type Terminal } from './terminal.ts';

const exits = `${errorTable.unavailable.exit} when the agent failed, ${errorTable.conflict.exit} when the words were taken back`;

/** Of `session say`. */
export const followSaid: AnswerFollow = {
  exits,
  run: async (parts, client, answer, asJson) => {
    const { id, promptId, cursor } = answer as { id: string; promptId: string; cursor: string };
    return await follow(parts, client, { id, promptId, cursor, answer }, asJson);
  },
};

/** Of `session new`: without words there is nothing to follow. */
export const followNew: AnswerFollow = {
  exits,
  run: async (parts, client, answer, asJson) => {
    const view = answer as SessionView;
    if (!asJson) parts.terminal.err(shown('session.new', answer, parts.terminal));
    return await followView(parts, client, view, answer, asJson);
  },
};

/** Of `next`. */
export const followClick: AnswerFollow = {
  exits,
  run: async (parts, client, answer, asJson) => {
    const { sessionId: id } = answer as NextBlockClicked;
    if (!asJson) parts.terminal.err(shown('next.click', answer, parts.terminal));
    const view = (await client.call('session.show', { id })) as SessionView;
    return await followView(parts, client, view, answer, asJson);
  },
};

function shown(operation: string, answer: unknown, term: Terminal): string {
  const render = { ...sessionRenderers, ...contextRenderers }[operation] as (output: unknown, term: Terminal) => string;
  return render(answer, term);
}

async function followView(
  parts: FollowParts,
  client: HallClient,
  view: SessionView,
  answer: unknown,
  asJson: boolean,
): Promise<number> {
  const first = view.session.messages.find(({ role }) => role === 'person');
  if (first !== undefined) {
    const { id } = view.session;
    return await follow(parts, client, { id, promptId: first.promptId, cursor: view.cursor, view, answer }, asJson);
  }
  if (asJson) parts.terminal.out(`${JSON.stringify(answer)}\n`);
  return 0;
}

interface Followed {
  readonly id: string;
  readonly promptId: string;
  readonly cursor: string;
  /** What was there already. */
  readonly view?: SessionView;
  readonly answer: unknown;
}

interface Following extends Asking {
  readonly promptId: string;
  readonly leaving: AbortController;
  readonly names: Map<string, string>;
  /** Whether the turn that is heard is the one that was asked for. */
  isMine: boolean;
  saidWaiting: boolean;
  text: string;
  error: { readonly errorClass: string; readonly message: string; readonly hint: string } | null;
  end: string;
}

/** Seconds of silence after which it is said what is waited for. */
const patience = 3;

async function follow(parts: FollowParts, client: HallClient, followed: Followed, asJson: boolean): Promise<number> {
  const { terminal: term } = parts;
  const { id, promptId } = followed;
  const printer = createLogPrinter(term, (text) => (asJson ? undefined : term.out(text)));
  const progress = createProgress(term, parts.sleep, asJson, () => endWords(printer));
  const following: Following = {
    parts,
    client,
    id,
    promptId,
    printer,
    progress,
    asJson,
    leaving: new AbortController(),
    names: new Map(),
    open: new Map(),
    put: Promise.resolve(),
    isMine: false,
    saidWaiting: false,
    text: '',
    error: null,
    end: 'left',
  };
  const stopListening = parts.onInterrupt(interrupter(following));
  try {
    const before = followed.view === undefined ? undefined : catchUp(following, followed.view);
    const exitCode = before ?? (await readOn(following, followed.cursor));
    if (exitCode === 0 && !asJson) await sayNext(following);
    return exitCode;
  } catch (error) {
    if (following.leaving.signal.aborted) return leftByInterrupt;
    throw isGone(error) ? hallWentAway(id) : error;
  } finally {
    progress.clear();
    if (asJson) term.out(`${JSON.stringify({ ...(followed.answer as object), reply: replyOf(following) })}\n`);
    else endWords(printer);
    stopListening();
    following.leaving.abort();
    endQuestions(following);
  }
}

function replyOf({ text, end, error }: Following) {
  return { text, end, error };
}

/** @returns the exit code where all of it was there already */
function catchUp(following: Following, { session }: SessionView): number | undefined {
  const answer = session.messages.find(
    (message): message is AgentMessage => message.role === 'agent' && message.promptId === following.promptId,
  );
  if (answer === undefined) return undefined;
  following.isMine = true;
  for (const part of answer.parts) {
    if (part.type === 'text') following.text += part.text;
    if (part.type === 'tool') following.names.set(part.callId, part.name);
    if (part.type === 'permission' && part.outcome === null) ask(following, part);
    else printPart(following.printer, part);
  }
  following.error = answer.error;
  return answer.state === 'running' ? undefined : finish(following, answer.state);
}

async function readOn(following: Following, after: string): Promise<number> {
  const { client, id, leaving, progress } = following;
  progress.waitFor('the agent', patience);
  for await (const { type, data } of client.events({ subject: `session:${id}`, after, signal: leaving.signal })) {
    if (type !== 'session.logged') continue;
    for (const event of (data as SessionHallEvents['session.logged']).events) {
      const exitCode = take(following, event);
      if (exitCode !== undefined) return exitCode;
    }
  }
  return leftByInterrupt;
}

/** @returns the exit code when this was the end */
function take(following: Following, event: SessionEvent): number | undefined {
  const { progress, promptId, id } = following;
  if (event.type === 'PromptWithdrawn' && event.promptId === promptId) {
    throw fail('conflict', 'These words were taken back before their turn.', `guild-hall session show ${id}`);
  }
  if (event.type === 'SessionClosed' || (event.type === 'TurnCompleted' && event.promptId === promptId)) {
    progress.clear();
    return finish(following, event.type === 'SessionClosed' ? 'interrupted' : event.stopReason);
  }
  if (event.type === 'TurnStarted') following.isMine = event.promptId === promptId;
  progress.clear();
  if (following.isMine) show(following, event);
  else sayWaiting(following);
  if (following.open.size === 0) progress.waitFor('the agent', patience);
  return undefined;
}

function sayWaiting(following: Following): void {
  const { parts, asJson, saidWaiting } = following;
  if (saidWaiting || asJson) return;
  following.saidWaiting = true;
  parts.terminal.err(parts.terminal.style('dim', '◐ earlier words are still being answered; yours wait their turn\n'));
}

function show(following: Following, event: SessionEvent): void {
  const { printer, names } = following;
  const { term } = printer;
  if (event.type === 'AgentText') {
    following.text += event.text;
    return printPart(printer, { type: 'text', text: event.text });
  }
  if (event.type === 'ToolCallStarted') {
    names.set(event.callId, event.name);
    return printLine(printer, callLine(event, term));
  }
  if (event.type === 'ToolCallCompleted' && !event.ok)
    return printLine(printer, failureLine(names.get(event.callId) ?? 'The call', event.summary, term));
  if (event.type === 'PermissionRequested') return ask(following, { ...event, type: 'permission', outcome: null });
  if (event.type === 'PermissionResolved') return endQuestion(following, event.requestId);
  if (event.type === 'RetryAnnounced')
    return printLine(
      printer,
      quiet(term, `↻ ${event.errorClass}, trying again in ${Math.ceil(event.delayMs / 1000)} s`),
    );
  if (event.type === 'ErrorOccurred') following.error = event;
  return undefined;
}

function finish(following: Following, stopReason: AgentMessage['state']): number {
  const { parts, printer, error } = following;
  following.end = stopReason;
  endWords(printer);
  if (stopReason !== 'failed') return 0;
  if (error !== null) parts.terminal.err(printError(parts.terminal, { code: 'turn failed', ...error }));
  return errorTable.unavailable.exit;
}

/** The steps that the answer offers, else how to go on. */
async function sayNext({ parts, client, id, promptId, end, leaving }: Following): Promise<void> {
  const { terminal: term } = parts;
  if (end === 'interrupted') return term.err(term.style('dim', 'Stopped.\n'));
  const { session } = (await client.call('session.show', { id }, leaving.signal)) as SessionView;
  const answer = session.messages.findLast((message) => message.role === 'agent' && message.promptId === promptId);
  const steps = answer?.role === 'agent' ? nextSteps(answer, session, term) : '';
  const words = steps === '' ? `Next: ${term.hint(`guild-hall session say ${id} "…"`)}\n` : steps;
  return term.err(term.style('dim', words));
}

/** First Ctrl-C: the agent is stopped, or words that still wait are taken back, and the end awaited. Second: leave at once. */
function interrupter(following: Following): () => void {
  let isAsked = false;
  return () => {
    const { parts, leaving, printer, progress, isMine } = following;
    if (isAsked) return leaving.abort();
    isAsked = true;
    progress.clear();
    endQuestions(following);
    endWords(printer);
    const what = isMine ? 'stopping the agent' : 'taking your words back';
    parts.terminal.err(parts.terminal.style('dim', `\n${what}; Ctrl-C again leaves\n`));
    // A hall that does not answer must not hold the one who leaves.
    stopOwn(following).catch((error: unknown) => {
      if (!leaving.signal.aborted)
        parts.terminal.err(`${plainText(error instanceof Error ? error.message : String(error))}\n`);
    });
    return undefined;
  };
}

/** What runs before one's own words are answered is somebody else's. */
async function stopOwn({ client, id, promptId, isMine, leaving: { signal } }: Following): Promise<void> {
  try {
    if (!isMine) return void (await client.call('session.withdraw', { id, promptId }, signal));
  } catch (error) {
    // Their turn came meanwhile.
    if (!(error instanceof HallError && error.code === 'conflict')) throw error;
  }
  await client.call('session.cancel', { id, promptId }, signal);
}

function hallWentAway(id: string): Error {
  return fail(
    'unavailable',
    'The hall went away. What was said is kept, and what was not answered yet is answered when it is there again.',
    `guild-hall up --detach, then: guild-hall session show ${id}`,
  );
}

/**
 * The one socket between this page and the hall: calls and their answers, and the hall's events from a cursor. It
 * comes back by itself, and goes on after the last event that it has handed out, so that none is lost or seen twice.
 */
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { type HallEvent, parseCursor, printCursor } from '../../src/kernel/pure/events.ts';
import { closeCodes, socketLimits, socketProtocol } from '../../src/kernel/pure/socket-terms.ts';
import type { ClientMessage, ServerMessage } from '../../src/kernel/pure/wire.ts';
import { inBackground } from './background.ts';
import { factsOf, fetchTicket, forgetToken, readToken, Refusal } from './session.ts';

export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly version: string; readonly isNewer: boolean }
  /** The hall does not answer, or refuses for `reason`. `since`: milliseconds of the page's clock. */
  | { readonly kind: 'down'; readonly since: number; readonly reason?: ErrorFacts }
  | { readonly kind: 'signed-out'; readonly reason: ErrorFacts | null };

interface PendingCall {
  readonly message: Extract<ClientMessage, { kind: 'call' }>;
  /** May be sent again when the answer did not come: a read, or a write that knows its own repetition. */
  readonly isRepeatable: boolean;
  readonly resolve: (output: unknown) => void;
  readonly reject: (problem: Refusal) => void;
}

export interface Link {
  state: LinkState;
  /** Of the last event that was handed out; null before the first hello. */
  cursor: string | null;
  version: string | null;
  socket: WebSocket | null;
  nextId: number;
  tries: number;
  retryTimer: ReturnType<typeof setTimeout> | undefined;
  readonly calls: Map<number, PendingCall>;
  readonly stateListeners: Set<() => void>;
  readonly eventListeners: Set<(event: HallEvent) => void>;
  /** Called when events were missed for good: everything is to be read anew. */
  readonly resetListeners: Set<() => void>;
}

export function createLink(): Link {
  return {
    state: { kind: 'connecting' },
    cursor: null,
    version: null,
    socket: null,
    nextId: 1,
    tries: 0,
    retryTimer: undefined,
    calls: new Map(),
    stateListeners: new Set(),
    eventListeners: new Set(),
    resetListeners: new Set(),
  };
}

/** Connects, or does so at once instead of at the next try. */
export async function connect(link: Link): Promise<void> {
  clearTimeout(link.retryTimer);
  if (link.socket !== null) return;
  const token = readToken();
  if (token === null) return setState(link, { kind: 'signed-out', reason: null });
  try {
    const ticket = await fetchTicket(token);
    if (link.socket !== null) return;
    openSocket(link, ticket);
  } catch (error) {
    afterFailure(link, error);
  }
}

/**
 * Calls an operation.
 * @param isRepeatable waits for the hall when it is away, and asks again when the answer was lost
 * @throws Refusal with the hall's own reason, or `unavailable` when the hall is away
 */
export function callThrough(link: Link, operation: string, input: unknown, isRepeatable: boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (link.state.kind !== 'live' && !isRepeatable) return reject(new Refusal(notSent));
    const id = link.nextId;
    link.nextId += 1;
    const call: PendingCall = { message: { kind: 'call', id, operation, input }, isRepeatable, resolve, reject };
    // The hall would close the socket, and the page come back and send it again.
    if (new Blob([JSON.stringify(call.message)]).size > socketLimits.messageBytes) return reject(new Refusal(tooLong));
    link.calls.set(id, call);
    if (link.state.kind === 'live') send(link, call.message);
  });
}

const notSent: ErrorFacts = {
  code: 'unavailable',
  message: 'The hall does not answer now, so nothing was sent.',
  hint: 'It is tried again by itself; do it once more when the hall is back.',
};

const tooLong: ErrorFacts = {
  code: 'too_large',
  message: `That is longer than ${socketLimits.messageBytes / 1024 / 1024} MiB, the most that is taken at once.`,
  hint: 'Send less: put long text into a file of the project, and name its path.',
};

const answerLost: ErrorFacts = {
  code: 'unavailable',
  message: 'The connection was lost before the answer came; it may have been done or not.',
  hint: 'Look at the thing itself before you repeat it.',
};

const revoked: ErrorFacts = {
  code: 'unauthorized',
  message: 'This browser was signed out: its sign-in was revoked, here or elsewhere.',
  hint: 'What you wrote and did not send is kept in this browser.',
};

function openSocket(link: Link, ticket: string): void {
  const address = `${location.origin.replace(/^http/, 'ws')}/api/socket?ticket=${encodeURIComponent(ticket)}`;
  const socket = new WebSocket(address, socketProtocol);
  link.socket = socket;
  socket.addEventListener('message', ({ data }) => takeMessage(link, JSON.parse(String(data)) as ServerMessage));
  socket.addEventListener('close', ({ code }) => afterClose(link, code));
}

function takeMessage(link: Link, message: ServerMessage): void {
  switch (message.kind) {
    case 'hello':
      return begin(link, message);
    case 'event':
      return takeEvent(link, message.event);
    case 'gap':
      link.cursor = message.cursor;
      for (const listener of link.resetListeners) listener();
      return undefined;
    case 'answer':
      return settle(link, message.id, (call) => call.resolve(message.output));
    case 'refusal':
      return settle(link, message.id, (call) => call.reject(new Refusal(message.problem)));
  }
}

function begin(link: Link, hello: Extract<ServerMessage, { kind: 'hello' }>): void {
  link.tries = 0;
  link.cursor ??= hello.cursor;
  send(link, { kind: 'follow', after: link.cursor });
  const isNewer = link.version !== null && link.version !== hello.version;
  link.version ??= hello.version;
  setState(link, { kind: 'live', version: hello.version, isNewer });
  for (const call of link.calls.values()) send(link, call.message);
}

function takeEvent(link: Link, event: HallEvent): void {
  const last = link.cursor === null ? undefined : parseCursor(link.cursor);
  if (last?.epoch === event.epoch && event.seq <= last.seq) return;
  link.cursor = printCursor(event);
  for (const listener of link.eventListeners) listener(event);
}

function settle(link: Link, id: number, end: (call: PendingCall) => void): void {
  const call = link.calls.get(id);
  link.calls.delete(id);
  if (call) end(call);
}

function send(link: Link, message: ClientMessage): void {
  link.socket?.send(JSON.stringify(message));
}

function afterClose(link: Link, code: number): void {
  link.socket = null;
  for (const [id, call] of link.calls) {
    if (call.isRepeatable) continue;
    link.calls.delete(id);
    call.reject(new Refusal(answerLost));
  }
  if (code === closeCodes.signedOut) return signOut(link, revoked);
  afterFailure(link, undefined);
}

function afterFailure(link: Link, error: unknown): void {
  if (error instanceof Refusal && error.facts.code === 'unauthorized') return signOut(link, factsOf(error));
  // What is on the screen stays. A refusal is told as it is: that hall answers, if not with a connection.
  const since = link.state.kind === 'down' ? link.state.since : Date.now();
  setState(link, { kind: 'down', since, ...(error instanceof Refusal && { reason: error.facts }) });
  const waitMs = Math.min(3000, 200 * 2 ** link.tries);
  link.tries += 1;
  link.retryTimer = setTimeout(() => inBackground(connect(link)), waitMs * (0.75 + Math.random() / 2));
}

function signOut(link: Link, reason: ErrorFacts | null): void {
  forgetToken();
  setState(link, { kind: 'signed-out', reason });
}

function setState(link: Link, state: LinkState): void {
  link.state = state;
  for (const listener of link.stateListeners) listener();
}

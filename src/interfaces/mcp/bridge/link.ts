/**
 * The bridge's session with the hall. It is begun anew, as the client began it, when the hall says that there is none:
 * after a restart, or after long idleness.
 */
import { readServerEvents } from '../../../kernel/events/server-events.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { type ErrorFacts, fail, HallError } from '../../../kernel/pure/errors.ts';
import { factsOfAnswer, type Message, methodOf } from './messages.ts';

/** Where the hall's door is, and by what it is opened. */
export interface Reach {
  /** With the path. */
  readonly url: string;
  readonly token: string;
}

export interface LinkParts {
  /** Asked at the beginning, and again when the hall did not answer where it was. @throws HallError */
  readonly reach: (isFirst: boolean) => Promise<Reach>;
  /** Something came for the client. */
  readonly deliver: (message: Message) => void;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Aborts when the bridge ends. */
  readonly ending: AbortSignal;
}

export interface Link {
  /**
   * Sends one message; resolves when all that came for it was delivered.
   * @throws HallError when it was not sent, was refused, or the hall went away before its answer came
   */
  send(message: Message): Promise<void>;
  /** Tells the hall that the session is over, if it can be told. */
  leave(signal: AbortSignal): Promise<void>;
}

interface Session {
  readonly reach: Reach;
  readonly id: string;
  readonly version: string;
}

interface State {
  readonly parts: LinkParts;
  reach: Reach | undefined;
  wasReached: boolean;
  /** As the client sent it. */
  initialize: Message | undefined;
  /** The one in force, or in the making. */
  session: Promise<Session> | undefined;
}

export function createLink(parts: LinkParts): Link {
  const state: State = { parts, reach: undefined, wasReached: false, initialize: undefined, session: undefined };
  return {
    send: async (message) => {
      if (methodOf(message) === 'initialize') await initialize(state, message);
      else await sendInSession(state, message, true);
    },
    leave: async (signal) => {
      const session = await begun(state);
      if (!session) return;
      // Whether it was heard does not matter: a session without calls ends by itself.
      await request(session.reach, 'DELETE', session, undefined, signal).catch(() => undefined);
    },
  };
}

/** The client's own beginning: whatever was before is over. */
async function initialize(state: State, message: Message): Promise<void> {
  state.initialize = message;
  await begin(state, state.parts.deliver);
}

/** @param deliver gets the answer to `initialize` */
async function begin(state: State, deliver: (message: Message) => void): Promise<Session> {
  const made = deferred<Session>();
  // Nobody may be waiting for it when it fails; whoever began it is told.
  made.promise.catch(() => undefined);
  state.session = made.promise;
  try {
    const session = await beginAt(state, deliver);
    made.resolve(session);
    return session;
  } catch (error) {
    if (state.session === made.promise) state.session = undefined;
    made.reject(error);
    throw error;
  }
}

async function beginAt(state: State, deliver: (message: Message) => void): Promise<Session> {
  const { initialize: message, parts } = state;
  if (!message) throw fail('invalid', 'The session has not begun.', 'Send `initialize` first.');
  const reach = await reachOf(state);
  const response = await post(state, reach, message, undefined);
  const id = response.headers.get('mcp-session-id');
  let version = '';
  await read(parts, response, (answer) => {
    const result = answer['result'] as { protocolVersion?: unknown } | undefined;
    if (typeof result?.protocolVersion === 'string') version = result.protocolVersion;
    deliver(answer);
  });
  if (id === null) throw fail('unavailable', 'The hall began no session.', 'See: guild-hall logs');
  return { reach, id, version };
}

async function sendInSession(state: State, message: Message, mayRepeat: boolean): Promise<void> {
  const session = await (state.session ?? renew(state));
  let response: Response;
  try {
    response = await post(state, session.reach, message, session);
  } catch (error) {
    const isOver = error instanceof HallError && error.details?.['notSent'] === true;
    if (!isOver || !mayRepeat) throw error;
    await renewAfter(state, session);
    return await sendInSession(state, message, false);
  }
  if (response.status === 404 && mayRepeat) {
    await response.body?.cancel();
    await renewAfter(state, session);
    return await sendInSession(state, message, false);
  }
  return await read(state.parts, response, state.parts.deliver);
}

/** Several may find at once that it is over: one of them begins anew. */
async function renewAfter(state: State, old: Session): Promise<void> {
  const current = await begun(state);
  if (current === old) state.session = undefined;
  await (state.session ?? renew(state));
}

/** The session in force; undefined where it could not be begun, which is told to whoever began it. */
async function begun({ session }: State): Promise<Session | undefined> {
  try {
    return await session;
  } catch {
    // Told already.
    return undefined;
  }
}

/** The client knows nothing of it: it has had its answer to `initialize` long ago. */
async function renew(state: State): Promise<Session> {
  const session = await begin(state, () => {});
  await post(state, session.reach, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return session;
}

async function reachOf(state: State): Promise<Reach> {
  if (state.reach) return state.reach;
  const reach = await state.parts.reach(!state.wasReached);
  state.wasReached = true;
  state.reach = reach;
  return reach;
}

/** Comes back when the door says so: then nothing was done. */
async function post(state: State, reach: Reach, message: Message, session: Session | undefined): Promise<Response> {
  const { parts } = state;
  for (;;) {
    let response: Response;
    try {
      response = await request(reach, 'POST', session, message, parts.ending);
    } catch (error) {
      if (parts.ending.aborted) throw error;
      state.reach = undefined;
      throw awayOf(error, reach);
    }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (response.status !== 429 || !Number.isFinite(seconds)) {
      if (response.ok || response.status === 404) return response;
      throw new HallError(await factsOfAnswer(response));
    }
    await response.body?.cancel();
    await parts.sleep(seconds * 1000, parts.ending);
  }
}

async function request(
  { url, token }: Reach,
  method: 'POST' | 'DELETE',
  session: Session | undefined,
  message: Message | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    ...(message && { 'content-type': 'application/json' }),
    ...(session && { 'mcp-session-id': session.id, 'mcp-protocol-version': session.version }),
  };
  return await fetch(url, { method, headers, signal, ...(message && { body: JSON.stringify(message) }) });
}

/** Delivers what a response holds, to its end. @throws HallError when it breaks off */
async function read(parts: LinkParts, response: Response, deliver: (message: Message) => void): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) {
    const text = await response.text();
    if (response.status === 404) throw new HallError(await factsOfAnswer(new Response(text, response)));
    if (text.trim() !== '') deliver(JSON.parse(text) as Message);
    return;
  }
  try {
    for await (const { data } of readServerEvents(response.body!))
      if (data !== '') deliver(JSON.parse(data) as Message);
  } catch (error) {
    if (parts.ending.aborted) throw error;
    throw wentAway();
  }
}

function awayOf(error: unknown, { url }: Reach): HallError {
  const cause = (error as { cause?: { code?: unknown } }).cause?.code;
  if (cause !== 'ECONNREFUSED') return wentAway();
  const facts: ErrorFacts = {
    code: 'unavailable',
    message: `Nothing answers at ${new URL(url).origin}: the hall is not running.`,
    hint: 'guild-hall up --detach',
    details: { notSent: true },
  };
  return new HallError(facts);
}

/** What the client has to know: it may have been done. */
export function wentAway(): HallError {
  return fail(
    'unavailable',
    'The hall went away before it answered; whether it was done is not known.',
    'Look before you repeat it. The next call finds the hall again when it runs: guild-hall up --detach',
  );
}

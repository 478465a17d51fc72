/** A page's end of the socket, for tests: everything that arrives is kept, and can be waited for. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { deferred } from '../../src/kernel/pure/deferred.ts';
import { socketProtocol, type ClientMessage, type ServerMessage } from '../../src/kernel/pure/wire.ts';
import type { ProblemBody } from '../../src/interfaces/http/problems.ts';

export interface PageSocket {
  readonly ws: WebSocket;
  readonly received: ServerMessage[];
  /** Resolves when the socket has closed. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(message: ClientMessage): void;
  /** Resolves with `received` when what has arrived satisfies it; rejects when the socket closes before. */
  until(isEnough: (received: readonly ServerMessage[]) => boolean): Promise<readonly ServerMessage[]>;
  /** The answer or refusal of a call. */
  call(operation: string, input: unknown): Promise<ServerMessage>;
}

export interface Handshake {
  readonly ticket?: string;
  readonly host?: string;
  readonly origin?: string | null;
  readonly protocols?: readonly string[];
  readonly path?: string;
  readonly autoPong?: boolean;
}

/** A ticket, as a page asks for one. */
export async function askTicket(port: number, token = 'secret', host = `127.0.0.1:${port}`): Promise<string> {
  const { status, body } = await ask(port, {
    method: 'POST',
    path: '/api/ticket',
    headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"for":"socket"}',
  });
  const { ticket } = JSON.parse(body) as { ticket?: string };
  if (status !== 200 || ticket === undefined) throw new Error(`no ticket: ${status} ${body}`);
  return ticket;
}

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request with exactly these headers, Host and Origin too. */
export async function ask(
  port: number,
  { method = 'GET', path, headers, body = '' }: Asked,
): Promise<{ readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: string }> {
  const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of response) text += String(part);
  return { status: response.statusCode ?? 0, headers: response.headers, body: text };
}

/** Opens a socket as a page does, with a ticket of its own when none is given. */
export async function openPage(port: number, handshake: Handshake = {}): Promise<PageSocket> {
  const opened = await tryPage(port, { ...handshake, ticket: handshake.ticket ?? (await askTicket(port)) });
  if ('status' in opened) throw new Error(`refused: ${opened.status} ${opened.problem.detail}`);
  return opened;
}

export interface Refused {
  readonly status: number;
  readonly type: string | undefined;
  readonly problem: ProblemBody;
}

/** The open socket, or the answer to the upgrade. */
export async function tryPage(port: number, handshake: Handshake): Promise<PageSocket | Refused> {
  const { ticket, host = `127.0.0.1:${port}`, origin = `http://${host}`, path = '/api/socket' } = handshake;
  const query = ticket === undefined ? '' : `?ticket=${ticket}`;
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}${query}`, [...(handshake.protocols ?? [socketProtocol])], {
    headers: { host, ...(origin === null ? {} : { origin }) },
    autoPong: handshake.autoPong ?? true,
    perMessageDeflate: true,
  });
  const page = pageOf(ws);
  const refused = deferred<Refused>();
  ws.once('unexpected-response', (_request, response) => void readRefusal(response).then(refused.resolve));
  const opened = deferred<PageSocket>();
  ws.once('open', () => opened.resolve(page));
  ws.on('error', (error) => opened.reject(error));
  return await Promise.race([opened.promise, refused.promise]);
}

async function readRefusal(response: IncomingMessage): Promise<Refused> {
  let text = '';
  for await (const part of response) text += String(part);
  return {
    status: response.statusCode ?? 0,
    type: response.headers['content-type'],
    problem: JSON.parse(text) as ProblemBody,
  };
}

function pageOf(ws: WebSocket): PageSocket {
  const received: ServerMessage[] = [];
  const checks = new Set<() => void>();
  ws.on('message', (data) => {
    received.push(JSON.parse(String(data)) as ServerMessage);
    for (const check of checks) check();
  });
  const closed = deferred<{ code: number; reason: string }>();
  ws.on('close', (code, reason) => closed.resolve({ code, reason: String(reason) }));
  const until: PageSocket['until'] = async (isEnough) => {
    const enough = deferred<readonly ServerMessage[]>();
    const check = (): void => {
      if (isEnough(received)) enough.resolve(received);
    };
    checks.add(check);
    check();
    const gone = closed.promise.then(({ code, reason }) => {
      throw new Error(`closed with ${code} ${reason} after ${received.length} messages`);
    });
    try {
      return await Promise.race([enough.promise, gone]);
    } finally {
      checks.delete(check);
    }
  };
  let calls = 0;
  const send = (message: ClientMessage): void => ws.send(JSON.stringify(message));
  const call: PageSocket['call'] = async (operation, input) => {
    const id = (calls += 1);
    send({ kind: 'call', id, operation, input });
    const isAnswer = (message: ServerMessage): boolean => 'id' in message && message.id === id;
    return (await until((all) => all.some(isAnswer))).find(isAnswer)!;
  };
  return { ws, received, closed: closed.promise, send, until, call };
}

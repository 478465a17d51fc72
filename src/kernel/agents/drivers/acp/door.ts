/**
 * The hall's own door for agents' programs, on loopback: the way to their model, where every call is counted before it
 * goes on to the gateway, and the hall's tools as an MCP server. One port a driver, so that one way out of a sandbox is enough.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BackgroundContext } from '../../../background/background.ts';
import type { ClockContext, IdContext } from '../../../clock/clock.ts';
import type { LogContext } from '../../../log/log.ts';
import { readBody, refuseDoor, tokenOf } from '../../gateway/admission.ts';
import type { Tool } from '../../tools.ts';
import { forwardToModel, type ModelCaller } from './model-way.ts';
import { serveTools } from './tool-way.ts';

export type DoorContext = ClockContext & IdContext & LogContext & BackgroundContext;

/** Who stands behind a token: the sessions of a process, of which one makes the call, or the tools of one session. */
export type Bearer =
  | { readonly kind: 'model'; readonly callerOf: (request: CallRequest) => ModelCaller | undefined }
  | {
      readonly kind: 'tools';
      readonly tools: readonly Tool[];
      readonly aside?: (() => Promise<string | undefined>) | undefined;
    };

export interface CallRequest {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Door {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string;
  /** A new token for `bearer`. */
  readonly admit: (bearer: Bearer) => string;
  readonly dismiss: (token: string) => void;
  readonly close: () => Promise<void>;
}

/** Path of the MCP server below `baseUrl`. */
export const toolPath = '/hall';

export async function openDoor(ctx: DoorContext): Promise<Door> {
  const bearers = new Map<string, Bearer>();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.keepAliveTimeout = 65_000;
  // A call of a tool may wait for a person.
  server.requestTimeout = 0;
  server.on('request', (request, response) =>
    ctx.spawn('answer an agent', async () => answer(ctx, bearers, port, request, response)),
  );
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    admit: (bearer) => {
      const token = `acp-${ctx.ids.secret()}`;
      bearers.set(token, bearer);
      return token;
    },
    dismiss: (token) => void bearers.delete(token),
    close: () => closeDoor(server),
  };
}

async function answer(
  ctx: DoorContext,
  bearers: ReadonlyMap<string, Bearer>,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const refused = refuseDoor(request.headers, port);
    if (refused !== undefined) return sendError(response, 403, 'This endpoint is for programs of this machine.');
    if (request.method === 'HEAD') return void response.writeHead(200).end();
    const bearer = bearers.get(tokenOf(request.headers) ?? '');
    if (bearer === undefined) return sendError(response, 401, 'This token belongs to no running agent.');
    const raw = await readBody(request);
    if (raw === undefined) return sendError(response, 413, 'A request has at most 32 MB.');
    const isToolWay = new URL(request.url ?? '/', 'http://door').pathname === toolPath;
    if (isToolWay !== (bearer.kind === 'tools'))
      return sendError(response, 404, 'There is nothing here for this token.');
    if (bearer.kind === 'tools') return await serveTools(ctx, bearer, raw, request, response);
    const caller = bearer.callerOf({ headers: request.headers, body: raw.toString('utf8') });
    if (caller === undefined) return sendError(response, 401, 'No session of this agent runs.');
    await forwardToModel(ctx, caller, raw, request, response);
  } catch (error) {
    ctx.log.debug({ err: error }, 'a request at the door of agents failed');
    if (response.headersSent) response.destroy();
    else sendError(response, 500, 'The hall could not make this call; see `guild-hall logs`.');
  }
}

function sendError(response: ServerResponse, status: number, message: string): void {
  const type = status === 401 ? 'authentication_error' : 'api_error';
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false', connection: 'close' });
  response.end(JSON.stringify({ type: 'error', error: { type, message } }));
}

async function closeDoor(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

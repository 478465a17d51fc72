/** The HTTP side: which path means what, and how a reply is written to the socket. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';

import { errorReply, jsonReply, type UpstreamReply } from '../rehearsal/upstream.ts';
import { maxBodyBytes, parseBody, readBody, refuseDoor, tokenOf } from './admission.ts';
import { callModel, endedReply, type GatewayState } from './calls.ts';
import { findGrant, type Grant } from './grants.ts';
import { describeModel, resolveModel } from './models.ts';

/** Answers one request to the end. */
export async function handleRequest(
  state: GatewayState,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the client is gone')));
  try {
    const reply = refuseDoor(request.headers, port) ?? (await route(state, request, gone.signal));
    await writeReply(reply, response, gone.signal);
  } catch (error) {
    const wasStopped = gone.signal.aborted || (error as Error).name === 'AbortError';
    if (!wasStopped) state.ctx.log.error({ err: error }, 'model call failed inside the gateway');
    failResponse(response);
  }
}

function failResponse(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const error = { type: 'api_error', message: 'The hall could not make this call; see `guild-hall logs`.' };
  response.writeHead(500, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error }));
}

async function route(state: GatewayState, request: IncomingMessage, signal: AbortSignal): Promise<UpstreamReply> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://gateway');
  const method = request.method ?? 'GET';
  if (method === 'HEAD') return jsonReply(200, {});
  const grant = findGrant(state.grants, tokenOf(request.headers) ?? '');
  if (grant === undefined) return endedReply();
  if (method === 'GET' && pathname.startsWith('/v1/models')) return modelReply(state, grant, pathname);
  const isCount = pathname === '/v1/messages/count_tokens';
  if (method !== 'POST' || (pathname !== '/v1/messages' && !isCount)) {
    return errorReply(404, 'not_found_error', `There is no ${method} ${pathname} here.`);
  }
  const raw = await readBody(request);
  if (raw === undefined) {
    const limit = `${maxBodyBytes / 1024 / 1024} MB`;
    return errorReply(413, 'request_too_large', `A request has at most ${limit}.`, { connection: 'close' });
  }
  const body = parseBody(raw);
  if (body === undefined) return errorReply(400, 'invalid_request_error', 'The body is not a JSON object.');
  if (isCount) return countTokens(state, grant, request, raw, body, signal);
  const pathAndQuery = pathname + search;
  return callModel(state, { grant, pathAndQuery, headers: request.headers, raw, body, signal });
}

/** The one model that the token stands for. */
function modelReply(state: GatewayState, grant: Grant, pathname: string): UpstreamReply {
  const { name, label } = describeModel(state.ctx, grant.modelName);
  const id = resolveModel(state.ctx, grant.modelName)?.modelId ?? name;
  const model = { type: 'model', id, display_name: label, created_at: '1970-01-01T00:00:00Z' };
  if (pathname === '/v1/models') {
    return jsonReply(200, { data: [model], has_more: false, first_id: id, last_id: id });
  }
  return pathname === `/v1/models/${id}` ? jsonReply(200, model) : errorReply(404, 'not_found_error', 'No such model.');
}

async function countTokens(
  state: GatewayState,
  grant: Grant,
  request: IncomingMessage,
  raw: Buffer,
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<UpstreamReply> {
  const estimate = jsonReply(200, { input_tokens: Math.ceil(raw.length / 4) });
  if (resolveModel(state.ctx, grant.modelName) === undefined) return estimate;
  const pathAndQuery = '/v1/messages/count_tokens';
  const reply = await callModel(state, { grant, pathAndQuery, headers: request.headers, raw, body, signal });
  // Servers other than the service's own often cannot count; an estimate is better than a failed turn.
  return reply.status === 404 || reply.status === 405 ? estimate : reply;
}

async function writeReply(reply: UpstreamReply, response: ServerResponse, signal: AbortSignal): Promise<void> {
  response.writeHead(reply.status, reply.headers);
  for await (const chunk of reply.body) {
    if (signal.aborted) return;
    if (!response.write(chunk)) await once(response, 'drain', { signal });
  }
  if (reply.ending === 'end') {
    response.end();
    return;
  }
  if (reply.ending === 'reset') {
    await new Promise((resolve) => response.write('', resolve));
    response.socket?.resetAndDestroy();
    return;
  }
  if (!signal.aborted) await once(response, 'close');
}

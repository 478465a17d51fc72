/** One model call of an agent's program: counted, passed on with the token of its session, its answer read along. */
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { once } from 'node:events';
import type { ClockContext } from '../../../clock/clock.ts';
import type { TokenCounts } from '../../gateway/prices.ts';
import { createUsageReader } from '../../gateway/usage.ts';
import type { ModelAccess } from '../../contract.ts';
import type { CallFailure } from './meter.ts';

/** The session that makes the call. */
export interface ModelCaller {
  readonly access: ModelAccess;
  /** Before a counted call goes on; never resolves for one that may not: its turn is being ended. */
  readonly start: () => Promise<void>;
  readonly end: (counts: TokenCounts, failure: CallFailure | undefined) => void;
  /** Aborts when the turn is over. */
  readonly over: AbortSignal;
}

const dropped = new Set([
  'host',
  'connection',
  'x-api-key',
  'authorization',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
]);
const maxErrorBytes = 64 * 1024;

export async function forwardToModel(
  ctx: ClockContext,
  caller: ModelCaller,
  raw: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isCounted = request.method === 'POST' && /\/v1\/messages(?:\?|$)/.test(request.url ?? '');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  // What the turn leaves behind is broken off with it.
  const signal = AbortSignal.any([gone.signal, caller.over]);
  if (isCounted) await Promise.race([caller.start(), aborted(signal)]);
  if (signal.aborted) return void response.destroy();
  const report = isCounted ? caller.end : () => undefined;
  let reply: IncomingMessage;
  try {
    reply = await ask(caller.access, raw, request, signal);
  } catch (error) {
    if (signal.aborted) return void response.destroy();
    report(noCounts, { status: null, text: (error as Error).message, retryAfterMs: null });
    response.writeHead(529, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        type: 'error',
        error: { type: 'overloaded_error', message: 'The model endpoint cannot be reached.' },
      }),
    );
    return;
  }
  await passOn(reply, response, signal, report);
}

const noCounts: TokenCounts = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

async function ask(
  access: ModelAccess,
  raw: Buffer,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // What the program wrote chooses a path at most, never a host.
  const { pathname, search } = new URL(request.url ?? '/', 'http://door');
  const url = new URL(access.baseUrl + pathname + search);
  const kept = Object.entries(request.headers).filter(([name]) => !dropped.has(name));
  const headers: IncomingHttpHeaders = {
    ...Object.fromEntries(kept),
    'x-api-key': access.token,
    'content-length': String(raw.length),
  };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const call = send(url, { method: request.method ?? 'GET', headers, signal });
  call.end(raw);
  const [reply] = (await once(call, 'response', { signal })) as [IncomingMessage];
  call.on('error', () => undefined);
  return reply;
}

async function passOn(
  reply: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
  report: ModelCaller['end'],
): Promise<void> {
  const status = reply.statusCode ?? 502;
  const type = reply.headers['content-type'] ?? '';
  const usage = createUsageReader(type);
  const reading: Reading = { isStream: type.includes('text/event-stream'), tail: '', isWhole: false, error: '' };
  const { connection: _connection, 'transfer-encoding': _encoding, ...headers } = reply.headers;
  response.writeHead(status, headers);
  try {
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      if (status < 400) usage.push(chunk);
      readAlong(reading, chunk, status);
      if (!response.write(chunk)) await once(response, 'drain', { signal });
    }
  } catch {
    // It broke off, or nobody listens any more.
  }
  const isWhole = status < 400 && (reading.isStream ? reading.isWhole : reply.complete);
  const isLeft = signal.aborted;
  // Told before the agent can act upon it.
  report(usage.counts(), isWhole || isLeft ? undefined : failureOf(reply, status, reading));
  if (reply.complete) response.end();
  else response.destroy();
}

interface Reading {
  readonly isStream: boolean;
  tail: string;
  isWhole: boolean;
  error: string;
}

const endMark = '"message_stop"';

function readAlong(reading: Reading, chunk: Buffer, status: number): void {
  const text = chunk.toString('latin1');
  if (status >= 400) {
    if (reading.error.length < maxErrorBytes) reading.error += chunk.toString('utf8');
    return;
  }
  if (!reading.isStream) return;
  const seen = reading.tail + text;
  if (seen.includes(endMark)) reading.isWhole = true;
  reading.tail = seen.slice(-endMark.length);
}

function failureOf(reply: IncomingMessage, status: number, { error }: Reading): CallFailure {
  if (status < 400) return { status: null, text: 'The answer broke off.', retryAfterMs: null };
  const seconds = Number(reply.headers['retry-after']);
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null;
  return { status, text: messageIn(error), retryAfterMs };
}

function messageIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } };
    if (typeof error?.message === 'string') return error.message;
  } catch {
    // Not the form of the service: its text as it is.
  }
  return body.slice(0, 500);
}

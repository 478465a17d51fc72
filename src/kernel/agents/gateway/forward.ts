/** The way from the gateway to a configured model's server. */
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

import { fail } from '../../pure/errors.ts';
import { errorReply, type UpstreamReply } from '../rehearsal/upstream.ts';
import { type Credential, withoutSecrets } from './credentials.ts';
import type { ModelEntry } from './models.ts';

/** What of the client's headers goes on. The client's own token is never among them. */
const passedRequestHeaders = /^(content-type|accept|user-agent|x-app|anthropic-.+|x-stainless-.+|x-claude-code-.+)$/;
const passedResponseHeaders = /^(content-type|request-id|retry-after|retry-after-ms|x-should-retry|anthropic-.+)$/;

/** An error body is looked through for the credential before it is passed on; longer ones are cut. */
const maxErrorBytes = 256 * 1024;

export interface ForwardedCall {
  readonly entry: ModelEntry;
  readonly credential: Credential;
  /** `/v1/messages?beta=true` */
  readonly pathAndQuery: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

/** Sends the call on; never throws for what the network or the server does, except when `signal` aborts. */
export async function forwardCall(call: ForwardedCall): Promise<UpstreamReply> {
  const url = upstreamUrl(call.entry, call.pathAndQuery);
  let answer: IncomingMessage;
  try {
    answer = await send(call, url);
  } catch (error) {
    if (call.signal.aborted) throw error;
    return unreachable(call.entry, url, error);
  }
  const status = answer.statusCode ?? 502;
  const headers = headersToClient(answer.headers);
  if (status >= 300 && status < 400) {
    answer.destroy();
    const where = `The model server at ${url.origin} answered with a redirect (${status}).`;
    return errorReply(502, 'api_error', `${where} Correct baseUrl of "${call.entry.name}" in config.yaml.`);
  }
  if (status >= 400) return await cleanedError(answer, status, headers, call.credential);
  return { status, headers, body: answer, ending: 'end' };
}

export function upstreamUrl(entry: ModelEntry, pathAndQuery: string): URL {
  const base = entry.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const hint = `Correct baseUrl of "${entry.name}" in config.yaml, for example http://127.0.0.1:11434`;
  if (!/^https?:\/\//.test(base) || !URL.canParse(base + pathAndQuery)) {
    throw fail('invalid', `The model "${entry.name}" has no usable baseUrl.`, hint);
  }
  return new URL(base + pathAndQuery);
}

function send(call: ForwardedCall, url: URL): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = request(
      url,
      { method: 'POST', headers: headersToUpstream(call), signal: call.signal },
      resolve,
    );
    outgoing.once('error', reject);
    outgoing.end(call.body);
  });
}

function headersToUpstream(call: ForwardedCall): Record<string, string> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  for (const [name, value] of Object.entries(call.headers)) {
    if (passedRequestHeaders.test(name) && value !== undefined) headers[name] = String(value);
  }
  for (const [name, value] of Object.entries(call.credential.headers)) {
    const own = name === 'anthropic-beta' ? headers[name] : undefined;
    headers[name] = own === undefined ? value : `${own},${value}`;
  }
  headers['content-length'] = String(call.body.length);
  return headers;
}

function headersToClient(from: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(from).filter(([name, value]) => passedResponseHeaders.test(name) && value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

async function cleanedError(
  answer: IncomingMessage,
  status: number,
  headers: Record<string, string>,
  credential: Credential,
): Promise<UpstreamReply> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > maxErrorBytes) break;
    }
  } catch {
    // The status is known and matters most; what arrived of the body is passed on.
  }
  const text = withoutSecrets(Buffer.concat(parts).subarray(0, maxErrorBytes).toString('utf8'), credential.secrets);
  const body = (async function* () {
    yield await Promise.resolve(text);
  })();
  return { status, headers, body, ending: 'end' };
}

function unreachable(entry: ModelEntry, url: URL, error: unknown): UpstreamReply {
  const code = (error as NodeJS.ErrnoException).code ?? 'no answer';
  const message = `The server of the model "${entry.name}" at ${url.origin} cannot be reached (${code}). Is it running, and is baseUrl in config.yaml right?`;
  return errorReply(502, 'api_error', message);
}

/** Who may talk to the gateway: a program on this machine, no web page, with the token of an activity. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { errorReply, type UpstreamReply } from '../rehearsal/upstream.ts';

/** Largest request: what the service itself takes. */
export const maxBodyBytes = 32 * 1024 * 1024;

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Why the request is refused before anything of it is read, or undefined. */
export function refuseDoor(headers: IncomingHttpHeaders, port: number): UpstreamReply | undefined {
  const host = headers.host?.toLowerCase();
  if (!loopbackNames.some((name) => host === `${name}:${port}`)) {
    return errorReply(403, 'permission_error', `This endpoint answers only as 127.0.0.1:${port}.`);
  }
  if (headers.origin !== undefined) {
    return errorReply(403, 'permission_error', 'This endpoint is not for web pages: the request has an Origin.');
  }
  return undefined;
}

/** The token that the request bears, from `x-api-key` or `Authorization: Bearer`. */
export function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** The whole body, or undefined when it is larger than `maxBodyBytes`. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBodyBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The JSON object in `raw`, or undefined. */
export function parseBody(raw: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(raw.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    // Not JSON: the caller answers 400.
    return undefined;
  }
}

/** What an upstream of the gateway gives back, whether it is a configured model's server or the rehearsal. */
import type { ActivityRef } from '../../pure/ids.ts';

export interface UpstreamReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<string | Uint8Array>;
  /** What comes after the body: the ordinary end, a reset socket, or silence until the client gives up. */
  readonly ending: 'end' | 'reset' | 'stall';
}

/** For whom a call is made. */
export interface CallOrigin {
  readonly activity: ActivityRef;
  readonly worker: string;
  /** Aborts when the client is gone or the activity's token has been revoked. */
  readonly signal: AbortSignal;
}

/** The upstream that is embedded in the hall: it answers where no model is configured. */
export interface RehearsalUpstream {
  /** @param body a parsed Messages API request; anything else gives a 400 reply */
  reply(body: unknown, origin: CallOrigin): Promise<UpstreamReply>;
  close(): Promise<void>;
}

/** Header names and values of a JSON answer. */
export const jsonHeaders = { 'content-type': 'application/json' } as const;

/** The error body of the Messages API; clients classify by `type` and status. */
export function errorReply(
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): UpstreamReply {
  return jsonReply(status, { type: 'error', error: { type, message } }, headers);
}

export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): UpstreamReply {
  return { status, headers: { ...jsonHeaders, ...headers }, body: once(JSON.stringify(value)), ending: 'end' };
}

async function* once(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}

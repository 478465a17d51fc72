/** One model call, from wherever it comes: an agent's request or the hall's own. */
import type { IncomingHttpHeaders } from 'node:http';

import type { ClockContext, IdContext } from '../../clock/clock.ts';
import type { LogContext } from '../../log/log.ts';
import { activityKey } from '../../pure/ids.ts';
import { HallError } from '../../pure/errors.ts';
import { errorReply, type RehearsalUpstream, type UpstreamReply } from '../rehearsal/upstream.ts';
import { readCredential } from './credentials.ts';
import { forwardCall } from './forward.ts';
import { countCall, type Grant, type Grants, outputTokensLeft, spentBudget } from './grants.ts';
import { type ModelConfigContext, type ModelEntry, rehearsalName, resolveModel } from './models.ts';
import { createUsageReader } from './usage.ts';

export type GatewayContext = ClockContext & LogContext & IdContext & ModelConfigContext;

export interface GatewayState {
  readonly ctx: GatewayContext;
  readonly grants: Grants;
  readonly rehearsal: RehearsalUpstream;
}

export interface ModelCall {
  readonly grant: Grant;
  readonly pathAndQuery: string;
  readonly headers: IncomingHttpHeaders;
  /** The request as it was sent, and what it says. */
  readonly raw: Buffer;
  readonly body: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** No client needs to try again what the hall itself refused. */
const final = { 'x-should-retry': 'false' } as const;

/** Makes the call and counts what it uses. Throws only when `signal` aborts. */
export async function callModel(state: GatewayState, call: ModelCall): Promise<UpstreamReply> {
  const spent = spentBudget(state.grants, call.grant);
  if (spent !== undefined) {
    return errorReply(402, 'billing_error', `${spent}: this activity may make no further model call.`, final);
  }
  const entry = resolveModel(state.ctx, call.grant.modelName);
  const limited = withinOutput(call, outputTokensLeft(call.grant));
  const startedMs = state.ctx.clock.monotonicMs();
  const signal = AbortSignal.any([call.signal, call.grant.ended.signal]);
  const reply = await ask(state, { ...limited, signal }, entry).catch((error: unknown) => {
    if (call.grant.ended.signal.aborted) return endedReply();
    throw error;
  });
  return { ...reply, body: counted(state, call.grant, entry, reply, startedMs) };
}

/** Less than this the service does not take for thinking. Tokens. */
const leastThinking = 1024;

/** The call with no more output than is left of its grant; of that, thinking has half, or none where half is too little. */
function withinOutput(call: ModelCall, left: number | undefined): ModelCall {
  const asked = call.body['max_tokens'];
  if (left === undefined || typeof asked !== 'number' || asked <= left) return call;
  const body: Record<string, unknown> = { ...call.body, max_tokens: left };
  const thinking = body['thinking'] as { readonly budget_tokens?: unknown } | null | undefined;
  if (typeof thinking?.budget_tokens === 'number' && thinking.budget_tokens >= left) {
    const half = Math.floor(left / 2);
    if (half >= leastThinking) body['thinking'] = { ...thinking, budget_tokens: half };
    // What edits thoughts in the history is refused where there is no thinking.
    else for (const name of ['thinking', 'context_management']) delete body[name];
  }
  return { ...call, body, raw: Buffer.from(JSON.stringify(body)) };
}

export function endedReply(): UpstreamReply {
  const message = 'This token belongs to no running activity. It ends with its activity, and when the hall stops.';
  return errorReply(401, 'authentication_error', message, final);
}

async function ask(state: GatewayState, call: ModelCall, entry: ModelEntry | undefined): Promise<UpstreamReply> {
  const { grant, signal } = call;
  if (entry === undefined) {
    return state.rehearsal.reply(call.body, { activity: grant.activity, worker: grant.worker, signal });
  }
  try {
    const credential = await readCredential(state.ctx, entry);
    const { pathAndQuery, headers } = call;
    return await forwardCall({ entry, credential, pathAndQuery, headers, body: bodyFor(entry, call), signal });
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    const text = `${error.message} ${error.hint}`;
    return error.code === 'unauthorized'
      ? errorReply(401, 'authentication_error', text, final)
      : errorReply(400, 'invalid_request_error', text, final);
  }
}

/** The bytes as they came, unless they name another model than the configured one. */
function bodyFor(entry: ModelEntry, call: ModelCall): Buffer {
  if (call.body['model'] === entry.modelId) return call.raw;
  return Buffer.from(JSON.stringify({ ...call.body, model: entry.modelId }));
}

async function* counted(
  state: GatewayState,
  grant: Grant,
  entry: ModelEntry | undefined,
  reply: UpstreamReply,
  startedMs: number,
): AsyncGenerator<string | Uint8Array> {
  const usage = createUsageReader(reply.headers['content-type'] ?? '');
  try {
    for await (const chunk of reply.body) {
      usage.push(chunk);
      yield chunk;
    }
  } finally {
    const counts = usage.counts();
    grant.outputTokens += counts.outputTokens;
    countCall(state.grants, grant.activity, entry?.modelId, counts);
    const ms = Math.round(state.ctx.clock.monotonicMs() - startedMs);
    const about = { activity: activityKey(grant.activity), worker: grant.worker, model: entry?.name ?? rehearsalName };
    state.ctx.log.info({ ...about, status: reply.status, ms, ...counts }, 'model call');
  }
}

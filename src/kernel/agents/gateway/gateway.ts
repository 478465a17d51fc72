/**
 * The gateway: the hall's own Messages API endpoint on loopback. Every agent reaches its model through it, with a
 * token of its activity; the person's credential is added here and is never seen by an agent.
 */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { fail } from '../../pure/errors.ts';
import type { ActivityRef } from '../../pure/ids.ts';
import type { ModelAccess } from '../contract.ts';
import type { RehearsalUpstream } from '../rehearsal/upstream.ts';
import type { GatewayContext, GatewayState } from './calls.ts';
import { completeText, type CompletionRequest } from './complete.ts';
import {
  addGrant,
  createGrants,
  type GatewayUsage,
  type Grant,
  type GrantOptions,
  revokeGrants,
  usageOf,
} from './grants.ts';
import { describeModel, type ModelDescription, rehearsalName, resolveModel } from './models.ts';
import { handleRequest } from './server.ts';

export interface Gateway {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string;
  /** A token for one worker in one activity; the same one when granted again. */
  grant(activity: ActivityRef, options: GrantOptions): ModelAccess;
  /** Ends the tokens of the activity at once, and the calls that run with them. */
  revoke(activity: ActivityRef): void;
  /** What the activity used since the hall started. */
  usageOf(activity: ActivityRef): GatewayUsage;
  /** The model behind a name of `config.yaml`, or the default one. */
  describeModel(name?: string): ModelDescription;
  /** One plain call for the hall itself, counted to the activity. See `completeText` for what it throws. */
  complete(activity: ActivityRef, request: CompletionRequest & { readonly modelName?: string }): Promise<string>;
  /** Stops listening and ends every call. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  /** 0 or absent: any free one. */
  readonly port?: number;
  readonly rehearsal: RehearsalUpstream;
}

/** @throws HallError `conflict` when the port is taken */
export async function startGateway(ctx: GatewayContext, options: GatewayOptions): Promise<Gateway> {
  const state: GatewayState = { ctx, grants: createGrants(), rehearsal: options.rehearsal };
  const server = createServer();
  const port = await listen(server, options.port ?? 0);
  server.keepAliveTimeout = 65_000;
  server.on('request', (request, response) => void handleRequest(state, port, request, response));
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    grant: (activity, grantOptions) => accessOf(state, baseUrl, addGrant(ctx, state.grants, activity, grantOptions)),
    revoke: (activity) => revokeGrants(state.grants, activity),
    usageOf: (activity) => usageOf(state.grants, activity),
    describeModel: (name) => describeModel(ctx, name),
    complete: (activity, request) => completeText(state, ownGrant(activity, request.modelName), request),
    close: () => closeGateway(state, server),
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    const hint = 'Leave the port of the model endpoint out of the configuration; any free one will do.';
    throw fail('conflict', `The model endpoint cannot listen on port ${port}.`, hint, undefined, error);
  });
  return (server.address() as AddressInfo).port;
}

/** The agent's program is told the model's real id, because it chooses token limits and features by it. */
function accessOf(state: GatewayState, baseUrl: string, grant: Grant): ModelAccess {
  const model = resolveModel(state.ctx, grant.modelName)?.modelId ?? rehearsalName;
  return { baseUrl, token: grant.token, model };
}

/** A grant without a token: the hall calls for the activity itself, also after the agent's token was revoked. */
function ownGrant(activity: ActivityRef, modelName: string | undefined): Grant {
  return { activity, worker: 'hall', token: '', modelName, ended: new AbortController(), outputTokens: 0 };
}

async function closeGateway(state: GatewayState, server: Server): Promise<void> {
  for (const grant of state.grants.byToken.values()) grant.ended.abort(new Error('the hall stops'));
  state.grants.byToken.clear();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
  await state.rehearsal.close();
}

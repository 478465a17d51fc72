/** Tokens and what they stand for. A token is good for one worker in one activity, until it is revoked. */
import { createHash } from 'node:crypto';

import type { IdContext } from '../../clock/clock.ts';
import type { ActivityRef } from '../../pure/ids.ts';
import { costOf, type TokenCounts } from './prices.ts';
import { noTokens } from './usage.ts';

export interface GrantOptions {
  readonly modelName?: string | undefined;
  readonly worker: string;
  /** US dollars that the whole activity may cost; null or absent for no limit. */
  readonly maxBudgetUsd?: number | null | undefined;
  /** Output tokens that this worker may still get, counted from this granting on; absent for no limit. */
  readonly maxOutputTokens?: number | undefined;
  /** One that an earlier hall gave to a program which still runs. Left out: a new one. */
  readonly token?: string | undefined;
}

/** What an activity used through the gateway since the hall started. */
export interface GatewayUsage extends TokenCounts {
  readonly calls: number;
  /** US dollars at list price; null as soon as one call went to a model whose price is not known. */
  readonly costUsd: number | null;
}

export interface Grant extends GrantOptions {
  readonly activity: ActivityRef;
  readonly token: string;
  /** Aborted by `revoke`: calls under way end with it. */
  readonly ended: AbortController;
  /** Output tokens since it was granted the last time. */
  outputTokens: number;
}

export interface Grants {
  readonly byToken: Map<string, Grant>;
  readonly usage: Map<string, GatewayUsage>;
}

const noUsage: GatewayUsage = { ...noTokens, calls: 0, costUsd: 0 };

function subjectOf(activity: ActivityRef): string {
  return `${activity.project}/${activity.kind}/${activity.id}`;
}

/** Looked up by digest, so that how long a refusal takes says nothing about how much of a token was right. */
function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function createGrants(): Grants {
  return { byToken: new Map(), usage: new Map() };
}

/** The grant of this worker in this activity; granted twice it keeps its token and takes the new options. */
export function addGrant(ctx: IdContext, grants: Grants, activity: ActivityRef, options: GrantOptions): Grant {
  const subject = subjectOf(activity);
  const before = [...grants.byToken.values()].find(
    (grant) => subjectOf(grant.activity) === subject && grant.worker === options.worker,
  );
  const token = before?.token ?? options.token ?? `gh-${ctx.ids.secret()}`;
  const grant: Grant = { ...options, activity, token, ended: before?.ended ?? new AbortController(), outputTokens: 0 };
  grants.byToken.set(digestOf(token), grant);
  return grant;
}

export function findGrant(grants: Grants, token: string): Grant | undefined {
  return grants.byToken.get(digestOf(token));
}

/** Ends every token of the activity and the calls that run with them. */
export function revokeGrants(grants: Grants, activity: ActivityRef): void {
  for (const [digest, grant] of grants.byToken) {
    if (subjectOf(grant.activity) !== subjectOf(activity)) continue;
    grants.byToken.delete(digest);
    grant.ended.abort(new Error('the token was revoked'));
  }
}

export function usageOf(grants: Grants, activity: ActivityRef): GatewayUsage {
  return grants.usage.get(subjectOf(activity)) ?? noUsage;
}

/** @param modelId the model that answered; undefined for the rehearsal, which costs nothing */
export function countCall(
  grants: Grants,
  activity: ActivityRef,
  modelId: string | undefined,
  counts: TokenCounts,
): void {
  const before = usageOf(grants, activity);
  const cost = modelId === undefined ? 0 : costOf(modelId, counts);
  grants.usage.set(subjectOf(activity), {
    calls: before.calls + 1,
    inputTokens: before.inputTokens + counts.inputTokens,
    outputTokens: before.outputTokens + counts.outputTokens,
    cacheReadTokens: before.cacheReadTokens + counts.cacheReadTokens,
    cacheWriteTokens: before.cacheWriteTokens + counts.cacheWriteTokens,
    costUsd: before.costUsd === null || cost === null ? null : before.costUsd + cost,
  });
}

/** Output tokens that the grant's next call may have; undefined where nothing limits them. */
export function outputTokensLeft(grant: Grant): number | undefined {
  return grant.maxOutputTokens === undefined ? undefined : Math.max(0, grant.maxOutputTokens - grant.outputTokens);
}

/** Why the activity may make no further call, or undefined. Where the price is not known no budget can be held. */
export function spentBudget(grants: Grants, grant: Grant): string | undefined {
  if (outputTokensLeft(grant) === 0) {
    return `token limit reached (${grant.outputTokens} of ${grant.maxOutputTokens} output tokens)`;
  }
  const limit = grant.maxBudgetUsd;
  const { costUsd } = usageOf(grants, grant.activity);
  if (limit === undefined || limit === null || costUsd === null || costUsd < limit) return undefined;
  return `budget reached ($${costUsd.toFixed(2)} of $${limit.toFixed(2)})`;
}

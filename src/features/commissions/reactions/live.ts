/** What this process knows of commissions that are under way, and what it tells of them. */
import type { CommissionsContext, CommissionsEngine, LiveCommission } from '../context.ts';
import { type CommissionEvents, type CommissionEventType, commissionKind, type TimelineEntry } from '../contract.ts';
import { type CommissionRef, keyOf } from '../store/place.ts';

export function createEngine(): CommissionsEngine {
  return {
    live: new Map(),
    due: { queue: false, dependencies: new Set(), retries: new Map() },
    wishes: new Map(),
    known: new Map(),
    wake: () => {},
    saidOfQueue: '',
    held: new Map(),
    troubles: new Map(),
    problems: [],
  };
}

export function findLive(ctx: Pick<CommissionsContext, 'engine'>, ref: CommissionRef): LiveCommission | undefined {
  return ctx.engine.live.get(keyOf(ref));
}

/** That of this attempt; what is left of an earlier one is put away. */
export function liveOf(ctx: CommissionsContext, ref: CommissionRef, attempt: number): LiveCommission {
  const known = findLive(ctx, ref);
  if (known?.attempt === attempt) return known;
  known?.leaving.abort();
  const fresh: LiveCommission = {
    attempt,
    phase: null,
    beat: undefined,
    lastHeartbeat: ctx.clock.nowIso(),
    session: undefined,
    exited: undefined,
    catchUp: undefined,
    leaving: new AbortController(),
    settingUp: undefined,
  };
  ctx.engine.live.set(keyOf(ref), fresh);
  return fresh;
}

export function forgetLive(ctx: CommissionsContext, ref: CommissionRef, attempt: number): void {
  const known = findLive(ctx, ref);
  if (known?.attempt !== attempt) return;
  known.leaving.abort();
  ctx.engine.live.delete(keyOf(ref));
}

/** Tells readers that the commission is in the middle of something else now. */
export function setPhase(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  phase: LiveCommission['phase'],
): void {
  const live = liveOf(ctx, ref, attempt);
  if (live.phase === phase) return;
  live.phase = phase;
  announce(ctx, ref, 'commission.changed', { id: ref.id, what: 'phase' });
}

/**
 * Announces a fact of a commission; the file that holds it has been written before.
 * @returns the data as readers get it
 */
export function announce<Type extends CommissionEventType>(
  ctx: Pick<CommissionsContext, 'events'>,
  ref: CommissionRef,
  type: Type,
  data: CommissionEvents[Type],
): CommissionEvents[Type] {
  const event = { type, project: ref.project.name, subject: `${commissionKind}:${ref.id}`, data };
  return ctx.events.publish(event).data as CommissionEvents[Type];
}

export function announceTimeline(
  ctx: Pick<CommissionsContext, 'events'>,
  ref: CommissionRef,
  entries: readonly TimelineEntry[],
): void {
  for (const entry of entries) announce(ctx, ref, 'commission.timeline', { id: ref.id, entry });
}

/** Has the queue looked at soon: something may start now. Returns at once. */
export function wakeQueue(ctx: Pick<CommissionsContext, 'engine'>): void {
  ctx.engine.due.queue = true;
  ctx.engine.wake();
}

/** Has everything that waits for something in this project looked at soon, and the queue after that. Returns at once. */
export function wakeDependencies(ctx: Pick<CommissionsContext, 'engine'>, project: string): void {
  ctx.engine.due.dependencies.add(project);
  wakeQueue(ctx);
}

/** Has the time looked at when this one is to be tried again. Returns at once. */
export function wakeRetry(ctx: Pick<CommissionsContext, 'engine'>, ref: CommissionRef): void {
  ctx.engine.due.retries.set(keyOf(ref), ref);
  ctx.engine.wake();
}

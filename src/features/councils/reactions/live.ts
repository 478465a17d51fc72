/** What runs in this process for one council, and what is told of it. Nothing here is needed to go on after a restart. */
import type { CouncilsContext, LiveCouncil } from '../context.ts';
import { type CouncilEvents, type CouncilEventType, type CouncilSession } from '../contract.ts';
import { questionWords } from '../contract/asking.ts';
import { councilKind } from '../contract/kind.ts';
import { type CouncilRef, keyOf } from '../store/place.ts';

export function liveOf(ctx: Pick<CouncilsContext, 'liveCouncils'>, ref: CouncilRef): LiveCouncil {
  const key = keyOf(ref);
  const known = ctx.liveCouncils.get(key);
  if (known !== undefined) return known;
  const fresh: LiveCouncil = {
    runner: undefined,
    isWanted: false,
    isLoaded: false,
    turn: undefined,
    isInterruptWanted: false,
    speaking: undefined,
    trouble: undefined,
  };
  ctx.liveCouncils.set(key, fresh);
  return fresh;
}

/**
 * As it stands for whoever looks or answers: one that could not be written down waits, whatever its file still says.
 * Once it can be written, what the person then says is what the file gets.
 */
export function asItStands(
  ctx: Pick<CouncilsContext, 'liveCouncils'>,
  ref: Pick<CouncilRef, 'project' | 'id'>,
  session: CouncilSession,
): CouncilSession {
  const trouble = ctx.liveCouncils.get(keyOf(ref))?.trouble;
  const isWalking = session.status === 'running' || (session.status === 'asking' && session.setup.yes);
  return trouble === undefined || !isWalking ? session : { ...session, status: 'paused', trouble };
}

/** Announces a fact of a council; the file that holds it has been written before. */
export function announce<Type extends CouncilEventType>(
  ctx: Pick<CouncilsContext, 'events'>,
  ref: CouncilRef,
  type: Type,
  data: CouncilEvents[Type],
): void {
  ctx.events.publish({ type, project: ref.project.name, subject: `${councilKind}:${ref.id}`, data });
}

/** Tells what a change brought: new entries, pins, reviews, another status. */
export function announceChange(
  ctx: Pick<CouncilsContext, 'events'>,
  ref: CouncilRef,
  before: CouncilSession | undefined,
  after: CouncilSession,
  reason: string,
): void {
  const { id } = ref;
  const from = before?.transcript.length ?? 0;
  for (const [at, entry] of after.transcript.slice(from).entries())
    announce(ctx, ref, 'council.entry', { id, n: from + at, entry });
  for (const pin of after.pins) {
    const old = before?.pins.find((each) => each.id === pin.id);
    const isSame = old?.historyCount === pin.historyCount && old.disposition === pin.disposition;
    if (!isSame) announce(ctx, ref, 'council.pinned', { id, pin });
  }
  for (const review of after.reviews.slice(before?.reviews.length ?? 0))
    announce(ctx, ref, 'council.reviewed', { id, review });
  if (before?.status === after.status) return;
  const status = { id, from: before?.status ?? null, to: after.status, phase: after.phase, reason };
  announce(ctx, ref, 'council.status', status);
}

/** The question is on disk by now. */
export function announceQuestion(ctx: Pick<CouncilsContext, 'events'>, ref: CouncilRef, session: CouncilSession): void {
  const { question } = session;
  if (question !== null) announce(ctx, ref, 'council.asked', { id: ref.id, question, ...questionWords(question) });
}

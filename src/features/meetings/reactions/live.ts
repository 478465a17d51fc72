/** What runs in this process for one meeting. Nothing here is needed to go on after a restart. */
import type { Project } from '../../../kernel/projects/projects.ts';
import type { LiveMeeting, MeetingsContext } from '../context.ts';
import {
  type MeetingEvents,
  type MeetingEventType,
  type MeetingId,
  meetingKind,
  type MeetingRecord,
} from '../contract.ts';
import { keyOf, type MeetingRef } from '../store/place.ts';

export function liveOf(ctx: MeetingsContext, ref: MeetingRef): LiveMeeting {
  const key = keyOf(ref);
  const known = ctx.liveMeetings.get(key);
  if (known) return known;
  const fresh: LiveMeeting = {
    session: undefined,
    pump: undefined,
    turnRuns: false,
    stream: undefined,
    known: [],
    isInterruptWanted: false,
  };
  ctx.liveMeetings.set(key, fresh);
  return fresh;
}

/** Ends the meeting's agent and its access to the model. Its files stay. */
export async function releaseLive(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const live = ctx.liveMeetings.get(keyOf(ref));
  ctx.liveMeetings.delete(keyOf(ref));
  await live?.session?.close();
  ctx.gateway.revoke(activityOf(ref));
}

/** Ends the running turn soon. The wish is kept for a turn whose agent has not been asked yet. */
export async function interruptLive(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const live = liveOf(ctx, ref);
  live.isInterruptWanted = true;
  await live.session?.interrupt();
}

export function activityOf(ref: MeetingRef): { project: Project['name']; kind: string; id: MeetingId } {
  return { project: ref.project.name, kind: meetingKind, id: ref.id };
}

/**
 * Announces a fact of a meeting; the file that holds it has been written before.
 * @returns the data as readers get it
 */
export function announce<Type extends MeetingEventType>(
  ctx: MeetingsContext,
  ref: MeetingRef,
  type: Type,
  data: MeetingEvents[Type],
): MeetingEvents[Type] {
  const event = { type, project: ref.project.name, subject: `${meetingKind}:${ref.id}`, data };
  return ctx.events.publish(event).data as MeetingEvents[Type];
}

/** Announces a request once, whether it came by a tool or as a file. */
export function announceRequest(
  ctx: MeetingsContext,
  ref: MeetingRef,
  meeting: Pick<MeetingRecord, 'worker' | 'agenda'>,
): void {
  const key = keyOf(ref);
  if (ctx.announcedRequests.has(key)) return;
  ctx.announcedRequests.add(key);
  announce(ctx, ref, 'meeting.requested', { id: ref.id, worker: meeting.worker, agenda: meeting.agenda });
}

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
import type { MeetingRef } from '../store/place.ts';

export function liveOf(ctx: MeetingsContext, id: MeetingId): LiveMeeting {
  const known = ctx.liveMeetings.get(id);
  if (known) return known;
  const fresh: LiveMeeting = { session: undefined, pump: undefined, turnRuns: false };
  ctx.liveMeetings.set(id, fresh);
  return fresh;
}

/** Ends the meeting's agent and its access to the model. Its files stay. */
export async function releaseLive(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const live = ctx.liveMeetings.get(ref.id);
  ctx.liveMeetings.delete(ref.id);
  await live?.session?.close();
  ctx.gateway.revoke(activityOf(ref));
}

export function activityOf(ref: MeetingRef): { project: Project['name']; kind: string; id: MeetingId } {
  return { project: ref.project.name, kind: meetingKind, id: ref.id };
}

/** Announces a fact of a meeting; the file that holds it has been written before. */
export function announce<Type extends MeetingEventType>(
  ctx: MeetingsContext,
  ref: MeetingRef,
  type: Type,
  data: MeetingEvents[Type],
): void {
  ctx.events.publish({ type, project: ref.project.name, subject: `${meetingKind}:${ref.id}`, data });
}

/** Announces a request once, whether it came by a tool or as a file. */
export function announceRequest(
  ctx: MeetingsContext,
  ref: MeetingRef,
  meeting: Pick<MeetingRecord, 'worker' | 'agenda'>,
): void {
  const key = `${ref.project.name}/${ref.id}`;
  if (ctx.announcedRequests.has(key)) return;
  ctx.announcedRequests.add(key);
  announce(ctx, ref, 'meeting.requested', { id: ref.id, worker: meeting.worker, agenda: meeting.agenda });
}

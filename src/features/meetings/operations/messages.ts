/** Saying something, and stopping an answer. */
import { HallError } from '../../../kernel/pure/errors.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import type { MeetingsContext } from '../context.ts';
import { wellFormed } from '../fold/lines.ts';
import { announce, interruptLive, liveOf } from '../reactions/live.ts';
import { wakeMeeting } from '../reactions/turns.ts';
import { decideMessage } from '../rules.ts';
import { changeState, requireMeeting, stateOf } from '../store/files.ts';
import { meetingLock, type MeetingRef } from '../store/place.ts';

export interface Said {
  readonly messageId: string;
  readonly turn: number;
  readonly position: number;
  readonly cursor: string;
}

/** Takes a message. It is on disk when this returns, and is answered in its turn, whatever happens to the hall. */
export async function sayInMeeting(ctx: MeetingsContext, ref: MeetingRef, text: string): Promise<Said> {
  const messageId = `m-${ctx.ids.random(8)}`;
  // Read before the message can be answered, so that a reader who goes on from here sees its whole turn.
  const cursor = printCursor(ctx.events.cursor());
  const { turn, position } = await ctx.locks.with(meetingLock(ref), async () => {
    const record = await requireMeeting(ref.project, ref.id);
    const before = await stateOf(ctx, ref).read();
    const may = decideMessage(record, before?.phase);
    if (!may.ok) throw new HallError(may.refusal);
    const message = { messageId, text: wellFormed(text), at: ctx.clock.nowIso() };
    const state = await changeState(ctx, ref, (now) => ({ ...now, queue: [...now.queue, message] }));
    const waiting = state.queue.length - 1 + (state.running === null ? 0 : 1);
    const turn = state.turn + state.queue.length;
    // Told before the lock is given back, and with it the chance to answer the message.
    announce(ctx, ref, 'meeting.message_queued', { id: ref.id, turn, ...message });
    return { turn, position: waiting };
  });
  wakeMeeting(ctx, ref);
  return { messageId, turn, position, cursor };
}

/** Stops the running answer; what was said so far stays. Without one does nothing and says so. */
export async function interruptMeeting(ctx: MeetingsContext, ref: MeetingRef): Promise<boolean> {
  if (!liveOf(ctx, ref).turnRuns) return false;
  await interruptLive(ctx, ref);
  return true;
}

/** Saying something, and stopping an answer. */
import { HallError } from '../../../kernel/pure/errors.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import type { MeetingsContext } from '../context.ts';
import type { QueuedMessage } from '../contract.ts';
import { wellFormed } from '../../../kernel/pure/text.ts';
import { announce, interruptLive, liveOf } from '../reactions/live.ts';
import { wakeMeeting } from '../reactions/turns.ts';
import { decideMessage } from '../rules.ts';
import { changeState, type MeetingState, requireMeeting, stateOf } from '../store/files.ts';
import { meetingLock, type MeetingRef } from '../store/place.ts';
import { freshMessageId, type Said, saidBefore } from './once.ts';

/** So many last messages are acknowledged again in the same words; older ones by their turn alone. */
const keptAcknowledgements = 50;

/**
 * Takes a message. It is on disk when this returns, and is answered in its turn, whatever happens to the hall.
 * @param given the sender's id of the message: one that was taken already is acknowledged as it was, and not taken again
 */
export async function sayInMeeting(
  ctx: MeetingsContext,
  ref: MeetingRef,
  words: string,
  given?: string,
): Promise<Said> {
  const messageId = given ?? freshMessageId(ctx);
  const text = wellFormed(words);
  // Read before the message can be answered, so that a reader who goes on from here sees its whole turn.
  const cursor = printCursor(ctx.events.cursor());
  const said = await ctx.locks.with(meetingLock(ref), async () => {
    const known = given === undefined ? undefined : await saidBefore(ctx, ref, { messageId, text, cursor });
    if (known !== undefined) return known;
    const record = await requireMeeting(ref.project, ref.id);
    const may = decideMessage(record, (await stateOf(ctx, ref).read())?.phase);
    if (!may.ok) throw new HallError(may.refusal);
    const message = { messageId, text, at: ctx.clock.nowIso() };
    const state = await changeState(ctx, ref, (now) => withMessage(now, message, cursor));
    const taken = state.said.at(-1)!;
    // Told before the lock is given back, and with it the chance to answer the message.
    announce(ctx, ref, 'meeting.message_queued', { id: ref.id, turn: taken.turn, ...message });
    return taken;
  });
  wakeMeeting(ctx, ref);
  return said;
}

function withMessage(state: MeetingState, message: QueuedMessage, cursor: string): MeetingState {
  const queue = [...state.queue, message];
  const position = state.queue.length + (state.running === null ? 0 : 1);
  const said = { messageId: message.messageId, turn: state.turn + queue.length, position, cursor };
  return { ...state, queue, said: [...state.said, said].slice(-keptAcknowledgements) };
}

/** Stops the running answer; what was said so far stays. Without one does nothing and says so. */
export async function interruptMeeting(ctx: MeetingsContext, ref: MeetingRef): Promise<boolean> {
  if (!liveOf(ctx, ref).turnRuns) return false;
  await interruptLive(ctx, ref);
  return true;
}

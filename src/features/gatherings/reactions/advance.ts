/**
 * What follows, whatever happened: words go on, a pause is decided, both sides are told. The same after every message,
 * and after a restart; done twice, it changes nothing the second time. All calls are made in the relay's lock.
 */
import { faultPoint } from '../../../kernel/clock/fault.ts';
import type { GatheringsContext, LiveConversation } from '../context.ts';
import { type Conversation, type EndReason, maxWords, type Message, type PauseReason } from '../contract.ts';
import { keepRelease, type NewMessage } from '../relay/message-log.ts';
import { awaitHandOver, dropWaiting, handOver, keep } from '../relay/relay.ts';
import { decidePause, type KeptMessage, nextToSpeak, paused } from '../rules/conversation.ts';
import { endedLine, extendedLine, pausedLine } from '../rules/words.ts';
import { conversationFile } from '../store/place.ts';
import { messagesOf, publish } from './live.ts';

/** Keeps something that was said, and has all that follows from it done. */
export async function sayIn(ctx: GatheringsContext, live: LiveConversation, message: NewMessage): Promise<void> {
  await keepAndTell(ctx, live, message);
  if (live.isTakenUp) await advance(ctx, live);
}

export async function advance(ctx: GatheringsContext, live: LiveConversation): Promise<void> {
  if (live.record.state === 'open') await release(ctx, live);
  await handOver(ctx, live.relay);
  const why = decidePause(live.record, messagesOf(live));
  if (why !== undefined) await pause(ctx, live, why);
  await tellState(ctx, live);
}

export async function pause(ctx: GatheringsContext, live: LiveConversation, why: PauseReason): Promise<void> {
  await change(ctx, live, paused(live.record, why, ctx.clock.nowIso()));
  publish(ctx, live.record, 'conversation.paused', { why, conversation: live.record });
}

/** Writes the next state; in force when it resolves. */
export async function change(ctx: GatheringsContext, live: LiveConversation, next: Conversation): Promise<void> {
  faultPoint('conversation:before:change');
  await conversationFile(ctx, next.id).write(next);
  faultPoint('conversation:after:change');
  live.record = next;
  ctx.conversations.known.set(next.id, next);
}

/** Words that were held go on. */
async function release(ctx: GatheringsContext, live: LiveConversation): Promise<void> {
  const ids = messagesOf(live).flatMap(({ fate, id }) => (fate === 'held' ? [id] : []));
  if (ids.length === 0) return;
  await keepRelease(live.relay.log, ids);
  for (const id of ids) awaitHandOver(live.relay, live.relay.log.messages.get(id)!);
  publish(ctx, live.record, 'conversation.released', { messages: ids });
}

/** It goes on, and no words waited that somebody could answer: one member has to be told that it is its turn. */
function isToBeginAnew({ record, relay }: LiveConversation): boolean {
  return record.state === 'open' && record.pauses > 0 && relay.log.messages.size < record.countedFrom;
}

/** Each pause and the end is told once, to all that live; the end is the last that is told. */
async function tellState(ctx: GatheringsContext, live: LiveConversation): Promise<void> {
  const { record } = live;
  if (record.pause !== null)
    await notice(ctx, live, {
      kind: 'paused',
      id: `pause-${record.pauses}`,
      text: pausedLine(record, record.pause.why),
    });
  if (isToBeginAnew(live)) {
    const to = [nextToSpeak(record, messagesOf(live))];
    await notice(ctx, live, { kind: 'extended', id: `extended-${record.pauses}`, text: extendedLine(record), to });
  }
  if (record.end === null) return;
  dropWaiting(live.relay, ({ kind }) => kind === 'ended' || kind === 'paused');
  await notice(ctx, live, { kind: 'ended', id: 'end', text: endedLine(record, record.end.reason) });
}

interface Notice {
  readonly kind: Message['kind'];
  /** Unique within the conversation. */
  readonly id: string;
  readonly text: string;
  readonly to?: readonly number[];
}

/** Once, by its id. A member whose terminal has ended is not told. */
export async function notice(ctx: GatheringsContext, live: LiveConversation, given: Notice): Promise<void> {
  const { record, relay } = live;
  const id = `${record.id}-${given.id}`;
  const numbers = record.members.flatMap(({ terminal, number }) =>
    isThere(ctx, terminal, record.end?.reason, number) ? [number] : [],
  );
  const to = given.to === undefined ? numbers : numbers.filter((number) => given.to!.includes(number));
  if (!relay.log.messages.has(id) && to.length === 0) return;
  const { kind, text } = given;
  const at = ctx.clock.nowIso();
  await keepAndTell(ctx, live, { id, kind, from: 'hall', text, own: '', at, to, fate: 'sent' });
  await handOver(ctx, relay);
}

function isThere(
  ctx: GatheringsContext,
  terminal: Conversation['members'][number]['terminal'],
  reason: EndReason | undefined,
  number: number,
): boolean {
  if (reason?.kind === 'member' && reason.number === number) return false;
  return ctx.terminalsOf.find(terminal)?.isAlive === true;
}

async function keepAndTell(ctx: GatheringsContext, live: LiveConversation, message: NewMessage): Promise<void> {
  const isNew = !live.relay.log.messages.has(message.id);
  const kept = await keep(live.relay, message);
  if (isNew) publish(ctx, live.record, 'conversation.message', { message: shownMessage(kept) });
}

/** As screens get it: not endless. */
export function shownMessage(message: KeptMessage): Message {
  const { id, number, kind, from, text, at, to, fate, receipts } = message;
  return { id, number, kind, from, text: text.slice(0, maxWords), at, to, fate, receipts };
}

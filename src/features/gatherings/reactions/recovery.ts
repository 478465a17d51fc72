/**
 * What an earlier hall left. First files are read, so that nothing is missed that terminals tell when they are joined;
 * then, when they are, each conversation goes on, or is closed with a word to those who live.
 */
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { GatheringsContext, LiveConversation } from '../context.ts';
import type { Conversation, ConversationId } from '../contract.ts';
import { openMessageLog } from '../relay/message-log.ts';
import { createRelay, inRelay } from '../relay/relay.ts';
import { decideEnd, isOld } from '../rules/conversation.ts';
import { endedLine } from '../rules/words.ts';
import { conversationFile, conversationIds, messagesPath, removeConversation } from '../store/place.ts';
import { advance } from './advance.ts';
import { watchIdle } from './idling.ts';
import { deadMember, endInRelay, listenToMembers, receiptCame } from './listening.ts';
import { publish } from './live.ts';

/** Before terminals are joined. */
export async function openConversations(ctx: GatheringsContext): Promise<void> {
  for (const id of await conversationIds(ctx)) {
    try {
      await openOne(ctx, id);
    } catch (error) {
      const { message } = errorFactsOf(error);
      ctx.log.error({ err: error, conversation: id }, 'a conversation cannot be taken up');
      ctx.conversations.problems.set(id, message);
    }
  }
  listenToMembers(ctx);
}

async function openOne(ctx: GatheringsContext, id: ConversationId): Promise<void> {
  const record = await conversationFile(ctx, id).read();
  // Without that file it was never begun.
  if (record === undefined || isOld(record, ctx.clock.nowMs())) return removeConversation(ctx, id);
  ctx.conversations.known.set(id, record);
  if (record.state === 'ended' && (await isSettled(ctx, record))) return;
  await holdLive(ctx, record);
  if (record.state === 'ended') return;
  for (const { terminal } of record.members) ctx.conversations.byTerminal.set(terminal, id);
}

/** Nothing of it is on its way. */
async function isSettled(ctx: GatheringsContext, { id }: Conversation): Promise<boolean> {
  const { messages } = await openMessageLog(ctx, messagesPath(ctx, id));
  const end = messages.get(`${id}-end`);
  return end !== undefined && end.receipts.length === end.to.length;
}

/** Its messages cannot be read: it is closed, with a word to those who live. */
export async function closeBroken(ctx: GatheringsContext, id: ConversationId, why: string): Promise<void> {
  const record = ctx.conversations.known.get(id);
  const decided = record && decideEnd(record, { kind: 'hall', why }, ctx.clock.nowIso());
  if (decided?.ok !== true) return;
  const { next } = decided;
  await conversationFile(ctx, id).write(next);
  ctx.conversations.known.set(id, next);
  publish(ctx, next, 'conversation.ended', { reason: next.end!.reason, conversation: next });
  const message = { id: `${id}-end`, origin: 'hall', text: endedLine(next, next.end!.reason) };
  for (const { terminal } of next.members) {
    if (ctx.terminalsOf.find(terminal)?.isAlive === true) await ctx.terminalsOf.deliver(terminal, message);
  }
}

/** Held in memory from now on. */
export async function holdLive(ctx: GatheringsContext, record: Conversation): Promise<LiveConversation> {
  const log = await openMessageLog(ctx, messagesPath(ctx, record.id));
  const live: LiveConversation = {
    record,
    relay: createRelay({
      key: record.id,
      members: record.members,
      log,
      onReceipt: (message, to, receipt) => receiptCame(ctx, live, message, { to, receipt }),
    }),
    isTakenUp: false,
    died: undefined,
    activeMs: ctx.clock.monotonicMs(),
    leaving: new AbortController(),
  };
  ctx.conversations.live.set(record.id, live);
  return live;
}

/** When terminals are joined. */
export async function takeUpConversations(ctx: GatheringsContext): Promise<void> {
  for (const [id, why] of ctx.conversations.problems) await closeBroken(ctx, id, why);
  await Promise.all([...ctx.conversations.live.values()].map(async (live) => takeUp(ctx, live)));
}

/** Does nothing for one that was taken up, nor where a member is out of reach: then it waits for the next hall. */
export async function takeUp(ctx: GatheringsContext, live: LiveConversation): Promise<void> {
  if (live.isTakenUp) return;
  const { members: all } = live.record;
  if (all.some(({ terminal }) => ctx.terminalsOf.find(terminal)?.isOutOfReach === true)) return;
  await inRelay(ctx, live.relay, async () => {
    if (live.isTakenUp) return;
    live.isTakenUp = true;
    const { members, state } = live.record;
    const dead =
      members.find(({ number }) => number === live.died) ??
      members.find(({ terminal }) => ctx.terminalsOf.find(terminal)?.isAlive !== true);
    const why = dead && ctx.terminalsOf.find(dead.terminal)?.endedWhy;
    if (dead !== undefined && state !== 'ended') await endInRelay(ctx, live, deadMember(dead.number, why));
    else await advance(ctx, live);
  });
  if (live.record.state !== 'ended') watchIdle(ctx, live);
}

/** Conversations that ended long ago go, with all that was said in them. */
export async function forgetOldConversations(ctx: GatheringsContext): Promise<void> {
  const { known, rows, live } = ctx.conversations;
  for (const [id, record] of known) {
    if (!isOld(record, ctx.clock.nowMs())) continue;
    known.delete(id);
    rows.delete(id);
    live.delete(id);
    await removeConversation(ctx, id);
  }
}

/** Ending a conversation, and letting it go on. */
import { HallError } from '../../../kernel/pure/errors.ts';
import type { Caller } from '../../../kernel/operations/operations.ts';
import type { GatheringsContext, LiveConversation } from '../context.ts';
import type { Conversation } from '../contract.ts';
import { advance, change } from '../reactions/advance.ts';
import { endInRelay } from '../reactions/listening.ts';
import { messagesOf, noteActivity, publish } from '../reactions/live.ts';
import { takeUp } from '../reactions/recovery.ts';
import { inRelay } from '../relay/relay.ts';
import { decideEnd, decideExtend } from '../rules/conversation.ts';
import { chooseConversation, terminalOfCaller } from './choosing.ts';

/** @throws `conflict` for one that has ended */
export async function closeConversation(
  ctx: GatheringsContext,
  caller: Caller,
  given: string | undefined,
): Promise<Conversation> {
  const { id, members } = chooseConversation(ctx, caller, given);
  const terminal = terminalOfCaller(caller);
  const by = members.find((member) => member.terminal === terminal)?.number ?? 'person';
  const live = await requireLive(ctx, id);
  return inRelay(ctx, live.relay, async () => {
    await endInRelay(ctx, live, { kind: 'closed', by });
    return live.record;
  });
}

/** @throws `conflict` for one that has ended */
export async function extendConversation(
  ctx: GatheringsContext,
  caller: Caller,
  { id: given, turns }: { readonly id: string; readonly turns?: number | undefined },
): Promise<Conversation> {
  const { id } = chooseConversation(ctx, caller, given);
  const live = await requireLive(ctx, id);
  const added = turns ?? ctx.config().conversations.turns;
  return inRelay(ctx, live.relay, async () => {
    const messages = messagesOf(live);
    const held = messages.find(({ fate }) => fate === 'held')?.number;
    const decided = decideExtend(live.record, added, { held, next: messages.length + 1 });
    if (!decided.ok) throw new HallError(decided.refusal);
    await change(ctx, live, decided.next);
    noteActivity(ctx, live);
    publish(ctx, live.record, 'conversation.extended', { turns: added, conversation: live.record });
    await advance(ctx, live);
    return live.record;
  });
}

async function requireLive(ctx: GatheringsContext, id: Conversation['id']): Promise<LiveConversation> {
  const live = ctx.conversations.live.get(id);
  if (live !== undefined) {
    await takeUp(ctx, live);
    return live;
  }
  const decided = decideEnd(ctx.conversations.known.get(id)!, { kind: 'closed', by: 'person' }, ctx.clock.nowIso());
  throw decided.ok ? new Error(`the conversation ${id} is not held`) : new HallError(decided.refusal);
}

/** What the hall holds of its conversations while it runs. All of it is in files as well. */
import type { TerminalId } from '../../../kernel/terminals/contract.ts';
import type { Conversations, GatheringsContext, LiveConversation } from '../context.ts';
import type { Conversation, ConversationEvents, ConversationEventType, ConversationId } from '../contract.ts';
import type { KeptMessage } from '../rules/conversation.ts';

export function createConversations(): Conversations {
  return {
    known: new Map(),
    live: new Map(),
    byTerminal: new Map(),
    rows: new Map(),
    problems: new Map(),
    stopListening: undefined,
  };
}

/** The conversation that the terminal is in, open or paused. */
export function liveOf(ctx: GatheringsContext, terminal: TerminalId): LiveConversation | undefined {
  const id = ctx.conversations.byTerminal.get(terminal);
  return id === undefined ? undefined : ctx.conversations.live.get(id as ConversationId);
}

export function messagesOf({ relay }: LiveConversation): KeptMessage[] {
  return [...relay.log.messages.values()];
}

export function noteActivity(ctx: GatheringsContext, live: LiveConversation): void {
  live.activeMs = ctx.clock.monotonicMs();
}

export function publish<Type extends ConversationEventType>(
  ctx: GatheringsContext,
  { id, project }: Conversation,
  type: Type,
  data: Omit<ConversationEvents[Type], 'id'>,
): void {
  ctx.events.publish({ type, project, subject: `conversation:${id}`, data: { id, ...data } });
}

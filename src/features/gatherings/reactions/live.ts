/** What the hall holds of its conversations while it runs. All of it is in files as well. */
import type { TerminalId } from '../../../kernel/terminals/contract.ts';
import type { GatheringsContext } from '../context.ts';
import type { Conversation, ConversationEvents, ConversationEventType, ConversationId } from '../contract.ts';
import type { Relay } from '../relay/relay.ts';
import type { KeptMessage } from '../rules/conversation.ts';

/** Open or paused, or ended while something of it is still on its way. */
export interface LiveConversation {
  record: Conversation;
  readonly relay: Relay;
  /** What an earlier hall left is taken up; before that words are kept and not handed over. */
  isTakenUp: boolean;
  /** When anything happened last, by the monotonic clock. */
  activeMs: number;
  /** Number of a member that ended before it was taken up. */
  died: number | undefined;
  /** Ends its watch. */
  readonly leaving: AbortController;
}

export interface Conversations {
  /** All that are kept, as they stand. */
  readonly known: Map<ConversationId, Conversation>;
  readonly live: Map<ConversationId, LiveConversation>;
  /** Who takes part in one that has not ended. A terminal is in at most one. */
  readonly byTerminal: Map<TerminalId, string>;
  /** Of files that cannot be read, in words for the person. */
  readonly problems: Map<ConversationId, string>;
  /** Ends listening to the terminals. */
  stopListening: (() => void) | undefined;
}

export function createConversations(): Conversations {
  return { known: new Map(), live: new Map(), byTerminal: new Map(), problems: new Map(), stopListening: undefined };
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

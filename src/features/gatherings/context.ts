/** What conversations need of the hall. */
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { TerminalId } from '../../kernel/terminals/contract.ts';
import type { Conversation, ConversationId, ConversationRow } from './contract.ts';
import type { Relay } from './relay/relay.ts';
import type { TerminalsOf } from './relay/terminals-of.ts';

export type { TerminalFacts, TerminalsOf } from './relay/terminals-of.ts';

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
  /** Of those that are over, as they were listed. */
  readonly rows: Map<ConversationId, ConversationRow>;
  /** Of files that cannot be read, in words for the person. */
  readonly problems: Map<ConversationId, string>;
  /** Ends listening to the terminals. */
  stopListening: (() => void) | undefined;
}

export interface GatheringsContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, EventsContext, ConfigContext {
  readonly terminalsOf: TerminalsOf;
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
  readonly conversations: Conversations;
}

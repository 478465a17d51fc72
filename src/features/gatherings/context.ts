/** What conversations and gatherings need of the hall. */
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { Caller } from '../../kernel/operations/operations.ts';
import type { ProjectName } from '../../kernel/pure/ids.ts';
import type { TerminalId } from '../../kernel/terminals/contract.ts';
import type { FindHistory } from '../search/contract.ts';
import type { Conversation, ConversationId, ConversationRow } from './contract.ts';
import type { Gathering, GatheringId } from './contract/gathering.ts';
import type { GatheringRow } from './contract/gathering-views.ts';
import type { Relay } from './relay/relay.ts';
import type { TerminalFacts, TerminalsOf } from './relay/terminals-of.ts';
import type { SystemPulse } from './rules/ceremony/pulse.ts';

export type { TerminalFacts, TerminalsOf } from './relay/terminals-of.ts';
export type { SystemPulse } from './rules/ceremony/pulse.ts';

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
  /** Who takes part in one that has not ended, or in a gathering. A terminal is in at most one. */
  readonly byTerminal: Map<TerminalId, string>;
  /** Of those that are over, as they were listed. */
  readonly rows: Map<ConversationId, ConversationRow>;
  /** Of files that cannot be read, in words for the person. */
  readonly problems: Map<ConversationId, string>;
  /** Ends listening to the terminals. */
  stopListening: (() => void) | undefined;
}

/** One that runs, or is closed while something of it is still on its way. */
export interface LiveGathering {
  record: Gathering;
  readonly relay: Relay;
  /** What an earlier hall left is taken up; before that words are kept and not handed over. */
  isTakenUp: boolean;
  /** Numbers of those that ended before it was taken up. */
  readonly died: Set<number>;
  /** When the person typed last, by the monotonic clock. */
  typedMs: number | undefined;
  /** Makes its clock look anew; another one after each look. */
  waking: AbortController;
  /** Its harvest is being kept. */
  isClosing: boolean;
  /** Ends its clock. */
  readonly leaving: AbortController;
}

export interface Gatherings {
  /** All that are kept, as they stand. */
  readonly known: Map<GatheringId, Gathering>;
  readonly live: Map<GatheringId, LiveGathering>;
  /** Of those that are over, as they were listed. */
  readonly rows: Map<GatheringId, GatheringRow>;
  /** Of files that cannot be read, and of harvests that cannot be kept, in words for the person. */
  readonly problems: Map<GatheringId, string>;
  /** Ends listening to the terminals. */
  stopListening: (() => void) | undefined;
}

/** The terminals that a gathering brings together. */
export interface SeatsOf {
  /** Names of the ready agents, that can be started. */
  readonly entries: () => readonly string[];
  /** One that runs and that the caller may reach, by name or id. Undefined for none. @throws HallError where several are meant */
  readonly invite: (caller: Caller, given: string) => TerminalFacts | undefined;
  /** All of it, or nothing is left. @throws HallError */
  readonly spawn: (
    caller: Caller,
    wanted: { readonly name: string; readonly entry: string; readonly project: ProjectName },
    /** Told of it before its program is started. */
    onReserved: (id: TerminalId) => Promise<void>,
  ) => Promise<TerminalFacts>;
  /** Does nothing for one that has ended, or is not there. */
  readonly end: (id: TerminalId) => Promise<void>;
}

export interface GatheringsContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, EventsContext, ConfigContext {
  readonly terminalsOf: TerminalsOf;
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
  readonly conversations: Conversations;
  readonly gatherings: Gatherings;
  /** Folder of the rhythms that come with the program; absolute. */
  readonly shippedRhythms: string;
  readonly seats: SeatsOf;
  /** What was said and written of a question before. Never throws. */
  readonly findHistory: FindHistory;
  /** Whoever asks the hall for a model is answered by its rehearsal. */
  readonly isRehearsal: () => boolean;
  /** How the hall stands, for one project. */
  readonly pulseFacts: (project: ProjectName) => Promise<SystemPulse>;
}

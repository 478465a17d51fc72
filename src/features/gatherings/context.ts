/** What conversations need of the hall. */
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { ProjectName } from '../../kernel/pure/ids.ts';
import type { OutgoingMessage, Receipt, TerminalId, TerminalStatus } from '../../kernel/terminals/contract.ts';
import type { Listener } from '../../kernel/terminals/shapes.ts';
import type { Conversations } from './reactions/live.ts';

/** A terminal, as the relay knows it. */
export interface TerminalFacts {
  readonly id: TerminalId;
  /** As it stands over its words: `Ada`. */
  readonly name: string;
  /** Null outside of every project. */
  readonly project: ProjectName | null;
  readonly status: TerminalStatus;
  /** False when its program has ended. */
  readonly isAlive: boolean;
  /** The program may read there. Absolute. */
  readonly restFolder: string;
}

/** The terminals of the hall. */
export interface TerminalsOf {
  readonly list: () => readonly TerminalFacts[];
  readonly find: (id: TerminalId) => TerminalFacts | undefined;
  /** As `deliver` of the kernel: queued in the order of the calls, once for each id. @throws `not_found` */
  readonly deliver: (id: TerminalId, message: OutgoingMessage) => Promise<Receipt>;
  /** What its program said up to now is not told any more. @throws `not_found` */
  readonly forgetUnsaid: (id: TerminalId) => Promise<void>;
  /** Can be called before terminals are joined: from then on nothing is missed. @returns what ends it */
  readonly listen: (listener: Listener) => () => void;
}

export interface GatheringsContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, EventsContext, ConfigContext {
  readonly terminalsOf: TerminalsOf;
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
  readonly conversations: Conversations;
}

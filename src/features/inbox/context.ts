/** What the inbox needs of the hall. */
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { Caller } from '../../kernel/operations/operations.ts';
import type { Waiting, WaitingItem } from './contract.ts';

export type InboxContext = ClockContext &
  LogContext &
  BackgroundContext &
  EventsContext & {
    /** Of each feature by its name: what waits, and what is wrong. */
    readonly waiting: () => readonly { readonly feature: string; readonly ask: Waiting }[];
    readonly problems: () => readonly { readonly feature: string; readonly ask: Waiting }[];
    /** Calls an operation of the hall by its name. */
    readonly call: (caller: Caller, operation: string, input: unknown) => Promise<unknown>;
    readonly memory: InboxMemory;
  };

/** What the inbox remembers while the hall runs. */
export interface InboxMemory {
  problems: readonly WaitingItem[] | undefined;
  /** When they were looked for, by the monotonic clock; undefined: what is known is no longer true. */
  lookedAtMs: number | undefined;
  looking: Promise<void> | undefined;
  /** When an item was told first that does not say itself since when it waits. */
  readonly firstTold: Map<string, string>;
}

export function createInboxMemory(): InboxMemory {
  return { problems: undefined, lookedAtMs: undefined, looking: undefined, firstTold: new Map() };
}

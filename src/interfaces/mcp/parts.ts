/** What the MCP door is made of: handed in by main, so that it knows no feature and no other door. */
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { Caller, OperationRegistry } from '../../kernel/operations/operations.ts';

export type McpContext = BackgroundContext & ClockContext & IdContext & EventsContext & LogContext;

export interface McpParts {
  readonly registry: OperationRegistry;
  /** Of the hall. */
  readonly version: string;
  /** What an operation that may take long is waiting for, in a few words; by name. */
  readonly waits: Readonly<Record<string, string>>;
  /** An operation's answer in words for people. */
  readonly textOf: (operation: string, output: unknown) => string;
  readonly settings?: Partial<McpSettings>;
  /** Somebody has asked which tools there are: from now on they can be used. Throws nothing. */
  readonly onListed?: (caller: Caller) => void;
}

export interface McpSettings {
  /** Of one caller; the one that was idle longest makes room. */
  readonly sessionsOfCaller: number;
  /** Of all agents together; the person's are not among them. */
  readonly sessionsOfAgents: number;
  /** Calls of one session at the same time. */
  readonly callsOfSession: number;
  /** A session ends when nothing was asked for so long. Milliseconds. */
  readonly idleMs: number;
  /** How often it is looked whether sessions have to end. Milliseconds. */
  readonly sweepMs: number;
  /** Between two signs of life while a call runs. Milliseconds; shorter than the HTTP face lets a stream be quiet. */
  readonly keepAliveMs: number;
  /** After so long without a word, progress says that the call still runs. Milliseconds. */
  readonly progressMs: number;
  /** How long a person may think about a question. Milliseconds. */
  readonly askMs: number;
}

export const defaultMcpSettings: McpSettings = {
  sessionsOfCaller: 64,
  sessionsOfAgents: 256,
  callsOfSession: 32,
  idleMs: 30 * 60_000,
  sweepMs: 5_000,
  keepAliveMs: 15_000,
  progressMs: 5_000,
  askMs: 10 * 60_000,
};

/** A stream that is counted among what is open. */
export interface HeldStream {
  /** Aborts when it has to end. */
  readonly signal: AbortSignal;
  /** It has ended. Safe to call twice. */
  leave(): void;
}

/** A request that was let in: place, token and rate were looked at already. */
export interface McpRequest {
  readonly request: Request;
  /** Of a POST: what its JSON says. */
  readonly body: unknown;
  readonly caller: Caller;
  /** One word for the bearer of this token; a session is its own alone. */
  readonly key: string;
  /** Whether the token would be let in now. */
  readonly isStillAdmitted: () => boolean;
  /** Counts one more stream. @throws HallError `limit` */
  readonly open: () => HeldStream;
}

export interface McpDoor {
  /** @throws HallError `limit`, and what is no mistake of the client */
  answer(request: McpRequest): Promise<Response>;
  /** Ends, at once, the sessions whose token counts no more. Without it that is seen some seconds later. */
  endUnadmitted(): void;
  /** Ends all sessions. Safe to call twice. */
  close(): Promise<void>;
}

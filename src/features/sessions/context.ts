/** What the sessions feature needs of the hall. */
import type { AgentDriver, AgentSession, PermissionAnswer } from '../../kernel/agents/contract.ts';
import type { Gateway } from '../../kernel/agents/gateway/gateway.ts';
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { Deferred } from '../../kernel/pure/deferred.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { KnownSecret } from '../../kernel/secrets/find.ts';
import type { MetaContextInfo, SessionInfo, SessionState } from './contract.ts';
import type { SessionHead } from './contract/birth.ts';
import type { AgentName, SessionAgent, SessionId } from './contract/words.ts';
import type { SessionLog } from './store/log.ts';
import type { Removed } from './store/removed.ts';

/** One session as lists know it. Kept in memory for all of them. */
export interface KnownSession {
  readonly id: SessionId;
  readonly head: SessionHead;
  info: SessionInfo;
  /** Why its log cannot be read; such a session is left alone. */
  readonly problem: string | null;
  /** A turn of it runs, or words wait in it: after a start there is something to do. */
  isUnfinished: boolean;
}

/** The turn that is being answered. */
export interface LiveTurn {
  readonly promptId: string;
  /** The person wants it to end. */
  isCancelWanted: boolean;
  /** Ends it now, whatever the agent does. */
  readonly giveUp: AbortController;
  readonly over: Deferred<void>;
}

/** A session whose log is folded. What has no agent and no turn may be let go at any time: the log has it all. */
export interface OpenSession {
  readonly id: SessionId;
  readonly log: SessionLog;
  state: SessionState;
  /** Who named it last. */
  titleBy: 'person' | 'agent' | 'hall';
  agent: AgentSession | undefined;
  /** Its agent is being begun. */
  opening: Promise<void> | undefined;
  pump: Promise<void> | undefined;
  turn: LiveTurn | undefined;
  /** Writes down what was heard of the turn until now. */
  hearing: (() => Promise<void>) | undefined;
  /** Questions of the agent by their ids, each with what gives it its answer. */
  readonly asked: Map<string, (answer: PermissionAnswer) => void>;
  /** Secrets that were said in it: masked in whatever its agent says. */
  known: readonly KnownSecret[];
  /** The line of the list as it was told last, without its time. */
  told: string;
  /** It is being removed: nothing is begun in it any more. */
  isGone: boolean;
}

/** What this process knows. A cache: the logs tell the truth. */
export interface SessionDesk {
  readonly known: Map<SessionId, KnownSession>;
  /** The least recently used first. */
  readonly open: Map<SessionId, OpenSession>;
  /** Let go of, though somebody may still hold it: there is one object of a log, or two would number its lines. */
  readonly letGo: Map<SessionId, WeakRef<OpenSession>>;
  /** What is known of sessions that were removed. */
  readonly removed: Removed[];
  /** Reads the heads of all logs, once. */
  reading: Promise<void> | undefined;
}

export interface SessionsContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, EventsContext, ConfigContext {
  readonly sessionDesk: SessionDesk;
  readonly gateway: Pick<Gateway, 'grant' | 'revoke'>;
  /** @throws HallError `not_found` for a name that no agent has */
  readonly driverOf: (agent: string) => AgentDriver;
  readonly defaultAgent: () => AgentName;
  readonly listAgents: () => Promise<readonly SessionAgent[]>;
  /** Masks secrets in what is written down. */
  readonly scrub: (text: string) => Promise<string>;
  /** The contexts of a project, as their registry has them. */
  readonly metaContextsOf: (project: string) => readonly MetaContextInfo[];
  /** Absolute; folders of skills that agents are to know. */
  readonly plugins: readonly string[];
}

export function createSessionDesk(): SessionDesk {
  return { known: new Map(), open: new Map(), letGo: new Map(), removed: [], reading: undefined };
}

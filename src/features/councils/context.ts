/** What the councils feature needs of the hall. */
import type { AgentDriver } from '../../kernel/agents/contract.ts';
import type { Gateway } from '../../kernel/agents/gateway/gateway.ts';
import type { Sandbox } from '../../kernel/agents/sandbox/contract.ts';
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { HallError } from '../../kernel/pure/errors.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { HallToolboxes, WorkerCatalogue } from '../../kernel/workers/contract.ts';
import type { CouncilDrafts, CouncilSession } from './contract.ts';
import type { Spoken } from './rules/landing.ts';
import type { SpeakStep } from './rules/facts.ts';
import type { CouncilRef } from './store/place.ts';

/** What a turn tells while it is made. Nothing of it is kept. */
export interface SpeakHooks {
  /** Aborts when the turn is to end: the person interrupts it, or the hall stops. The outcome is `interrupted` then. */
  readonly signal: AbortSignal;
  /** Begins the turn, or begins it anew; counts from 1. */
  readonly onAttempt: (attempt: number) => void;
  /** More words, masked. */
  readonly onWords: (text: string) => void;
  readonly onTool: (name: string, subject: string) => void;
}

/** Who makes the agents speak; main joins `turns/`, tests give their own. None of them throws for what an agent did. */
export interface CouncilTurns {
  readonly speak: (
    ctx: CouncilsContext,
    ref: CouncilRef,
    session: CouncilSession,
    step: SpeakStep,
    hooks: SpeakHooks,
  ) => Promise<Spoken>;
  /** What is to be reviewed. @throws `unavailable` where no agent can be had; drafts of the engine's own otherwise */
  readonly draft: (
    ctx: CouncilsContext,
    ref: CouncilRef,
    session: CouncilSession,
    signal: AbortSignal,
  ) => Promise<CouncilDrafts>;
}

/** What runs in this process for one council. Nothing here is needed to go on after a restart. */
export interface LiveCouncil {
  /** The one loop that walks it; undefined when none runs. */
  runner: Promise<void> | undefined;
  /** There may be something to do: the loop looks once more before it ends. */
  isWanted: boolean;
  /** What a load reads anew was read. */
  isLoaded: boolean;
  /** Ends the turn that runs. */
  turn: AbortController | undefined;
  /** The person wants the running turn to end, and the council to pause. */
  isInterruptWanted: boolean;
  /** Who speaks now, for those who come to look. */
  speaking: { readonly speaker: string; readonly number: number; readonly kind: string; words: string } | undefined;
  /** Why its file could not be written, in words for the person; the file itself cannot say it. */
  trouble: string | undefined;
}

export interface KnownSession {
  /** Of the file: it is read anew when that is another. */
  readonly sign: string;
  readonly session: CouncilSession | undefined;
  /** Why it cannot be read. */
  readonly problem: HallError | undefined;
}

export interface CouncilsContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, EventsContext, ConfigContext {
  readonly driver: AgentDriver;
  readonly gateway: Gateway;
  /** What agents run in, or why in nothing. */
  readonly sandbox: Pick<Sandbox, 'state'>;
  /** The workers as they are on disk now. */
  readonly catalogue: () => Promise<WorkerCatalogue>;
  /** Toolboxes of the hall; where it is not given, there are none. */
  readonly hallToolboxes?: HallToolboxes;
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
  /** Folders where the hall writes records while agents speak, relative to a checkout. */
  readonly recordFolders: () => readonly string[];
  /** Folder of the feature's prompts, absolute. */
  readonly councilPrompts: string;
  readonly turns: CouncilTurns;
  /** By `keyOf`. */
  readonly liveCouncils: Map<string, LiveCouncil>;
  /** Session files as they were read last, by path. A cache: the files tell the truth. */
  readonly knownSessions: Map<string, KnownSession>;
}

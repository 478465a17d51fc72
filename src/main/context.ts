/** What the parts of a running hall share. Each part declares the pieces that it needs; this is all of them. */
import type { AgentDriver } from '../kernel/agents/contract.ts';
import type { Gateway } from '../kernel/agents/gateway/gateway.ts';
import type { Sandbox } from '../kernel/agents/sandbox/contract.ts';
import type { BackgroundContext } from '../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../kernel/clock/clock.ts';
import type { EventsContext } from '../kernel/events/events.ts';
import type { LocksContext } from '../kernel/locks/locks.ts';
import type { LogContext } from '../kernel/log/log.ts';
import type { Problem } from '../kernel/artifacts/parse.ts';
import type { ConfigContext, OpenConfig } from '../kernel/projects/config.ts';
import type { WorkerCatalogue } from '../kernel/workers/contract.ts';

export type KernelContext = ClockContext &
  IdContext &
  LogContext &
  LocksContext &
  BackgroundContext &
  EventsContext &
  ConfigContext & {
    /** Edits config.yaml; in force when it resolves. */
    readonly changeConfig: OpenConfig['changeConfig'];
    /** The first thing at a stop: all background work is asked to end, so that no turn begins any more. */
    readonly askToEnd: () => void;
    /** What of config.yaml cannot be understood. */
    readonly configProblems: () => readonly Problem[];
  };

/** Agents of sessions, by their names. */
export interface SessionAgents {
  /** @throws HallError `not_found` for a name that no agent has */
  readonly driverOf: (name: string) => AgentDriver;
  readonly list: () => Promise<readonly KnownAgent[]>;
}

export interface KnownAgent {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly kind: 'sdk' | 'acp';
  /** From the settings. */
  readonly isOwn: boolean;
  readonly isInstalled: boolean;
  /** Else it brings a model of its own. */
  readonly takesGateway: boolean;
  /** How to get it, where it is not installed. */
  readonly install: string;
}

export type HallContext = KernelContext & {
  readonly driver: AgentDriver;
  readonly agents: SessionAgents;
  readonly gateway: Gateway;
  /** What the agents' programs run in; `state()` tells whether they do. */
  readonly sandbox: Sandbox;
  /** The workers as they are on disk now. */
  readonly catalogue: () => Promise<WorkerCatalogue>;
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
};

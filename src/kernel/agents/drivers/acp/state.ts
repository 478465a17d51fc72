/** What the sessions of one ACP driver share, and what is known of each. Shapes only. */
import type { Deferred } from '../../../pure/deferred.ts';
import type { AgentChoice, AgentCommand, AgentEvent, OpenOptions, PromptPart } from '../../contract.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';
import type { Sandbox } from '../../sandbox/contract.ts';
import type { Channel } from '../channel.ts';
import type { readSkills } from '../claude/skills.ts';
import type { Starts } from '../claude/starts.ts';
import type { AgentOutcome, AgentProcess } from './agent.ts';
import type { Offer } from './choices.ts';
import type { Door } from './door.ts';
import type { AcpEntry, AcpSettings } from './entry.ts';
import type { MapState } from './map.ts';
import type { Meter } from './meter.ts';

export interface AcpDriverSettings {
  /** What config.yaml says of this agent. */
  readonly agent: AcpSettings;
  /** Processes that may start at the same time. */
  readonly maxColdStarts: number;
  /** Tries after a failed model call, where the agent can be told. */
  readonly maxRetries: number;
}

export interface AcpDriverOptions {
  readonly entry: AcpEntry;
  /** Read at every start, so that a change of the configuration takes effect. */
  readonly settings: () => AcpDriverSettings;
  /** Absolute; of this agent alone: its state in each project, which stays. Made where it is missing. */
  readonly folder: string;
  /** Absolute; one small file for each live process; see `stopLeftoverAgents`. */
  readonly recordsDir: string;
  /** What every process of the agent runs in. Left out: none. */
  readonly sandbox?: Sandbox;
  /** How long an agent may take to answer the first request. Milliseconds; 60,000 where it is left out. */
  readonly handshakeMs?: number;
}

export interface DriverState extends AcpDriverOptions {
  readonly starts: Starts;
  readonly slots: Map<string, Slot>;
  readonly sessions: Set<SessionState>;
  door: Promise<Door> | undefined;
}

/** A process for all sessions that work in the same place under the same rules. */
export interface Slot {
  readonly key: string;
  readonly users: Set<SessionState>;
  readonly starting: Promise<AgentOutcome>;
  process: AgentProcess | undefined;
  /** By the agent's own ids: what it has loaded. */
  readonly live: Map<string, LiveSession>;
  /** What it told of sessions before it gave their ids. */
  early: { readonly sessionId: string; readonly params: unknown }[];
  earlyBytes: number;
  /** Requests for files whose answers it has not taken yet. */
  readonly reads: Set<unknown>;
  /** Sessions that are being taken up. */
  readonly attaching: Map<string, Promise<Attached>>;
  /** Ends its way to the model. */
  readonly dismiss: () => void;
}

/** A session of the agent as it stands in its process. */
export interface LiveSession {
  readonly id: AgentSessionId;
  readonly slot: Slot;
  readonly owner: SessionState;
  readonly offer: Offer;
  commands: readonly AgentCommand[];
  title: string;
  hasBegun: boolean;
  contextUsed: number | null;
  contextWindow: number | null;
  /** US dollars over its whole life, by its own count. */
  costUsd: number | null;
}

export type Attached = { readonly live: LiveSession } | Extract<AgentOutcome, { failure: unknown }>;

export type Skills = Awaited<ReturnType<typeof readSkills>>;

/** One prompt and what comes of it. */
export interface Turn {
  readonly open: OpenOptions;
  readonly entry: AcpEntry;
  readonly events: Channel<AgentEvent>;
  readonly map: MapState;
  readonly meter: Meter;
  readonly prompt: string | readonly PromptPart[];
  /** Aborts when the turn is to be given up: nobody waits for an answer to a question of it any more. */
  readonly givenUp: AbortController;
  /** Aborts when the last event has been given. */
  readonly over: AbortController;
  /** Resolves when the agent is done with it too. */
  readonly gone: Deferred<void>;
  live: LiveSession | undefined;
  /** Where the prompt was sent. */
  process: AgentProcess | undefined;
  /** Why the hall itself ended the turn, if it did. */
  asked: 'nothing' | 'interrupt' | 'silence' | 'limit' | 'flood';
  silentMs: number;
  /** Questions that wait for a person. */
  questions: number;
  /** When the agent was last heard of. Monotonic milliseconds. */
  lastLifeMs: number;
  /** Bytes of its updates. */
  bytes: number;
  /** US dollars at the start, by the agent's own count. */
  costBefore: number | null;
}

/** A session of the hall. */
export interface SessionState {
  readonly driver: DriverState;
  readonly open: OpenOptions;
  turn: Turn | undefined;
  isClosed: boolean;
  slot: Slot | undefined;
  /** Work for it that is under way beside its turn. */
  readonly pending: Set<Promise<unknown>>;
  /** Of the folders that ship with the hall; read when its agent is reached first. */
  skills: Skills;
  /** Tokens of the door. */
  toolToken: string | undefined;
  callToken: string | undefined;
  /** As the reader knows them. */
  toldChoices: readonly AgentChoice[] | undefined;
  toldCommands: readonly AgentCommand[];
  toldTitle: string;
}

/** What is folded from a session's log, and what a page gets of it. Types only, so that pages carry no schemas. */
import type { ProjectName } from '../../../kernel/pure/ids.ts';
import type { AgentName, Choice, Diff, ImageRef, SessionFrom, SessionId, SessionUsage, StopReason } from './words.ts';

export interface ToolPart {
  readonly type: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly title: string;
  readonly kind: string;
  readonly input: unknown;
  readonly state: 'running' | 'done' | 'failed';
  readonly output: string;
  readonly summary: string;
  readonly diffs: readonly Diff[];
}

/** A question of the agent whether it may do something. */
export interface PermissionPart {
  readonly type: 'permission';
  readonly requestId: string;
  readonly callId: string;
  readonly name: string;
  readonly title: string;
  readonly input: unknown;
  readonly diffs: readonly Diff[];
  readonly options: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';
  }[];
  /** null: it waits for the person. */
  readonly outcome: { readonly optionId: string } | 'cancelled' | null;
}

export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | ToolPart
  | PermissionPart;

export interface PersonMessage {
  readonly role: 'person';
  /** Sequence number of its `PromptSubmitted`: the message's identity within its session. */
  readonly seq: number;
  readonly at: string;
  readonly promptId: string;
  readonly text: string;
  readonly images: readonly ImageRef[];
  /** `queued`: waits for its turn. */
  readonly state: 'queued' | 'sent' | 'withdrawn';
}

export interface AgentMessage {
  readonly role: 'agent';
  /** Sequence number of its `TurnStarted`: the message's identity within its session. */
  readonly seq: number;
  readonly at: string;
  readonly promptId: string;
  readonly parts: readonly MessagePart[];
  readonly state: 'running' | StopReason;
  readonly error: { readonly errorClass: string; readonly message: string; readonly hint: string } | null;
  /** While it runs: the model failed in a passing way and is asked again. */
  readonly retry: { readonly attempt: number; readonly errorClass: string; readonly at: string } | null;
  readonly usage: SessionUsage | null;
  /** The agent's own session was lost, and a fresh one was told in short what was said before. */
  readonly renewed: boolean;
  /** When it ended; null while it runs. */
  readonly endedAt: string | null;
}

export type SessionMessage = PersonMessage | AgentMessage;

/** Folded from a log; a message that an event does not touch stays the same object. */
export interface SessionState {
  /** Of the last event that is folded in; 0 for none. */
  readonly seq: number;
  readonly id: SessionId;
  readonly project: ProjectName;
  readonly agent: AgentName;
  readonly folder: string;
  readonly title: string;
  readonly createdAt: string;
  readonly lastAt: string;
  readonly from: SessionFrom | null;
  readonly metaContext: { readonly id: string; readonly name: string } | null;
  readonly agentSessionId: string | null;
  readonly messages: readonly SessionMessage[];
  readonly plan: readonly { readonly text: string; readonly status: string }[];
  readonly choices: readonly Choice[];
  readonly commands: readonly { readonly name: string; readonly description: string; readonly hint: string }[];
  /** Of all turns together. */
  readonly usage: SessionUsage | null;
  /** Paths that tool calls told to have changed, as the agent named them, in the order of their first change. */
  readonly changedFiles: readonly string[];
  readonly isClosed: boolean;
}

/** One line of a list. */
export interface SessionInfo {
  readonly id: SessionId;
  readonly title: string;
  readonly agent: AgentName;
  readonly createdAt: string;
  readonly lastAt: string;
  /** `waiting`: an answer of the person is wanted. */
  readonly state: 'idle' | 'running' | 'waiting' | 'closed' | 'unreadable';
  /** null: it stands alone. */
  readonly metaContextId: string | null;
  readonly from: SessionFrom | null;
}

/** Of a project: a name under which sessions belong together, in the order in which they were added. */
export interface MetaContextInfo {
  readonly id: string;
  readonly name: string;
  /** All that were added, also those that are gone. */
  readonly sessionIds: readonly string[];
}

/** The data of the event `session.list`: all that the picker shows. */
export interface SessionList {
  readonly project: ProjectName;
  /** Newest first. */
  readonly sessions: readonly SessionInfo[];
  readonly metaContexts: readonly MetaContextInfo[];
}

/** A session as a page gets it: the newest messages, and where the events go on. */
export interface SessionView {
  /** `messages`: the newest; all others of the state are whole. */
  readonly session: SessionState;
  /** How many messages came before those. */
  readonly earlier: number;
  /** Of the hall's stream, for what comes after. */
  readonly cursor: string;
}

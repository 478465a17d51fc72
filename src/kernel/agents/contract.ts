/**
 * The contract between the hall and any agent, whatever program it is. A driver opens a session; a prompt gives a
 * stream of `AgentEvent`s that ends with exactly one `end` or `error`. Failures arrive as events, not as throws:
 * only a misuse of the contract itself (two prompts at once, a prompt after `close`) throws a `HallError`.
 *
 * All drivers pass `conformance.ts`.
 */
import type { ActivityRef, AgentSessionId } from '../pure/ids.ts';
import type { Tool } from './tools.ts';

/** What went wrong, in words that decide what to do next. */
export type AgentErrorClass =
  | 'auth'
  | 'rate_limit'
  | 'overloaded'
  | 'expired_session'
  | 'max_turns'
  | 'budget'
  | 'aborted'
  | 'crashed'
  | 'protocol';

/** What a turn used. Tokens; US dollars where the price is known, else null. */
export interface AgentUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number | null;
  /** Tokens that the model can hold, and how many of them the last call filled; null where the agent does not say. */
  readonly contextWindow: number | null;
  readonly contextUsed: number | null;
}

/** A change of a file that a tool call tells of. Texts are whole files or the changed part, as the agent gives them. */
export interface AgentDiff {
  /** As the agent names it: absolute, or below its working directory. Never opened by the hall. */
  readonly path: string;
  /** null: the file is new. */
  readonly oldText: string | null;
  readonly newText: string;
}

/** Something that the person may choose for a session: its mode, its model … */
export interface AgentChoice {
  readonly id: string;
  readonly name: string;
  readonly kind: 'mode' | 'model' | 'other';
  /** Id of the option that counts now. */
  readonly current: string;
  readonly options: readonly { readonly id: string; readonly name: string; readonly description: string }[];
}

/** A command that the agent knows by itself: typed as `/name words`. */
export interface AgentCommand {
  readonly name: string;
  readonly description: string;
  /** What may follow it; empty for nothing. */
  readonly hint: string;
}

export type AgentEvent =
  | { readonly type: 'session'; readonly sessionId: AgentSessionId }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  /** Each call is followed by exactly one `tool_result` with its id, also when the turn ends first. */
  | {
      readonly type: 'tool_call';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      /** What it does in the agent's own words, where it says so: "Read src/main.ts". */
      readonly title?: string;
      /** read, edit, delete, move, search, execute, think, fetch, other. */
      readonly kind?: string;
    }
  /** More of a call that runs: words that came out so far (to be added), changes it makes, a better title. */
  | {
      readonly type: 'tool_update';
      readonly callId: string;
      readonly text: string;
      readonly diffs?: readonly AgentDiff[];
      readonly title?: string;
    }
  | {
      readonly type: 'tool_result';
      readonly callId: string;
      readonly name: string;
      readonly ok: boolean;
      /** The output as text, at most 2,000 characters; longer output is cut with a mark. */
      readonly summary: string;
      readonly diffs?: readonly AgentDiff[];
    }
  | { readonly type: 'plan'; readonly entries: readonly { readonly text: string; readonly status: string }[] }
  | { readonly type: 'mode'; readonly mode: string }
  /** What may be chosen now, all of it; told at the start of a session and whenever it is another. */
  | { readonly type: 'choices'; readonly choices: readonly AgentChoice[] }
  /** The commands that the agent knows now, all of them. */
  | { readonly type: 'commands'; readonly commands: readonly AgentCommand[] }
  /** A title that the agent gave its session. */
  | { readonly type: 'title'; readonly title: string }
  | {
      readonly type: 'permission';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      readonly answer: 'allowed' | 'denied';
      readonly reason: string;
    }
  /** The agent tries a model call again after a passing failure. */
  | { readonly type: 'retry'; readonly attempt: number; readonly errorClass: AgentErrorClass; readonly delayMs: number }
  /** Once, right before the last event; left out when no model call was counted. */
  | { readonly type: 'usage'; readonly usage: AgentUsage }
  /** The last event of a turn that went well, or that was interrupted as asked. */
  | { readonly type: 'end'; readonly reason: 'done' | 'interrupted'; readonly sessionId: AgentSessionId | null }
  /** The last event of a turn that failed. `hint` is the next thing for the person to do. */
  | {
      readonly type: 'error';
      readonly errorClass: AgentErrorClass;
      readonly message: string;
      readonly hint: string;
      readonly retryAfterMs: number | null;
      readonly sessionId: AgentSessionId | null;
    };

export interface AgentLimits {
  /** Model calls in one turn. */
  readonly maxTurns: number;
  /** US dollars in one turn; null for none. */
  readonly maxBudgetUsd: number | null;
  /** Output tokens of one model call; left out: what the agent's program takes for its model. */
  readonly maxOutputTokens?: number;
  /** A turn with no sign of life (no event, no tool in flight) for so long ends as `crashed`. Milliseconds. */
  readonly silenceMs: number;
}

/** What the agent's own file and shell tools may touch. Enforced for every call, not asked of the model. */
export interface AgentAccess {
  /** Absolute; reads and writes stay below it. */
  readonly root: string;
  readonly write: boolean;
  /** Folders below the root that it is not to look into; they exist. Absolute. */
  readonly hidden?: readonly string[];
}

/** A part of a prompt. */
export type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data`: base64. PNG, JPEG, GIF or WebP. */
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string };

/** The agent asks whether it may do something. */
export interface PermissionRequest {
  readonly callId: string;
  readonly name: string;
  readonly title: string;
  readonly input: unknown;
  readonly diffs: readonly AgentDiff[];
  /** As the agent offers them; at least one of each: an allowing and a refusing one. */
  readonly options: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';
  }[];
}

/** What is asked of an `AbortSignal` here; the platform's own are such. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The chosen option, or that nobody answers any more: the turn was interrupted. */
export type PermissionAnswer = { readonly optionId: string } | 'cancelled';

/** An MCP server that the agent is to use: Streamable HTTP. */
export interface McpServer {
  readonly name: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** How the agent reaches its model: always the gateway, with a token of this activity. */
export interface ModelAccess {
  readonly baseUrl: string;
  readonly token: string;
  /** The name that the agent's program is told; the gateway maps it to the configured model. */
  readonly model: string;
}

export interface OpenOptions {
  readonly activity: ActivityRef;
  /** Absolute; the agent's working directory. */
  readonly cwd: string;
  readonly systemPrompt: string;
  /** The hall's own tools, called in process. */
  readonly tools: readonly Tool[];
  /** Names of the agent program's own tools that it may use: exactly these. */
  readonly builtInTools: readonly string[];
  readonly access: AgentAccess;
  readonly limits: AgentLimits;
  readonly model: ModelAccess;
  /** Absolute, exists, 0700, of this activity alone: the agent program's own state and temporary files. */
  readonly configDir: string;
  readonly tmpDir: string;
  /** In a sandbox: `model-only` leaves nothing but the model. Left out: what config.yaml says. */
  readonly network?: 'full' | 'model-only';
  /**
   * Asks the person before the agent does what its mode does not allow by itself. Resolves also after hours; `signal`
   * says that the turn is over and nobody waits any more. Left out: `access` alone decides, and nobody is asked.
   */
  readonly ask?: (request: PermissionRequest, signal: StopSignal) => Promise<PermissionAnswer>;
  readonly mcpServers?: readonly McpServer[];
  /** Absolute; folders that ship with the hall: plugins whose skills and commands the agent is to know, where it can. */
  readonly plugins?: readonly string[];
  /** Asked after each tool call: what the agent is to read with its answer, once; undefined for nothing. */
  readonly aside?: () => Promise<string | undefined>;
}

export interface AgentSession {
  /**
   * Runs one turn. `resume` continues the session of that id; without it a new one begins. One turn at a time:
   * a second call before the first stream has ended throws `conflict`. Leaving the stream early interrupts the turn.
   */
  prompt(
    prompt: string | readonly PromptPart[],
    options?: { readonly resume?: AgentSessionId },
  ): AsyncIterable<AgentEvent>;
  /**
   * Makes the agent's own session before anything is said in it; a first prompt resumes it by that id. Costs no model call.
   * Left out where a driver cannot. @throws HallError `unavailable` when the agent cannot be started or refuses
   */
  begin?(): Promise<{ readonly sessionId: AgentSessionId; readonly choices: readonly AgentChoice[] }>;
  /**
   * Chooses an option for the session of that id, from the next turn on at the latest. Left out where there is nothing to
   * choose. @throws HallError `invalid` for what is not offered
   * @returns what may be chosen now
   */
  choose?(sessionId: AgentSessionId, choice: string, option: string): Promise<readonly AgentChoice[]>;
  /** Says that the next turn will resume `sessionId`, so that the driver can make ready. Never fails, never costs a model call. */
  prepare(sessionId: AgentSessionId): void;
  /** Ends the running turn soon; its stream ends with `end: interrupted`. Without a running turn does nothing. */
  interrupt(): Promise<void>;
  /** Interrupts, ends every process of this session and waits for them. Safe to call twice. */
  close(): Promise<void>;
}

export interface AgentDriver {
  readonly name: string;
  open(options: OpenOptions): AgentSession;
  /** Closes every session that is still open. */
  stop(): Promise<void>;
}

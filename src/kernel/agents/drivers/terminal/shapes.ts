/**
 * Ready entries for programs in terminals: how each is found, started and listened to. Shapes only; what makes a
 * terminal of an entry is in `prepare.ts`.
 */
import type { ProjectName } from '../../../pure/ids.ts';
import type { Manner, Signal, TerminalId } from '../../../terminals/contract.ts';
import type { TerminalKind, TerminalRequest } from '../../../terminals/shapes.ts';
import type { ModelAccess } from '../../contract.ts';
import type { SandboxKind } from '../../sandbox/contract.ts';

/**
 * What the program's own tools may do. `free`: all that its sandbox lets through, unasked. `ask`: it asks, since somebody
 * sits there. `none`: what it would have to ask for is denied.
 */
export type Permissions = 'free' | 'ask' | 'none';

/** What an entry's start is made of. Paths are absolute. */
export interface EntryPlace {
  /** Where the program works. */
  readonly cwd: string;
  /** Of this terminal alone, 0700. */
  readonly configDir: string;
  readonly tmpDir: string;
  /** Where its way to the model is; undefined for a program that cannot take the gateway's. */
  readonly model: ModelAccess | undefined;
  /** The hall's own MCP door, where it is open to it; its environment says it too, and the token. */
  readonly mcpUrl: string | undefined;
  /** Names of the variables that the person gives it of the hall's environment, and that are there. */
  readonly variables: readonly string[];
  readonly permissions: Permissions;
  readonly maxRetries: number;
}

export interface EntryFile {
  /** Below `configDir`. */
  readonly path: string;
  readonly text: string;
}

export interface EntryStart {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written before the start, 0600. */
  readonly files: readonly EntryFile[];
}

export interface TerminalEntry {
  /** `claude`, `shell`, … */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** An agent's program: sandboxed where there is a sandbox, and no other program's words start it. */
  readonly isAgent: boolean;
  /** It speaks the Messages API, so that its model is reached through the gateway and no credential is shown to it. */
  readonly takesGateway: boolean;
  /** It opens a session at the hall's MCP door when it starts, and may be ready for words before that is open. */
  readonly takesTools?: boolean;
  readonly manner: Manner;
  /** Makes a signal of what its hook wrote; undefined for what says nothing. Throws nothing that matters. */
  readonly readSignal?: ((json: unknown) => Signal | undefined) | undefined;
  /** Files of a repository that it takes settings from, commands among them, and cannot be told to leave. */
  readonly obeys?: readonly string[];
  /** Its program: a name on PATH, or a path; undefined where it is not there. */
  readonly program: () => string | undefined;
  readonly start: (place: EntryPlace) => EntryStart;
}

/** What the person says of an entry in config.yaml: another program for a ready one, or one of his own. */
export interface EntrySettings {
  /** The program and what it is given before the entry's own arguments. */
  readonly command?: readonly [string, ...string[]] | undefined;
  /** The ready entry that it behaves like; `any` where it is left out. */
  readonly like?: string | undefined;
  /** Names of variables of the hall's own environment that it gets: a key that the gateway cannot stand for, mostly. */
  readonly variables?: readonly string[] | undefined;
}

export interface TerminalAgentRequest {
  readonly id: TerminalId;
  readonly project: ProjectName;
  /** Of the terminal alone; made where it is missing. Absolute. */
  readonly folder: string;
  /** Where the program works: all that it sees of the person's files, where it is sandboxed. Absolute. */
  readonly cwd: string;
  /** Whether it may write there. Held where it is sandboxed. */
  readonly write: boolean;
  /** The person wants none. Never by an agent's words. */
  readonly unsandboxed?: boolean | undefined;
  /** Whether somebody is there to answer its questions. Where nobody is, it runs in a sandbox, whatever it is, or not at all. */
  readonly isAttended: boolean;
  /** The person's own words in place of the entry's program. */
  readonly command?: readonly [string, ...string[]] | undefined;
  /** The hall's own MCP door, and the token of this terminal. */
  readonly mcp?: { readonly url: string; readonly token: string } | undefined;
  /** Stands in the environment of all that belongs to this terminal. */
  readonly mark: string;
  /** A name in config.yaml; left out: the default one. */
  readonly modelName?: string | undefined;
  readonly cols?: number | undefined;
  readonly rows?: number | undefined;
}

/** What the next hall needs to take the terminal up again: to be kept where only the person reads (0600). */
export interface KeptAgent {
  readonly entry: string;
  /** Of the gateway. The program has it; the next gateway has to know it. */
  readonly modelToken?: string | undefined;
  readonly modelName?: string | undefined;
  /** Ports of loopback that lead out of its sandbox; none where it needs no such way. */
  readonly ports: readonly number[];
}

export interface PreparedTerminal {
  readonly request: TerminalRequest;
  readonly kept: KeptAgent;
  /** `none`: it runs with the rights of the hall. `reason`: why, or what it is given that nobody should give. A sentence. */
  readonly sandbox: { readonly kind: SandboxKind; readonly reason: string };
  /** When the program has ended, or could not be started: token revoked, folders removed. Safe to call twice. */
  readonly leave: () => Promise<void>;
}

/** A terminal of an earlier hall, taken up. */
export interface RejoinedTerminal {
  readonly kind: TerminalKind;
  readonly leave: () => Promise<void>;
}

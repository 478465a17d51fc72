/** Entries for agents that speak the Agent Client Protocol: how each is found and started. Shapes only. */
import type { ModelAccess, OpenOptions } from '../../contract.ts';

/** What an entry's start is made of. Paths are absolute. */
export interface AcpPlace {
  readonly cwd: string;
  /** Of this agent in this project alone, 0700. It stays, so that sessions can be taken up again. */
  readonly configDir: string;
  readonly tmpDir: string;
  /** The way to its model: the hall's own door. */
  readonly model: ModelAccess;
  /** Whether somebody answers its questions; else what it would ask for is decided by what it may touch. */
  readonly isAttended: boolean;
  readonly maxRetries: number;
  /** Names of variables of the hall's own environment that it gets and that are there. */
  readonly variables: readonly string[];
}

export interface AcpStart {
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written below `configDir` before the start, 0600. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

export interface AcpEntry {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Its model is reached through the gateway: it speaks the Messages API, and no credential is shown to it. */
  readonly takesGateway: boolean;
  /** Program and arguments. */
  readonly command: readonly [string, ...string[]];
  /** What to type to get the program. */
  readonly install: string;
  /** What to do when its model does not know it. */
  readonly signIn: string;
  readonly start: (place: AcpPlace) => AcpStart;
  /** What its sessions are told beyond the protocol, in the protocol's own place for that. */
  readonly metaOf?: (open: OpenOptions, token: string) => Readonly<Record<string, unknown>>;
  /** Calls of its model without tools are its own business, a title mostly: no steps of the turn. */
  readonly hasAsides?: boolean;
  /** Whether `metaOf` carries the system prompt; else it goes before the first words of a session. */
  readonly carriesSystemPrompt?: boolean;
}

/** What the person says of an agent in config.yaml: another program for a ready one, or one of his own. */
export interface AcpSettings {
  readonly command?: readonly [string, ...string[]] | undefined;
  readonly title?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of variables of the hall's own environment that it gets: a key that the gateway cannot stand for, mostly. */
  readonly variables?: readonly string[] | undefined;
}

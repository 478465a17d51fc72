/** What the terminals feature needs of the hall. */
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { ProjectName } from '../../kernel/pure/ids.ts';
import type { Receipt, TerminalId, TerminalStatus } from '../../kernel/terminals/contract.ts';
import type { Listener, TerminalKind, TerminalRequest } from '../../kernel/terminals/shapes.ts';
import type { Terminals } from '../../kernel/terminals/terminals.ts';
import type { TerminalEvents, TerminalSandbox } from './contract.ts';
import type { TerminalRecord } from './store.ts';

export interface ProgramAsked {
  readonly id: TerminalId;
  /** A ready entry's name; null for any other command. */
  readonly entry: string | null;
  /** Of an entry the words behind its name; else the whole command. */
  readonly words: readonly string[];
  readonly project: ProjectName | null;
  /** Absolute; a folder that is there. */
  readonly cwd: string;
  readonly wantsSandbox: boolean;
  readonly isByAgent: boolean;
  /** In `cwd`; of a program in a sandbox. */
  readonly mayWrite: boolean;
  /** Of its own, absolute: removed when the terminal is forgotten. */
  readonly folder: string;
  /** Stands in the environment of all that belongs to it. */
  readonly mark: string;
  /** The hall's MCP door with its token; null where nothing is open to it. */
  readonly mcp: { readonly url: string; readonly token: string } | null;
  readonly cols: number | undefined;
  readonly rows: number | undefined;
}

/** A program that is ready to be started. */
export interface ProgramReady {
  readonly request: TerminalRequest;
  readonly sandbox: TerminalSandbox;
  /** What the next hall needs to take it up again: plain data, for the 0600 record. */
  readonly kept: unknown;
  /** Takes away what was made for it, when it has ended or was not started. Safe to call twice. */
  readonly leave: () => Promise<void>;
}

export interface EntryFacts {
  readonly name: string;
  /** For people. */
  readonly about: string;
  /** Agents may start it. */
  readonly isAgent: boolean;
  /** What is typed there is run as commands. */
  readonly isShell?: boolean;
}

/** The programs that terminals run. */
export interface Programs {
  readonly entries: () => readonly EntryFacts[];
  /** @throws HallError for a program that is not there, or a sandbox that is required and is not */
  readonly prepare: (asked: ProgramAsked) => Promise<ProgramReady>;
  /** Takes up one that an earlier hall prepared. */
  readonly rejoin: (
    record: Pick<TerminalRecord, 'id' | 'entry' | 'project' | 'kept'>,
    folder: string,
  ) => Promise<{ readonly kind: TerminalKind; readonly leave: () => Promise<void> }>;
}

/** The conversations of the hall, as far as terminals take part. */
export interface Conversing {
  /** Id of the conversation that it is in; null for none. */
  readonly of: (terminal: TerminalId) => string | null;
  /**
   * Delivers the words into `to`, then carries what each says to the other.
   * @throws HallError where one of them is in a conversation already
   */
  readonly openDirect: (ask: {
    readonly from: TerminalId;
    readonly to: TerminalId;
    readonly message: string;
  }) => Promise<{ readonly id: string; readonly message: string; readonly receipt: Receipt }>;
}

/** The hall's tmux server, opened when it is needed. */
export interface HallTerminals {
  /** Undefined until something was opened. */
  readonly now: () => Terminals | undefined;
  /** @throws `unavailable` where there is no tmux */
  readonly open: () => Promise<Terminals>;
  /** Whether a server of an earlier hall runs. */
  readonly isUp: () => Promise<boolean>;
  /** Also before it is opened: nothing is missed. @returns what ends it */
  readonly listen: (listener: Listener) => () => void;
  /** Ends the server where nothing runs in it; lets go of it else. */
  readonly close: (hasLiving: boolean) => Promise<void>;
  /** Absolute. */
  readonly socket: string;
}

/** One that lives, as this process knows it. */
export interface LiveEntry {
  readonly id: TerminalId;
  readonly kind: TerminalKind;
  readonly leave: () => Promise<void>;
  status: TerminalStatus;
  question: string | null;
  /** Since when it has this status, ISO 8601. */
  since: string;
}

/** What this process holds of terminals; the files tell the truth. */
export interface Desk {
  /** The living, and the ended of the last days. */
  readonly records: Map<TerminalId, TerminalRecord>;
  readonly live: Map<TerminalId, LiveEntry>;
  /** By terminal: when whoever started it was told of its turns, and the id of what was said last. */
  readonly notices: Map<TerminalId, { readonly toldMs: readonly number[]; readonly last: string | undefined }>;
  /** What could not be read or taken up, in sentences. */
  problems: string[];
}

export function createDesk(): Desk {
  return { records: new Map(), live: new Map(), notices: new Map(), problems: [] };
}

export interface TerminalsFeatureContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, EventsContext, ConfigContext {
  readonly terminals: HallTerminals;
  readonly programs: Programs;
  readonly conversing: Conversing;
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
  /** Address of the hall's MCP door. */
  readonly mcpUrl: () => string;
  readonly desk: Desk;
}

export function tell<Type extends keyof TerminalEvents>(
  ctx: EventsContext,
  type: Type,
  project: string | null,
  data: TerminalEvents[Type],
): void {
  ctx.events.publish({ type, project, subject: `terminal:${data.id}`, data });
}

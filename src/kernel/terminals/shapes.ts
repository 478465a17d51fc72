/** What features ask terminals for, and what they are told of them. Shapes only. */
import type {
  Manner,
  OutgoingMessage,
  Receipt,
  ScreenText,
  Signal,
  Speech,
  TerminalId,
  TerminalStatus,
} from './contract.ts';

export interface TerminalsOptions {
  /** Of the hall's own tmux server. Absolute; at most 100 bytes. */
  readonly socket: string;
  /** Holds a folder for each terminal: what is to be delivered, what was said, signals. Absolute. */
  readonly folder: string;
  /** The whole environment of the tmux server. Programs get it and what is asked for with them. */
  readonly env: Readonly<Record<string, string>>;
}

export interface TerminalKind {
  readonly id: TerminalId;
  readonly manner: Manner;
  /** Makes a signal of what the program's hook wrote; undefined for what says nothing. Throws nothing that matters. */
  readonly readSignal?: ((json: unknown) => Signal | undefined) | undefined;
  /** Where the rest of a message that is too long is put: absolute, and the program may read there. */
  readonly restFolder: string;
  /**
   * Value of `GUILD_HALL_TERMINAL` in its environment, by which all that it started is found when it is ended. At a start
   * that of the given environment counts.
   */
  readonly mark?: string | undefined;
}

export interface TerminalRequest extends TerminalKind {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to the environment of the tmux server. */
  readonly env: Readonly<Record<string, string>>;
  readonly cols?: number | undefined;
  readonly rows?: number | undefined;
  /**
   * Once it is ready, nothing is put in for so long, or until `letIn`: what it needs to answer may not be there yet.
   * Milliseconds.
   */
  readonly holdMs?: number | undefined;
}

export interface TerminalState {
  readonly status: TerminalStatus;
  /** The question that waits for an answer, with the status `dialog`. */
  readonly question?: string;
  /** Messages that are not settled. */
  readonly waiting: number;
  /** Of a program that has ended; null where a signal ended it, or nobody saw. */
  readonly exitCode?: number | null;
}

export interface StatusChange extends TerminalState {
  readonly terminal: TerminalId;
}

export interface ReceiptChange {
  readonly terminal: TerminalId;
  readonly message: OutgoingMessage;
  readonly receipt: Receipt;
}

export interface TerminalEnd {
  readonly terminal: TerminalId;
  readonly exitCode: number | null;
  /** What ended it where that is known and was not itself: `SIGKILL`, `tmux ended`; null else. */
  readonly why: string | null;
}

/** Whoever is told. A speech is told again, also after a restart, until its taker has resolved once: take it by its id. */
export interface Listener {
  readonly onSpeech?: (speech: Speech) => Promise<void>;
  readonly onStatus?: (change: StatusChange) => void;
  readonly onReceipt?: (change: ReceiptChange) => void;
  readonly onEnd?: (end: TerminalEnd) => void;
  /** The hall lets go of it: nothing more is told of it. */
  readonly onLeft?: (terminal: TerminalId) => void;
}

export interface LiveView {
  /** Escape sequences that make an empty screen of this size into what is shown. Every byte given later follows it. */
  readonly snapshot: Uint8Array;
  readonly cols: number;
  readonly rows: number;
  readonly stop: () => void;
}

/** A screen's text and size. */
export interface ShownScreen extends ScreenText {
  readonly cols: number;
  readonly rows: number;
}

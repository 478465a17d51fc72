/** What is held of one tmux server: its connection, and its panes. Shapes only. */
import type { BackgroundContext } from '../../background/background.ts';
import type { ClockContext, IdContext } from '../../clock/clock.ts';
import type { LogContext } from '../../log/log.ts';
import type { PaneId, TerminalId } from '../contract.ts';
import type { Connection } from './connection.ts';

export type TmuxContext = BackgroundContext & ClockContext & IdContext & LogContext;

/** How a program ended. Both null: its window was closed, and nobody knows. */
export interface PaneEnd {
  readonly exitCode: number | null;
  /** `SIGKILL`, … */
  readonly signal: string | null;
}

/** All that a pane shows at one moment. */
export interface ShownPane {
  readonly cols: number;
  readonly rows: number;
  readonly isAlternate: boolean;
  /**
   * Written to a terminal of this size that was reset, they make it show the same: what was scrolled off, the screen,
   * the cursor and the modes.
   */
  readonly bytes: Buffer;
}

/** What a server tells. Called as it comes in, and never after `closeTmux`. What they throw ends nothing. */
export interface TmuxListeners {
  /**
   * A program wrote something.
   * @returns how many bytes of the pane the listener has not worked off yet; when they get many the pane is paused, and
   *   then shown anew
   */
  readonly onOutput: (pane: PaneId, bytes: Buffer) => number | void;
  /** What the pane shows was read anew: it replaces everything that came before. */
  readonly onRefill: (pane: PaneId, shown: ShownPane) => void;
  /**
   * A program has ended, or its window is gone. Its last words came before. Its window stays until `endWindow`. Not
   * told of programs that had ended when the server was opened: see `listWindows`.
   */
  readonly onEnd: (pane: PaneId, end: PaneEnd) => void;
  /** The server is gone with all its programs. Told once; the next `startWindow` starts another one. */
  readonly onLost: (why: string) => void;
}

/**
 * `fresh`: just started, output waits for `showPane`. `silent`: joined, output is dropped until `showPane`. `flowing`:
 * output is handed on. `stopped`: it is dropped, the pane is read anew soon. `held`: it waits while the pane is read.
 * `over`: all that the program wrote was handed on, and it has ended, or says so.
 */
export type Flow = 'fresh' | 'silent' | 'flowing' | 'stopped' | 'held' | 'over';

export interface Pane {
  readonly id: PaneId;
  /** tmux's own id of the window, `@3`. */
  window: string;
  pid: number;
  terminal: TerminalId | undefined;
  flow: Flow;
  held: Buffer[];
  heldBytes: number;
  /** The end of what it wrote, for sequences that come in two pieces. */
  tail: string;
  /** It takes a paste as one piece. */
  takesPaste: boolean;
  /** It is being read anew. */
  showing: Promise<void> | undefined;
  /** Bytes in the present span of time, when that began, and how many spans before it were too full. */
  sent: number;
  spanFromMs: number;
  fullSpans: number;
  /** How often it was looked how it ended. */
  looks: number;
  /** Its end was told, or was there before. */
  isOver: boolean;
}

export interface Tmux {
  readonly ctx: TmuxContext;
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  readonly listeners: TmuxListeners;
  readonly panes: Map<PaneId, Pane>;
  /** The pane's program says that it has ended. */
  readonly onOver: (pane: Pane) => void;
  connection: Connection | undefined;
  /** Connects, and has not been answered. */
  joining: Connection | undefined;
  /** A start or another try to connect is under way. */
  opening: Promise<Connection> | undefined;
  isClosed: boolean;
  /** Ends of programs are looked for. */
  watching: boolean;
  /** What tmux tells of its windows is compared with what is held. */
  comparing: Promise<void> | undefined;
}

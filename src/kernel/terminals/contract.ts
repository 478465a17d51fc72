/**
 * Terminals: programs in windows of the hall's own tmux server. What is known of one, how words come into it and how it
 * is known that they did, what counts as what its program said. Shapes only.
 */
import { z } from 'zod';
import { idSchema } from '../pure/ids.ts';

export const terminalIdSchema = idSchema('terminal');
export type TerminalId = z.infer<typeof terminalIdSchema>;

/** tmux's own id of a pane, `%12`: good as long as that tmux server lives. */
export const paneIdSchema = z
  .string()
  .regex(/^%\d{1,9}$/)
  .brand<'PaneId'>();
export type PaneId = z.infer<typeof paneIdSchema>;

/** What a screen shows, as text. Rows count from 0 at the top of what is kept, scrolled-off rows first. */
export interface ScreenText {
  /** Without trailing blanks; rows that the terminal wrapped are joined into one line. */
  readonly lines: readonly string[];
  /** Index into `lines` of the line that the cursor is on, and how many characters of it stand before the cursor. */
  readonly cursorLine: number;
  readonly cursorColumn: number;
  /** Index into `lines` of the first line that is on the screen now. */
  readonly firstVisible: number;
  /** A full-screen program: nothing is scrolled off. */
  readonly isAlternate: boolean;
  /** The program takes a paste as one piece. */
  readonly takesPaste: boolean;
}

/** Where a program's finished words come from, the best first. */
export type SpeechSource = 'signal' | 'marker' | 'quiet';

/** How a kind of program behaves in a terminal. Pure functions of what is on the screen. */
export interface Manner {
  /** `claude`, `shell`, … */
  readonly name: string;
  readonly speech: SpeechSource;
  /** It tells by a signal when it took a message. */
  readonly hasReceipts: boolean;
  /** It waits for input. Undefined where that cannot be seen: then quiet counts. */
  readonly isIdle?: (screen: ScreenText) => boolean;
  readonly isBusy?: (screen: ScreenText) => boolean;
  /** The question of a dialog that would swallow a message; undefined where there is none. */
  readonly dialogOf?: (screen: ScreenText) => string | undefined;
  /** What stands in its input row; undefined where that cannot be seen. */
  readonly inputOf?: (screen: ScreenText) => string | undefined;
  /** A message as it is typed, so that nothing in it is a command to the program. */
  readonly words?: (text: string) => string;
  /** It always takes a paste as one piece: that need not have been seen, which it cannot while no hall runs. */
  readonly takesPaste?: boolean;
  /** A line that is no speech: rules, spinners, status, hints. */
  readonly isNoise?: (line: string) => boolean;
  /** The program's words as it prints them, made plain: marks at the beginnings of lines taken off. */
  readonly plain?: (line: string) => string;
}

/** What an agent's hook told, made plain by its driver. */
export type Signal =
  | { readonly kind: 'prompted'; readonly text: string }
  | { readonly kind: 'spoke'; readonly text: string }
  | { readonly kind: 'dialog'; readonly text: string }
  | { readonly kind: 'started' };

export type TerminalStatus = 'starting' | 'idle' | 'busy' | 'dialog' | 'ended';

/** How far a message has come. `failed` carries why, in a sentence for people. */
export type Receipt =
  | { readonly state: 'queued' }
  /** `silent`: nothing that the program showed by then says that it has read them. */
  | { readonly state: 'delivered'; readonly at: string; readonly silent?: true | undefined }
  | { readonly state: 'failed'; readonly why: string };

/** Why a message failed that its sender took back in time. */
export const withdrawnWhy = 'It was withdrawn before it was put in.';

/** Why a program ended that nothing was wrong with. */
export const tmuxEnded = 'tmux ended';

/** Something to be put into a terminal. */
export interface OutgoingMessage {
  /** Given twice it is delivered once. */
  readonly id: string;
  /** Who says it: `hall`, `person`, or a terminal's id. */
  readonly origin: string;
  /** As it is to arrive; cleaned of control characters by the delivery. */
  readonly text: string;
}

/** A finished turn of a terminal's program. */
export interface Speech {
  /** The same after a restart, so that nothing is told twice. */
  readonly id: string;
  readonly terminal: TerminalId;
  /** What it said, secrets masked. */
  readonly text: string;
  /** The same without passages that were delivered to it: by these words it is judged what it wants. */
  readonly own: string;
  readonly source: SpeechSource;
  /**
   * Id of the newest message that was delivered here before these words; null where none is known. Whoever listens has
   * been told of that message's receipt. Words of a turn that began before a message was put in do not carry it.
   */
  readonly after: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** What the command line is made of: handed in by main, so that it knows no feature. */
import type { BoundOperation } from '../../kernel/operations/operations.ts';
import type { OperationDescription } from '../../kernel/pure/operations.ts';
import type { ErrorCode } from '../../kernel/pure/errors.ts';
import type { HallClient } from './client.ts';
import type { CandidateSource } from './completion/candidates.ts';
import type { AnswerFollow, TurnFollow } from './follow.ts';
import type { Sleep } from './progress.ts';
import type { Prompt } from './prompt.ts';
import type { Terminal } from './terminal.ts';

/** A command that is not an operation of the hall, like starting it. */
export interface OwnCommand {
  readonly name: string;
  readonly summary: string;
  /** Words that follow the name, in order. */
  readonly places?: readonly OwnPlace[];
  readonly options: readonly { readonly flags: string; readonly help: string }[];
  readonly examples: OperationDescription['commandLine']['examples'];
  /** @returns the exit code */
  readonly run: (options: Readonly<Record<string, unknown>>, words: readonly string[]) => Promise<number>;
}

export interface OwnPlace {
  readonly name: string;
  readonly help: string;
  readonly choices: readonly string[];
}

/** Text for a person from an operation's answer; ends with a line break unless it is empty. */
export type Renderer = (output: never, term: Terminal) => string;

/** When an answer counts as a failure, though the operation did its work. */
export interface Verdict {
  readonly isBad: (output: never) => boolean;
  /** Its exit code is the command's. */
  readonly code: ErrorCode;
  /** Completes "ends with exit code <n> when …". */
  readonly when: string;
}

export interface CliParts {
  readonly version: string;
  readonly terminal: Terminal;
  /** In the order in which help lists them. */
  readonly descriptions: readonly OperationDescription[];
  /** What a noun is about, for help. */
  readonly nounSummaries: Readonly<Record<string, string>>;
  /** Under which headings help lists commands and nouns, in this order; what is in none comes under the first. */
  readonly groups: readonly { readonly heading: string; readonly words: readonly string[] }[];
  /** Whole command lines for who begins, each with a word of what it does. */
  readonly firstSteps: OwnCommand['examples'];
  readonly ownCommands: readonly OwnCommand[];
  readonly renderers: Readonly<Record<string, Renderer>>;
  /** Operations whose answer may be bad news: what a script is to learn from the exit code. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** What an operation that may take long is waiting for, in a few words. */
  readonly waits: Readonly<Record<string, string>>;
  /** What may stand in a field, asked of the running hall: by `<operation>.<field>`, else by the field's name. */
  readonly candidates: Readonly<Record<string, CandidateSource>>;
  /** Operations whose answer goes on as a stream of events. */
  readonly follows: Readonly<Record<string, TurnFollow | AnswerFollow>>;
  /** @throws HallError `unavailable` when no hall runs */
  readonly connect: () => Promise<HallClient>;
  /** Operations that can be run in this process when no hall runs. */
  readonly withoutHall: Readonly<Record<string, () => Promise<BoundOperation>>>;
  /** The project of the current folder; undefined when it is in none. */
  readonly projectHere: (client: HallClient) => Promise<string | undefined>;
  /** A path that was typed, from the current folder. */
  readonly absolute: (path: string) => string;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** Whether standard input is typed by a person. */
  readonly isTypedInput: () => boolean;
  /** Calls back at each Ctrl-C; the answer ends that. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly sleep: Sleep;
  /** The time by this machine's clock, ISO 8601. */
  readonly nowIso?: (() => string) | undefined;
  /** Asks the person who sits at the terminal; undefined where nobody does. */
  readonly prompt?: Prompt | undefined;
  /** The text of a file that was named. @throws HallError `invalid` */
  readonly readFile: (path: string) => Promise<string>;
}

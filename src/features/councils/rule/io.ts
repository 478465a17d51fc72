/** What a rule helper has of the world. */
export interface RuleIo {
  /** One line of standard output, and of standard error. */
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** All of standard input. */
  readonly stdin: () => Promise<string>;
  /** Whether something other than a terminal stands before standard input. */
  readonly isPiped?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** ISO 8601 in UTC. */
  readonly now: () => string;
}

/** @returns the exit code; what each says is the helper's own */
export type RunRule = (args: readonly string[], io: RuleIo) => Promise<number>;

/** One turn of one agent, outside of any council that runs. */
export interface DispatchOrder {
  /** Name in headers or name of the worker. */
  readonly agent: string;
  readonly phase: 'research' | 'discuss';
  readonly charter: string;
  readonly sessionId: string;
  readonly role: string | undefined;
  readonly turn: number;
  readonly round: number;
  readonly noWeb: boolean;
  /** Absolute: the checkout that it reads. */
  readonly root: string;
}

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
  /** Has an agent speak through the configured driver. @returns its answer as JSON; left out: nobody can */
  readonly dispatch?: (order: DispatchOrder) => Promise<string>;
}

/** @returns the exit code; what each says is the helper's own */
export type RunRule = (args: readonly string[], io: RuleIo) => Promise<number>;

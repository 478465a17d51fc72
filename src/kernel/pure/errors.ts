/**
 * The errors of the program. One closed list of codes; one table maps a code to every door.
 *
 * A rule that says no *returns* a refusal (`ErrorFacts`); throwing `HallError` is for a world that is
 * not as it was expected to be. Either way the person reads the same three things: what happened
 * (`message`), under which heading (`code`), and the next thing to do (`hint`).
 */
export const errorTable = {
  /** The input is not of the right form. */
  invalid: { http: 400, exit: 2, mcp: -32602 },
  /** No token, or a wrong one. */
  unauthorized: { http: 401, exit: 3, mcp: -32001 },
  /** The caller is known but may not do this, or the request came from a place that may not ask. */
  forbidden: { http: 403, exit: 3, mcp: -32003 },
  /** The thing named does not exist. */
  not_found: { http: 404, exit: 4, mcp: -32004 },
  /** The present state of things forbids it; the hint says how to change that state. */
  conflict: { http: 409, exit: 5, mcp: -32005 },
  /** The input is larger than is taken. */
  too_large: { http: 413, exit: 2, mcp: -32602 },
  /** A limit that the person set, or that a provider holds, is reached. */
  limit: { http: 429, exit: 6, mcp: -32006 },
  /** Something that the hall needs does not answer now; the same call may work later. */
  unavailable: { http: 503, exit: 7, mcp: -32007 },
  /** A fault of the program: logged in full, shown briefly. */
  internal: { http: 500, exit: 1, mcp: -32603 },
} as const;

export type ErrorCode = keyof typeof errorTable;

/** What a code means, in a few words. */
export const errorTitles: Readonly<Record<ErrorCode, string>> = {
  invalid: 'The input is not of the right form',
  unauthorized: 'A token is needed',
  forbidden: 'This may not be done from here',
  not_found: 'There is no such thing',
  conflict: 'The present state forbids it',
  too_large: 'The input is too large',
  limit: 'A limit is reached',
  unavailable: 'Something needed does not answer',
  internal: 'A fault of the hall',
};

export interface ErrorFacts {
  readonly code: ErrorCode;
  /** What happened, and what was expected, in one or two sentences. */
  readonly message: string;
  /** The next thing to do, a command where there is one. */
  readonly hint: string;
  /** Facts for programs: names, paths, lines. Never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The program is built as two bundles, and each has this class: one knows the errors of the other by this. */
const mark = Symbol.for('guild-hall.error');

export class HallError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && mark in value;
  }

  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(facts: ErrorFacts, options?: { cause?: unknown }) {
    super(facts.message, options);
    this.name = 'HallError';
    this.code = facts.code;
    this.hint = facts.hint;
    this.details = facts.details;
  }

  get [mark](): true {
    return true;
  }

  get facts(): ErrorFacts {
    const { code, message, hint, details } = this;
    return details === undefined ? { code, message, hint } : { code, message, hint, details };
  }
}

/** Shorthand of `new HallError`: `throw fail('not_found', 'No worker "x".', 'See: guild-hall worker list')`. */
export function fail(
  code: ErrorCode,
  message: string,
  hint: string,
  details?: Readonly<Record<string, unknown>>,
  cause?: unknown,
): HallError {
  const facts: ErrorFacts = details === undefined ? { code, message, hint } : { code, message, hint, details };
  return new HallError(facts, cause === undefined ? undefined : { cause });
}

/** The facts of anything that was thrown. What is not a `HallError` is `internal`, its text kept short. */
export function errorFactsOf(thrown: unknown): ErrorFacts {
  if (thrown instanceof HallError) return thrown.facts;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const ofDisk = diskFactsOf(thrown);
  if (ofDisk !== undefined) return ofDisk;
  return {
    code: 'internal',
    message: `Something went wrong inside the hall: ${text.slice(0, 300)}`,
    hint: 'See `guild-hall logs` for the whole story; repeating the command is safe.',
  };
}

/** What the system says of a disk that takes nothing; undefined for any other error. */
function diskFactsOf(thrown: unknown): ErrorFacts | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code, path } = thrown as { readonly code?: unknown; readonly path?: unknown };
  const where = typeof path === 'string' ? path : 'its files';
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return {
      code: 'unavailable',
      message: `The disk is full: the hall could not write ${where}.`,
      hint: `Make room, then repeat; nothing was half done. To see where: df -h`,
    };
  }
  // Without a path it is about a process or a port.
  if (typeof path !== 'string' || (code !== 'EROFS' && code !== 'EACCES' && code !== 'EPERM')) return undefined;
  return {
    code: 'unavailable',
    message: `The hall may not read or write ${where}: ${thrown.message.slice(0, 300)}.`,
    hint: 'Give it back the right to (permissions, a disk that was made read-only), then repeat; nothing was half done.',
  };
}

/** What a pure rule answers: the next state with what follows from it, or a refusal. */
export type Decision<Next, Event = never, Todo = never> =
  | { readonly ok: true; readonly next: Next; readonly events: readonly Event[]; readonly todo: readonly Todo[] }
  | { readonly ok: false; readonly refusal: ErrorFacts };

export function refuse(
  code: ErrorCode,
  message: string,
  hint: string,
  details?: Readonly<Record<string, unknown>>,
): { readonly ok: false; readonly refusal: ErrorFacts } {
  return {
    ok: false,
    refusal: details === undefined ? { code, message, hint } : { code, message, hint, details },
  };
}

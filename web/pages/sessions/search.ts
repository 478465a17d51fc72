/** What the addresses of the sessions' pages say beside which session it is. */
export interface SessionSearch {
  /** Id of the earliest session whose messages stand above. */
  readonly above?: string;
}

export function readSessionSearch({ above }: Record<string, unknown>): SessionSearch {
  return typeof above === 'string' ? { above } : {};
}

export interface SessionsSearch {
  /** Id of a context of which no session is left. */
  readonly context?: string;
}

export function readSessionsSearch({ context }: Record<string, unknown>): SessionsSearch {
  return typeof context === 'string' ? { context } : {};
}

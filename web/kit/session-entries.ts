/** The sessions of a project as they are listed: a context as one, and those that stand alone. Pure. */
import type { MetaContextInfo, SessionInfo, SessionList } from '../../src/features/sessions/contract.ts';

/** What the picker holds: a context, or a session that stands alone. */
export interface Entry {
  readonly kind: 'context' | 'session';
  /** Of the context or the session. */
  readonly id: string;
  readonly label: string;
  /** The session that is shown when it is chosen; undefined: none of the context's is left. */
  readonly session: SessionInfo | undefined;
}

export interface Entries {
  readonly contexts: readonly Entry[];
  readonly sessions: readonly Entry[];
}

/** The newest first. A session of a context is no entry of its own. */
export function entriesOf({ sessions, metaContexts }: Pick<SessionList, 'sessions' | 'metaContexts'>): Entries {
  const grouped = new Set(metaContexts.flatMap(({ sessionIds }) => sessionIds));
  const known = new Set(metaContexts.map(({ id }) => id));
  const byId = new Map<string, SessionInfo>(sessions.map((each) => [each.id, each]));
  const isAlone = ({ id, metaContextId }: SessionInfo) =>
    !grouped.has(id) && (metaContextId === null || !known.has(metaContextId));
  return {
    contexts: metaContexts
      .map((context) => entryOf(context, byId))
      .toSorted((one, other) => lastAt(other).localeCompare(lastAt(one))),
    sessions: sessions
      .filter(isAlone)
      .map((session) => ({ kind: 'session', id: session.id, label: session.title, session })),
  };
}

/** The last of its sessions that still exists leads on. */
function entryOf({ id, name, sessionIds }: MetaContextInfo, byId: ReadonlyMap<string, SessionInfo>): Entry {
  const last = sessionIds.findLast((each) => byId.has(each));
  return { kind: 'context', id, label: name, session: last === undefined ? undefined : byId.get(last) };
}

function lastAt({ session }: Entry): string {
  return session?.lastAt ?? '';
}

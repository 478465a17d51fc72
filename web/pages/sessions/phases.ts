/** Which sessions came before one: those of its context, and those in which somebody clicked for them. Pure. */
import type { SessionInfo, SessionList, SessionState } from '../../../src/features/sessions/contract.ts';

type Shown = Pick<SessionState, 'id' | 'from' | 'metaContext' | 'createdAt'>;

/** Those that still exist, in the order in which they were begun. */
export function earlierPhases(
  session: Shown,
  { sessions, metaContexts }: Pick<SessionList, 'sessions' | 'metaContexts'>,
): readonly SessionInfo[] {
  const byId = new Map<string, SessionInfo>(sessions.map((each) => [each.id, each]));
  const context = metaContexts.find(({ id }) => id === session.metaContext?.id);
  const ids = context?.sessionIds ?? [];
  const at = ids.indexOf(session.id);
  const before = new Set(at === -1 ? ids : ids.slice(0, at));
  for (const id of [...before, session.id]) {
    const from = (id === session.id ? session : byId.get(id))?.from?.block?.sessionId;
    if (from !== undefined) before.add(from);
  }
  before.delete(session.id);
  return [...before]
    .flatMap((id) => byId.get(id) ?? [])
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
}

/** Of those before, the ones that stand above: from that session on. None when it is not among them. */
export function phasesAbove(earlier: readonly SessionInfo[], above: string | undefined): readonly SessionInfo[] {
  const at = earlier.findIndex(({ id }) => id === above);
  return at === -1 ? [] : earlier.slice(at);
}

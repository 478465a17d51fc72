/**
 * The projection `MetaContextRegistry`: every context's id, name and sessions in the order of their addition. Fed by
 * `MetaContextCreated` and `SessionAddedToMetaContext`, and by nothing else. Pure; the same event twice changes nothing.
 */
import type { NewSessionEvent } from '../../sessions/contract.ts';
import type { MetaContext } from '../contract.ts';

export interface MetaContextRegistry {
  /** By id. */
  readonly contexts: ReadonlyMap<string, MetaContext>;
  /** Name to id. */
  readonly nameIndex: ReadonlyMap<string, string>;
}

/** @param contexts with ids and names that differ */
export function registryOf(contexts: readonly MetaContext[]): MetaContextRegistry {
  return {
    contexts: new Map(contexts.map((context) => [context.id, context])),
    nameIndex: new Map(contexts.map(({ id, name }) => [name, id])),
  };
}

/** @returns the same registry where nothing of it concerns one */
export function foldRegistry(registry: MetaContextRegistry, events: readonly NewSessionEvent[]): MetaContextRegistry {
  const own = { contexts: new Map(registry.contexts), nameIndex: new Map(registry.nameIndex) };
  const changes = events.filter((event) => apply(own, event));
  return changes.length === 0 ? registry : own;
}

interface OwnRegistry {
  readonly contexts: Map<string, MetaContext>;
  readonly nameIndex: Map<string, string>;
}

function apply(own: OwnRegistry, event: NewSessionEvent): boolean {
  if (event.type === 'MetaContextCreated') return ensureContext(own, event.metaContextId, event.name);
  if (event.type !== 'SessionAddedToMetaContext') return false;
  const isNew = ensureContext(own, event.metaContextId, event.name);
  return addSession(own, event) || isNew;
}

/** A name in use leads to the context that has it, an id in use to the context that it is of. */
function ensureContext({ contexts, nameIndex }: OwnRegistry, id: string, name: string): boolean {
  if (contexts.has(id) || nameIndex.has(name)) return false;
  contexts.set(id, { id, name, sessionIds: [] });
  nameIndex.set(name, id);
  return true;
}

interface Added {
  readonly metaContextId: string;
  readonly name: string;
  readonly sessionId: string;
}

function addSession({ contexts, nameIndex }: OwnRegistry, { metaContextId, name, sessionId }: Added): boolean {
  const context = contexts.get(metaContextId) ?? contexts.get(nameIndex.get(name) ?? '');
  if (context === undefined || context.sessionIds.includes(sessionId)) return false;
  contexts.set(context.id, { ...context, sessionIds: [...context.sessionIds, sessionId] });
  return true;
}

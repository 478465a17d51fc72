/**
 * What the file says and what the hall knows, together: the file may come from a hand, another branch or another
 * machine. Nothing that the hall knows is lost by it, nothing that the file adds is overwritten. Pure.
 */
import type { NewSessionEvent } from '../../sessions/contract.ts';
import type { MetaContext } from '../contract.ts';
import { foldRegistry, type MetaContextRegistry, registryOf } from '../fold/registry.ts';
import type { RegistryDocument, RegistryEntry } from './document.ts';

/** @param known what this hall read or made before; with it, names and ids stay the same */
export function mergeDocuments(file: RegistryDocument, known: RegistryDocument): RegistryDocument {
  const rest = { ...known.rest, ...file.rest };
  const renamed = merged(file.entries, known.entries, true);
  // A name that a hand has given away twice is nobody's: then the names are those that the hall knows.
  return { rest, entries: renamed ?? merged(file.entries, known.entries, false) ?? known.entries };
}

/** @returns undefined where two contexts that the hall knows would have one name */
function merged(
  file: readonly RegistryEntry[],
  known: readonly RegistryEntry[],
  mayRename: boolean,
): RegistryEntry[] | undefined {
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  const ofFile = new Map(file.map((entry) => [entry.id, together(entry, byId.get(entry.id), mayRename)]));
  const byName = new Map<string, RegistryEntry>();
  for (const entry of [...ofFile.values(), ...known.filter(({ id }) => !ofFile.has(id))]) {
    const same = byName.get(entry.name);
    if (same === undefined) byName.set(entry.name, entry);
    else if (!byId.has(same.id)) byName.set(entry.name, absorbed(entry, same));
    else if (!byId.has(entry.id)) byName.set(entry.name, absorbed(same, entry));
    else return undefined;
  }
  return [...byName.values()];
}

/** One context, as the file has it and as the hall knows it. */
function together(entry: RegistryEntry, own: RegistryEntry | undefined, mayRename: boolean): RegistryEntry {
  if (own === undefined) return entry;
  return {
    id: entry.id,
    name: mayRename ? entry.name : own.name,
    sessionIds: [...new Set([...entry.sessionIds, ...own.sessionIds])],
    rest: { ...own.rest, ...entry.rest },
  };
}

/** Another hall's context of the same name: one name is one context, and its id stays. */
function absorbed(own: RegistryEntry, other: RegistryEntry): RegistryEntry {
  const sessionIds = [...new Set([...other.sessionIds, ...own.sessionIds])];
  return { ...own, sessionIds, rest: { ...other.rest, ...own.rest } };
}

type Added = Extract<NewSessionEvent, { type: 'SessionAddedToMetaContext' }>;

/**
 * What the logs say, under the names that the file gives to it: where a hand has renamed a context, another one may have got
 * its old name since, and by that name alone both would be one.
 * @param added all that the logs say, the oldest first
 */
export function registryOfLogs(file: RegistryDocument, added: readonly Added[]): MetaContextRegistry {
  const inFile = new Set(file.entries.map(({ id }) => id));
  const inLogs = new Set(added.map(({ metaContextId }) => metaContextId));
  // A name that the logs have for one that is not in the file is left to the merge.
  const taken = new Set(added.filter(({ metaContextId }) => !inFile.has(metaContextId)).map(({ name }) => name));
  const entries = file.entries.filter(({ id, name }) => inLogs.has(id) && !taken.has(name));
  return foldRegistry(registryOfDocument({ entries, rest: {} }), added);
}

export function registryOfDocument({ entries }: RegistryDocument): MetaContextRegistry {
  return registryOf(entries.map(({ id, name, sessionIds }): MetaContext => ({ id, name, sessionIds })));
}

/** The registry, with what the file carries beside it. */
export function documentOf({ contexts }: MetaContextRegistry, { entries, rest }: RegistryDocument): RegistryDocument {
  const rests = new Map(entries.map((entry) => [entry.id, entry.rest]));
  return {
    rest,
    entries: [...contexts.values()].map((context) => ({ ...context, rest: rests.get(context.id) ?? {} })),
  };
}

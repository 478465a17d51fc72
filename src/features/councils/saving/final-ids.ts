/** Provisional ids of drafted action items, `draft-1`, in whatever was drafted: they become the final ones. */

/** @param ids final ids by provisional ones; null where none were given */
export function withFinalIds<T>(draft: T, ids: Readonly<Record<string, string>> | null): T {
  return ids === null ? draft : (change(draft, ids) as T);
}

function change(value: unknown, ids: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\bdraft-\d+\b/g, (id) => (Object.hasOwn(ids, id) ? ids[id]! : id));
  }
  if (Array.isArray(value)) return value.map((held) => change(held, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, change(held, ids)]));
}

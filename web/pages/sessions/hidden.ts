/** What the person does not want to see in the picker: a view setting of this browser, known to nobody else. */
import { useSyncExternalStore } from 'react';
import { keep, readKept } from '../../state/kept.ts';

const listeners = new Set<() => void>();
const nothing: ReadonlySet<string> = new Set();
const read = new Map<string, { readonly text: string; readonly ids: ReadonlySet<string> }>();

const keyOf = (project: string): string => `guild-hall.picker-hidden.${project}`;

/** Ids of contexts and sessions. */
export function useHidden(project: string): ReadonlySet<string> {
  return useSyncExternalStore(listen, () => hiddenOf(project));
}

export function setHidden(project: string, id: string, isHidden: boolean): void {
  const ids = new Set(hiddenOf(project));
  if (isHidden) ids.add(id);
  else ids.delete(id);
  keep(keyOf(project), ids.size === 0 ? null : JSON.stringify([...ids]));
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** The same set for as long as the same is kept. */
function hiddenOf(project: string): ReadonlySet<string> {
  const text = readKept(keyOf(project)) ?? '';
  const known = read.get(project);
  if (known?.text === text) return known.ids;
  const ids = text === '' ? nothing : new Set(parseIds(text));
  read.set(project, { text, ids });
  return ids;
}

function parseIds(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

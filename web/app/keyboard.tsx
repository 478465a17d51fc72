/**
 * The keyboard. Pieces register what their keys do while they are on the screen; `?` shows the map of the moment.
 * Keys typed into a field are the field's, save those with Ctrl (or ⌘).
 */
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo } from 'react';

export interface Shortcut {
  /** `g h` (one after the other), `Ctrl k` (together), `?`, `Escape`. */
  readonly keys: string;
  readonly label: string;
  readonly group: string;
  readonly run: (event: KeyboardEvent) => void;
}

export interface Keyboard {
  readonly shortcuts: Set<Shortcut>;
}

const KeyboardContext = createContext<Keyboard | null>(null);

/** How long the second key of two may take. Milliseconds. */
const sequenceMs = 1200;

export function KeyboardProvider({ children }: { readonly children: ReactNode }) {
  const keyboard = useMemo<Keyboard>(() => ({ shortcuts: new Set() }), []);
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | undefined;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const isCtrl = event.ctrlKey || event.metaKey;
      if (!isCtrl && (isField(event.target) || document.querySelector('[role=dialog]') !== null)) return;
      const key = isCtrl ? `Ctrl ${event.key.toLowerCase()}` : event.key;
      const pair = first !== undefined && event.timeStamp - first.at < sequenceMs ? `${first.key} ${key}` : undefined;
      const all = [...keyboard.shortcuts].toReversed();
      const found = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === key);
      first = found === undefined ? { key, at: event.timeStamp } : undefined;
      if (!found) return;
      event.preventDefault();
      found.run(event);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [keyboard]);
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>;
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export function useKeyboard(): Keyboard {
  const keyboard = use(KeyboardContext);
  if (keyboard === null) throw new Error('KeyboardProvider is missing above this piece.');
  return keyboard;
}

/** A key for as long as the piece is on the screen. The one that came last wins. */
export function useShortcut(keys: string, label: string, run: () => void, group = 'This page'): void {
  const keyboard = useKeyboard();
  const latest = useEffectEvent(run);
  useEffect(() => {
    const shortcut: Shortcut = { keys, label, group, run: () => latest() };
    keyboard.shortcuts.add(shortcut);
    return () => {
      keyboard.shortcuts.delete(shortcut);
    };
  }, [keyboard, keys, label, group]);
}

/** j and k go through the rows of the page: elements with `data-row` that take focus, in their order. */
export function useRowKeys(): void {
  useShortcut('j', 'Next row', () => moveRow(1), 'Lists');
  useShortcut('k', 'Row before', () => moveRow(-1), 'Lists');
}

function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: 'nearest' });
}

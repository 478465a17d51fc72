/**
 * The keyboard. Pieces register what their keys do while they are on the screen; `?` shows the map of the moment.
 * Keys typed into a field are the field's, save those with Ctrl (or ⌘); those of an open menu are the menu's. While a
 * dialog is open the page's keys rest, and only the dialog's own count.
 */
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useLayoutEffect, useMemo } from 'react';
import { WithinDialog } from '../kit/overlay.tsx';
import { keysOf } from './pressed.ts';

export interface Shortcut {
  /** `g h` (one after the other), `Ctrl k` (together), `?`, `Escape`. */
  readonly keys: string;
  readonly label: string;
  readonly group: string;
  /** Belongs to the dialog that lies over the page. */
  readonly isOfDialog: boolean;
  /** Held down, it goes on. */
  readonly repeats: boolean;
  readonly run: () => void;
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
      const key = keysOf(event);
      if (event.defaultPrevented || event.isComposing || key === undefined) return;
      if (!key.startsWith('Ctrl ') && (isField(event.target) || isShown('[role=menu], [role=listbox]'))) return;
      const pair = first !== undefined && event.timeStamp - first.at < sequenceMs ? `${first.key} ${key}` : undefined;
      const all = [...keyboard.shortcuts].toReversed();
      const found = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === key);
      if (!event.repeat) first = found === undefined ? { key, at: event.timeStamp } : undefined;
      if (!found) return;
      const isResting = !found.isOfDialog && isShown('[role=dialog]');
      // With Ctrl the browser would do something else with them.
      if (!isResting || key.startsWith('Ctrl ')) event.preventDefault();
      if (!isResting && (found.repeats || !event.repeat)) found.run();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [keyboard]);
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>;
}

function isShown(selector: string): boolean {
  return document.querySelector(selector) !== null;
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
export function useShortcut(
  keys: string,
  label: string,
  run: () => void,
  group = 'This page',
  { repeats = false }: { readonly repeats?: boolean } = {},
): void {
  const keyboard = useKeyboard();
  const isOfDialog = use(WithinDialog);
  const latest = useEffectEvent(run);
  // What can be seen can be pressed: not a moment later.
  useLayoutEffect(() => {
    const shortcut: Shortcut = { keys, label, group, isOfDialog, repeats, run: () => latest() };
    keyboard.shortcuts.add(shortcut);
    return () => {
      keyboard.shortcuts.delete(shortcut);
    };
  }, [keyboard, keys, label, group, isOfDialog, repeats]);
}

/** j and k go through the rows of the page: elements with `data-row` that take focus, in their order. */
export function useRowKeys(): void {
  useShortcut('j', 'Next row', () => moveRow(1), 'Lists', { repeats: true });
  useShortcut('k', 'Row before', () => moveRow(-1), 'Lists', { repeats: true });
}

function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: 'nearest' });
}

/**
 * Where the focus goes when what lay over the page is closed: to what had it before. Dialogs here are opened by keys,
 * rows and menus as well as by buttons, so that there is not always a trigger that could have it back.
 */
import { useEffect } from 'react';

/** What had the focus last on the page itself; null when the person pressed beside everything since. */
let last: HTMLElement | null = null;

const over = '[role=dialog], [role=menu]';

addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  const menu = target.closest('[role=menu]');
  // An item is gone when its menu is; the menu's button stays.
  if (menu) last = document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  else if (!target.closest(over)) last = target;
});

addEventListener('pointerdown', ({ target }) => {
  if (target instanceof Element && !target.closest(over)) last = null;
});

/** Gives the focus back when the piece closes, or leaves the screen while it is open. */
export function useFocusBack(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const origin = last;
    // After the dialog has let go of the focus, and after whatever comes instead of it has taken it.
    return () => void setTimeout(() => giveBack(origin));
  }, [isOpen]);
}

function giveBack(origin: HTMLElement | null): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  if (origin?.isConnected) origin.focus({ preventScroll: true });
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

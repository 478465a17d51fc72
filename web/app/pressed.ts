/** What was pressed, in the words of the keyboard map. Pure. */

export interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/**
 * `j`, `?`, `Escape`, `Ctrl k`. On a layout without Latin letters the place of the key counts.
 * @returns undefined for what is the browser's or the system's: with Alt, or Ctrl with Shift
 */
export function keysOf(pressed: Pressed): string | undefined {
  const isCtrl = pressed.ctrlKey || pressed.metaKey;
  if (pressed.altKey || (isCtrl && pressed.shiftKey)) return undefined;
  const key = latinOf(pressed);
  return isCtrl ? `Ctrl ${key.toLowerCase()}` : key;
}

function latinOf({ key, code, shiftKey }: Pressed): string {
  if (key.length !== 1 || key.charCodeAt(0) < 0x80 || !code.startsWith('Key')) return key;
  const letter = code.slice('Key'.length);
  return shiftKey ? letter : letter.toLowerCase();
}

/** Keys and text into a program. Whatever of tmux's own a person has open in the window is closed first. */
import { fail } from '../../pure/errors.ts';
import type { PaneId } from '../contract.ts';
import type { TmuxCommand } from './connection.ts';
import type { Tmux } from './state.ts';
import { askOf } from './windows.ts';

/** Copy mode and the like swallow keys. Where none is open this does nothing. */
const leave = (pane: PaneId): TmuxCommand => ['copy-mode', '-q', '-t', pane];

export async function leaveModes(tmux: Tmux, pane: PaneId): Promise<void> {
  await askOf(tmux, pane, [leave(pane)]);
}

/** Of one command: tmux takes more, but all other terminals wait meanwhile. */
const pieceBytes = 16 * 1024;

/**
 * Puts text before the program as if it was pasted. Resolves when tmux has it all; the program may not have read it.
 * @param options.bracketed marks its two ends where the program asked for that, so that it is taken as one piece. A
 *   text that holds the mark of its end has to be cleaned by the caller.
 * @throws not_found when the window is gone; invalid for a NUL
 */
export async function pasteText(
  tmux: Tmux,
  pane: PaneId,
  text: string,
  options: { readonly bracketed: boolean },
): Promise<void> {
  const bytes = Buffer.from(text);
  if (bytes.length === 0) return;
  if (bytes.includes(0)) throw fail('invalid', 'A text with a NUL cannot be pasted.', 'Leave the NUL out.');
  const buffer = `hall-paste-${tmux.ctx.ids.random(12)}`;
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  );
  for (const [at, piece] of pieces.slice(0, -1).entries()) await askOf(tmux, pane, [fill(buffer, piece, at)]);
  await askOf(tmux, pane, [
    leave(pane),
    fill(buffer, pieces.at(-1)!, pieces.length - 1),
    ['paste-buffer', '-d', '-r', ...(options.bracketed ? ['-p'] : []), '-b', buffer, '-t', pane],
  ]);
}

function fill(buffer: string, piece: Buffer, at: number): TmuxCommand {
  return ['set-buffer', ...(at === 0 ? [] : ['-a']), '-b', buffer, '--', piece];
}

/** tmux's own names of keys, `Enter`, `Escape`, `C-c`, `Up`, `F5`; one character stands for itself. */
const keyName = /^(?:[CMS]-){0,3}(?:[A-Za-z][A-Za-z0-9]{1,15}|[!-~])$/;

/** @throws invalid for a name that is none; not_found when the window is gone */
export async function pressKeys(tmux: Tmux, pane: PaneId, names: readonly string[]): Promise<void> {
  const wrong = names.find((name) => !keyName.test(name));
  if (wrong !== undefined)
    throw fail('invalid', `"${wrong}" is no key.`, 'Keys are called Enter, Escape, Tab, Up, Down, F1 or C-c.');
  if (names.length > 0) await askOf(tmux, pane, [leave(pane), ['send-keys', '-t', pane, '--', ...names]]);
}

/** As a keyboard would send them, byte by byte. */
export async function typeBytes(tmux: Tmux, pane: PaneId, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += 1_024) {
    const hex = [...bytes.subarray(at, at + 1_024)].map((byte) => byte.toString(16).padStart(2, '0'));
    await askOf(tmux, pane, [...(at === 0 ? [leave(pane)] : []), ['send-keys', '-t', pane, '-H', ...hex]]);
  }
}

/** Keys into a program. */
import type { PaneId } from '../contract.ts';
import type { Tmux } from './state.ts';
import { askOf } from './windows.ts';

/** Of one command: tmux takes more, but all other terminals wait meanwhile. */
const pieceBytes = 1_024;

/**
 * Types as a keyboard would, byte by byte. Copy mode and the like, which a person has open in the window and which
 * swallow keys, are closed first.
 * @throws not_found when the window is gone
 */
export async function typeBytes(tmux: Tmux, pane: PaneId, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const hex = [...bytes.subarray(at, at + pieceBytes)].map((byte) => byte.toString(16).padStart(2, '0'));
    await askOf(tmux, pane, [
      ['copy-mode', '-q', '-t', pane],
      ['send-keys', '-t', pane, '-H', ...hex],
    ]);
  }
}

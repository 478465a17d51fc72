/**
 * Whether a program takes a paste as one piece. tmux knows, but tells nobody; so it is read from the output and kept as an
 * option of the pane, for the hall that joins it later.
 */
import { ask, TmuxGone, TmuxRefusal } from './connection.ts';
import type { Pane, Tmux } from './state.ts';

export const pasteOption = '@paste';
/** Longer than any sequence that sets modes, so that one which comes in two pieces is seen. */
const tailLength = 64;
const escape = '\u001b';

export function noticePasteMode(tmux: Tmux, pane: Pane, bytes: Buffer): void {
  const text = pane.tail + (bytes.length > 0 ? bytes.toString('latin1') : '');
  pane.tail = text.slice(-tailLength);
  const takes = pasteModeIn(text);
  if (takes === undefined || takes === pane.takesPaste) return;
  pane.takesPaste = takes;
  const { connection } = tmux;
  if (connection === undefined) return;
  tmux.ctx.spawn('note how a terminal takes a paste', async () => {
    try {
      await ask(connection, [['set-option', '-p', '-t', pane.id, pasteOption, takes ? '1' : '0']]);
    } catch (error) {
      // Its window or the server is gone: then there is nothing to note.
      if (!(error instanceof TmuxGone) && !(error instanceof TmuxRefusal)) throw error;
    }
  });
}

/** What the last sequence in the text that speaks of it says. `ESC c` resets the terminal. */
function pasteModeIn(text: string): boolean | undefined {
  let takes: boolean | undefined;
  let at = text.indexOf(escape);
  while (at !== -1) {
    const rest = text.slice(at + 1, at + 1 + tailLength);
    const match = /^(?:(c)|\[\?([\d;]+)([hl]))/.exec(rest);
    if (match?.[1] === 'c') takes = false;
    if (match?.[2]?.split(';').includes('2004') === true) takes = match[3] === 'h';
    at = text.indexOf(escape, at + 1);
  }
  return takes;
}

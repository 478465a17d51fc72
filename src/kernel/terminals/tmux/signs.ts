/**
 * What stands between the words of a program's output: whether it takes a paste as one piece, which tmux knows but tells
 * nobody, so that it is kept as an option of the pane for the hall that joins it later; and that it has ended.
 */
import { ask, TmuxGone, TmuxRefusal } from './connection.ts';
import type { Pane, Tmux } from './state.ts';

export const pasteOption = '@paste';
/** Written when a program has ended, after all of its words. A program can write it, too: it is a reason to look. */
const overSign = '\u001b]7390;over\u0007';
/** For a shell. */
export const printOver = "printf '\\033]7390;over\\007'";
/** Longer than any sequence that sets modes, so that one which comes in two pieces is seen. */
const tailLength = 64;
const escape = '\u001b';

/** @returns how many of the bytes belong to the program, where the sign of its end is in them */
export function noticeSigns(tmux: Tmux, pane: Pane, bytes: Buffer): number | undefined {
  const { tail } = pane;
  const text = tail + bytes.toString('latin1');
  pane.tail = text.slice(-tailLength);
  const takes = pasteModeIn(text);
  if (takes !== undefined && takes !== pane.takesPaste) notePasteMode(tmux, pane, takes);
  const over = text.indexOf(overSign);
  if (over === -1) return undefined;
  // Not to be found again with what comes next.
  pane.tail = '';
  return Math.max(0, over - tail.length);
}

function notePasteMode(tmux: Tmux, pane: Pane, takes: boolean): void {
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

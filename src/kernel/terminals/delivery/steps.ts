/**
 * The two steps by which words come into a program. Each is one line to tmux, which carries it out whole or not at all
 * and notes it on the pane in the same stroke: so it is known how far a message has come, whenever the hall died.
 */
import { createHash } from 'node:crypto';
import type { PaneId } from '../contract.ts';
import type { Step } from '../live.ts';
import { ask, type TmuxCommand } from '../tmux/connection.ts';
import { refuseOver } from '../tmux/flow.ts';
import { reach } from '../tmux/server.ts';
import type { Tmux } from '../tmux/state.ts';

const option = '@delivery';
/** Of one command: tmux takes more, but all other terminals wait meanwhile. */
const pieceBytes = 16 * 1024;

/** What stands for a message on its pane. */
export function keyOf(messageId: string): string {
  return createHash('sha256').update(messageId).digest('hex').slice(0, 32);
}

/** @throws TmuxGone, TmuxRefusal (there is no such pane) */
export async function readStep(tmux: Tmux, pane: PaneId): Promise<Step | 'none'> {
  const [text] = await ask(await reach(tmux), [['display-message', '-p', '-t', pane, `#{${option}}`]]);
  const match = /^([0-9a-f]{32}) (pasted|entered) (\d{1,4})$/.exec(text!.toString('utf8').trim());
  if (match === null) return 'none';
  const [, key = '', did, times] = match;
  return { key, did: did === 'entered' ? 'entered' : 'pasted', times: Number(times) };
}

/**
 * Puts the text before the program; copy mode is left first. With bracketed paste it is marked as one piece.
 * @param text cleaned
 * @throws TmuxGone, TmuxRefusal
 */
export async function pasteStep(
  tmux: Tmux,
  pane: PaneId,
  key: string,
  message: { readonly text: string; readonly takesPaste: boolean },
): Promise<Step> {
  refuseOver(tmux, pane);
  const connection = await reach(tmux);
  const buffer = `hall-${key}`;
  const bytes = Buffer.from(message.text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  );
  // A buffer of that name may be there, half filled, from a hall that died.
  for (const [at, piece] of pieces.slice(0, -1).entries()) await ask(connection, [fill(buffer, piece, at)]);
  const step: Step = { key, did: 'pasted', times: 0 };
  await ask(connection, [
    ['copy-mode', '-q', '-t', pane],
    fill(buffer, pieces.at(-1)!, pieces.length - 1),
    // A paste into a pane whose program has ended is the end of tmux 3.3 with all its programs. This is refused there,
    // and then the rest is not done; elsewhere it does nothing.
    ['pipe-pane', '-t', pane],
    ['paste-buffer', '-d', '-r', ...(message.takesPaste ? ['-p'] : []), '-b', buffer, '-t', pane],
    noteOf(pane, step),
  ]);
  return step;
}

function fill(buffer: string, piece: Buffer, at: number): TmuxCommand {
  return ['set-buffer', ...(at === 0 ? [] : ['-a']), '-b', buffer, '--', piece];
}

/** @throws TmuxGone, TmuxRefusal */
export async function enterStep(tmux: Tmux, pane: PaneId, key: string, times: number): Promise<Step> {
  refuseOver(tmux, pane);
  const step: Step = { key, did: 'entered', times };
  await ask(await reach(tmux), [
    ['copy-mode', '-q', '-t', pane],
    ['send-keys', '-t', pane, 'Enter'],
    noteOf(pane, step),
  ]);
  return step;
}

/** Somebody else pressed Enter. @throws TmuxGone, TmuxRefusal */
export async function noteEntered(tmux: Tmux, pane: PaneId, key: string): Promise<Step> {
  const step: Step = { key, did: 'entered', times: 1 };
  await ask(await reach(tmux), [noteOf(pane, step)]);
  return step;
}

function noteOf(pane: PaneId, { key, did, times }: Step): TmuxCommand {
  return ['set-option', '-p', '-t', pane, option, `${key} ${did} ${times}`];
}

/** Terminals, as features use them. */
import { deferred } from '../pure/deferred.ts';
import { fail } from '../pure/errors.ts';
import type { OutgoingMessage, Receipt, TerminalId } from './contract.ts';
import { pump, requireRoom, withdrawWaiting } from './delivery/queue.ts';
import { maxAwaited } from './delivery/put-in.ts';
import { typedAfter } from './delivery/standing.ts';
import { cleaned, maxMessageLength } from './delivery/text.ts';
import {
  type LiveTerminal,
  nudge,
  requireLive,
  requireRunning,
  type Terminals,
  type TerminalsContext,
} from './live.ts';
import { endLive, forgetLive, leaveLive, takeEnd, takeLoss } from './ending.ts';
import { joinLive, startLive } from './opening.ts';
import type {
  Listener,
  LiveView,
  ShownScreen,
  TerminalKind,
  TerminalRequest,
  TerminalsOptions,
  TerminalState,
} from './shapes.ts';
import { readScreen } from './screen/screen.ts';
import { typeBytes } from './tmux/input.ts';
import { withTmux } from './tmux/gone.ts';
import { closeTmux, openTmux } from './tmux/server.ts';
import { resizeWindow } from './tmux/windows.ts';
import { takeOutput, takePicture, viewLive } from './viewing.ts';
import { countAsHeard } from './speech/hear.ts';
import { stateOf } from './watching.ts';

export type { Terminals, TerminalsContext } from './live.ts';

/** Finds the hall's tmux server, or starts it. @throws `unavailable` where there is no tmux, `invalid` for a path too long */
export async function openTerminals(ctx: TerminalsContext, options: TerminalsOptions): Promise<Terminals> {
  const byPane: Terminals['byPane'] = new Map();
  const shared = {
    ctx,
    options,
    live: new Map(),
    byPane,
    listeners: new Set<Listener>(),
    starting: new Set<TerminalId>(),
  };
  const tmux = await openTmux(ctx, {
    socket: options.socket,
    env: options.env,
    listeners: {
      onOutput: (pane, bytes) => takeOutput(terminals, pane, bytes),
      onRefill: (pane, shown) => takePicture(terminals, pane, shown),
      onEnd: (pane, end) => {
        const live = byPane.get(pane);
        if (live !== undefined) takeEnd(live, end);
      },
      onLost: () => {
        // The next server counts its panes from the beginning again.
        byPane.clear();
        for (const live of terminals.live.values()) takeLoss(live);
      },
    },
  });
  const terminals: Terminals = { ...shared, tmux, isClosed: false };
  return terminals;
}

/** Starts a program in a window of its own. @throws `conflict` for an id that is taken, `not_found` for no such program or folder */
export async function startTerminal(terminals: Terminals, request: TerminalRequest): Promise<void> {
  await startLive(terminals, request);
}

/**
 * Takes up a terminal that an earlier hall started: what waits is delivered, what was said meanwhile is told. Call it once
 * the listeners are there.
 * @returns how it was found; an ended one can still be asked for its receipts, and what waited in it fails
 */
export async function joinTerminal(terminals: Terminals, kind: TerminalKind): Promise<'running' | 'ended'> {
  return joinLive(terminals, kind);
}

/**
 * Puts a message into the terminal's queue, on disk when this resolves. Given twice, by its id, it is delivered once and
 * the receipt of the first is the answer. What comes of it: `onReceipt`, or `settledReceipt`.
 * @throws `not_found` for a terminal that is not here, `invalid` for no words, `too_large` for too many, `limit` where too
 *   much waits there already
 */
export async function deliver(terminals: Terminals, id: TerminalId, message: OutgoingMessage): Promise<Receipt> {
  const live = requireLive(terminals, id);
  const known = live.ledger.messages.get(message.id);
  if (known !== undefined) return known.receipt;
  const text = cleaned(message.text);
  if (text === '') throw fail('invalid', 'The message has no words in it.', 'Say something.');
  if (text.length > maxMessageLength) {
    throw fail(
      'too_large',
      `The message has ${text.length} characters, and a terminal takes ${maxMessageLength}.`,
      'Put it into a file, and send its path.',
    );
  }
  requireRoom(live, text);
  // It is put in as soon as a hall that is killed would find it again.
  await live.ledger.queue({ id: message.id, origin: message.origin, text }, () => pump(live));
  return live.ledger.messages.get(message.id)?.receipt ?? { state: 'queued' };
}

/**
 * Takes back a message that waits: it has failed, on disk when this resolves, and is never put in.
 * @returns false for one that is delivered, has failed, is unknown, or is being put in already
 * @throws `not_found` for no such terminal; what the disk says where it cannot be written down, and then it waits on
 */
export async function withdraw(terminals: Terminals, id: TerminalId, messageId: string): Promise<boolean> {
  return withdrawWaiting(requireLive(terminals, id), messageId);
}

/** What waits for a program that was to be held at its start is put in from now on. Does nothing for one that is not here. */
export function letIn(terminals: Terminals, id: TerminalId): void {
  const live = terminals.live.get(id);
  if (live?.holdMs === undefined) return;
  live.holdMs = undefined;
  nudge(live);
}

/** Resolves when the message is delivered or has failed, or when the hall leaves the terminal: then it still waits. @throws `not_found` for a message that was never given */
export async function settledReceipt(terminals: Terminals, id: TerminalId, messageId: string): Promise<Receipt> {
  const live = requireLive(terminals, id);
  const now = requireMessage(live, messageId);
  if (now.state !== 'queued') return now;
  const settled = deferred();
  const stop = listenToTerminals(terminals, {
    onReceipt: ({ terminal, message }) => {
      if (terminal === id && message.id === messageId) settled.resolve();
    },
    onLeft: (terminal) => {
      if (terminal === id) settled.resolve();
    },
  });
  if (!live.isLeft) await settled.promise;
  stop();
  return requireMessage(live, messageId);
}

function requireMessage(live: LiveTerminal, messageId: string): Receipt {
  const kept = live.ledger.messages.get(messageId);
  if (kept !== undefined) return kept.receipt;
  throw fail('not_found', `No message "${messageId}" was given to this terminal.`, 'Send it again.', { messageId });
}

/** Undefined for a message that was never given, or so long ago that it is forgotten. @throws `not_found` for no such terminal */
export function receiptOf(terminals: Terminals, id: TerminalId, messageId: string): Receipt | undefined {
  return requireLive(terminals, id).ledger.messages.get(messageId)?.receipt;
}

/** @throws `not_found` */
export function statusOf(terminals: Terminals, id: TerminalId): TerminalState {
  return stateOf(requireLive(terminals, id));
}

/** It says that its program has ended: that is told soon, unless the program only wrote so. @throws `not_found` */
export function isEnding(terminals: Terminals, id: TerminalId): boolean {
  const { pane, end } = requireLive(terminals, id);
  return end === undefined && pane !== undefined && terminals.tmux.panes.get(pane)?.flow === 'over';
}

/** @returns what ends it */
export function listenToTerminals(terminals: Terminals, listener: Listener): () => void {
  terminals.listeners.add(listener);
  return () => terminals.listeners.delete(listener);
}

/** @throws `not_found` */
export function screenOf(terminals: Terminals, id: TerminalId): ShownScreen {
  const { screen } = requireLive(terminals, id);
  const { cols, rows } = screen.terminal;
  return { ...readScreen(screen), cols, rows };
}

/** From now on only what is said later is told. For programs whose screen is listened to. @throws `not_found` */
export async function forgetUnsaid(terminals: Terminals, id: TerminalId): Promise<void> {
  const live = requireLive(terminals, id);
  await countAsHeard(live);
}

/**
 * Calls `onBytes` with everything the program writes from now on, until `stop`. Now and then they begin with a reset and
 * show all anew; `onSize` tells the size for it just before. @throws `not_found`, `conflict` for one that has ended
 */
export async function watchBytes(
  terminals: Terminals,
  id: TerminalId,
  onBytes: (bytes: Uint8Array) => void,
  onSize?: (size: { readonly cols: number; readonly rows: number }) => void,
): Promise<LiveView> {
  return viewLive(requireRunning(terminals, id), onBytes, onSize);
}

/** What the person types, as it is. While half a line stands there nothing is delivered. @throws `not_found`, `conflict` for one that has ended */
export async function typeInto(terminals: Terminals, id: TerminalId, bytes: string | Uint8Array): Promise<void> {
  const live = requireRunning(terminals, id);
  const { clock } = terminals.ctx;
  const keys = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const before = live.typed ?? { isHalfLine: false, lastKeyMs: 0, line: '' };
  const { typed, lines } = typedAfter(before, Buffer.from(keys).toString('utf8'), clock.monotonicMs());
  // An answer to a question is no beginning of a line.
  live.typed = live.standing.status === 'dialog' ? { ...typed, isHalfLine: false, line: '' } : typed;
  live.awaited = [...live.awaited, ...lines].slice(-maxAwaited);
  live.toldDialog = undefined;
  await withTmux(async () => typeBytes(terminals.tmux, live.pane, keys));
  noteEnterOf(live, lines.length > 0 || /[\r\n]/.test(Buffer.from(keys).toString('latin1')));
  nudge(live);
}

/** What was pasted and not entered by the hall may have gone in with it: it is not pasted again. */
function noteEnterOf(live: LiveTerminal, isEnter: boolean): void {
  const { putting } = live;
  if (isEnter && putting?.stage === 'pasting') live.putting = { ...putting, isByPerson: true };
}

/** @throws `not_found`, `conflict` for one that has ended */
export async function resizeTerminal(
  terminals: Terminals,
  id: TerminalId,
  size: { readonly cols: number; readonly rows: number },
): Promise<void> {
  const { pane } = requireRunning(terminals, id);
  await withTmux(async () => resizeWindow(terminals.tmux, pane, size));
}

/** Ends the program with all that it started; what waits fails. Safe to call twice. @throws `not_found` */
export async function endTerminal(terminals: Terminals, id: TerminalId): Promise<void> {
  await endLive(requireLive(terminals, id));
}

/** Takes an ended terminal's folder away. @throws `not_found`, `conflict` for one that runs */
export async function forgetTerminal(terminals: Terminals, id: TerminalId): Promise<void> {
  await forgetLive(requireLive(terminals, id));
}

/** Lets go of all: tmux and the programs go on. Safe to call twice. */
export async function closeTerminals(terminals: Terminals): Promise<void> {
  if (terminals.isClosed) return;
  terminals.isClosed = true;
  await Promise.all([...terminals.live.values()].map(leaveLive));
  await closeTmux(terminals.tmux);
}

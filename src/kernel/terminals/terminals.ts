/** Terminals, as features use them. */
import type { BackgroundContext } from '../background/background.ts';
import type { ClockContext, IdContext } from '../clock/clock.ts';
import type { LogContext } from '../log/log.ts';
import { fail } from '../pure/errors.ts';
import type { OutgoingMessage, Receipt, TerminalId } from './contract.ts';
import type {
  Listener,
  LiveView,
  ShownScreen,
  TerminalKind,
  TerminalRequest,
  TerminalsOptions,
  TerminalState,
} from './shapes.ts';

export type TerminalsContext = ClockContext & IdContext & LogContext & BackgroundContext;

/** All terminals of one hall. */
export interface Terminals {
  readonly ctx: TerminalsContext;
  readonly options: TerminalsOptions;
}

/** Finds the hall's tmux server, or starts it. @throws `unavailable` where there is no tmux */
export async function openTerminals(ctx: TerminalsContext, options: TerminalsOptions): Promise<Terminals> {
  return Promise.resolve({ ctx, options });
}

/** Starts a program in a window of its own. @throws `conflict` for an id that is taken, `unavailable` for no such program or folder */
export async function startTerminal(_terminals: Terminals, _request: TerminalRequest): Promise<void> {
  return Promise.reject(notYet());
}

/**
 * Takes up a terminal that an earlier hall started: what waits is delivered, what was said meanwhile is told. Call it once
 * the listeners are there.
 * @returns how it was found; an ended one can still be asked for its receipts, and what waited in it has failed
 */
export async function joinTerminal(_terminals: Terminals, _kind: TerminalKind): Promise<'running' | 'ended'> {
  return Promise.reject(notYet());
}

/**
 * Puts a message into the terminal's queue, on disk when this resolves. Given twice, by its id, it is delivered once and
 * the receipt of the first is the answer. What comes of it: `onReceipt`, or `settledReceipt`.
 * @throws `not_found` for a terminal that is not here
 */
export async function deliver(_terminals: Terminals, _id: TerminalId, _message: OutgoingMessage): Promise<Receipt> {
  return Promise.reject(notYet());
}

/** Resolves when the message is delivered or has failed. @throws `not_found` for a message that was never given */
export async function settledReceipt(_terminals: Terminals, _id: TerminalId, _messageId: string): Promise<Receipt> {
  return Promise.reject(notYet());
}

/** Undefined for a message that was never given, or so long ago that it is forgotten. */
export function receiptOf(_terminals: Terminals, _id: TerminalId, _messageId: string): Receipt | undefined {
  throw notYet();
}

/** @throws `not_found` */
export function statusOf(_terminals: Terminals, _id: TerminalId): TerminalState {
  throw notYet();
}

/** @returns what ends it */
export function listenToTerminals(_terminals: Terminals, _listener: Listener): () => void {
  throw notYet();
}

/** @throws `not_found` */
export function screenOf(_terminals: Terminals, _id: TerminalId): ShownScreen {
  throw notYet();
}

/** Calls `onBytes` with everything the program writes from now on, until `stop`. @throws `not_found` */
export async function watchBytes(
  _terminals: Terminals,
  _id: TerminalId,
  _onBytes: (bytes: Uint8Array) => void,
): Promise<LiveView> {
  return Promise.reject(notYet());
}

/** What the person types, as it is. While half a line stands there nothing is delivered. @throws `not_found`, `conflict` for one that has ended */
export async function typeInto(_terminals: Terminals, _id: TerminalId, _bytes: string | Uint8Array): Promise<void> {
  return Promise.reject(notYet());
}

/** @throws `not_found` */
export async function resizeTerminal(
  _terminals: Terminals,
  _id: TerminalId,
  _size: { readonly cols: number; readonly rows: number },
): Promise<void> {
  return Promise.reject(notYet());
}

/** Ends the program with all that it started; what waits fails. Safe to call twice. */
export async function endTerminal(_terminals: Terminals, _id: TerminalId): Promise<void> {
  return Promise.reject(notYet());
}

/** Takes an ended terminal's folder away. @throws `conflict` for one that runs */
export async function forgetTerminal(_terminals: Terminals, _id: TerminalId): Promise<void> {
  return Promise.reject(notYet());
}

/** Lets go of all: tmux and the programs go on. Safe to call twice. */
export async function closeTerminals(_terminals: Terminals): Promise<void> {
  return Promise.reject(notYet());
}

function notYet(): Error {
  return fail('unavailable', 'Terminals are being built.', 'Wait for the next commit.');
}

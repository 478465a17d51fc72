/**
 * The socket between this page and one terminal: what it shows comes, keys go. It comes back by itself when the hall is
 * there again, and always begins with the whole screen, so that nothing of it is lost or shown twice. No React here.
 */
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import {
  closeCodes,
  terminalCloseCodes,
  terminalMessageBytes,
  terminalProtocol,
} from '../../src/kernel/pure/socket-terms.ts';
import type { TerminalClientMessage, TerminalServerMessage } from '../../src/kernel/pure/wire.ts';
import { inBackground } from './background.ts';
import type { Link } from './link.ts';
import { factsOf, fetchTicket, readToken, type TicketFor } from './session.ts';

export type TerminalLinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The hall is away, or the socket: it is tried again. What is on the screen stays. */
  | { readonly kind: 'away' }
  | { readonly kind: 'ended'; readonly exitCode: number | null }
  /** There is nothing to be shown, and why. */
  | { readonly kind: 'refused'; readonly problem: ErrorFacts };

/** Where it is shown. */
export interface Shown {
  /** Empties the screen and gives it that size; what is written next fills it. */
  readonly begin: (cols: number, rows: number) => void;
  readonly write: (bytes: Uint8Array) => void;
  readonly onState: (state: TerminalLinkState) => void;
  /** Keys or a size that were not taken. */
  readonly onRefusal: (problem: ErrorFacts) => void;
}

export interface TerminalLink {
  readonly ask: Extract<TicketFor, { for: 'terminal' }>;
  readonly hall: Link;
  readonly shown: Shown;
  state: TerminalLinkState;
  socket: WebSocket | undefined;
  isOver: boolean;
  /** A ticket is on its way. */
  isAsking: boolean;
  tries: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** What the hall said last before it closed the socket. */
  lastRefusal: ErrorFacts | undefined;
  readonly leaveHall: () => void;
}

export function openTerminalLink(hall: Link, ask: TerminalLink['ask'], shown: Shown): TerminalLink {
  const look = () => connect(link);
  const link: TerminalLink = {
    ask,
    hall,
    shown,
    state: { kind: 'connecting' },
    socket: undefined,
    isOver: false,
    isAsking: false,
    tries: 0,
    timer: undefined,
    lastRefusal: undefined,
    leaveHall: () => hall.stateListeners.delete(look),
  };
  hall.stateListeners.add(look);
  connect(link);
  return link;
}

export function closeTerminalLink(link: TerminalLink): void {
  link.isOver = true;
  clearTimeout(link.timer);
  link.leaveHall();
  link.socket?.close();
}

/** Longer ones go in parts. @returns false when nobody takes them now */
export function sendKeys({ socket }: TerminalLink, keys: Uint8Array): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  for (let at = 0; at < keys.length; at += terminalMessageBytes) {
    socket.send(keys.slice(at, at + terminalMessageBytes));
  }
  return true;
}

export function sendSize({ socket }: TerminalLink, size: Omit<TerminalClientMessage, 'kind'>): void {
  const message: TerminalClientMessage = { kind: 'resize', ...size };
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** As soon as the hall answers, and once at a time. */
function connect(link: TerminalLink): void {
  if (link.isOver || link.isAsking || link.socket !== undefined || link.state.kind === 'ended') return;
  if (link.hall.state.kind !== 'live') return;
  clearTimeout(link.timer);
  link.isAsking = true;
  inBackground(open(link));
}

async function open(link: TerminalLink): Promise<void> {
  try {
    const ticket = await fetchTicket(readToken() ?? '', link.ask);
    if (!link.isOver) listen(link, ticket);
  } catch (error) {
    const problem = factsOf(error);
    // Too many of them: another page may be closed meanwhile. Whether this browser may be here, its own socket tells.
    if (problem.code === 'limit') setState(link, { kind: 'refused', problem });
    else if (link.state.kind !== 'connecting') setState(link, { kind: 'away' });
    later(link);
  } finally {
    link.isAsking = false;
  }
}

function listen(link: TerminalLink, ticket: string): void {
  const address = `${location.origin.replace(/^http/, 'ws')}/api/terminal?ticket=${encodeURIComponent(ticket)}`;
  const socket = new WebSocket(address, terminalProtocol);
  socket.binaryType = 'arraybuffer';
  link.socket = socket;
  link.lastRefusal = undefined;
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (link.isOver) return;
    if (typeof data === 'string') take(link, JSON.parse(data) as TerminalServerMessage);
    else link.shown.write(new Uint8Array(data));
  });
  socket.addEventListener('close', ({ code }) => afterClose(link, code));
}

function take(link: TerminalLink, message: TerminalServerMessage): void {
  if (message.kind === 'screen') {
    link.tries = 0;
    link.shown.begin(message.cols, message.rows);
    setState(link, { kind: 'live' });
  } else if (message.kind === 'refusal') {
    link.lastRefusal = message.problem;
    if (link.state.kind === 'live') link.shown.onRefusal(message.problem);
  } else setState(link, { kind: 'ended', exitCode: message.exitCode });
}

function afterClose(link: TerminalLink, code: number): void {
  link.socket = undefined;
  if (link.isOver || link.state.kind === 'ended' || code === closeCodes.signedOut) return;
  if (code === terminalCloseCodes.notShown && link.lastRefusal !== undefined) {
    setState(link, { kind: 'refused', problem: link.lastRefusal });
  } else setState(link, { kind: 'away' });
  later(link);
}

function later(link: TerminalLink): void {
  if (link.isOver) return;
  clearTimeout(link.timer);
  const waitMs = Math.min(3000, 150 * 2 ** link.tries);
  link.tries += 1;
  link.timer = setTimeout(() => connect(link), waitMs * (0.75 + Math.random() / 2));
}

function setState(link: TerminalLink, state: TerminalLinkState): void {
  link.state = state;
  link.shown.onState(state);
}

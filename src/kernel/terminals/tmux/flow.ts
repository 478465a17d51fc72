/**
 * What programs write, on its way to the listeners. A pane that writes more than can be worked off is paused: tmux goes on
 * with it alone, and what it shows is read anew when the span is over.
 */
import type { PaneId } from '../contract.ts';
import { ask, TmuxGone, TmuxRefusal } from './connection.ts';
import { readShown } from './shown.ts';
import { noticeSigns } from './signs.ts';
import type { Pane, Tmux } from './state.ts';

const spanMs = 250;
/** Bytes that one pane may send in a span. */
const maxInSpan = 512 * 1024;
/** Bytes of one pane that the listener may have before it. */
const maxBehind = 2 * 1024 * 1024;
/** How long a pause is at first; it doubles with each span that is too full again, up to the last. Milliseconds. */
const [firstPauseMs, lastPauseMs] = [250, 2_000];
/** Bytes that are kept while a pane is read, or of a program that was started until it is shown. */
const maxHeld = 1024 * 1024;

export function takeOutput(tmux: Tmux, id: PaneId, bytes: Buffer): void {
  const pane = tmux.panes.get(id) ?? unknownPane(tmux, id);
  if (pane.flow === 'fresh' || pane.flow === 'held') hold(pane, bytes);
  if (pane.flow !== 'flowing') return;
  handOn(tmux, pane, bytes);
}

/** @throws TmuxRefusal for a program that has ended, or just said so: what is typed now nobody reads */
export function refuseOver(tmux: Tmux, id: PaneId): void {
  const pane = tmux.panes.get(id);
  if (pane?.isOver === true || pane?.flow === 'over') throw new TmuxRefusal('the program has ended');
}

/** The connection was lost: what came meanwhile is not known. */
export function forgetHeld(tmux: Tmux): void {
  for (const pane of tmux.panes.values()) {
    dropHeld(pane);
    if (pane.flow === 'fresh') pane.flow = 'silent';
  }
}

/** Of a program that `startWindow` is just starting, or of a pane that is nobody's. */
function unknownPane(tmux: Tmux, id: PaneId): Pane {
  const pane = newPane(id, { window: '', pid: 0, terminal: undefined, flow: 'fresh' });
  tmux.panes.set(id, pane);
  return pane;
}

export function newPane(id: PaneId, facts: Pick<Pane, 'window' | 'pid' | 'terminal' | 'flow'>): Pane {
  return {
    id,
    ...facts,
    held: [],
    heldBytes: 0,
    sent: 0,
    tail: '',
    takesPaste: false,
    spanFromMs: 0,
    fullSpans: 0,
    looks: 0,
    showing: undefined,
    isOver: false,
  };
}

function hold(pane: Pane, bytes: Buffer): void {
  pane.heldBytes += bytes.length;
  pane.held.push(bytes);
  if (pane.heldBytes <= maxHeld) return;
  // Too much to keep: it has to be read anew.
  if (pane.flow === 'fresh') pane.flow = 'silent';
  else pane.flow = 'stopped';
  dropHeld(pane);
}

function dropHeld(pane: Pane): void {
  pane.held = [];
  pane.heldBytes = 0;
}

function handOn(tmux: Tmux, pane: Pane, bytes: Buffer): void {
  const own = noticeSigns(tmux, pane, bytes);
  const words = own === undefined ? bytes : bytes.subarray(0, own);
  const isFull = countBytes(tmux, pane, words.length);
  let behind = 0;
  try {
    behind = tmux.listeners.onOutput(pane.id, words) ?? 0;
  } catch (error) {
    tmux.ctx.log.error({ err: error, pane: pane.id }, 'the output of a terminal was not taken');
  }
  if (own !== undefined) {
    // What is typed now is shown by the terminal, and read by nobody.
    pane.flow = 'over';
    tmux.onOver(pane);
  } else if (isFull || behind > maxBehind) {
    pause(tmux, pane);
  }
}

/** Whether the present span is too full. */
function countBytes(tmux: Tmux, pane: Pane, count: number): boolean {
  const nowMs = tmux.ctx.clock.monotonicMs();
  if (nowMs - pane.spanFromMs > spanMs) {
    if (nowMs - pane.spanFromMs > lastPauseMs + 2 * spanMs) pane.fullSpans = 0;
    pane.spanFromMs = nowMs;
    pane.sent = 0;
  }
  pane.sent += count;
  return pane.sent > maxInSpan;
}

function pause(tmux: Tmux, pane: Pane): void {
  pane.flow = 'stopped';
  const forMs = Math.min(lastPauseMs, firstPauseMs * 2 ** pane.fullSpans);
  pane.fullSpans += 1;
  tmux.ctx.spawn('pause a terminal', async (signal) => {
    const { connection } = tmux;
    if (connection === undefined) return;
    try {
      await ask(connection, [['refresh-client', '-A', `${pane.id}:pause`]]);
      await tmux.ctx.clock.sleep(forMs, signal);
      if (!tmux.isClosed && pane.flow === 'stopped') await showPane(tmux, pane.id);
    } catch (error) {
      ignoreGone(error);
    }
  });
}

/** The connection ended (then all is shown anew), the window is gone (that is told), or the hall stops. */
function ignoreGone(error: unknown): void {
  const isEnd = error instanceof TmuxGone || error instanceof TmuxRefusal || (error as Error).name === 'AbortError';
  if (!isEnd) throw error;
}

/**
 * Lets the pane's output come. For one that was just started, all that it wrote comes as output; for any other, all that
 * it shows comes by `onRefill` first. Resolves when that was handed on.
 * @throws TmuxGone, TmuxRefusal (there is no such pane)
 */
export async function showPane(tmux: Tmux, id: PaneId): Promise<void> {
  const pane = tmux.panes.get(id);
  if (pane === undefined) throw new TmuxRefusal(`can't find pane: ${id}`);
  if (pane.flow === 'fresh') {
    letFlow(tmux, pane);
    return;
  }
  pane.showing ??= readAnew(tmux, pane).finally(() => (pane.showing = undefined));
  await pane.showing;
}

async function readAnew(tmux: Tmux, pane: Pane): Promise<void> {
  const { connection } = tmux;
  if (connection === undefined) throw new TmuxGone('the connection to tmux has ended');
  pane.flow = 'stopped';
  dropHeld(pane);
  // From this reply on nothing of the pane is on its way: what comes next was written after the reading.
  await ask(connection, [['refresh-client', '-A', `${pane.id}:pause`]]);
  pane.flow = 'held';
  const shown = await readShown(connection, pane);
  try {
    tmux.listeners.onRefill(pane.id, shown);
  } catch (error) {
    tmux.ctx.log.error({ err: error, pane: pane.id }, 'what a terminal shows was not taken');
  }
  // Otherwise more came meanwhile than is kept.
  if (pane.flow === 'held') letFlow(tmux, pane);
  else pause(tmux, pane);
}

function letFlow(tmux: Tmux, pane: Pane): void {
  const { held } = pane;
  pane.flow = 'flowing';
  dropHeld(pane);
  if (held.length > 0) handOn(tmux, pane, Buffer.concat(held));
}

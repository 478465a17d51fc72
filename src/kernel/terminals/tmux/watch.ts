/** Learning of ends: of programs, and of windows. tmux tells of closed windows, but not of programs that ended. */
import { untilCommonTick } from '../../clock/clock.ts';
import { TmuxGone, TmuxRefusal } from './connection.ts';
import { showPane } from './flow.ts';
import { readWindows } from './list.ts';
import type { Pane, PaneEnd, Tmux } from './state.ts';

const lookEveryMs = 500;
/** So often it is looked how a program ended, before nobody knows. */
const maxLooks = 10;
/** How often, and after how many milliseconds each, it is looked whether a program that says so has ended. */
const [endLooks, endLookMs] = [10, 100];
const unknownEnd: PaneEnd = { exitCode: null, signal: null };

/** @param name of a notice: `window-close`, … */
export function windowsChanged(tmux: Tmux, name: string): void {
  if (name !== 'window-close' && name !== 'unlinked-window-close' && name !== 'layout-change') return;
  if (livePanes(tmux).length > 0) tmux.ctx.spawn('look at terminals', async () => await compareWindows(tmux));
}

/** Nothing is told of those that were not shown yet. */
function livePanes(tmux: Tmux): Pane[] {
  return [...tmux.panes.values()].filter(({ isOver, flow }) => !isOver && flow !== 'fresh' && flow !== 'silent');
}

function isOpen({ isOver, terminal }: Pane): boolean {
  return !isOver && terminal !== undefined;
}

/** Looks, while there are programs, whether each is still there. A signal 0 costs a microsecond. */
export function watchEnds(tmux: Tmux): void {
  if (tmux.watching) return;
  tmux.watching = true;
  tmux.ctx.spawn('watch terminals', async (signal) => {
    try {
      while (!tmux.isClosed && [...tmux.panes.values()].some(isOpen)) {
        await tmux.ctx.clock.sleep(untilCommonTick(tmux.ctx.clock, lookEveryMs), signal);
        if (livePanes(tmux).some(({ pid }) => !isThere(pid))) await compareWindows(tmux);
        remindServer(tmux);
      }
    } finally {
      tmux.watching = false;
    }
  });
}

/** Its program says that it has ended: soon tmux has to say so too. */
export function confirmEnd(tmux: Tmux, pane: Pane): void {
  tmux.ctx.spawn('confirm the end of a program', async (signal) => {
    for (let look = 0; look < endLooks && pane.flow === 'over' && !pane.isOver && !tmux.isClosed; look += 1) {
      await tmux.ctx.clock.sleep(endLookMs, signal);
      remindServer(tmux);
      await compareWindows(tmux);
    }
    // It only said so.
    if (pane.flow === 'over' && !pane.isOver && !tmux.isClosed) await showIfThere(tmux, pane);
  });
}

/** tmux 3.3 now and then misses that a program ended; this has it look again. */
function remindServer({ connection }: Tmux): void {
  if (connection?.isOpen !== true || connection.serverPid === undefined) return;
  try {
    process.kill(connection.serverPid, 'SIGCHLD');
  } catch {
    // It is gone, which the end of the connection tells.
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Tells of every program that has ended, and every window that is gone, since it was looked last.
 * @param options.showAll reads anew what all others show
 */
export async function compareWindows(tmux: Tmux, options: { readonly showAll?: boolean } = {}): Promise<void> {
  const before = tmux.comparing ?? Promise.resolve();
  const mine = before.then(async () => await compareNow(tmux, options));
  tmux.comparing = mine.catch(() => {
    // Whoever asked is told; who comes after starts anew.
  });
  await mine;
}

async function compareNow(tmux: Tmux, { showAll = false }: { readonly showAll?: boolean }): Promise<void> {
  const { connection } = tmux;
  if (connection === undefined) return;
  try {
    const windows = new Map((await readWindows(connection)).map((window) => [window.pane, window] as const));
    for (const pane of livePanes(tmux)) {
      const window = windows.get(pane.id);
      if (window?.end !== undefined && !isKnown(pane, window.end)) continue;
      // tmux drops what an ended program wrote last, when it was not sent yet: its window has it.
      const isWhole = pane.flow === 'over' && window?.end !== undefined;
      if (window !== undefined && !isWhole && (showAll || window.end !== undefined)) await showIfThere(tmux, pane);
      if (window === undefined || window.end !== undefined) tell(tmux, pane, window?.end ?? unknownEnd);
    }
  } catch (error) {
    // The end of the connection is told elsewhere, and then all is compared again.
    if (!(error instanceof TmuxGone)) throw error;
  }
}

/** tmux sees that a program has closed its terminal before it learns how that ended. */
function isKnown(pane: Pane, end: PaneEnd): boolean {
  if (end.exitCode !== null || end.signal !== null) return true;
  pane.looks += 1;
  return pane.looks > maxLooks;
}

async function showIfThere(tmux: Tmux, pane: Pane): Promise<void> {
  try {
    await showPane(tmux, pane.id);
  } catch (error) {
    // It was closed just now.
    if (!(error instanceof TmuxRefusal)) throw error;
  }
}

function tell(tmux: Tmux, pane: Pane, end: PaneEnd): void {
  if (pane.isOver) return;
  pane.isOver = true;
  tmux.listeners.onEnd(pane.id, end);
}

/** What comes from the panes: onto the hall's own screens, and to whoever watches live. */
import { deferred } from '../pure/deferred.ts';
import { fail } from '../pure/errors.ts';
import type { PaneId } from './contract.ts';
import { type LiveTerminal, nudge, type Terminals, type Viewer } from './live.ts';
import { feedScreen, fillScreen } from './screen/screen.ts';
import type { LiveView } from './shapes.ts';
import { showPane } from './tmux/flow.ts';
import type { ShownPane } from './tmux/state.ts';

/** Makes a terminal as it was when it was new. */
const reset = Buffer.from('\u001bc');

/** @returns bytes that are not worked off */
export function takeOutput(terminals: Terminals, pane: PaneId, bytes: Buffer): number {
  const live = terminals.byPane.get(pane);
  if (live === undefined || live.isLeft) return 0;
  const { ctx } = terminals;
  live.lastOutputMs = ctx.clock.monotonicMs();
  noteShown(live);
  for (const viewer of live.viewers) if (viewer.hasFirst) viewer.onBytes(bytes);
  ctx.spawn('output of a terminal', async () => {
    if (live.filling !== undefined) await live.filling;
    await feedScreen(live.screen, bytes);
    // Whoever listened meanwhile has not seen it.
    noteShown(live);
    nudge(live);
  });
  return live.screen.behind;
}

/** All that a pane shows, in place of what came before. */
export function takePicture(terminals: Terminals, pane: PaneId, shown: ShownPane): void {
  const live = terminals.byPane.get(pane);
  if (live === undefined || live.isLeft) return;
  noteShown(live);
  for (const viewer of live.viewers) showTo(viewer, shown);
  const before = live.filling ?? Promise.resolve();
  const filling = before.then(async () => fillScreen(live.screen, shown));
  live.filling = filling;
  terminals.ctx.spawn('picture of a terminal', async () => {
    try {
      await filling;
    } finally {
      if (live.filling === filling) live.filling = undefined;
      noteShown(live);
      nudge(live);
    }
  });
}

function showTo(viewer: Viewer, { bytes, cols, rows }: ShownPane): void {
  if (viewer.hasFirst) {
    viewer.onSize?.({ cols, rows });
    viewer.onBytes(Buffer.concat([reset, bytes]));
    return;
  }
  viewer.hasFirst = true;
  viewer.first.resolve({ snapshot: bytes, cols, rows });
}

export async function viewLive(
  live: LiveTerminal & { readonly pane: PaneId },
  onBytes: Viewer['onBytes'],
  onSize: Viewer['onSize'],
): Promise<LiveView> {
  const viewer: Viewer = { onBytes, onSize, first: deferred(), hasFirst: false };
  live.viewers.add(viewer);
  try {
    await showPane(live.terminals.tmux, live.pane);
    const { snapshot, cols, rows } = await viewer.first.promise;
    return { snapshot, cols, rows, stop: () => stopViewer(live, viewer) };
  } catch (error) {
    live.viewers.delete(viewer);
    throw error;
  }
}

function stopViewer(live: LiveTerminal, viewer: Viewer): void {
  live.viewers.delete(viewer);
}

/** Nothing comes any more, not even the first picture. */
export function giveUpViewer(live: LiveTerminal, viewer: Viewer): void {
  stopViewer(live, viewer);
  // Who waits for it hears of it; where nobody does any more, nobody has to.
  viewer.first.promise.catch(() => undefined);
  viewer.first.reject(
    fail('conflict', `The terminal "${live.id}" has ended.`, 'See which live: guild-hall terminal list'),
  );
}

function noteShown(live: LiveTerminal): void {
  live.isUnseen = true;
  live.isUnheard = true;
}

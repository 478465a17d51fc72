/** Terminals go: ended, left, forgotten. */
import { rm } from 'node:fs/promises';
import { fail } from '../pure/errors.ts';
import { type PaneId, tmuxEnded } from './contract.ts';
import { type LiveTerminal, nudge, wakeWaiters } from './live.ts';
import { closeScreen, feedScreen } from './screen/screen.ts';
import { endLeftovers } from './tmux/leftovers.ts';
import type { PaneEnd } from './tmux/state.ts';
import { endWindow } from './tmux/windows.ts';
import { giveUpViewer } from './viewing.ts';

/** How long what a program has started may take to end by itself. Milliseconds. */
export const graceMs = 2_000;

/** It is not among those that are here any more. */
export function forgetHere(live: LiveTerminal): void {
  const { terminals, id } = live;
  const pane = windowOf(live);
  terminals.live.delete(id);
  if (pane !== undefined) terminals.byPane.delete(pane);
}

/** Undefined where its window went with its tmux server: the next one gives the same number to another's. */
function windowOf(live: LiveTerminal): PaneId | undefined {
  const { terminals, pane } = live;
  return pane !== undefined && terminals.byPane.get(pane) === live ? pane : undefined;
}

/** How it ended, as far as tmux saw it. */
export function endOf(end: PaneEnd | undefined): NonNullable<LiveTerminal['end']> {
  const { exitCode = null, signal = null } = end ?? {};
  if (signal !== null) return { exitCode, why: signal, cause: signal };
  return { exitCode, why: exitCode === null ? 'nobody saw how' : `exit code ${exitCode}`, cause: null };
}

/** tmux is gone with all that ran in it. */
export function takeLoss(live: LiveTerminal): void {
  endWith(live, { exitCode: null, why: tmuxEnded, cause: tmuxEnded });
}

/** The program has ended; its last words came before. */
export function takeEnd(live: LiveTerminal, end: PaneEnd | undefined): void {
  endWith(live, endOf(end));
}

function endWith(live: LiveTerminal, end: NonNullable<LiveTerminal['end']>): void {
  if (live.end !== undefined) return;
  live.terminals.ctx.spawn(`end of ${live.id}`, async () => {
    // It may have told of its last words, and of what it took.
    await live.signals?.look();
    await settledScreen(live);
    // Told twice, the first counts: it may know how it ended.
    live.end ??= end;
    nudge(live);
    wakeWaiters(live);
  });
}

async function settledScreen(live: LiveTerminal): Promise<void> {
  await live.filling;
  await feedScreen(live.screen, new Uint8Array());
}

/** Nothing of it runs when this resolves. Its program lives on. */
export async function leaveLive(live: LiveTerminal): Promise<void> {
  live.isLeft = true;
  live.hurry.resolve();
  nudge(live);
  wakeWaiters(live);
  for (const viewer of live.viewers) giveUpViewer(live, viewer);
  await live.signals?.close();
  await live.delivering;
  await live.left.promise;
  await live.ledger.close();
  await settledScreen(live);
  closeScreen(live.screen);
}

/** Ends the program with all that it started. Resolves when it is over. */
export async function endLive(live: LiveTerminal): Promise<void> {
  const { terminals, kind } = live;
  const pane = windowOf(live);
  if (pane !== undefined) await endWindow(terminals.tmux, pane);
  if (kind.mark !== undefined) await endLeftovers(terminals.ctx, kind.mark, { graceMs });
  takeEnd(live, undefined);
}

/** @throws `conflict` for one that runs */
export async function forgetLive(live: LiveTerminal): Promise<void> {
  const { terminals, id } = live;
  if (live.end === undefined)
    throw fail('conflict', `The terminal "${id}" runs.`, `End it first: guild-hall terminal end ${id}`, { id });
  await leaveLive(live);
  const pane = windowOf(live);
  if (pane !== undefined) await endWindow(terminals.tmux, pane);
  forgetHere(live);
  await rm(live.folder, { recursive: true, force: true });
}

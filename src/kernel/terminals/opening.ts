/** Terminals come and go: started, joined after a restart, ended, left. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deferred } from '../pure/deferred.ts';
import { fail } from '../pure/errors.ts';
import type { PaneId } from './contract.ts';
import { openLedger } from './delivery/ledger.ts';
import { readStep } from './delivery/steps.ts';
import { type LiveTerminal, nudge, type Terminals, wakeWaiters } from './live.ts';
import { closeScreen, createScreen, feedScreen, readScreen } from './screen/screen.ts';
import type { TerminalKind, TerminalRequest } from './shapes.ts';
import { heardFileAt } from './speech/heard-file.ts';
import { takeHeard } from './speech/hear.ts';
import { noPassages, withPassage } from './speech/passages.ts';
import { watchSignals } from './speech/signals.ts';
import { takeSignal } from './speech/take-signal.ts';
import { showPane } from './tmux/flow.ts';
import { endLeftovers, terminalMark } from './tmux/leftovers.ts';
import type { TmuxWindow } from './tmux/list.ts';
import { defaultSize } from './tmux/settings.ts';
import type { PaneEnd } from './tmux/state.ts';
import { endWindow, listWindows, startWindow } from './tmux/windows.ts';
import { stopViewer } from './viewing.ts';
import { watchTerminal } from './watching.ts';

export async function startLive(terminals: Terminals, request: TerminalRequest): Promise<void> {
  const { id } = request;
  if (terminals.live.has(id) || terminals.starting.has(id))
    throw fail('conflict', `There is a terminal "${id}" already.`, 'Give this one another id.', { id });
  terminals.starting.add(id);
  try {
    await mkdir(signalsFolder(terminals, id), { recursive: true, mode: 0o700 });
    const { cols = defaultSize.cols, rows = defaultSize.rows, file, args, cwd, env } = request;
    const { pane } = await startWindow(terminals.tmux, { terminal: id, file, args, cwd, env, cols, rows });
    const kind = { ...request, mark: env[terminalMark] ?? request.mark };
    await beginOrEnd(terminals, kind, { pane, cols, rows });
  } finally {
    terminals.starting.delete(id);
  }
}

/** A program that nobody could listen to does not go on. */
async function beginOrEnd(
  terminals: Terminals,
  kind: TerminalKind,
  place: Place & { readonly pane: PaneId },
): Promise<void> {
  try {
    await beginOrLeave(await createLive(terminals, kind, place), begin);
  } catch (error) {
    await endWindow(terminals.tmux, place.pane);
    throw error;
  }
}

/** One that cannot be taken up is not among those that are here: nobody would look at it, nor end it. */
async function beginOrLeave(live: LiveTerminal, work: (live: LiveTerminal) => Promise<void>): Promise<void> {
  try {
    await work(live);
  } catch (error) {
    forgetHere(live);
    live.left.resolve();
    await leaveLive(live);
    throw error;
  }
}

function forgetHere(live: LiveTerminal): void {
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

/** @param kind as it was started */
export async function joinLive(terminals: Terminals, kind: TerminalKind): Promise<'running' | 'ended'> {
  const { id } = kind;
  if (terminals.live.has(id)) throw fail('conflict', `The terminal "${id}" is here already.`, 'Join it once.', { id });
  const window = (await listWindows(terminals.tmux)).find(({ terminal }) => terminal === id);
  const { cols, rows } = window ?? defaultSize;
  const live = await createLive(terminals, kind, { pane: window?.pane, cols, rows });
  await beginOrLeave(live, async () => await takeUp(live, window));
  return live.end === undefined ? 'running' : 'ended';
}

async function takeUp(live: LiveTerminal, window: TmuxWindow | undefined): Promise<void> {
  const { terminals, kind } = live;
  if (window !== undefined) live.step = await readStep(terminals.tmux, window.pane);
  const heard = await live.heardFile.read();
  if (heard !== undefined) takeHeard(live, heard);
  // What it shows was there, and heard, before.
  live.wasReady = heard !== undefined || kind.manner.speech === 'signal';
  for (const { message } of live.ledger.messages.values()) live.passages = withPassage(live.passages, message.text);
  if (window === undefined || window.end !== undefined) live.end = endOf(window?.end);
  await begin(live);
}

interface Place {
  readonly pane: PaneId | undefined;
  readonly cols: number;
  readonly rows: number;
}

async function createLive(
  terminals: Terminals,
  kind: TerminalKind,
  { pane, cols, rows }: Place,
): Promise<LiveTerminal> {
  const { ctx, options } = terminals;
  const folder = join(options.folder, kind.id);
  const screen = createScreen({ cols, rows });
  const live: LiveTerminal = {
    terminals,
    id: kind.id,
    kind,
    folder,
    pane,
    screen,
    ledger: await openLedger(ctx, folder),
    heardFile: heardFileAt(join(folder, 'heard.json')),
    viewers: new Set(),
    signals: undefined,
    filling: undefined,
    shown: readScreen(screen),
    standing: { status: 'starting' },
    startedMs: ctx.clock.monotonicMs(),
    lastOutputMs: undefined,
    wasReady: false,
    isInTurn: false,
    toldDialog: undefined,
    typed: undefined,
    input: undefined,
    end: undefined,
    step: 'none',
    delivering: undefined,
    passages: noPassages,
    heard: [],
    awaited: [],
    lastTyped: undefined,
    pending: { next: 1, speech: undefined },
    isUnheard: true,
    waiters: new Set(),
    hurry: deferred(),
    due: deferred(),
    left: deferred(),
    isLeft: false,
  };
  terminals.live.set(live.id, live);
  if (pane !== undefined) terminals.byPane.set(pane, live);
  return live;
}

/** The screen first, then what hooks told meanwhile: only then what waits is put in. */
async function begin(live: LiveTerminal): Promise<void> {
  const { terminals, kind, pane } = live;
  const { ctx } = terminals;
  if (pane !== undefined) await showPane(terminals.tmux, pane);
  await live.filling;
  const { readSignal } = kind;
  if (readSignal !== undefined) {
    const folder = signalsFolder(terminals, live.id);
    live.signals = await watchSignals(ctx, { folder, readSignal, take: async (told) => takeSignal(live, told) });
    await live.signals.look();
  }
  ctx.spawn(`terminal ${live.id}`, async () => watchTerminal(live));
}

function signalsFolder(terminals: Terminals, id: TerminalKind['id']): string {
  return join(terminals.options.folder, id, 'signals');
}

function endOf(end: PaneEnd | undefined): NonNullable<LiveTerminal['end']> {
  const { exitCode = null, signal = null } = end ?? {};
  if (signal !== null) return { exitCode, why: signal };
  return { exitCode, why: exitCode === null ? 'nobody saw how' : `exit code ${exitCode}` };
}

/** The program has ended; its last words came before. */
export function takeEnd(live: LiveTerminal, end: PaneEnd | undefined): void {
  if (live.end !== undefined) return;
  live.terminals.ctx.spawn(`end of ${live.id}`, async () => {
    // It may have told of its last words, and of what it took.
    await live.signals?.look();
    await settledScreen(live);
    // Told twice, the first counts: it may know how it ended.
    live.end ??= endOf(end);
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
  for (const viewer of live.viewers) stopViewer(live, viewer);
  await live.signals?.close();
  await live.delivering;
  await live.left.promise;
  await live.ledger.close();
  await settledScreen(live);
  closeScreen(live.screen);
}

/** How long what a program has started may take to end by itself. Milliseconds. */
const graceMs = 2_000;

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

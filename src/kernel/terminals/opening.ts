/** Terminals come: started, or joined after a restart. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deferred } from '../pure/deferred.ts';
import { fail } from '../pure/errors.ts';
import type { PaneId } from './contract.ts';
import { openLedger } from './delivery/ledger.ts';
import { readStep } from './delivery/steps.ts';
import { endOf, forgetHere, graceMs, leaveLive } from './ending.ts';
import type { LiveTerminal, Terminals } from './live.ts';
import { createScreen, readScreen } from './screen/screen.ts';
import type { TerminalKind, TerminalRequest } from './shapes.ts';
import { heardFileAt } from './speech/heard-file.ts';
import { takeHeard } from './speech/hear.ts';
import { noPassages, withPassage } from './speech/passages.ts';
import { watchSignals } from './speech/signals.ts';
import { putOffSpeech, takeSignal } from './speech/take-signal.ts';
import { showPane } from './tmux/flow.ts';
import { endLeftovers, terminalMark } from './tmux/leftovers.ts';
import type { TmuxWindow } from './tmux/list.ts';
import { defaultSize } from './tmux/settings.ts';
import { withTmux } from './tmux/gone.ts';
import { endWindow, listWindows, startWindow } from './tmux/windows.ts';
import { watchTerminal } from './watching.ts';

export async function startLive(terminals: Terminals, request: TerminalRequest): Promise<void> {
  const { id } = request;
  if (terminals.live.has(id) || terminals.starting.has(id))
    throw fail('conflict', `There is a terminal "${id}" already.`, 'Give this one another id.', { id });
  terminals.starting.add(id);
  try {
    await mkdir(signalsFolder(terminals, id), { recursive: true, mode: 0o700 });
    const { cols = defaultSize.cols, rows = defaultSize.rows, file, args, cwd, env } = request;
    const { pane } = await withTmux(async () =>
      startWindow(terminals.tmux, { terminal: id, file, args, cwd, env, cols, rows }),
    );
    const kind = { ...request, mark: env[terminalMark] ?? request.mark };
    await beginOrEnd(terminals, kind, { pane, cols, rows, holdMs: request.holdMs });
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
    if (kind.mark !== undefined) await endLeftovers(terminals.ctx, kind.mark, { graceMs });
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
  live.isTurnUnknown = true;
  live.wasReady = heard !== undefined || kind.manner.speech === 'signal';
  for (const { message } of live.ledger.messages.values()) live.passages = withPassage(live.passages, message.text);
  if (window === undefined || window.end !== undefined) live.end = endOf(window?.end);
  await begin(live);
}

interface Place {
  readonly pane: PaneId | undefined;
  readonly cols: number;
  readonly rows: number;
  readonly holdMs?: number | undefined;
}

async function createLive(
  terminals: Terminals,
  kind: TerminalKind,
  { pane, cols, rows, holdMs }: Place,
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
    ...unknownYet(ctx.clock.monotonicMs()),
    holdMs,
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

type Learned = Pick<
  LiveTerminal,
  | 'startedMs'
  | 'lastOutputMs'
  | 'wasReady'
  | 'holdMs'
  | 'readyMs'
  | 'isInTurn'
  | 'isTurnUnknown'
  | 'isTelling'
  | 'toldDialog'
  | 'typed'
  | 'input'
  | 'end'
  | 'step'
  | 'putting'
  | 'settling'
  | 'delivering'
  | 'passages'
  | 'heard'
  | 'awaited'
  | 'lastTyped'
  | 'pending'
  | 'afters'
  | 'isUnseen'
  | 'isUnheard'
>;

/** What is known of a program that nobody has seen or told anything. */
function unknownYet(startedMs: number): Learned {
  return {
    startedMs,
    lastOutputMs: undefined,
    wasReady: false,
    holdMs: undefined,
    readyMs: undefined,
    isInTurn: false,
    isTurnUnknown: false,
    isTelling: false,
    toldDialog: undefined,
    typed: undefined,
    input: undefined,
    end: undefined,
    step: 'none',
    putting: undefined,
    settling: new Map(),
    delivering: undefined,
    passages: noPassages,
    heard: [],
    awaited: [],
    lastTyped: undefined,
    pending: { next: 1, speech: undefined },
    afters: new Map(),
    isUnseen: false,
    isUnheard: true,
  };
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
    live.signals = await watchSignals(ctx, {
      folder,
      readSignal,
      take: async (told) => takeSignal(live, told),
      isOver: () => live.end !== undefined,
      putOff: async (told) => putOffSpeech(live, told),
    });
    await live.signals.look();
  }
  ctx.spawn(`terminal ${live.id}`, async () => watchTerminal(live));
}

function signalsFolder(terminals: Terminals, id: TerminalKind['id']): string {
  return join(terminals.options.folder, id, 'signals');
}

/** A tmux server of its own for a test, with a screen for each of its panes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackground } from '../../src/kernel/background/background.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { type PaneId, type TerminalId, terminalIdSchema } from '../../src/kernel/terminals/contract.ts';
import {
  closeScreen,
  createScreen,
  feedScreen,
  fillScreen,
  readScreen,
  type Screen,
} from '../../src/kernel/terminals/screen/screen.ts';
import { showPane } from '../../src/kernel/terminals/tmux/flow.ts';
import { closeTmux, killServer, openTmux } from '../../src/kernel/terminals/tmux/server.ts';
import type { PaneEnd, Tmux, TmuxContext } from '../../src/kernel/terminals/tmux/state.ts';
import { askOf, startWindow } from '../../src/kernel/terminals/tmux/windows.ts';
import { packageRoot, waitUntil } from './programs.ts';

/** Ends the tmux server of a hall, and so all its terminals, which live on when a hall stops. */
export function endTmuxOf(home: string): void {
  try {
    execFileSync('tmux', ['-S', join(home, 'state/tmux/hall.sock'), 'kill-server'], { stdio: 'pipe' });
  } catch {
    // It has ended already, or none was needed.
  }
}

export interface TestTmux {
  readonly ctx: TmuxContext;
  readonly tmux: Tmux;
  readonly folder: string;
  readonly screens: Map<PaneId, Screen>;
  /** All that came as output, in order; what was read anew is not in it. */
  readonly output: Map<PaneId, string>;
  readonly ends: Map<PaneId, PaneEnd>;
  readonly lost: string[];
  /** How often what a pane shows was read anew. */
  readonly refills: Map<PaneId, number>;
  readonly background: ReturnType<typeof createBackground>;
  /** Resolves when the pane's screen shows all that came. */
  readonly settled: (pane: PaneId) => Promise<void>;
}

/** Of the environment of the test only what programs need. */
export const tmuxEnv = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8' };

/** Whoever opens it ends it: `endTestTmux`, or `leaveTestTmux` and then another one in the same folder. */
export async function openTestTmux(inFolder?: string): Promise<TestTmux> {
  const folder = inFolder ?? mkdtempSync(join(tmpdir(), 'gh-tmux-'));
  const background = createBackground(silentLog);
  const ctx: TmuxContext = { clock: systemClock, ids: systemIds, log: silentLog, spawn: background.spawn };
  const heard = {
    screens: new Map<PaneId, Screen>(),
    output: new Map<PaneId, string>(),
    ends: new Map<PaneId, PaneEnd>(),
    refills: new Map<PaneId, number>(),
    lost: [] as string[],
  };
  const tmux = await openTmux(ctx, {
    socket: join(folder, 'hall.sock'),
    env: tmuxEnv,
    listeners: {
      onOutput: (pane, bytes) => {
        const screen = screenOf(heard.screens, pane);
        heard.output.set(pane, (heard.output.get(pane) ?? '') + bytes.toString('latin1'));
        ctx.spawn('feed a screen', async () => await feedScreen(screen, bytes));
        return screen.behind;
      },
      onRefill: (pane, shown) => {
        heard.refills.set(pane, (heard.refills.get(pane) ?? 0) + 1);
        ctx.spawn('fill a screen', async () => await fillScreen(screenOf(heard.screens, pane), shown));
      },
      onEnd: (pane, end) => void heard.ends.set(pane, end),
      onLost: (why) => void heard.lost.push(why),
    },
  });
  const settled = async (pane: PaneId): Promise<void> => {
    await feedScreen(screenOf(heard.screens, pane), Buffer.from('\0'));
  };
  return { ctx, tmux, folder, background, settled, ...heard };
}

function screenOf(screens: Map<PaneId, Screen>, pane: PaneId): Screen {
  const screen = screens.get(pane) ?? createScreen({ cols: 120, rows: 36 });
  screens.set(pane, screen);
  return screen;
}

export async function leaveTestTmux({ tmux, background, screens }: TestTmux): Promise<void> {
  await closeTmux(tmux);
  await background.stop(2_000);
  for (const screen of screens.values()) closeScreen(screen);
}

export async function endTestTmux(test: TestTmux): Promise<void> {
  await killServer(test.tmux);
  await leaveTestTmux(test);
  rmSync(test.folder, { recursive: true, force: true });
}

let count = 0;
/** A terminal id that no other test of this process has. */
export function nextTerminal(): TerminalId {
  count += 1;
  return terminalIdSchema.parse(`test-${process.pid}-${count}`);
}

/** Starts a program of test/fixtures/terminals, or any other words, and lets its output come. */
export async function startTest(
  { tmux, screens }: TestTmux,
  words: readonly [string, ...string[]],
  options: {
    readonly env?: Record<string, string>;
    readonly cwd?: string;
    readonly cols?: number;
    readonly rows?: number;
  } = {},
): Promise<{ readonly pane: PaneId; readonly pid: number; readonly terminal: TerminalId }> {
  const [file, ...args] = words;
  const terminal = nextTerminal();
  const started = await startWindow(tmux, { terminal, file, args, cwd: '/', env: {}, ...options });
  const { cols = 120, rows = 36 } = options;
  screens.set(started.pane, createScreen({ cols, rows }));
  await showPane(tmux, started.pane);
  return { ...started, terminal };
}

/** The words that start a program of test/fixtures/terminals. */
export function terminalProgram(name: string, ...args: string[]): [string, ...string[]] {
  return [process.execPath, join(packageRoot, 'test/fixtures/terminals', name), ...args];
}

/** All that a pane's screen shows, scrolled-off lines too. */
export function linesOf(test: TestTmux, pane: PaneId): readonly string[] {
  const screen = test.screens.get(pane);
  return screen === undefined ? [] : readScreen(screen).lines;
}

export async function untilShown(test: TestTmux, pane: PaneId, text: string | RegExp): Promise<void> {
  await waitUntil(() => {
    const shown = linesOf(test, pane).join('\n');
    return typeof text === 'string' ? shown.includes(text) : text.test(shown);
  });
}

/** One message however many lines it has, where the program takes pastes. */
export async function pasteText({ tmux }: TestTmux, pane: PaneId, text: string): Promise<void> {
  await askOf(tmux, pane, [
    ['copy-mode', '-q', '-t', pane],
    ['set-buffer', '-b', 'test', '--', text],
    ['paste-buffer', '-d', '-r', '-p', '-b', 'test', '-t', pane],
  ]);
}

/** By tmux's names of keys. */
export async function pressKeys({ tmux }: TestTmux, pane: PaneId, names: readonly string[]): Promise<void> {
  await askOf(tmux, pane, [
    ['copy-mode', '-q', '-t', pane],
    ['send-keys', '-t', pane, '--', ...names],
  ]);
}

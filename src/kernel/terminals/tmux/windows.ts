/** Windows: one is started, sized, ended. A program and its arguments are words; no shell is between. */
import { stat } from 'node:fs/promises';
import { findProgram } from '../../processes/find-program.ts';
import { fail } from '../../pure/errors.ts';
import { type PaneId, paneIdSchema, type TerminalId } from '../contract.ts';
import { ask, TmuxRefusal } from './connection.ts';
import { newPane, showPane } from './flow.ts';
import { readWindows, type TmuxWindow } from './list.ts';
import { reach } from './server.ts';
import { defaultSize, sessionName } from './settings.ts';
import type { Tmux } from './state.ts';
import { watchEnds } from './watch.ts';
import { printOver } from './signs.ts';
import { withoutFormats } from './words.ts';

/**
 * What is run is the program, by its own words, and nothing else. But tmux closes the window's terminal at the moment at
 * which its first process ends, and what came right before is lost now and then: the words of a program that ends at once.
 * A sign that nobody sees tells that it ended.
 */
const waitForWords = `trap : INT QUIT; "$@"; code=$?; ${printOver}; sleep 0.05; exit $code`;

export interface WindowRequest {
  readonly terminal: TerminalId;
  /** A name on PATH, or a path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Comes on top of the server's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cols?: number;
  readonly rows?: number;
}

export interface StartedWindow {
  readonly pane: PaneId;
  /** Of the process that leads the window's session; the program is below it, in the same group. */
  readonly pid: number;
}

/**
 * Starts a program in a window of its own. It is silent until `showPane`, by which nothing of its output is lost.
 * @throws not_found (no such program or folder), unavailable
 */
export async function startWindow(tmux: Tmux, request: WindowRequest): Promise<StartedWindow> {
  const { terminal, cwd, args, env, cols = defaultSize.cols, rows = defaultSize.rows } = request;
  const file = await requireProgram(tmux, request);
  const connection = await reach(tmux);
  // A name that no other window has, until it is known by its terminal.
  const name = `new-${tmux.ctx.ids.random(12)}`;
  const target = `=${sessionName}:=${name}`;
  const words = ['new-window', '-d', '-P', '-F', '#{pane_id} #{pane_pid} #{window_id}', '-n', name];
  words.push('-t', `=${sessionName}:`, '-c', withoutFormats(cwd));
  const [text] = await ask(connection, [
    [
      ...words,
      ...Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]),
      '--',
      'sh',
      '-c',
      waitForWords,
      'sh',
      file,
      ...args,
    ],
    ['set-option', '-p', '-t', `${target}.`, '@terminal', terminal],
    // From now on its size is not that of a person who looks at it. (As a setting of all windows, this ends tmux 3.3.)
    ['resize-window', '-t', target, '-x', String(cols), '-y', String(rows)],
    ['rename-window', '-t', target, terminal],
  ]);
  const [pane, pid, window] = text!.toString('latin1').split(' ');
  const id = paneIdSchema.parse(pane);
  const known = tmux.panes.get(id) ?? newPane(id, { window: '', pid: 0, terminal, flow: 'fresh' });
  Object.assign(known, { window: window!, pid: Number(pid), terminal });
  tmux.panes.set(id, known);
  watchEnds(tmux);
  return { pane: id, pid: Number(pid) };
}

async function requireProgram(tmux: Tmux, { file, cwd, env }: WindowRequest): Promise<string> {
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw fail(
      'not_found',
      `The folder of the new terminal does not exist: ${cwd}`,
      'Make the folder, or start the terminal elsewhere.',
    );
  }
  const found = await findProgram(file, { cwd, path: env['PATH'] ?? tmux.env['PATH'] });
  if (found !== undefined) return found;
  throw fail(
    'not_found',
    `There is no program "${file}" on this machine, or it may not be run.`,
    `Install it, or give its whole path; then see: command -v ${file}`,
  );
}

/** All windows with a program of the hall, also those of earlier halls and those that have ended. */
export async function listWindows(tmux: Tmux): Promise<readonly TmuxWindow[]> {
  const windows = await readWindows(await reach(tmux));
  for (const { pane, window, pid, terminal, end } of windows) {
    const known = tmux.panes.get(pane);
    // One of an earlier hall that wrote before it was listed looks like one that was just started: what it shows is older.
    const isMistaken = known?.flow === 'fresh' && known.terminal === undefined;
    if (known !== undefined && !isMistaken) continue;
    tmux.panes.set(pane, { ...newPane(pane, { window, pid, terminal, flow: 'silent' }), isOver: end !== undefined });
  }
  watchEnds(tmux);
  return windows;
}

/** Resolves when what the pane shows in its new size came by `onRefill`. @throws not_found */
export async function resizeWindow(tmux: Tmux, pane: PaneId, size: { cols: number; rows: number }): Promise<void> {
  await askOf(tmux, pane, [['resize-window', '-t', pane, '-x', String(size.cols), '-y', String(size.rows)]]);
  const flow = tmux.panes.get(pane)?.flow;
  if (flow !== undefined && flow !== 'fresh' && flow !== 'silent') await showPane(tmux, pane);
}

/** Closes the window: the program and what it started in the foreground are told so (SIGHUP). One that is gone is fine. */
export async function endWindow(tmux: Tmux, pane: PaneId): Promise<void> {
  tmux.panes.delete(pane);
  try {
    await ask(await reach(tmux), [['kill-pane', '-t', pane]]);
  } catch (error) {
    if (!(error instanceof TmuxRefusal)) throw error;
  }
}

/** Has tmux do something with one pane. @throws not_found when it is gone */
export async function askOf(tmux: Tmux, pane: PaneId, commands: Parameters<typeof ask>[1]): Promise<void> {
  try {
    await ask(await reach(tmux), commands);
  } catch (error) {
    if (!(error instanceof TmuxRefusal)) throw error;
    throw fail(
      'not_found',
      `The terminal's window did not take it: ${error.message}`,
      'See which terminals there are: guild-hall terminal list',
      { pane },
      error,
    );
  }
}

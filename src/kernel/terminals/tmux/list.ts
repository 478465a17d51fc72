/** The windows of the hall's session, as tmux tells of them. */
import { constants } from 'node:os';
import { type PaneId, paneIdSchema, type TerminalId, terminalIdSchema } from '../contract.ts';
import { ask, type Connection } from './connection.ts';
import { sessionName } from './settings.ts';
import type { PaneEnd } from './state.ts';

/** A window with a program of the hall in it. */
export interface TmuxWindow {
  readonly pane: PaneId;
  /** tmux's own id of the window, `@3`. */
  readonly window: string;
  readonly terminal: TerminalId;
  /** Of the program that was started. */
  readonly pid: number;
  readonly cols: number;
  readonly rows: number;
  /** A person reads back in it (or has another of tmux's own views open): keys go there, not to the program. */
  readonly isInMode: boolean;
  /** The program has ended. */
  readonly end: PaneEnd | undefined;
  /** What the program calls itself; data. */
  readonly title: string;
}

const format = [
  '#{pane_id}',
  '#{window_id}',
  't#{@terminal}',
  '#{pane_pid}',
  '#{pane_width}',
  '#{pane_height}',
  '#{pane_in_mode}',
  '#{pane_dead}',
  's#{pane_dead_status}',
  'g#{pane_dead_signal}',
  '#{pane_title}',
].join(' ');

const shape = /^(%\d+) (@\d+) t([a-z0-9-]+) (\d+) (\d+) (\d+) (\d+) ([01]) s(\d*) g(\d*) (.*)$/;

/** @throws TmuxGone, TmuxRefusal */
export async function readWindows(connection: Connection): Promise<readonly TmuxWindow[]> {
  const [text] = await ask(connection, [['list-panes', '-s', '-t', `=${sessionName}`, '-F', format]]);
  return text!.toString('utf8').split('\n').flatMap(parseWindow);
}

/** A pane that no terminal belongs to (the keeper, what a person opened) is none. */
function parseWindow(line: string): TmuxWindow[] {
  const match = shape.exec(line);
  if (match === null) return [];
  const [, paneText, window = '', terminalText, pid, cols, rows, inMode, dead, status = '', signal = '', title = ''] =
    match;
  const pane = paneIdSchema.safeParse(paneText);
  const terminal = terminalIdSchema.safeParse(terminalText);
  if (!pane.success || !terminal.success) return [];
  return [
    {
      pane: pane.data,
      window,
      terminal: terminal.data,
      pid: Number(pid),
      cols: Number(cols),
      rows: Number(rows),
      isInMode: inMode !== '0',
      end: dead === '1' ? endOf(status, signal) : undefined,
      title,
    },
  ];
}

/** By a program's end what its shell says of it: 128 more than the number of the signal that ended it. */
function endOf(status: string, signal: string): PaneEnd {
  const code = status === '' ? null : Number(status);
  const number = signal === '' ? (code ?? 0) - 128 : Number(signal);
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  if (name !== undefined) return { exitCode: null, signal: name };
  return { exitCode: code, signal: signal === '' ? null : `signal ${signal}` };
}

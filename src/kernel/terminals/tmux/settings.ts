/** How the hall's tmux server is set up. */
import type { TmuxCommand } from './connection.ts';

export const sessionName = 'hall';
/** The first window: a program that has ended, so that the session lives without any terminal. */
const keeperName = 'keeper';
const keeperWords = 'The terminals of the guild hall. Each is a window of this session: Ctrl-b w shows them.';

export const defaultSize = { cols: 120, rows: 36 } as const;
/** Rows that tmux keeps of what has scrolled off. */
const historyLimit = 2_000;

const settings: readonly TmuxCommand[] = [
  // The server outlives its last window, and keeps no copy of what it was told: keys and messages are in there.
  ['set-option', '-s', 'exit-empty', 'off'],
  ['set-option', '-s', 'message-limit', '0'],
  ['set-option', '-s', 'escape-time', '0'],
  ['set-option', '-s', 'set-clipboard', 'off'],
  ['set-option', '-s', 'focus-events', 'off'],
  ['set-option', '-g', 'default-terminal', 'screen-256color'],
  ['set-option', '-g', 'default-size', `${defaultSize.cols}x${defaultSize.rows}`],
  ['set-option', '-g', 'history-limit', String(historyLimit)],
  ['set-option', '-g', 'status', 'off'],
  ['set-option', '-g', 'update-environment', ''],
  ['set-option', '-g', 'set-titles', 'off'],
  ['set-option', '-gw', 'allow-passthrough', 'off'],
  ['set-option', '-gw', 'allow-rename', 'off'],
  ['set-option', '-gw', 'automatic-rename', 'off'],
  ['set-option', '-gw', 'aggressive-resize', 'off'],
  ['set-option', '-gw', 'monitor-activity', 'off'],
  ['set-option', '-gw', 'monitor-bell', 'off'],
  // An ended program's window stays, so that its exit code and its last words can be read.
  ['set-option', '-gw', 'remain-on-exit', 'on'],
  ['set-option', '-gw', 'remain-on-exit-format', ''],
];

/** What starts a server, or gives one that runs the session that it lost. */
export const startCommands: readonly TmuxCommand[] = [
  ...settings,
  ['new-session', '-d', '-s', sessionName, '-n', keeperName, '-c', '/', '--', 'printf', '%s\\n', keeperWords],
];

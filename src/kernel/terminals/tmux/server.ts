/** The hall's own tmux server: started or joined, left, ended. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runCommand } from '../../processes/command.ts';
import { fail, type HallError } from '../../pure/errors.ts';
import { ask, connect, type Connection, disconnect, TmuxGone, TmuxStill, usualAnswerMs } from './connection.ts';
import { forgetHeld, takeOutput } from './flow.ts';
import { sessionName, startCommands } from './settings.ts';
import type { Tmux, TmuxContext, TmuxListeners } from './state.ts';
import { checkTmux } from './version.ts';
import { compareWindows, confirmEnd, windowsChanged } from './watch.ts';

export interface OpenRequest {
  /** Absolute, at most 100 bytes. Its folder is made when it is not there. */
  readonly socket: string;
  /** The whole environment of the server, and so the ground of every program's. */
  readonly env: Readonly<Record<string, string>>;
  readonly listeners: TmuxListeners;
}

/** The system takes 103 (macOS) or 107 (Linux) bytes. */
const maxSocketBytes = 100;
const startTimeoutMs = 10_000;
/** Timers take no more. */
const longestMs = 2 ** 31 - 1;

/**
 * Starts the server, or joins the one that runs. Its programs are then known by `listWindows`; each is silent until
 * `showPane`.
 * @throws unavailable, invalid (the path of the socket is too long)
 */
export async function openTmux(ctx: TmuxContext, { socket, env, listeners }: OpenRequest): Promise<Tmux> {
  refuseLongPath(socket);
  const own = { ...env };
  // Of a tmux that the hall itself runs in.
  delete own['TMUX'];
  delete own['TMUX_PANE'];
  await checkTmux(ctx, own);
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
  const tmux: Tmux = {
    ctx,
    socket,
    env: own,
    listeners,
    panes: new Map(),
    onOver: (pane) => confirmEnd(tmux, pane),
    connection: undefined,
    joining: undefined,
    opening: undefined,
    isClosed: false,
    watching: false,
    comparing: undefined,
  };
  await reach(tmux);
  return tmux;
}

/**
 * Whether a server answers at that socket: a hall that starts joins it, and starts none.
 * @throws unavailable where tmux is not to be had, or says nothing in time: then programs may live
 */
export async function isTmuxUp(
  ctx: TmuxContext,
  { socket, env, answerMs = startTimeoutMs }: Omit<OpenRequest, 'listeners'> & { readonly answerMs?: number },
): Promise<boolean> {
  await checkTmux(ctx, env);
  const nothing = (): void => {};
  const connection = connect(ctx, { socket, env, answerMs, session: sessionName, onEvent: nothing, onClose: nothing });
  try {
    await ask(connection, [['display-message', '-p', '#{pid}']]);
    await disconnect(connection);
    return true;
  } catch (error) {
    if (error instanceof TmuxStill) throw standsStill({ socket });
    if (error instanceof TmuxGone) return false;
    throw error;
  }
}

function standsStill({ socket }: Pick<Tmux, 'socket'>): HallError {
  return fail(
    'unavailable',
    'tmux does not say whether terminals live; they are left as they are.',
    `See what it says: tmux -S ${socket} list-windows; then start the hall again: guild-hall down, guild-hall up`,
  );
}

function refuseLongPath(socket: string): void {
  const length = Buffer.byteLength(socket);
  if (length <= maxSocketBytes) return;
  throw fail(
    'invalid',
    `The socket of the hall's terminals would have a path of ${length} bytes, and the system takes ${maxSocketBytes}: ${socket}`,
    'Give the hall a home with a shorter path: GUILD_HALL_HOME=<folder> guild-hall up',
  );
}

/** The open connection; where there is none, the server is joined again, or another one is started. */
export async function reach(tmux: Tmux): Promise<Connection> {
  if (tmux.isClosed) throw hasLeft();
  if (tmux.connection?.isOpen === true) return tmux.connection;
  tmux.opening ??= open(tmux).finally(() => (tmux.opening = undefined));
  return await tmux.opening;
}

function hasLeft(): HallError {
  return fail('unavailable', 'The hall has left its terminals.', 'Start it again: guild-hall up');
}

async function open(tmux: Tmux): Promise<Connection> {
  const joined = await joinServer(tmux).catch((error: unknown) => {
    throw error instanceof TmuxStill ? standsStill(tmux) : error;
  });
  if (joined !== undefined) return joined;
  if (tmux.isClosed) throw hasLeft();
  const started = await tmuxCommand(
    tmux.ctx,
    tmux,
    startCommands.flatMap((words, at) => (at === 0 ? words : [';', ...words])).map(String),
  );
  const connection = await joinServer(tmux);
  if (connection !== undefined) return connection;
  throw fail(
    'unavailable',
    `tmux did not start: ${started.failedToStart ?? (started.stderr.trim() || `exit code ${started.exitCode}`)}`,
    `See what it says: tmux -S ${tmux.socket} new-session`,
  );
}

/** Connects to the server that runs; undefined where none does, or it has lost the session. @throws TmuxStill */
async function joinServer(tmux: Tmux, answerMs?: number): Promise<Connection | undefined> {
  const { socket, env } = tmux;
  const connection = connect(tmux.ctx, {
    socket,
    env,
    session: sessionName,
    ...(answerMs === undefined ? {} : { answerMs }),
    onEvent: (event) => {
      if (event.kind === 'output') takeOutput(tmux, event.pane, event.bytes);
      else windowsChanged(tmux, event.name);
    },
    onClose: () => connectionLost(tmux, connection),
  });
  tmux.joining = connection;
  try {
    const [pid] = await ask(connection, [['display-message', '-p', '#{pid}']]);
    connection.serverPid = Number(pid!.toString('latin1')) || undefined;
  } catch (error) {
    if (!(error instanceof TmuxGone) || error instanceof TmuxStill) throw error;
    return undefined;
  } finally {
    tmux.joining = undefined;
  }
  connection.answerMs = usualAnswerMs;
  tmux.connection = connection;
  return connection;
}

/** The server may be gone with all its programs, or only this connection of it. */
function connectionLost(tmux: Tmux, connection: Connection): void {
  if (tmux.isClosed || tmux.connection !== connection) return;
  tmux.connection = undefined;
  forgetHeld(tmux);
  tmux.ctx.log.warn({ said: connection.said }, 'the connection to tmux ended');
  tmux.ctx.spawn('join tmux again', async () => {
    tmux.opening ??= joinAgain(tmux).finally(() => (tmux.opening = undefined));
    try {
      await tmux.opening;
      await compareWindows(tmux, { showAll: true });
    } catch (error) {
      if (!(error instanceof TmuxGone)) throw error;
      tmux.panes.clear();
      if (!tmux.isClosed) tmux.listeners.onLost(connection.said.trim() || 'tmux ended');
    }
  });
}

/** @throws TmuxGone where no server runs */
async function joinAgain(tmux: Tmux): Promise<Connection> {
  // One that stands still may go on later, and its programs live as long. Another try instead might end it: tmux 3.3 does
  // not survive several clients that were killed while it stood still.
  const connection = await joinServer(tmux, longestMs);
  if (connection === undefined) throw new TmuxGone('no server');
  return connection;
}

/** Lets go of the server; it and its programs live on. */
export async function closeTmux(tmux: Tmux): Promise<void> {
  tmux.isClosed = true;
  const { connection, joining } = tmux;
  tmux.connection = undefined;
  if (connection !== undefined) await disconnect(connection);
  // It may be waiting for a server that stands still.
  if (joining !== undefined) await disconnect(joining);
}

/** Ends the server with everything in it; what outlives its window is left to `endLeftovers`. */
export async function killServer(tmux: Tmux): Promise<void> {
  await closeTmux(tmux);
  await tmuxCommand(tmux.ctx, tmux, ['-N', 'kill-server']);
}

async function tmuxCommand(
  ctx: TmuxContext,
  { socket, env }: Pick<Tmux, 'socket' | 'env'>,
  words: readonly string[],
): Promise<Awaited<ReturnType<typeof runCommand>>> {
  const args = ['-u', '-S', socket, '-f', '/dev/null', ...words];
  return await runCommand(ctx, { file: 'tmux', args, cwd: '/', env, timeoutMs: startTimeoutMs });
}

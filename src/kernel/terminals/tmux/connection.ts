/** The one control connection: commands go out as lines, replies come back in the same order. */
import type { LogContext } from '../../log/log.ts';
import { type StartedProcess, startProcess } from '../../processes/start.ts';
import { deferred, type Deferred } from '../../pure/deferred.ts';
import { type ControlEvent, type ControlParser, createParser, feedParser } from './parser.ts';
import { tmuxLine } from './words.ts';

/** One command: its name, and its arguments. */
export type TmuxCommand = readonly (string | Uint8Array)[];

export interface Connection {
  readonly process: StartedProcess;
  readonly parser: ControlParser;
  readonly waiting: Waiting[];
  isOpen: boolean;
  /** It is attached to the session. Commands that come before are worked off without one. */
  readonly attached: Deferred<void>;
  /** Of the tmux server at the other end, once it is known. */
  serverPid: number | undefined;
  /** What tmux said on standard error. */
  said: string;
  /** Within this it has to answer. Milliseconds. */
  answerMs: number;
  /** There was no answer for so long. */
  isGivenUp: boolean;
}

interface Waiting {
  readonly commands: readonly TmuxCommand[];
  readonly lengthOf: LengthOf | undefined;
  readonly replies: Buffer[];
  readonly done: Deferred<readonly Buffer[]>;
}

/** How many bytes the next reply has, by the replies that came before it on the line. */
type LengthOf = (earlier: readonly Buffer[]) => number | undefined;

/** Within this tmux answers, or the connection is given up. Milliseconds. */
export const usualAnswerMs = 30_000;
/** For a connection to end when it is asked to. Milliseconds. */
const leaveGraceMs = 1_000;

/** tmux refused a command. The text is its own. */
export class TmuxRefusal extends Error {}
/** The connection ended before there was an answer: whether the command was carried out is not known. */
export class TmuxGone extends Error {}
/** It was given up, because there was no answer for long: the server may live. */
export class TmuxStill extends TmuxGone {}

export interface ConnectRequest {
  readonly socket: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly session: string;
  /** Where it is not the usual time. Milliseconds. */
  readonly answerMs?: number;
  readonly onEvent: (event: Exclude<ControlEvent, { kind: 'reply' }>) => void;
  readonly onClose: (connection: Connection) => void;
}

/** @throws unavailable where there is no tmux */
export function connect(ctx: LogContext, request: ConnectRequest): Connection {
  const process = startProcess(ctx, {
    file: 'tmux',
    // -N: where no server runs, none is started.
    args: ['-N', '-u', '-S', request.socket, '-C', 'attach-session', '-t', `=${request.session}`],
    cwd: '/',
    env: request.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const connection: Connection = {
    process,
    waiting: [],
    isOpen: true,
    attached: deferred(),
    serverPid: undefined,
    said: '',
    answerMs: request.answerMs ?? usualAnswerMs,
    isGivenUp: false,
    parser: createParser({
      lengthOfNext: () => connection.waiting[0]?.lengthOf?.(connection.waiting[0].replies),
      onEvent: (event) => {
        if (event.kind === 'notice' && event.name === 'session-changed') connection.attached.resolve();
        if (event.kind === 'reply') takeReply(connection, event);
        else if (connection.isOpen) request.onEvent(event);
      },
    }),
  };
  const { child } = process;
  child.stdout!.on('data', (chunk: Buffer) => feedParser(connection.parser, chunk));
  child.stderr!.on('data', (chunk: Buffer) => (connection.said = (connection.said + String(chunk)).slice(-2_000)));
  // A line to a connection that has ended: its end is told by `close`.
  child.stdin!.on('error', () => {});
  child.once('close', () => {
    const wasOpen = connection.isOpen;
    breakOff(connection);
    if (wasOpen) request.onClose(connection);
  });
  return connection;
}

function takeReply(connection: Connection, { ok, text }: { readonly ok: boolean; readonly text: Buffer }): void {
  const [first] = connection.waiting;
  if (first === undefined) return;
  if (!ok) {
    connection.waiting.shift();
    first.done.reject(new TmuxRefusal(text.toString('utf8').slice(0, 500)));
    return;
  }
  first.replies.push(text);
  if (first.replies.length < first.commands.length) return;
  connection.waiting.shift();
  first.done.resolve(first.replies);
}

function breakOff(connection: Connection): void {
  connection.isOpen = false;
  connection.attached.resolve();
  for (const { done } of connection.waiting.splice(0)) done.reject(endOf(connection));
}

function endOf({ isGivenUp }: Connection): TmuxGone {
  return isGivenUp ? new TmuxStill('tmux does not answer') : new TmuxGone('the connection to tmux has ended');
}

/**
 * Has tmux work off some commands, one after the other with nothing between. Resolves with what each said; where one is
 * refused the rest is not done.
 * @throws TmuxRefusal, TmuxGone, TmuxStill
 */
export async function ask(
  connection: Connection,
  commands: readonly TmuxCommand[],
  lengthOf?: LengthOf,
): Promise<readonly Buffer[]> {
  // A server that stands still does not let anybody in either.
  const timer = setTimeout(() => giveUp(connection), connection.answerMs);
  try {
    await connection.attached.promise;
    if (!connection.isOpen) throw endOf(connection);
    const done = deferred<readonly Buffer[]>();
    connection.waiting.push({ commands, lengthOf, replies: [], done });
    connection.process.child.stdin!.write(tmuxLine(commands));
    return await done.promise;
  } finally {
    clearTimeout(timer);
  }
}

/** The client has handed its pipes to the server, which may keep them open: they are closed at this end. */
function giveUp(connection: Connection): void {
  const { child } = connection.process;
  connection.isGivenUp = true;
  child.kill('SIGKILL');
  child.stdout!.destroy();
  child.stderr!.destroy();
}

/** Ends the connection; the server and its programs live on. Resolves when its process is gone. */
export async function disconnect(connection: Connection): Promise<void> {
  breakOff(connection);
  const { child, exited } = connection.process;
  child.stdin!.end();
  // A server that stands still does not let its clients go.
  const timer = setTimeout(() => giveUp(connection), leaveGraceMs);
  await exited;
  clearTimeout(timer);
}

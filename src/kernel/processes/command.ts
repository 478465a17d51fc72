/** Short-lived programs: run one, wait for its end, get what it said. No shell is ever between. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { LogContext } from '../log/log.ts';
import { deferred } from '../pure/deferred.ts';

export interface CommandRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the program; the hall's own when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Written to standard input, which is then closed. Without it standard input is empty. */
  readonly input?: string | Uint8Array;
  /** Then the program and everything it started is ended. Milliseconds. */
  readonly timeoutMs: number;
  /** Aborted, the program and everything it started is ended, as when the time is over. */
  readonly signal?: AbortSignal | undefined;
  /** More than this from standard output or standard error is cut off and ends the program. Default 64 MiB. */
  readonly maxOutputBytes?: number;
  /** `latin1` keeps one character for each byte, for output that may not be UTF-8. Default `utf8`. */
  readonly encoding?: 'utf8' | 'latin1';
}

/** What happened. An exit code that is not 0 is a fact like any other, not a throw. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** Output was cut off at `maxOutputBytes`. */
  readonly truncated: boolean;
  /** Why there was no run at all: the program or the folder is missing, or may not be used. */
  readonly failedToStart?: string;
}

const defaultMaxOutput = 64 * 1024 * 1024;
/** Between the polite and the forced end of a program that took too long. Milliseconds. */
const timeoutGraceMs = 2_000;

export async function runCommand(ctx: LogContext, request: CommandRequest): Promise<CommandResult> {
  const child = startCommand(request);
  if (child instanceof Error) return notStarted(ctx, request, child);
  const failure = deferred<Error>();
  const end = deferred<Pick<CommandResult, 'exitCode' | 'signal'>>();
  child.on('error', failure.resolve);
  // When its streams are closed, too: what it printed is all there then.
  child.once('close', (exitCode, signal) => end.resolve({ exitCode, signal }));
  if (child.pid === undefined) return notStarted(ctx, request, await failure.promise);
  const deadline = guardDeadline(child.pid, request);
  try {
    const limit = request.maxOutputBytes ?? defaultMaxOutput;
    const stdout = collect(child.stdout, limit, deadline.end);
    const stderr = collect(child.stderr, limit, deadline.end);
    // A program may end without having read all of it.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.input);
    const facts = await end.promise;
    const text = ({ chunks }: Collected): string => Buffer.concat(chunks).toString(request.encoding ?? 'utf8');
    return {
      ...facts,
      stdout: text(stdout),
      stderr: text(stderr),
      timedOut: deadline.passed(),
      truncated: stdout.isCut || stderr.isCut,
    };
  } finally {
    deadline.clear();
  }
}

function startCommand(request: CommandRequest): ChildProcess | Error {
  try {
    return spawn(request.file, [...request.args], {
      cwd: request.cwd,
      ...(request.env !== undefined && { env: request.env as NodeJS.ProcessEnv }),
      stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A group of its own: so that a timeout ends what the program started too, and so that Ctrl-C in the hall's
      // terminal does not break off a step half-way.
      detached: true,
    });
  } catch (error) {
    // Words that no program can be given: too many of them, or with a zero in them.
    return error as Error;
  }
}

function notStarted(ctx: LogContext, { file, cwd }: CommandRequest, { message }: Error): CommandResult {
  const failedToStart = existsSync(cwd) ? message : `${message}: there is no folder ${cwd}`;
  ctx.log.debug({ file, cwd, reason: failedToStart }, 'program did not start');
  return { exitCode: null, signal: null, stdout: '', stderr: '', timedOut: false, truncated: false, failedToStart };
}

interface Collected {
  readonly chunks: Buffer[];
  bytes: number;
  isCut: boolean;
}

/** @param onTooMuch called when there was more than `limit` bytes */
function collect(stream: Readable | null, limit: number, onTooMuch: () => void): Collected {
  const collected: Collected = { chunks: [], bytes: 0, isCut: false };
  // What could be read until then is what there is.
  stream?.on('error', () => undefined);
  stream?.on('data', (chunk: Buffer) => {
    const room = limit - collected.bytes;
    if (room > 0) collected.chunks.push(chunk.subarray(0, room));
    collected.bytes += chunk.length;
    if (collected.isCut || collected.bytes <= limit) return;
    collected.isCut = true;
    onTooMuch();
  });
  return collected;
}

/** Ends the whole group of `pid` when the time is over, nobody wants it any more, or `end` is called. */
function guardDeadline(
  pid: number,
  { timeoutMs, signal }: Pick<CommandRequest, 'timeoutMs' | 'signal'>,
): { passed(): boolean; end(): void; clear(): void } {
  let passed = false;
  let force: NodeJS.Timeout | undefined;
  const end = (): void => {
    signalGroup(pid, 'SIGTERM');
    force ??= setTimeout(() => signalGroup(pid, 'SIGKILL'), timeoutGraceMs);
  };
  const timer = setTimeout(() => {
    passed = true;
    end();
  }, timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted === true) end();
  const clear = (): void => {
    signal?.removeEventListener('abort', end);
    clearTimeout(timer);
    clearTimeout(force);
    if (force !== undefined) signalGroup(pid, 'SIGKILL');
  };
  return { passed: () => passed, end, clear };
}

/** Signals every process of the group. False when nobody of it is left. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: somebody is left, but runs as another user; macOS says it of zombies too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

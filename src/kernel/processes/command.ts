/** Short-lived programs: run one, wait for its end, get what it said. No shell is ever between. */
import { execa } from 'execa';
import type { LogContext } from '../log/log.ts';

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
  const child = execa(request.file, [...request.args], {
    cwd: request.cwd,
    ...(request.env === undefined ? {} : { env: request.env as NodeJS.ProcessEnv }),
    extendEnv: request.env === undefined,
    ...(request.input === undefined ? { stdin: 'ignore' } : { input: request.input }),
    maxBuffer: request.maxOutputBytes ?? defaultMaxOutput,
    encoding: 'buffer',
    stripFinalNewline: false,
    reject: false,
    // A group of its own: so that a timeout ends what the program started too, and so that Ctrl-C in the hall's
    // terminal does not break off a step half-way.
    detached: true,
  });
  const deadline = guardDeadline(child.pid, request);
  try {
    const result = await child;
    const text = (bytes: Uint8Array | undefined): string =>
      Buffer.from(bytes ?? []).toString(request.encoding ?? 'utf8');
    const facts = {
      exitCode: result.exitCode ?? null,
      signal: result.signal ?? null,
      stdout: text(result.stdout),
      stderr: text(result.stderr),
      timedOut: deadline.passed(),
      truncated: result.isMaxBuffer,
    };
    if (child.pid !== undefined) return facts;
    ctx.log.debug({ file: request.file, cwd: request.cwd, reason: result.originalMessage }, 'program did not start');
    return { ...facts, failedToStart: result.originalMessage ?? 'it could not be started' };
  } finally {
    deadline.clear();
  }
}

/** Ends the whole group of `pid` when the time is over, or nobody wants it any more. */
function guardDeadline(
  pid: number | undefined,
  { timeoutMs, signal }: Pick<CommandRequest, 'timeoutMs' | 'signal'>,
): { passed(): boolean; clear(): void } {
  if (pid === undefined) return { passed: () => false, clear: () => {} };
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
    if (passed || signal?.aborted === true) signalGroup(pid, 'SIGKILL');
  };
  return { passed: () => passed, clear };
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

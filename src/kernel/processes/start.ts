/** Long-lived programs: start one, know it by its identity, learn of its end. */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { LogContext } from '../log/log.ts';
import { deferred } from '../pure/deferred.ts';
import { fail } from '../pure/errors.ts';
import { type ProcessIdentity, readProcessFactsNow } from './identity.ts';

export interface StartRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdio: StdioOptions;
  /** A session and group of its own: it does not end with the hall, and can be stopped with all that it starts. */
  readonly detached: boolean;
}

export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface StartedProcess {
  readonly pid: number;
  readonly identity: ProcessIdentity;
  /** Streams and events, for callers that speak with the program. `child.unref()` lets the hall end before it. */
  readonly child: ChildProcess;
  /** Resolves when the process has ended, also when something that it started still holds its streams. Never rejects. */
  readonly exited: Promise<ProcessEnd>;
}

/**
 * Starts a program and returns at once.
 * @throws unavailable when it cannot be started: no such program or folder
 */
export function startProcess(ctx: LogContext, request: StartRequest): StartedProcess {
  const child = spawn(request.file, [...request.args], {
    cwd: request.cwd,
    env: request.env as NodeJS.ProcessEnv,
    stdio: request.stdio,
    detached: request.detached,
  });
  const end = deferred<ProcessEnd>();
  child.once('exit', (exitCode, signal) => end.resolve({ exitCode, signal }));
  child.on('error', (error) => ctx.log.warn({ err: error, file: request.file }, 'a started program had a problem'));
  const { pid } = child;
  if (pid === undefined) throw notStarted(request);
  return { pid, identity: identityOf(child, pid), child, exited: end.promise };
}

function identityOf(child: ChildProcess, pid: number): ProcessIdentity {
  try {
    return { pid, startTime: readProcessFactsNow(pid)?.startTime ?? 'unknown' };
  } catch (error) {
    // Without its identity nobody could ever stop it.
    child.kill('SIGKILL');
    throw error;
  }
}

function notStarted(request: StartRequest): Error {
  if (!existsSync(request.cwd)) {
    return fail(
      'unavailable',
      `Cannot start "${request.file}": its folder ${request.cwd} does not exist.`,
      'Make the folder again, or start it elsewhere.',
      { file: request.file, cwd: request.cwd },
    );
  }
  return fail(
    'unavailable',
    `Cannot start "${request.file}": no such program on this machine, or it may not be run.`,
    `Install it, or put its folder on PATH; then see: command -v ${request.file}`,
    { file: request.file, cwd: request.cwd },
  );
}

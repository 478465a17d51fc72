/** The built program in processes of its own, on homes of its own: by the commands that a person types. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, inject, onTestFinished } from 'vitest';
import { systemClock } from '../../src/kernel/clock/clock.ts';
import type { ProcessIdentity } from '../../src/kernel/processes/identity.ts';
import type {} from './built-program.ts';
import { tempFolder } from './repositories.ts';

export const packageRoot = join(import.meta.dirname, '../..');

let entry = '';

/** The program as it is built for this run. Call it at the top of the file. */
export function useBuiltProgram(): void {
  beforeAll(() => void (entry = inject('builtProgram')));
}

/** The built file, for what runs it by itself. */
export function programFile(): string {
  return entry;
}

export interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

export interface Up {
  readonly pid: number;
  readonly url: string;
  readonly port: number;
}

export interface Home {
  readonly path: string;
  /** The folder that the home is in, and where commands are typed; the test's own. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs one command line. */
  readonly run: (...args: string[]) => Promise<Ran>;
  readonly json: <T>(...args: string[]) => Promise<T>;
}

/** A home that is not there yet. Whatever hall runs on it is ended with the test. */
export async function freshHome(extra: NodeJS.ProcessEnv = {}): Promise<Home> {
  const folder = await tempFolder();
  const path = join(folder, 'home');
  const env = { ...process.env, GUILD_HALL_HOME: path, NO_COLOR: '1', ...extra };
  const run = async (...args: string[]): Promise<Ran> => await runProgram(env, folder, args);
  const json = async <T>(...args: string[]): Promise<T> => {
    const { exitCode, out, err } = await run(...args, '--json');
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${err}${out}`);
    return JSON.parse(out) as T;
  };
  // A hall that was stopped has taken its record away.
  onTestFinished(async () => void (existsSync(join(path, 'state/hall.json')) && (await run('down'))));
  return { path, folder, env, run, json };
}

/** @param input what it finds on standard input; nothing when left out */
export async function runProgram(
  env: NodeJS.ProcessEnv,
  cwd: string,
  args: readonly string[],
  input?: string,
): Promise<Ran> {
  return await new Promise((resolve) => {
    const child = execFile(process.execPath, [entry, ...args], { env, cwd }, (error, out, err) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), out, err });
    });
    if (input !== undefined) child.stdin?.end(input);
  });
}

/** Starts a command line that goes on by itself. */
export function spawnProgram(home: Home, ...args: string[]): ChildProcess {
  return spawnProgramInto(home, 'pipe', ...args);
}

/** The same. @param out where its standard output goes: a pipe, or an open file */
export function spawnProgramInto(home: Home, out: 'pipe' | number, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [entry, ...args], {
    env: home.env,
    cwd: home.folder,
    stdio: ['ignore', out, 'pipe'],
  });
}

/** The process of the hall that runs on this home. */
export function identityOf(home: Home): ProcessIdentity {
  const record = JSON.parse(readFileSync(join(home.path, 'state/hall.json'), 'utf8')) as { identity: ProcessIdentity };
  return record.identity;
}

export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await systemClock.sleep(10);
}

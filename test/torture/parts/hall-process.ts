/** A real hall in a process of its own, to be killed: started from the build, on a home of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectHall, findHall, type HallClient } from '../../../src/interfaces/cli/client.ts';

export const packageRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

export interface TortureHome {
  readonly root: string;
  readonly home: string;
  readonly repo: string;
}

/** A home, and a repository of some files with one commit. */
export function makeTortureHome(
  files: Readonly<Record<string, string>>,
  write: (path: string, text: string) => void,
): TortureHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gh-torture-')));
  const repo = join(root, 'repository');
  mkdirSync(repo, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    write(join(repo, path), text);
  }
  const git = (...args: string[]): string => gitIn(repo, ...args);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Torture');
  git('config', 'user.email', 'torture@example.invalid');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'First');
  return { root, home: join(root, 'home'), repo };
}

export function gitIn(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', env: cleanEnv({}) }).trim();
}

function cleanEnv(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:GIT_|ANTHROPIC_|CLAUDE_|GUILD_HALL_|NODE_OPTIONS)/.test(name),
  );
  return { ...Object.fromEntries(kept), ...extra };
}

export interface RunningHall {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly client: HallClient;
  /** Milliseconds from the start of the process until it answered. */
  readonly readyMs: number;
}

export interface StartOptions {
  /** The program's file; left out, the one that is built. */
  readonly program?: string;
  /** Told of its process before it answers. */
  readonly onStarted?: (pid: number) => void;
}

/** Starts a hall and waits until it answers, or until it has died (a fault point may be in its start). */
export async function startHall(
  place: TortureHome,
  env: Readonly<Record<string, string>> = {},
  { program = join(packageRoot, 'bin/guild-hall.js'), onStarted }: StartOptions = {},
): Promise<RunningHall | 'died'> {
  const started = performance.now();
  const child = spawn(process.execPath, [program, 'up', '--port', '0'], {
    cwd: place.root,
    env: cleanEnv({ GUILD_HALL_HOME: place.home, HOME: place.root, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
  const exited = once(child, 'exit');
  onStarted?.(child.pid!);
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      if (child.signalCode === 'SIGKILL') return 'died';
      throw new Error(`the hall ended by itself (${child.exitCode ?? child.signalCode}):\n${output}`);
    }
    const record = await findHall(place.home);
    if (record?.identity.pid === child.pid) break;
    await Promise.race([exited, delay(10)]);
  }
  const client = await connectHall(place.home).catch(() => {
    // It was killed in this moment.
    return undefined;
  });
  if (client === undefined) {
    await exited;
    return 'died';
  }
  return { process: child, pid: child.pid!, client, readyMs: performance.now() - started };
}

export async function killHall(hall: RunningHall): Promise<void> {
  if (hall.process.exitCode !== null || hall.process.signalCode !== null) return;
  const exited = once(hall.process, 'exit');
  hall.process.kill('SIGKILL');
  await exited;
}

export async function stopHall(hall: RunningHall): Promise<void> {
  if (hall.process.exitCode !== null || hall.process.signalCode !== null) return;
  const exited = once(hall.process, 'exit');
  hall.process.kill('SIGTERM');
  await exited;
}

export function delay(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Process ids (Linux) whose environment or working directory is below the home: agents of this hall, and the hall. */
export function processesOf(place: TortureHome): readonly number[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => mentions(pid, place.home))
    .map(Number);
}

function mentions(pid: string, home: string): boolean {
  try {
    if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false;
    return (
      readlinkSync(`/proc/${pid}/cwd`).startsWith(home) || readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home)
    );
  } catch {
    // It ended while we looked.
    return false;
  }
}

export function removeTortureHome(place: TortureHome): void {
  rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
}

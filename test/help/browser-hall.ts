/** A hall in a process of its own, for browsers: it can be killed in the middle of a word, and come back at its address. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import type { MeetingOpened, MeetingView } from '../../src/features/meetings/contract.ts';
import { createClient, type HallClient } from '../../src/interfaces/cli/client.ts';
import { systemClock } from '../../src/kernel/clock/clock.ts';
import type {} from './built-program.ts';
import { removeFolder, runTestGit } from './repositories.ts';
import { beforeSecondTry } from './second-try.ts';
import { endTmuxOf } from './tmux.ts';

export interface BrowserHall {
  readonly home: string;
  /** `http://127.0.0.1:<port>`; stays the same over restarts. */
  readonly url: string;
  readonly client: HallClient;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** A link that signs one browser in, once. */
  link(): Promise<string>;
  /** Runs a command line on its home and gives what it printed as JSON. */
  json<T>(...args: string[]): Promise<T>;
  /** Opens a meeting in the sample project and waits for the end of its first answer. */
  meet(message: string): Promise<MeetingOpened>;
  show(id: string): Promise<MeetingView>;
  /** What several tests look at: made by the first of them that runs. */
  once<T>(make: () => Promise<T>): Promise<T>;
}

export interface BrowserHallRequest {
  /** Text of a rehearsal scenario. */
  readonly scenario?: string;
  /** Further text of config.yaml. */
  readonly config?: string;
  /** As in `startTestHall`: left out, no process of the agent waits for a next turn. */
  readonly prepares?: boolean;
  /** False: no project is there yet. */
  readonly hasSample?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

interface Running {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  child: ChildProcess | undefined;
  url: string;
  client: HallClient | undefined;
  readonly made: Map<() => Promise<unknown>, Promise<unknown>>;
}

/**
 * One hall for all tests of the file; a second try gets a new one at the same place, since the first may have left it in
 * any state. Call it at the top of the file.
 */
export function useBrowserHall(request: BrowserHallRequest = {}): BrowserHall {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-browser-')));
  const home = join(folder, 'home');
  const running: Running = {
    home,
    env: { ...process.env, GUILD_HALL_HOME: home, NO_COLOR: '1', ...request.env },
    child: undefined,
    url: '',
    client: undefined,
    made: new Map(),
  };
  const begin = async (): Promise<void> => {
    mkdirSync(home, { mode: 0o700 });
    writeConfig(home, request);
    await start(running);
    if (request.hasSample !== false) await running.client!.call('project.sample', {});
  };
  beforeAll(async () => {
    runTestGit(folder, ['config', '--global', 'user.name', 'Test Person']);
    runTestGit(folder, ['config', '--global', 'user.email', 'person@example.invalid']);
    await begin();
  });
  beforeSecondTry(async () => {
    await end(running, 'SIGTERM');
    endTmuxOf(home);
    await removeFolder(home);
    running.made.clear();
    await begin();
  });
  // A test that failed between its end and its next start leaves none to the next test.
  beforeEach(async () => {
    if (hasEnded(running)) await start(running);
  });
  afterAll(async () => {
    await end(running, 'SIGTERM');
    await removeFolder(folder);
  });
  return handleOf(running);
}

function writeConfig(home: string, { scenario, config, prepares }: BrowserHallRequest): void {
  const path = join(home, 'scenario.yaml');
  if (scenario !== undefined) writeFileSync(path, scenario);
  const rehearsal = scenario === undefined ? '' : `rehearsal:\n  scenario: ${path}\n`;
  const agents = prepares === true ? '' : 'agents: { maxPrepared: 0 }\n';
  const text = `${rehearsal}${agents}${config ?? ''}`;
  if (text !== '') writeFileSync(join(home, 'config.yaml'), text);
}

function handleOf(running: Running): BrowserHall {
  const show = async (id: string) => (await running.client!.call('meeting.show', { id })) as MeetingView;
  return {
    home: running.home,
    get url() {
      return running.url;
    },
    get client() {
      return running.client!;
    },
    kill: () => end(running, 'SIGKILL'),
    start: () => start(running),
    link: async () => ((await running.client!.call('signin.link', {})) as { url: string }).url,
    json: async <T>(...args: string[]) => JSON.parse(await runProgram(running, [...args, '--json'])) as T,
    meet: async (message) => {
      const opened = (await running.client!.call('meeting.open', { worker: 'researcher', message })) as MeetingOpened;
      while ((await show(opened.id)).running !== null) await systemClock.sleep(20);
      return opened;
    },
    show,
    once: async <T>(make: () => Promise<T>): Promise<T> => {
      const made = (running.made.get(make) as Promise<T> | undefined) ?? make();
      running.made.set(make, made);
      return await made;
    },
  };
}

/** Starts it, at the address that it had, and resolves when it answers. */
async function start(running: Running): Promise<void> {
  const port = running.url === '' ? '0' : new URL(running.url).port;
  const child = spawn(process.execPath, [inject('builtProgram'), 'up', '--json', '--port', port], {
    env: running.env,
    cwd: running.home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.child = child;
  running.url = await Promise.race([
    addressOf(child),
    once(child, 'exit').then(() => Promise.reject(new Error(`The hall ended at once; see ${running.home}/hall.log`))),
  ]);
  const token = readFileSync(join(running.home, 'token'), 'utf8').trim();
  running.client = createClient(running.home, running.url, token);
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const line of createInterface({ input: child.stdout! })) {
    said += line;
    const [, url] = /"url":\s*"(http:\/\/[^"/]+)"/.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`The hall said no address: ${said}`);
}

async function end(running: Running, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const { child } = running;
  if (child === undefined || hasEnded(running)) return;
  child.kill(signal);
  await once(child, 'exit');
}

const hasEnded = ({ child }: Running): boolean =>
  child !== undefined && (child.exitCode !== null || child.signalCode !== null);

async function runProgram(running: Running, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [inject('builtProgram'), ...args], {
    env: running.env,
    cwd: running.home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`guild-hall ${args.join(' ')} ended with ${code}: ${out}`);
  return out;
}

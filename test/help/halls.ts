/** A real hall in this process, on a home of its own, spoken to through its HTTP door. Stopped when the test is over. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type {
  MeetingClosed,
  MeetingOpened,
  MeetingRecord,
  MeetingView,
  TurnEvent,
} from '../../src/features/meetings/contract.ts';
import { createClient, type HallClient } from '../../src/interfaces/cli/client.ts';
import type { LimitSettings } from '../../src/interfaces/http/limits.ts';
import { systemClock } from '../../src/kernel/clock/clock.ts';
import { createLog, type Log, silentLog } from '../../src/kernel/log/log.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import { buildHall, type Hall } from '../../src/main/hall.ts';
import { makeRepository, tempFolder, type TestRepository } from './repositories.ts';

export interface TestHall {
  readonly home: string;
  client: HallClient;
  url: string;
  token: string;
  /** Stops the hall and starts another one on the same home. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestHallRequest {
  readonly home?: string;
  /** Text of config.yaml. */
  readonly config?: string;
  /** Text of a rehearsal scenario. */
  readonly scenario?: string;
  /**
   * Whether a process of the agent waits for the next turn, as in a person's hall. Left out: none does. Starting one
   * takes half a second of a core, and most meetings of tests have no next turn.
   */
  readonly prepares?: boolean;
  /** Left out: the hall says nothing. */
  readonly log?: Log;
  /** Of the doors, where they are not the usual ones. */
  readonly limits?: Partial<LimitSettings>;
}

export async function startTestHall(request: TestHallRequest = {}): Promise<TestHall> {
  const home = request.home ?? join(await tempFolder(), 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeConfig(home, request);
  let hall: Hall | undefined;
  const start = async (): Promise<void> => {
    hall = buildHall({
      home: homePaths(home),
      port: 0,
      log: request.log ?? (process.env['TEST_LOG'] ? createLog() : silentLog),
      version: '0.0.0',
      onStopAsked: () => {},
      ...(request.limits === undefined ? {} : { limits: request.limits }),
    });
    const { url } = await hall.start();
    test.url = url;
    test.token = readFileSync(join(home, 'token'), 'utf8').trim();
    test.client = createClient(home, url, test.token);
  };
  const stop = async (): Promise<void> => {
    await hall?.stop();
    hall = undefined;
  };
  const test: TestHall = {
    home,
    client: undefined as unknown as HallClient,
    url: '',
    token: '',
    stop,
    restart: async () => {
      await stop();
      await start();
    },
  };
  onTestFinished(stop);
  await start();
  return test;
}

function writeConfig(home: string, { scenario, config, prepares }: TestHallRequest): void {
  const path = join(home, 'scenario.yaml');
  if (scenario !== undefined) writeFileSync(path, scenario);
  const rehearsal = scenario === undefined ? '' : `rehearsal:\n  scenario: ${path}\n`;
  const agents = prepares === true || /^agents:/m.test(config ?? '') ? '' : 'agents: { maxPrepared: 0 }\n';
  const isAsked = config !== undefined || scenario !== undefined;
  if (isAsked || (agents !== '' && !existsSync(join(home, 'config.yaml'))))
    writeFileSync(join(home, 'config.yaml'), `${config ?? ''}\n${agents}${rehearsal}`);
}

/** A hall with one project `tally` on a real repository. */
export async function startHallWithProject(
  request: TestHallRequest & { readonly files?: Readonly<Record<string, string>> } = {},
): Promise<{ hall: TestHall; repo: TestRepository; integration: string }> {
  const repo = await makeRepository({ files: request.files ?? smallProject });
  const hall = await startTestHall(request);
  await hall.client.call('project.add', { path: repo.path, name: 'tally' });
  return { hall, repo, integration: join(hall.home, 'projects', 'tally') };
}

const smallProject = {
  'README.md': '# Tally\n\nCounts words in files.\n',
  'src/count.ts':
    'export function countWords(text: string): number {\n  return text.split(/\\s+/).filter(Boolean).length;\n}\n',
  'src/main.ts': "import { countWords } from './count.ts';\n\nconsole.log(countWords('one two'));\n",
};

export interface Turn {
  readonly events: readonly TurnEvent[];
  readonly text: string;
  /** Everything of the hall's stream about this meeting, up to the end of the turn. */
  readonly all: readonly HallEvent[];
}

/** Reads a meeting's stream from `cursor` until turn `turn` has ended. */
export async function readTurn(hall: TestHall, id: string, cursor: string, turn: number): Promise<Turn> {
  const leaving = new AbortController();
  const all: HallEvent[] = [];
  const events: TurnEvent[] = [];
  for await (const event of hall.client.events({ subject: `meeting:${id}`, after: cursor, signal: leaving.signal })) {
    all.push(event);
    if (event.type !== 'meeting.turn') continue;
    const data = event.data as { turn: number; event: TurnEvent };
    if (data.turn !== turn) continue;
    events.push(data.event);
    if (data.event.type === 'turn_end' || data.event.type === 'error') break;
  }
  leaving.abort();
  return { events, all, text: events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('') };
}

/** Opens a meeting and waits for the end of its first turn. */
export async function openMeeting(
  hall: TestHall,
  input: {
    readonly worker?: string;
    readonly message: string;
    readonly agenda?: string;
    readonly artifacts?: readonly string[];
    readonly project?: string;
  },
): Promise<MeetingOpened & { readonly first: Turn }> {
  const opened = (await hall.client.call('meeting.open', {
    worker: 'researcher',
    project: 'tally',
    ...input,
  })) as MeetingOpened;
  const first = await readTurn(hall, opened.id, opened.cursor, 1);
  // A turn's end is told before the meeting's state is written anew; from here on nothing moves by itself.
  await untilStill(hall, opened.id);
  return { ...opened, first };
}

/** Resolves when no turn of the meeting runs. */
export async function untilStill(hall: TestHall, id: string): Promise<void> {
  while ((await show(hall, id)).running !== null) await systemClock.sleep(10);
}

/** Says something and waits for the end of its turn. */
export async function say(hall: TestHall, id: string, message: string): Promise<Turn> {
  const said = (await hall.client.call('meeting.say', { id, message })) as { cursor: string; turn: number };
  return readTurn(hall, id, said.cursor, said.turn);
}

export async function show(hall: TestHall, id: string): Promise<MeetingView> {
  return (await hall.client.call('meeting.show', { id })) as MeetingView;
}

export async function close(hall: TestHall, id: string): Promise<MeetingClosed> {
  return (await hall.client.call('meeting.close', { id })) as MeetingClosed;
}

export async function listed(hall: TestHall, status?: string): Promise<readonly MeetingRecord[]> {
  const input = status === undefined ? {} : { status };
  return ((await hall.client.call('meeting.list', input)) as { meetings: MeetingRecord[] }).meetings;
}

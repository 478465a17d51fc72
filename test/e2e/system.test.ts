/** What holds for the hall as a whole, on a hall in a process of its own: its home, its start and end, kill -9. */
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectHall, findHall, type HallClient } from '../../src/interfaces/cli/client.ts';
import { parseArtifact } from '../../src/kernel/artifacts/parse.ts';
import { systemClock } from '../../src/kernel/clock/clock.ts';
import { HallError } from '../../src/kernel/pure/errors.ts';
import { isSameProcess } from '../../src/kernel/processes/identity.ts';
import {
  freshHome,
  type Home,
  identityOf,
  spawnProgram,
  type Up,
  useBuiltProgram,
  waitUntil,
} from '../help/programs.ts';
import { makeRepository, type TestRepository } from '../help/repositories.ts';

useBuiltProgram();

const open = ['meeting', 'open', '--worker', 'researcher', '--project', 'tally'];

/** Every file and folder below, links not followed. */
function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

async function addTally(home: Home): Promise<TestRepository> {
  const repository = await makeRepository({
    path: join(home.folder, 'repository'),
    files: {
      'README.md': '# Tally\n',
      'src/count.ts': 'export function countWords(text: string): number {\n  return text.length;\n}\n',
    },
  });
  await home.json('project', 'add', repository.path, '--name', 'tally');
  return repository;
}

test.each(['~/.guild-hall', 'GUILD_HALL_HOME'])(
  'whatever the hall keeps lies below %s, folders 0700, secrets 0600, and nothing elsewhere [SYS-HOME]',
  async (named) => {
    const home = await freshHome();
    const person = join(home.folder, 'person');
    const temporary = join(home.folder, 'temporary');
    for (const folder of [person, temporary]) mkdirSync(folder);
    Object.assign(home.env, { HOME: person, TMPDIR: temporary });
    const root = named === 'GUILD_HALL_HOME' ? home.path : join(person, '.guild-hall');
    if (named !== 'GUILD_HALL_HOME') delete home.env['GUILD_HALL_HOME'];
    expect(await home.json<Up & { home: string }>('up', '--detach', '--port', '0')).toMatchObject({ home: root });
    await addTally(home);
    const { id } = await home.json<{ id: string }>(...open, 'Write what you find to .lore/notes/a.md');
    const own = ['config', 'meetings', 'memory', 'packages', 'projects', 'state', 'worktrees'];
    for (const folder of readdirSync(root)) {
      const path = join(root, folder);
      const mode = statSync(path).isDirectory() ? 0o700 : 0o600;
      expect([folder, (statSync(path).mode & 0o777).toString(8)]).toEqual([folder, mode.toString(8)]);
    }
    expect(own.filter((folder) => existsSync(join(root, folder))).length).toBeGreaterThan(4);
    for (const path of below(join(root, 'state')).filter((each) => !each.startsWith('agents/'))) {
      const { mode } = statSync(join(root, 'state', path));
      expect([path, mode & 0o077]).toEqual([path, 0]);
    }
    expect(statSync(join(root, 'meetings', `${readdirSync(join(root, 'meetings'))[0]}`)).mode & 0o777).toBe(0o600);
    await home.json('meeting', 'close', id);
    await home.json('down');
    const expected =
      named === 'GUILD_HALL_HOME'
        ? ['home', 'person', 'repository', 'temporary']
        : ['person', 'repository', 'temporary'];
    expect(readdirSync(home.folder).toSorted()).toEqual(expected);
    expect(readdirSync(person)).toEqual(named === 'GUILD_HALL_HOME' ? [] : ['.guild-hall']);
    expect(below(temporary)).toEqual([]);
  },
);

/** A zone in which it is about noon: at midnight a hall tells that a new day began, which is a file more. */
const zoneAtNoon = (hour: number): string => `Etc/GMT${hour < 12 ? '-' : '+'}${Math.abs(12 - hour)}`;

test('a second start says that one runs and where, and changes nothing [SYS-ONE-HALL]', async () => {
  const home = await freshHome({ TZ: zoneAtNoon(new Date(systemClock.nowMs()).getUTCHours()) });
  const up = await home.json<Up>('up', '--detach', '--port', '0');
  await addTally(home);
  const trace = (): unknown =>
    below(home.path).map((path) => {
      const { mode, mtimeMs, size } = statSync(join(home.path, path));
      return [path, mode, mtimeMs, size];
    });
  const before = trace();
  for (const words of [['up'], ['up', '--detach'], ['up', '--port', '0']]) {
    const second = await home.run(...words);
    expect([words, second.exitCode]).toEqual([words, 5]);
    expect(second.err).toContain(`pid ${up.pid} at ${up.url}`);
    expect(second.err).toContain('→ Use that one');
  }
  expect(trace()).toEqual(before);
  expect((await home.json<{ pid: number }>('status')).pid).toBe(up.pid);
});

test('config.yaml edited by hand while the hall runs: good changes count, a bad entry is named and left out, a broken file stays as it is [SYS-CONFIG]', async () => {
  const home = await freshHome();
  await home.json('up', '--detach', '--port', '0');
  await addTally(home);
  const path = join(home.path, 'config.yaml');
  const before = readFileSync(path, 'utf8');
  const save = (text: string): void => {
    writeFileSync(`${path}~`, text);
    renameSync(`${path}~`, path);
  };
  type Status = { model: { name: string }; problems: string[]; projects: string[] };
  const status = async (): Promise<Status> => await home.json<Status>('status');
  const local =
    'model: local\nmodels:\n  - { name: local, modelId: m, baseUrl: "http://127.0.0.1:1", auth: { kind: none } }\n';
  save(`# mine\n${local}${before}`);
  await waitUntil(async () => (await status()).model.name === 'local');

  save(`# mine\n${before}  - name: "Not A Name"\n    path: /nowhere\n`);
  await waitUntil(async () => (await status()).problems.length > 0);
  const line = before.split('\n').length + 1;
  expect((await status()).problems.join()).toContain(`config.yaml:${line}:`);
  const checked = await home.run('config', 'check', '--json');
  expect(checked.exitCode).toBe(5);
  const { problems } = JSON.parse(checked.out) as { problems: object[] };
  expect(problems[0]).toMatchObject({ file: path, line, column: 5 });
  expect((await status()).projects).toEqual(['tally']);

  const broken = `${before}projects: [{\n`;
  save(broken);
  await waitUntil(async () => !(await status()).problems.join().includes('Not A Name'));
  for (const words of [
    ['project', 'sample'],
    ['project', 'remove', 'tally'],
    ['project', 'add', join(home.folder, 'repository'), '--name', 'again'],
  ])
    await home.run(...words);
  expect(readFileSync(path, 'utf8')).toBe(broken);
  expect((await status()).projects).toEqual(['tally']);
});

/** Processes (Linux) that work in the home or bear its name in their environment. */
function processesOf(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false;
        return [readlinkSync(`/proc/${pid}/cwd`), readFileSync(`/proc/${pid}/environ`, 'utf8')].some((text) =>
          text.includes(home),
        );
      } catch {
        // It ended while we looked, or is somebody else's.
        return false;
      }
    })
    .map(Number);
}

test.runIf(process.platform === 'linux')(
  'down ends the hall with every process that it started, one that does not listen too [SYS-STOP]',
  async () => {
    const home = await freshHome();
    const { pid } = await home.json<Up>('up', '--detach', '--port', '0');
    await addTally(home);
    const slow = ['[rehearse: slow 50ms x 2000]', '--no-follow'];
    for (let meeting = 0; meeting < 2; meeting += 1) await home.json(...open, ...slow);
    const records = join(home.path, 'state/processes');
    await waitUntil(
      () => existsSync(records) && readdirSync(records).filter((name) => name.endsWith('.json')).length >= 2,
    );
    const started = processesOf(home.path).filter((each) => each !== pid);
    expect(started.length).toBeGreaterThanOrEqual(2);
    process.kill(started[0]!, 'SIGSTOP');
    expect(await home.run('down')).toMatchObject({ exitCode: 0 });
    await waitUntil(() => !existsSync(`/proc/${pid}`));
    expect(processesOf(home.path)).toEqual([]);
    expect(readdirSync(records)).toEqual([]);
  },
);

/** What may not be left when no meeting is open and no hall runs. */
function leftoversIn(home: Home, repository: TestRepository): unknown {
  const folders = ['worktrees/tally', 'meetings', 'state/meetings', 'state/agents', 'state/processes'];
  return {
    folders: folders.flatMap((folder) =>
      existsSync(join(home.path, folder)) ? readdirSync(join(home.path, folder)) : [],
    ),
    halfWritten: below(home.path).filter((path) => path.endsWith('.tmp') || path.endsWith('.lock')),
    branches: repository.git('branch', '--list', 'claude/meeting/*'),
    worktrees: repository.git('worktree', 'list').split('\n').length,
    mine: repository.git('status', '--porcelain'),
    integration: repository.git('-C', join(home.path, 'projects/tally'), 'status', '--porcelain'),
    processes: process.platform === 'linux' ? processesOf(home.path) : [],
  };
}

const nothing = { folders: [], halfWritten: [], branches: '', worktrees: 2, mine: '', integration: '', processes: [] };

/** Files that do not parse: JSON of the state, lines of events, the front matter of artifacts. */
function unreadable(home: Home): string[] {
  return below(home.path).filter((path) => {
    if (path.startsWith('state/agents/') || !statSync(join(home.path, path)).isFile()) return false;
    const text = readFileSync(join(home.path, path), 'utf8');
    try {
      if (path.endsWith('.json')) JSON.parse(text);
      if (path.endsWith('.jsonl')) for (const line of text.trimEnd().split('\n')) JSON.parse(line);
    } catch {
      return true;
    }
    return path.includes('/.lore/') && path.endsWith('.md') && parseArtifact(text, path).problems.length > 0;
  });
}

interface Written {
  readonly seq: number;
  readonly type: string;
  readonly subject: string | null;
}

function eventsOnDisk(home: Home): Written[] {
  const folder = join(home.path, 'state/events');
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Written] : []))
    .filter(({ seq }) => typeof seq === 'number');
}

/** What the hall acknowledged before it died. */
interface Story {
  id?: string;
  /** Messages that it took, and those of them whose answer was told to its end. */
  readonly said: { readonly text: string; isAnswered: boolean }[];
  /** The close was acknowledged. */
  isOver: boolean;
}

/** Opens a meeting, has something written, says a second thing, closes; up to where the hall dies. */
async function tellStory(client: HallClient, point: number): Promise<Story> {
  const story: Story = { said: [], isOver: false };
  const heard = async (text: string, answer: { cursor: string; turn: number }): Promise<void> => {
    const message = { text, isAnswered: false };
    story.said.push(message);
    const signal = new AbortController();
    for await (const { type, data } of client.events({
      subject: `meeting:${story.id}`,
      after: answer.cursor,
      signal: signal.signal,
    })) {
      const said = data as { turn: number; event: { type: string } };
      message.isAnswered = type === 'meeting.turn' && said.turn === answer.turn && said.event.type === 'turn_end';
      if (message.isAnswered) break;
    }
    signal.abort();
  };
  try {
    const first = `Write what you find to .lore/notes/point-${point}.md`;
    const opened = (await client.call('meeting.open', { project: 'tally', worker: 'researcher', message: first })) as {
      id: string;
      cursor: string;
      turn: number;
    };
    story.id = opened.id;
    await heard(first, opened);
    const second = 'Where are words counted?';
    await heard(
      second,
      (await client.call('meeting.say', { id: opened.id, message: second })) as { cursor: string; turn: number },
    );
    await client.call('meeting.close', { id: opened.id });
    story.isOver = true;
  } catch (error) {
    // The hall died in the middle, which is what the test is about; anything else is a failure of it.
    if (!(error instanceof HallError) || error.code !== 'unavailable') throw error;
  }
  return story;
}

/** What was acknowledged and is not there any more. Every meeting that is open still is closed on the way. */
async function lostOf(client: HallClient, repository: TestRepository, story: Story): Promise<string[]> {
  const { meetings } = (await client.call('meeting.list', {})) as { meetings: { id: string; status: string }[] };
  const lost = story.id === undefined || meetings.some(({ id }) => id === story.id) ? [] : [`meeting ${story.id}`];
  for (const { id, status } of meetings) {
    if (id === story.id && story.isOver && status !== 'closed') lost.push(`the close of ${id}`);
    if (status === 'open' && id === story.id) {
      const { turns } = (await client.call('meeting.show', { id })) as {
        turns: { speaker: string; text: string; mark: string }[];
      };
      for (const [index, { text, isAnswered }] of story.said.entries()) {
        if (turns.filter((each) => each.speaker === 'user')[index]?.text !== text) lost.push(text);
        const answer = turns.filter((each) => each.speaker === 'assistant')[index];
        if (isAnswered && (answer === undefined || answer.text === '' || answer.mark !== 'done'))
          lost.push(`the answer to ${text}`);
      }
    }
    if (status !== 'requested') await client.call('meeting.close', { id });
    const closes = repository
      .git('log', '--format=%s', '--fixed-strings', `--grep=Meeting ${id}:`, 'claude/main')
      .split('\n');
    if (status !== 'requested' && closes.filter((subject) => subject.startsWith(`Meeting ${id}:`)).length !== 1)
      lost.push(`one merge of ${id}, not ${closes.join()}`);
    if (id !== story.id || story.said[0]?.isAnswered !== true) continue;
    const written = repository.git('ls-tree', '-r', '--name-only', 'claude/main').split('\n');
    if (!written.includes(story.said[0].text.split(' ').at(-1)!)) lost.push(`what ${id} wrote`);
  }
  return lost;
}

test(
  'killed at any step of a meeting, the next start is clean: all that was acknowledged is there, every file parses, nothing is left over; events are numbered without gaps [SYS-CRASH, SYS-EVENTS]',
  { timeout: 240_000 },
  async () => {
    const home = await freshHome();
    await home.json('up', '--detach', '--port', '0');
    const repository = await addTally(home);
    await home.json('down');
    const died: number[] = [];
    for (const point of [9, 31, 52, 74, 95, 117, 138]) {
      Object.assign(home.env, { GUILD_HALL_FAULT_AT: String(point) });
      const hall = spawnProgram(home, 'up', '--port', '0');
      delete home.env['GUILD_HALL_FAULT_AT'];
      const exited = once(hall, 'exit');
      let isOver = false;
      hall.once('exit', () => (isOver = true));
      onTestFinished(() => void hall.kill('SIGKILL'));
      await waitUntil(async () => isOver || (await findHall(home.path))?.identity.pid === hall.pid);
      const story: Story = isOver ? { said: [], isOver: false } : await tellStory(await connectHall(home.path), point);
      if (!story.isOver) died.push(point);
      hall.kill('SIGKILL');
      await exited;
      await home.json('up', '--detach', '--port', '0');
      const identity = identityOf(home);
      const client = await connectHall(home.path);
      expect((await home.json<{ problems: string[] }>('status')).problems).toEqual([]);
      expect([point, await lostOf(client, repository, story)]).toEqual([point, []]);
      await home.json('down');
      expect(await isSameProcess(identity)).toBe(false);
      expect([point, unreadable(home)]).toEqual([point, []]);
      expect([point, leftoversIn(home, repository)]).toEqual([point, nothing]);
    }
    expect(died.length).toBeGreaterThan(4);
    const numbers = eventsOnDisk(home).map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_seq, index) => numbers[0]! + index));
  },
);

test(
  'killed before each write of a meeting record, no event tells of a record that is not written yet [SYS-EVENTS]',
  { timeout: 200_000 },
  async () => {
    const home = await freshHome();
    await home.json('up', '--detach', '--port', '0');
    const repository = await addTally(home);
    await home.json('down');
    let told = 0;
    for (let write = 1, isOver = false; !isOver; write += 1) {
      Object.assign(home.env, {
        GUILD_HALL_FAULT_AT: String(write),
        GUILD_HALL_FAULT_MATCH: 'write:before:researcher-',
      });
      const hall = spawnProgram(home, 'up', '--port', '0');
      for (const name of ['GUILD_HALL_FAULT_AT', 'GUILD_HALL_FAULT_MATCH']) delete home.env[name];
      const exited = once(hall, 'exit');
      onTestFinished(() => void hall.kill('SIGKILL'));
      await waitUntil(async () => (await findHall(home.path))?.identity.pid === hall.pid);
      const story = await tellStory(await connectHall(home.path), write);
      isOver = story.isOver;
      if (isOver) hall.kill('SIGKILL');
      await exited;
      for (const { type, subject } of eventsOnDisk(home)) {
        if (type !== 'meeting.opened' && type !== 'meeting.closed') continue;
        const record = `.lore/meetings/${subject?.split(':')[1]}.md`;
        const branch = type === 'meeting.closed' ? ['claude/main'] : ['--all'];
        expect([write, type, repository.git('log', '--format=%h', '-1', ...branch, '--', record)]).toEqual([
          write,
          type,
          expect.stringMatching(/./),
        ]);
        if (type === 'meeting.closed')
          expect(repository.git('show', `claude/main:${record}`)).toContain('status: closed');
        told += 1;
      }
      await home.json('up', '--detach', '--port', '0');
      const lost = await lostOf(await connectHall(home.path), repository, story);
      expect([write, lost]).toEqual([write, []]);
      await home.json('down');
    }
    expect(told).toBeGreaterThan(3);
  },
);

/** Terminals through the hall's door: programs of test/fixtures/terminals in windows of a real tmux. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ConversationStarted, ConversationView } from '../../src/features/gatherings/contract.ts';
import type { InboxList } from '../../src/features/inbox/contract.ts';
import type { Overview } from '../../src/features/overview/contract.ts';
import type {
  TerminalAttached,
  TerminalList,
  TerminalSent,
  TerminalShown,
  TerminalView,
} from '../../src/features/terminals/contract.ts';
import { createClient, type HallClient } from '../../src/interfaces/cli/client.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { findProcessesByMark } from '../../src/kernel/processes/marks.ts';
import { buildHall, type Hall } from '../../src/main/hall.ts';
import { connectMcp, type McpCaller } from '../help/mcp.ts';
import { packageRoot, waitUntil } from '../help/programs.ts';
import { makeRepository, tempFolder } from '../help/repositories.ts';
import { beforeSecondTry } from '../help/second-try.ts';
import { endTmuxOf } from '../help/tmux.ts';

const fixture = (name: string): string => join(packageRoot, 'test/fixtures/terminals', name);
const lineAgent = ['sh', fixture('line-agent.sh')];
const node = (name: string, ...args: string[]): string[] => [process.execPath, fixture(name), ...args];

interface Bench {
  readonly home: string;
  readonly url: () => string;
  readonly client: HallClient;
  readonly repo: string;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Nothing of it is left. */
  readonly close: () => Promise<void>;
  readonly start: (name: string, command: readonly string[], more?: object) => Promise<TerminalView>;
  readonly show: (id: string) => Promise<TerminalShown>;
  readonly text: (id: string) => Promise<string>;
  readonly until: (id: string, status: string) => Promise<void>;
}

const asker = { command: node('asks-as-claude.mjs'), like: 'claude' };
// What an agent starts sees its own folder only: there the program lies.
const helper = { command: [process.execPath, 'signs-as-claude.mjs'], like: 'claude' };
const config = `terminals: ${JSON.stringify({ limit: 7, agentLimit: 2, agents: { asker, helper } })}\n`;

/** One hall for all cases of a part. */
async function openBench(): Promise<Bench> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-desk-')));
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'config.yaml'), config);
  const files = Object.fromEntries(
    ['keys.mjs', 'signs-as-claude.mjs', 'tools.mjs'].map((name) => [name, readFileSync(fixture(name), 'utf8')]),
  );
  const { path: repo } = await makeRepository({ path: join(folder, 'tally'), files });
  let hall: Hall;
  let url = '';
  let client: HallClient;
  const begin = async (): Promise<void> => {
    hall = buildHall({ home: homePaths(home), port: 0, log: silentLog, version: '0', onStopAsked: () => {} });
    ({ url } = await hall.start());
    client = createClient(home, url, readFileSync(join(home, 'token'), 'utf8').trim());
  };
  await begin();
  await client!.call('project.add', { path: repo, name: 'tally' });
  const show: Bench['show'] = async (id) => (await client.call('terminal.show', { id })) as TerminalShown;
  return {
    home,
    repo,
    url: () => url,
    get client() {
      return client;
    },
    show,
    stop: async () => await hall.stop(),
    close: async () => {
      await hall.stop();
      endTmuxOf(home);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
    restart: async () => {
      await hall.stop();
      await begin();
    },
    start: async (name, command, more = {}) =>
      (await client.call('terminal.start', { name, command, project: 'tally', ...more })) as TerminalView,
    text: async (id) => (await show(id)).screen.lines.join('\n'),
    until: async (id, status) => await waitUntil(async () => (await show(id)).status === status),
  };
}

const socketIn = (home: string): string => join(home, 'state/tmux/hall.sock');

function tmux(home: string, ...words: string[]): string {
  return execFileSync('tmux', ['-S', socketIn(home), ...words], { encoding: 'utf8', stdio: 'pipe' });
}

async function list(client: HallClient, input: object = {}): Promise<TerminalList['terminals']> {
  return ((await client.call('terminal.list', input)) as TerminalList).terminals;
}

async function send(client: HallClient, sessionId: string, message: string, direct = false): Promise<TerminalSent> {
  return (await client.call('terminal.send', { sessionId, message, direct })) as TerminalSent;
}

/** A program that first writes down the token that it was given. */
async function startWithToken(bench: Bench, name: string, command: readonly string[]) {
  const file = join(await tempFolder(), 'token');
  const script = 'printf %s "$GUILD_HALL_MCP_TOKEN" > "$0.part" && mv "$0.part" "$0" && exec "$@"';
  const view = await bench.start(name, ['sh', '-c', script, file, ...command], { toAgents: true });
  await waitUntil(() => existsSync(file));
  return { ...view, token: readFileSync(file, 'utf8') };
}

let bench: Bench;

/** Every case finds a hall without terminals. */
function useBench(): void {
  beforeAll(async () => {
    bench = await openBench();
  });
  beforeSecondTry(async () => {
    await bench.close();
    bench = await openBench();
  });
  afterEach(async () => {
    for (const { id } of await list(bench.client)) await bench.client.call('terminal.end', { id });
  });
  afterAll(async () => await bench.close());
}

const windowsOf = (home: string): string[] =>
  tmux(home, 'list-windows', '-t', 'hall', '-F', '#{window_name}').trim().split('\n');

describe('a terminal', () => {
  useBench();

  test('is started, listed, shown, told something, typed into and ended', async () => {
    const { client, start, text, until, home, repo } = bench;
    const started = await start('Mo', lineAgent);
    expect(started).toMatchObject({
      name: 'Mo',
      entry: null,
      command: lineAgent,
      project: 'tally',
      cwd: repo,
      sandbox: { kind: 'none' },
      startedBy: { kind: 'person', id: null },
      end: null,
      conversation: null,
    });
    expect(started.id).toMatch(/^mo-\d{8}-\d{6}-[a-z0-9]{4}$/);
    await until('Mo', 'idle');
    const sent = await send(client, 'mo', 'two words; -l $(date) "Enter"');
    expect(sent).toMatchObject({ id: started.id, name: 'Mo', conversation: null, receipt: { state: 'delivered' } });
    await waitUntil(async () => (await text('Mo')).includes('I heard: two words; -l $(date) "Enter"'));
    await client.call('terminal.type', { id: started.id.slice(0, 11), text: 'typed', key: ['enter'] });
    await waitUntil(async () => (await text('Mo')).includes('I heard: typed'));
    await client.call('terminal.resize', { id: 'Mo', cols: 90, rows: 20 });
    expect((await bench.show('Mo')).screen).toMatchObject({ cols: 90, rows: 20 });
    const listed = (await client.call('terminal.list', {})) as TerminalList;
    expect(listed.terminals).toMatchObject([{ id: started.id, waiting: 0 }]);
    expect(listed.entries.map(({ name }) => name)).toEqual(expect.arrayContaining(['claude', 'codex', 'shell']));
    await until('Mo', 'idle');
    const { running } = (await client.call('overview', {})) as Overview;
    expect(running).toMatchObject([{ kind: 'terminal', id: started.id, title: 'Mo', state: 'waiting' }]);

    expect(await client.call('terminal.end', { id: 'Mo' })).toMatchObject({ id: started.id, name: 'Mo' });
    expect(await list(client)).toEqual([]);
    const [kept] = await list(client, { all: true });
    expect(kept).toMatchObject({ id: started.id, status: 'ended', end: { exitCode: null } });
    expect(await text('Mo')).toContain('I heard: typed');
    await expect(send(client, 'Mo', 'still there?')).rejects.toMatchObject({ code: 'conflict' });
    expect(statSync(join(home, 'state/terminals', `${started.id}.json`)).mode & 0o777).toBe(0o600);
    expect(windowsOf(home)).toEqual(['keeper']);
  });

  test('of what cannot be started nothing is left', async () => {
    const { client, start, repo, home } = bench;
    const files = (): string[] => readdirSync(join(home, 'state/terminals')).toSorted();
    const mo = await start('Mo', ['cat']);
    const before = files();
    const refusals: [string, object, string][] = [
      ['a name that lives', { name: 'mo', command: ['cat'], cwd: repo }, 'conflict'],
      ['no such program', { name: 'A', command: ['no-such-program-here'], cwd: repo }, 'not_found'],
      ['no such folder', { name: 'A', command: ['cat'], cwd: join(repo, 'nowhere') }, 'not_found'],
      ['no such project', { name: 'A', command: ['cat'], project: 'other' }, 'not_found'],
      ['a name of the hall', { name: 'hall', command: ['cat'], cwd: repo }, 'invalid'],
      ['a name like an option', { name: '-x', command: ['cat'], cwd: repo }, 'invalid'],
      ['no words', { name: 'A', command: [], cwd: repo }, 'invalid'],
      ['an empty program', { name: 'A', command: [''], cwd: repo }, 'invalid'],
      ['a message of nothing', { name: 'A', command: ['cat'], cwd: repo, message: '\u001b' }, 'invalid'],
      ['a person in a conversation', { name: 'A', command: ['cat'], cwd: repo, direct: true, message: 'x' }, 'invalid'],
      ['nowhere', { name: 'A', command: ['cat'] }, 'invalid'],
    ];
    for (const [what, input, code] of refusals) {
      const refused = await client.call('terminal.start', input).catch((error: { code: string }) => error.code);
      expect([what, refused]).toEqual([what, code]);
    }
    expect(files()).toEqual(before);
    expect(windowsOf(home)).toEqual(['keeper', mo.id]);
    const missing = client.call('terminal.show', { id: 'Moo' });
    await expect(missing).rejects.toMatchObject({ code: 'not_found', hint: expect.stringContaining('"Mo"') });
    // Outside of every project the person may start one; a name is made where none is given.
    const outside = await tempFolder();
    const plain = (await client.call('terminal.start', { command: ['/bin/cat'], cwd: outside })) as TerminalView;
    expect(plain).toMatchObject({ name: 'cat', project: null, cwd: outside });
    const entry = (await client.call('terminal.start', { command: ['shell'], cwd: outside })) as TerminalView;
    expect(entry).toMatchObject({ name: 'shell', entry: 'shell' });
    const asProgram = client.call('terminal.start', { command: ['shell'], plain: true, cwd: outside });
    await expect(asProgram).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('"shell"') });
  });

  test('one that ends at once has a record with its last words; a project in which one lives is not removed', async () => {
    const { client, start, show, until } = bench;
    const { id } = await start('Short', ['sh', fixture('end-at-once.sh'), '3', 'I am done.']);
    await until(id, 'ended');
    expect(await show(id)).toMatchObject({ end: { exitCode: 3 }, screen: { lines: ['I am done.'] } });
    // The name is free again.
    const { id: next } = await start('short', ['cat']);
    expect((await show('Short')).id).toBe(next);
    await expect(client.call('project.remove', { name: 'tally' })).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining(`guild-hall terminal end ${next}`),
    });
  });

  test('what a program has started ends with it, also what left its window', async () => {
    const { client, start, text } = bench;
    const { id } = await start('Stay', ['sh', fixture('stay-behind.sh')]);
    await waitUntil(async () => (await text(id)).includes('it runs'));
    const { mark } = JSON.parse(readFileSync(join(bench.home, 'state/terminals', `${id}.json`), 'utf8')) as {
      mark: string;
    };
    expect((await findProcessesByMark('GUILD_HALL_TERMINAL', mark)).length).toBeGreaterThan(1);
    await client.call('terminal.end', { id });
    expect(await findProcessesByMark('GUILD_HALL_TERMINAL', mark)).toEqual([]);
  });

  test('a dialog waits in the inbox with its choices, and is answered there', async () => {
    const { client, start, until, text } = bench;
    const { id, entry, toAgents } = await start('Ask', ['asker'], { sandbox: false });
    // What agents said there would be done with the person's rights.
    expect([entry, toAgents]).toEqual(['asker', false]);
    await until(id, 'dialog');
    const waiting = async () =>
      ((await client.call('inbox.list', {})) as InboxList).items.filter(({ subject }) => subject.kind === 'terminal');
    const [item] = await waiting();
    expect(item).toMatchObject({
      kind: 'approval',
      project: 'tally',
      subject: { id, title: 'Ask' },
      detail: expect.stringContaining('Do you want to proceed?'),
    });
    expect(item!.actions.map(({ label }) => label)).toEqual(['1. Yes', '2. No, and say why', 'See its screen']);
    const stale = client.call('terminal.type', { id, text: '1', question: 'Something else?' });
    await expect(stale).rejects.toMatchObject({ code: 'conflict' });
    const other = client.call('terminal.type', { id, text: '1', choice: 'Yes, and all that follow' });
    await expect(other).rejects.toMatchObject({ code: 'conflict' });
    expect(await text(id)).toContain('2. No');
    await client.call('inbox.act', { id: item!.id, verb: '2' });
    await waitUntil(async () => (await text(id)).includes('● Left.'));
    await until(id, 'idle');
    expect(await waiting()).toEqual([]);
  });

  test('the words to attach show that terminal, and no other', async () => {
    const { client, start, home } = bench;
    const { id } = await start('Mo', ['cat']);
    const attached = (await client.call('terminal.attach', { id: 'Mo', readOnly: true })) as TerminalAttached;
    const words = ['env', '-u', 'TMUX', 'tmux', '-u', '-S', socketIn(home), 'attach-session', '-r', '-t'];
    expect(attached.command).toEqual([...words, `=hall:=${id}`]);
    expect(tmux(home, 'display-message', '-p', '-t', `=hall:=${id}`, '#{window_name}').trim()).toBe(id);
  });
});

describe('agents in terminals', () => {
  useBench();

  async function asAgent(name: string): Promise<{ id: string; token: string; mcp: McpCaller }> {
    const { id, token } = await startWithToken(bench, name, [process.execPath, fixture('raw-agent.mjs')]);
    return { id, token, mcp: await connectMcp({ url: bench.url(), token }) };
  }

  test('see those of their project, and start only agents by name, in a sandbox, so many and no more', async () => {
    const outside = await tempFolder();
    await bench.client.call('terminal.start', { name: 'Away', command: ['cat'], cwd: outside });
    const { id, mcp } = await asAgent('Ada');
    const seen = (await mcp.call('list_sessions')).value as unknown as TerminalList;
    expect(seen.terminals.map(({ name }) => name)).toEqual(['Ada']);
    expect(seen.entries.map(({ name }) => name)).toEqual(expect.not.arrayContaining(['shell']));
    const refused: [Record<string, unknown>, string][] = [
      [{ command: ['cat'] }, 'forbidden'],
      [{ command: ['shell'] }, 'forbidden'],
      [{ command: ['helper', '--danger'] }, 'forbidden'],
      [{ command: ['helper'], plain: true }, 'forbidden'],
      [{ command: ['helper'], cwd: outside }, 'forbidden'],
      [{ command: ['helper'], sandbox: false }, 'forbidden'],
      [{ command: ['helper'], project: 'other' }, 'forbidden'],
    ];
    for (const [given, code] of refused) {
      const { value } = await mcp.call('start_session', given);
      expect([given, value['code']]).toEqual([given, code]);
    }
    for (const name of ['Away', 'away']) {
      expect((await mcp.call('send_message', { session_id: name, message: 'x' })).value).toMatchObject({
        code: 'not_found',
      });
    }
    const one = (await mcp.call('start_session', { name: 'One', command: ['helper'] }))
      .value as unknown as TerminalView;
    expect(one).toMatchObject({ project: 'tally', cwd: bench.repo, startedBy: { kind: 'terminal', id } });
    expect(one.sandbox.kind).not.toBe('none');
    await mcp.call('start_session', { command: ['helper'] });
    expect((await mcp.call('start_session', { command: ['helper'] })).value).toMatchObject({ code: 'limit' });
    // What is said to a shell would be done with the person's rights.
    await bench.start('Shell', ['shell']);
    for (const tool of ['send_message', 'show_session', 'end_session']) {
      const given = tool === 'send_message' ? { session_id: 'Shell', message: 'touch x' } : { id: 'Shell' };
      expect((await mcp.call(tool, given)).value).toMatchObject({ code: 'not_found' });
    }
    // What somebody else started is not theirs to end.
    const other = await bench.start('Other', ['cat'], { toAgents: true });
    expect((await mcp.call('end_session', { id: other.id })).value).toMatchObject({ code: 'forbidden' });
    expect((await mcp.call('end_session', { id: 'One' })).value).toMatchObject({ id: one.id });
  });

  test('a message without direct is delivered once and opens nothing; who says it stands over it, by its token [GTH-CONV-10, GTH-TOOL-8]', async () => {
    const { mcp, id } = await asAgent('Ada');
    const bo = await bench.start('Bo', [process.execPath, fixture('raw-agent.mjs')], { toAgents: true });
    await bench.until(bo.id, 'idle');
    const sent = await mcp.call('send_message', { session_id: 'Bo', message: 'Are you there?' });
    expect(sent.value).toMatchObject({ id: bo.id, receipt: { state: 'delivered' }, conversation: null });
    await waitUntil(async () => (await bench.text(bo.id)).includes('Are you there?'));
    const shown = await bench.text(bo.id);
    expect(shown).toContain(`Ada (${id}):`);
    for (const field of ['from', 'caller', 'origin', 'terminal']) {
      const asAnother = { session_id: 'Bo', message: 'I am Bo.', [field]: bo.id };
      expect((await mcp.call('send_message', asAnother)).value).toMatchObject({ code: 'invalid' });
    }
    await bench.until(bo.id, 'idle');
    expect(await bench.text(id)).not.toContain('there');
    expect((await list(bench.client)).map(({ conversation }) => conversation)).toEqual([null, null]);
    expect((await mcp.call('send_message', { session_id: 'Ada', message: 'x' })).value).toMatchObject({
      code: 'invalid',
    });
  });

  test('one line tells who started a session that a turn is over, and not with direct [GTH-CONV-11]', async () => {
    const { mcp, id } = await asAgent('Ada');
    const shown = async (): Promise<string> => (await bench.text(id)).replaceAll(/\s+/g, ' ');
    const given = { name: 'Quick', command: ['helper'], message: 'First task' };
    const quick = (await mcp.call('start_session', given)).value as unknown as TerminalView;
    await waitUntil(async () => (await shown()).includes('has finished a turn. It ended with: "Heard: First task"'));
    expect(await shown()).toContain(`[guild-hall] Quick (${quick.id}) has finished`);
    await bench.until(id, 'idle');
    const notices = async (): Promise<number> => (await shown()).split('has finished a turn').length;
    const before = await notices();
    // From now on Ada hears its words themselves, and nothing is told besides.
    const sent = await mcp.call('send_message', { session_id: 'Quick', message: 'Second task', direct: true });
    expect(sent.value).toMatchObject({ conversation: expect.any(String) });
    await waitUntil(async () => (await shown()).includes('Quick (2): Heard: Second task'));
    expect(await notices()).toBe(before);
    expect((await list(bench.client)).every(({ conversation }) => conversation !== null)).toBe(true);
  });

  test('its token dies with a terminal', async () => {
    const { token, id } = await asAgent('Ada');
    const client = createClient(bench.home, bench.url(), token);
    expect(await list(client)).toHaveLength(1);
    await bench.client.call('terminal.end', { id });
    await expect(client.call('terminal.list', {})).rejects.toMatchObject({ code: 'unauthorized' });
    expect(readFileSync(join(bench.home, 'state/terminals', `${id}.json`), 'utf8')).not.toContain(token);
  });
});

describe('restarts', () => {
  useBench();

  test('what lives goes on with its name and its token; what ended meanwhile is written down', async () => {
    const { start, until, text, home } = bench;
    const mo = await startWithToken(bench, 'Mo', lineAgent);
    const gone = await start('Gone', ['cat'], { toAgents: true });
    await until('Mo', 'idle');
    await bench.stop();
    // The hall is away: one is ended by somebody else.
    tmux(home, 'kill-window', '-t', `=hall:=${gone.id}`);
    await bench.restart();
    await until('Mo', 'idle');
    await until(gone.id, 'ended');
    const asMo = createClient(home, bench.url(), mo.token);
    expect((await list(asMo, { all: true })).map(({ id, end }) => [id, end === null])).toEqual([
      [mo.id, true],
      [gone.id, false],
    ]);
    expect(await send(bench.client, 'Mo', 'again')).toMatchObject({ receipt: { state: 'delivered' } });
    await waitUntil(async () => (await text('Mo')).includes('I heard: again'));
  });

  test('one that a killed hall had not begun yet is over, and stands in the way of nothing', async () => {
    const { start, until, home } = bench;
    const other = await start('Other', ['cat']);
    const { id } = await start('Half', ['cat']);
    await until(id, 'idle');
    await bench.stop();
    tmux(home, 'kill-window', '-t', `=hall:=${id}`);
    const path = join(home, 'state/terminals', `${id}.json`);
    const record = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...record, kept: null }));
    await bench.restart();
    const { terminals, problems } = (await bench.client.call('terminal.list', { all: true })) as TerminalList;
    expect(problems).toEqual([]);
    expect(terminals.filter(({ end }) => end === null).map((each) => each.id)).toEqual([other.id]);
    expect(terminals.find((each) => each.id === id)).toMatchObject({ status: 'ended', end: { exitCode: null } });
  });

  test('where tmux is not to be had nothing is given up: terminals and conversations go on with the next hall', async () => {
    const { start, until, home } = bench;
    for (const name of ['Ada', 'Grace']) {
      await start(name, lineAgent, { toAgents: true });
      await until(name, 'idle');
    }
    const given = { first: 'Ada', second: 'Grace' };
    const { conversation } = (await bench.client.call('conversation.start', given)) as ConversationStarted;
    const state = async (): Promise<string> =>
      ((await bench.client.call('conversation.show', { id: conversation.id })) as ConversationView).conversation.state;
    await bench.stop();
    const path = process.env['PATH'];
    process.env['PATH'] = home;
    try {
      await bench.restart();
      expect(await state()).toBe('open');
      expect((await list(bench.client)).map(({ name }) => name)).toEqual(expect.arrayContaining(['Ada', 'Grace']));
    } finally {
      process.env['PATH'] = path;
    }
    await bench.restart();
    expect(await state()).toBe('open');
    await send(bench.client, 'Ada', 'are you there?');
    await waitUntil(async () => (await bench.text('Grace')).includes('I heard: are you there?'));
    await bench.client.call('conversation.end', { id: conversation.id });
    for (const name of ['Ada', 'Grace']) await bench.client.call('terminal.end', { id: name });
  });

  test('with the tmux server gone all have ended, and others can be started', async () => {
    const { start, until, home } = bench;
    const { id } = await start('Lost', ['cat']);
    tmux(home, 'kill-server');
    await until(id, 'ended');
    const next = await start('Lost', ['cat']);
    await until(next.id, 'idle');
    await bench.stop();
    tmux(home, 'kill-server');
    await bench.restart();
    expect(await list(bench.client)).toEqual([]);
    const all = await list(bench.client, { all: true });
    expect(all.filter(({ name }) => name === 'Lost').map(({ status }) => status)).toEqual(['ended', 'ended']);
    expect(existsSync(join(home, 'state/terminals', next.id))).toBe(false);
  });

  test('no tmux server stays behind where nothing lives; what ended is forgotten after seven days', async () => {
    const { start, until, home } = bench;
    const { id } = await start('Old', ['true']);
    await until(id, 'ended');
    await bench.stop();
    expect(() => tmux(home, 'list-sessions')).toThrow(/no server|error connecting/);
    const path = join(home, 'state/terminals', `${id}.json`);
    const record = JSON.parse(readFileSync(path, 'utf8')) as { end: { at: string } };
    record.end.at = new Date(Date.parse(record.end.at) - 8 * 86_400_000).toISOString();
    writeFileSync(path, JSON.stringify(record));
    await bench.restart();
    expect((await list(bench.client, { all: true })).map(({ name }) => name)).not.toContain('Old');
    expect(readdirSync(join(home, 'state/terminals')).filter((name) => name.startsWith(id))).toEqual([]);
  });
});

/** What is told of terminals is what is known of them: programs in windows of a real tmux, through the hall's door. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ConversationStarted, ConversationView } from '../../src/features/gatherings/contract.ts';
import type {
  TerminalList,
  TerminalSent,
  TerminalShown,
  TerminalStarted,
} from '../../src/features/terminals/contract.ts';
import { createClient, type HallClient } from '../../src/interfaces/cli/client.ts';
import { conversationRenderers } from '../../src/interfaces/cli/render/conversations.ts';
import { terminalRenderers } from '../../src/interfaces/cli/render/terminals.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { buildHall, type Hall } from '../../src/main/hall.ts';
import { packageRoot, waitUntil } from '../help/programs.ts';
import { beforeSecondTry } from '../help/second-try.ts';
import { endTmuxOf } from '../help/tmux.ts';

const fixture = (name: string): string => join(packageRoot, 'test/fixtures/terminals', name);
const term = { isInteractive: false, style: (_format: unknown, text: string) => text, hint: (text: string) => text };

let folder: string;
let home: string;
let hall: Hall;
let client: HallClient;

async function open(): Promise<void> {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-told-')));
  home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  hall = buildHall({ home: homePaths(home), port: 0, log: silentLog, version: '0', onStopAsked: () => {} });
  const { url } = await hall.start();
  client = createClient(home, url, readFileSync(join(home, 'token'), 'utf8').trim());
}

async function close(): Promise<void> {
  await hall.stop();
  endTmuxOf(home);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

beforeAll(open);
beforeSecondTry(close, open);

afterEach(async () => {
  for (const { id } of (await list()).terminals) await client.call('terminal.end', { id });
});

afterAll(close);

function tmux(...words: string[]): string {
  return execFileSync('tmux', ['-S', join(home, 'state/tmux/hall.sock'), ...words], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

async function list(input: object = {}): Promise<TerminalList> {
  return (await client.call('terminal.list', input)) as TerminalList;
}

async function start(name: string, ...command: string[]): Promise<TerminalStarted> {
  return (await client.call('terminal.start', { name, command, cwd: folder })) as TerminalStarted;
}

async function send(sessionId: string, message: string): Promise<TerminalSent> {
  return (await client.call('terminal.send', { sessionId, message })) as TerminalSent;
}

async function show(id: string): Promise<TerminalShown> {
  return (await client.call('terminal.show', { id })) as TerminalShown;
}

async function until(id: string, status: string): Promise<void> {
  await waitUntil(async () => (await show(id)).status === status);
}

function shown(operation: string, value: unknown): string {
  return { ...terminalRenderers, ...conversationRenderers }[operation]!(value as never, term as never);
}

test('a program that ends at once is told to have ended, with its exit code and its last words', async () => {
  let started: TerminalStarted | undefined;
  // On a machine that is slow just then, it may take longer to end than is waited for.
  await waitUntil(async () => {
    started = await start('Short', 'sh', fixture('end-at-once.sh'), '3', 'I cannot run.');
    return started.status === 'ended';
  });
  expect(started).toMatchObject({ end: { exitCode: 3 }, lastLines: ['I cannot run.'] });
  const said = shown('terminal.start', started);
  expect(said).toContain('ended (3)');
  expect(said).toContain('│ I cannot run.');
  expect(said).not.toContain('attach');
});

test('what was in a tmux that somebody killed says so, and so does the conversation that ended by it', async () => {
  await start('Ada', 'cat');
  await start('Grace', 'cat');
  const talk = (await client.call('conversation.start', { first: 'Ada', second: 'Grace' })) as ConversationStarted;
  process.kill(Number(tmux('display-message', '-p', '#{pid}')), 'SIGKILL');
  await until('Ada', 'ended');
  await until('Grace', 'ended');
  const ended = (await list({ all: true })).terminals.filter(({ name }) => name === 'Ada' || name === 'Grace');
  expect(ended).toMatchObject([{ end: { why: 'tmux ended' } }, { end: { why: 'tmux ended' } }]);
  expect(shown('terminal.list', { terminals: ended, entries: [], problems: [] })).toContain('ended (tmux ended)');
  expect(shown('terminal.show', await show('Ada'))).toContain('ended (tmux ended)');
  const { id } = talk.conversation;
  const over = async (): Promise<ConversationView> =>
    (await client.call('conversation.show', { id })) as ConversationView;
  await waitUntil(async () => (await over()).conversation.state === 'ended');
  expect((await over()).conversation.end).toMatchObject({ reason: { kind: 'member', why: 'tmux ended' } });
  expect(shown('conversation.show', await over())).toMatch(/the terminal of (?:Ada|Grace) ended \(tmux ended\)/);
});

test('a program that reads nothing is not said to have taken a message, and one that never stops writing is busy', async () => {
  await start('sl', 'sleep', '1000');
  await start('flow', 'sh', '-c', 'yes aaaa');
  await start('talks', 'cat');
  const silent = await send('sl', 'hi');
  expect(silent.receipt).toMatchObject({ state: 'delivered', silent: true });
  expect(shown('terminal.send', silent)).toContain('It is put in; sl shows no sign of having read it.');
  const read = await send('talks', 'hi');
  expect(read.receipt).not.toHaveProperty('silent');
  expect(shown('terminal.send', read)).toContain('talks took it.');
  await until('flow', 'busy');
  const waits = await send('flow', 'hi');
  expect(waits).toMatchObject({ receipt: { state: 'queued' }, waitsFor: 'flow has not stopped writing.' });
  expect(shown('terminal.send', waits)).toContain('It waits until flow is free: flow has not stopped writing.');
});

test('where a question that the hall does not know swallows the words, Enter is pressed once', async () => {
  const keys = join(folder, 'keys');
  // It swallows all keys but notes them, as something that asks does.
  const script = `process.stdin.setRawMode(true); process.stdout.write('Go on? ');
    process.stdin.on('data', (data) => require('node:fs').appendFileSync(${JSON.stringify(keys)}, data));`;
  await start('asks', process.execPath, '-e', script);
  await until('asks', 'idle');
  const sent = await send('asks', 'words');
  expect(sent.receipt).toEqual({
    state: 'failed',
    why: 'The program did not take the words, though Enter was pressed once.',
  });
  expect(readFileSync(keys, 'utf8')).toBe('words\r');
});

test('who is refused is told what to type next', async () => {
  const misspelt = client.call('terminal.start', { command: ['claud'], cwd: folder });
  await expect(misspelt).rejects.toMatchObject({ hint: expect.stringContaining('Did you mean "claude"?') });
  const { id } = await start('gone', 'cat');
  await start('stays', 'cat');
  await client.call('terminal.end', { id });
  const over = { code: 'conflict', hint: expect.stringContaining(`guild-hall terminal show ${id}`) };
  await expect(send('gone', 'hi')).rejects.toMatchObject(over);
  await expect(client.call('conversation.start', { first: 'stays', second: 'gone' })).rejects.toMatchObject(over);
  await start('other', 'cat');
  await client.call('conversation.start', { first: 'stays', second: 'other' });
  const again = client.call('conversation.start', { first: 'stays', second: 'other' });
  await expect(again).rejects.toMatchObject({ message: expect.stringContaining('talk with each other already') });
});

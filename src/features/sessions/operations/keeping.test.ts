import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeRepository, tempFolder, type TestRepository } from '../../../../test/help/repositories.ts';
import { openSessions, type SessionsHall } from '../../../../test/help/sessions.ts';
import { agentSessionIdSchema, projectNameSchema } from '../../../kernel/pure/ids.ts';
import { mostMessages, type SessionId, type SessionList, type SessionMessage, type SessionView } from '../contract.ts';
import { agentNameSchema } from '../contract/words.ts';
import { bearSession } from '../reactions/birth.ts';
import { readLog } from '../store/log.ts';
import type { Changes } from './reading.ts';
import { logFile, sessionFolder } from '../store/place.ts';
import { busySessions, runningSessions, waitingSessions } from './waiting.ts';

let home: string;
let repository: TestRepository;
let hall: SessionsHall;

async function start(): Promise<void> {
  hall = await openSessions(home, repository.path);
  const opened = hall;
  onTestFinished(async () => await opened.stop());
}

beforeEach(async () => {
  home = await tempFolder();
  repository = await makeRepository({ files: { 'a.txt': 'one\n' } });
  await start();
});

async function begin(wish: object = {}): Promise<SessionId> {
  const { session } = await hall.call<SessionView>('new', wish);
  return session.id;
}

const sessionId = agentSessionIdSchema.parse('agent-1');
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

test('images are told by their bytes, kept beside the log, given to the agent and given back', async () => {
  const id = await begin({ prompt: 'What is this?', images: [{ data: pixel.toString('base64') }] });
  await hall.idle();
  expect(hall.asked[0]!.parts).toMatchObject([
    { type: 'image', mimeType: 'image/png', data: pixel.toString('base64') },
    { type: 'text', text: 'What is this?' },
  ]);
  const [message] = (await hall.state(id)).messages;
  const [image] = message!.role === 'person' ? message!.images : [];
  expect(image).toMatchObject({ mimeType: 'image/png', bytes: pixel.length });
  expect(await hall.call('image', { id, name: image!.name })).toEqual({ ...image, data: pixel.toString('base64') });
  await expect(hall.call('image', { id, name: '../../config.yaml' })).rejects.toMatchObject({ code: 'not_found' });
  const say = async (bytes: Buffer): Promise<unknown> =>
    await hall.call('say', { id, text: 'And this?', images: [{ data: bytes.toString('base64') }] });
  await expect(say(Buffer.from('<svg onload="x"/>'))).rejects.toMatchObject({ code: 'invalid' });
  const large = Buffer.concat([pixel, Buffer.alloc(1_300_001)]);
  await expect(say(large)).rejects.toMatchObject({ code: 'too_large' });
  expect((await hall.state(id)).messages).toHaveLength(2);
});

test('what came to nothing leaves nothing: no log, no image, no line of a list', async () => {
  hall.refusal = new Error('No key.');
  const wish = { prompt: 'x', images: [{ data: pixel.toString('base64') }] };
  await expect(begin(wish)).rejects.toThrow('No key.');
  hall.refusal = undefined;
  await expect(begin({ prompt: 'x', images: [{ data: 'aGVsbG8=' }] })).rejects.toMatchObject({ code: 'invalid' });
  expect(readdirSync(join(home, 'state', 'sessions')).filter((name) => name !== 'index.json')).toEqual([]);
  expect(readdirSync(join(home, 'state', 'agents'))).toEqual([]);
  expect((await hall.call<SessionList>('list')).sessions).toEqual([]);
  expect(hall.events).toEqual([]);
});

test('[CTX-EVT-5] the session of a click is of the agent that was asked for, and known by the line that made it', async () => {
  const from = { clickId: 'click-0001', block: null, label: 'Go on' };
  const metaContext = { id: 'm-1', name: 'dictation', isNew: true };
  const prompt = { promptId: 'prompt-01', text: '/req dictation', images: [] };
  const project = projectNameSchema.parse('tally');
  const agent = agentNameSchema.parse('codex');
  const wish = { project, agent, folder: repository.path, title: 'Go on', from, prompt, metaContext };
  const { id } = await bearSession(hall.ctx, wish);
  await hall.idle();
  expect(new Set(hall.drivers)).toEqual(new Set(['codex']));
  const { events } = await readLog(logFile(hall.ctx, id));
  expect(events.slice(0, 5).map(({ type }) => type)).toEqual([
    'MetaContextCreated',
    'SessionCreated',
    'SessionAddedToMetaContext',
    'PromptSubmitted',
    'AgentSessionStarted',
  ]);
  const info = { id, agent: 'codex', title: 'Go on', metaContextId: 'm-1', from };
  expect((await hall.call<SessionList>('list')).sessions).toMatchObject([info]);
  expect([...hall.ctx.sessionDesk.known.keys()]).toEqual([id]);
});

test('[CTX-EVT-16] a switch is answered as such, with the whole of what is shown, in a context as elsewhere', async () => {
  const alone = await begin({ prompt: 'one' });
  await hall.idle();
  const { view, ...answer } = await hall.call<{ event: string; view: SessionView }>('switch', { sessionId: alone });
  expect(answer).toEqual({ event: 'SessionSwitched', sessionId: alone });
  expect(view.session).toEqual(await hall.state(alone));
  const within = await bearSession(hall.ctx, {
    project: projectNameSchema.parse('tally'),
    agent: agentNameSchema.parse('played'),
    folder: repository.path,
    title: 'Go on',
    from: { clickId: 'click-0002', block: null, label: 'Go on' },
    prompt: null,
    metaContext: { id: 'm-1', name: 'dictation', isNew: true },
  });
  expect(await hall.call('switch', { sessionId: within.id })).toMatchObject({
    event: 'SessionSwitched',
    sessionId: within.id,
    view: { session: { metaContext: { name: 'dictation' } }, earlier: 0 },
  });
  // Only by a whole id: what the page has from the list.
  await expect(hall.call('switch', { sessionId: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
});

test('the first words name a session, its agent may name it better, and the person’s name stays', async () => {
  const id = await begin();
  expect((await hall.state(id)).title).toBe('New session');
  await hall.call('say', { id, text: '\n\n# Mend the *parser*, please\nand more' });
  await hall.idle();
  expect((await hall.state(id)).title).toBe('Mend the *parser*, please');
  hall.play = async function* () {
    yield { type: 'title', title: 'Parser' };
    yield { type: 'end', reason: 'done', sessionId };
  };
  await hall.call('say', { id, text: 'go on' });
  await hall.idle();
  expect((await hall.state(id)).title).toBe('Parser');
  await hall.call('rename', { id, title: 'Mine' });
  await hall.call('say', { id, text: 'go on' });
  await hall.idle();
  await hall.stop();
  await start();
  expect((await hall.state(id)).title).toBe('Mine');
  const named = await begin({ title: 'Named', prompt: 'First words' });
  await hall.idle();
  expect((await hall.state(named)).title).toBe('Named');
});

test('a closed session takes no words and keeps its history; open again it goes on with its agent’s own session', async () => {
  const id = await begin({ prompt: 'one' });
  await hall.idle();
  expect(await hall.call('close', { id })).toMatchObject({ project: 'tally', session: { state: 'closed' } });
  expect(hall.closed).toBe(1);
  await expect(hall.call('say', { id, text: 'two' })).rejects.toMatchObject({
    code: 'conflict',
    hint: `Open it again: guild-hall session reopen ${id}`,
  });
  await hall.stop();
  await start();
  expect((await hall.call('show', { id })).session).toMatchObject({ isClosed: true });
  await hall.call('reopen', { id });
  await hall.call('say', { id, text: 'two' });
  await hall.idle();
  expect(hall.asked.at(-1)).toMatchObject({ words: 'two', resume: 'agent-1' });
});

test('a removed session is gone with all that was kept of it, and is told so', async () => {
  const id = await begin({ prompt: 'one', images: [{ data: pixel.toString('base64') }] });
  const other = await begin({ prompt: 'two' });
  await hall.idle();
  expect(await hall.call('remove', { id })).toEqual({ id, project: 'tally' });
  expect([existsSync(logFile(hall.ctx, id)), existsSync(sessionFolder(hall.ctx, id))]).toEqual([false, false]);
  expect(readdirSync(join(home, 'state', 'agents')).some((name) => name.includes(id))).toBe(false);
  const told = hall.events.findLast(({ type }) => type === 'session.list')!.data as SessionList;
  expect(told.sessions.map((info) => info.id)).toEqual([other]);
  await expect(hall.call('show', { id })).rejects.toMatchObject({ code: 'not_found' });
  await hall.stop();
  await start();
  expect((await hall.call<SessionList>('list')).sessions.map((info) => info.id)).toEqual([other]);
});

test('a question is in the inbox with its options, and whoever answers there answers the agent', async () => {
  const got: unknown[] = [];
  hall.play = async function* ({ open, interrupted }) {
    const options = [
      { id: 'once', name: 'Allow once', kind: 'allow_once' as const },
      { id: 'always', name: 'Always', kind: 'allow_always' as const },
      { id: 'no', name: 'Refuse', kind: 'reject_once' as const },
    ];
    const request = { callId: 'c', name: 'Bash', title: 'rm -r ```x', input: { command: 'rm' }, diffs: [], options };
    got.push(await open.ask!(request, interrupted));
    yield { type: 'end', reason: 'done', sessionId };
  };
  const id = await begin({ prompt: 'one' });
  while ((await waitingSessions(hall.ctx)).length === 0) await new Promise((resolve) => setImmediate(resolve));
  const [item] = await waitingSessions(hall.ctx);
  expect(item).toMatchObject({
    kind: 'question',
    project: 'tally',
    subject: { kind: 'session', id },
    actions: [{ verb: 'approve' }, { verb: 'approve-always' }, { verb: 'deny' }],
  });
  expect(item!.detail.startsWith('````\nBash: rm -r ```x\n````')).toBe(true);
  expect(await busySessions(hall.ctx, 'tally')).toEqual([`session ${id}`]);
  expect(await runningSessions(hall.ctx)).toMatchObject([{ id, state: 'waiting', worker: 'played' }]);
  const [approve] = item!.actions;
  await hall.call(approve!.operation.replace('session.', ''), approve!.input);
  await hall.idle();
  expect(got).toEqual([{ optionId: 'once' }]);
  expect(await waitingSessions(hall.ctx)).toEqual([]);
  expect(await busySessions(hall.ctx)).toEqual([]);
});

test('a log that cannot be read is in the inbox, and only removing it does something to it', async () => {
  const id = await begin({ prompt: 'one' });
  await hall.idle();
  await hall.stop();
  writeFileSync(logFile(hall.ctx, id), '{"seq":1}\n{"seq":2}\n');
  await start();
  expect(await waitingSessions(hall.ctx)).toMatchObject([
    { kind: 'problem', subject: { id }, actions: [{ operation: 'session.remove', asks: 'confirm' }] },
  ]);
  await hall.call('remove', { id });
  expect(await waitingSessions(hall.ctx)).toEqual([]);
});

test('changes tell what differs from the last commit and what the agent told', async () => {
  hall.play = async function* () {
    const diffs = [{ path: 'a.txt', oldText: 'one\n', newText: 'two\n' }];
    yield { type: 'tool_call', callId: 'c', name: 'Edit', input: {} };
    yield { type: 'tool_result', callId: 'c', name: 'Edit', ok: true, summary: '', diffs };
    yield { type: 'end', reason: 'done', sessionId };
  };
  const id = await begin({ prompt: 'one' });
  await hall.idle();
  repository.write({ 'a.txt': 'two\n', 'new.txt': 'fresh\n' });
  const status = repository.git('status', '--short');
  const changes = await hall.call<Changes>('changes', { id });
  expect(changes).toMatchObject({
    folder: repository.path,
    gitProblem: null,
    told: [{ path: 'a.txt', diffs: [{ newText: 'two\n' }] }],
  });
  expect(changes.files.map(({ path, status: word, added }) => [path, word, added])).toEqual([
    ['a.txt', 'M', 1],
    ['new.txt', 'A', 1],
  ]);
  expect(repository.git('status', '--short')).toBe(status);
});

test('a hall that stops leaves no log open', async () => {
  const id = await begin({ prompt: 'one' });
  await hall.idle();
  const { log } = hall.ctx.sessionDesk.open.get(id as SessionId)!;
  expect(log.handle).toBeDefined();
  await hall.stop();
  expect(log.handle).toBeUndefined();
});

test('earlier messages come on demand, the newest first', async () => {
  const id = await begin();
  for (let turn = 0; turn < 40; turn += 1) await hall.call('say', { id, text: `words ${turn}` });
  await hall.idle();
  const view = await hall.call('show', { id });
  expect([view.session.messages.length, view.earlier]).toEqual([mostMessages, 80 - mostMessages]);
  const before = view.session.messages[0]!.seq;
  const page = await hall.call<{ messages: SessionMessage[]; earlier: number }>('messages', { id, before, count: 15 });
  expect([page.messages.length, page.earlier]).toEqual([15, view.earlier - 15]);
  expect(page.messages.at(-1)).toMatchObject({ role: 'agent' });
  await expect(hall.call('messages', { id, before: 3 })).rejects.toMatchObject({ code: 'not_found' });
});

test('a session as Markdown has what was said and done, with fences that hold', async () => {
  hall.play = async function* () {
    yield { type: 'text', text: 'Look:' };
    yield { type: 'tool_call', callId: 'c', name: 'Bash', input: {}, title: 'cat x.md' };
    yield { type: 'tool_result', callId: 'c', name: 'Bash', ok: false, summary: '```\ncode\n```' };
    yield { type: 'end', reason: 'done', sessionId };
  };
  const id = await begin({ prompt: 'Show x.md' });
  await hall.idle();
  const { markdown } = await hall.call<{ markdown: string }>('export', { id });
  expect(markdown).toContain('# Show x.md\n');
  expect(markdown).toContain('Look:\n\n**Bash:** cat x.md (failed)\n\n````\n```\ncode\n```\n````\n');
});

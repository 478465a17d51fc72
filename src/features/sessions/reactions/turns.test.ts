import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { echo, openSessions, type Play, type SessionsHall } from '../../../../test/help/sessions.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { HallError } from '../../../kernel/pure/errors.ts';
import { agentSessionIdSchema } from '../../../kernel/pure/ids.ts';
import type { AgentMessage, SessionHallEvents, SessionId, SessionState, SessionView } from '../contract.ts';
import { openPermissionsOf } from '../fold/reading.ts';
import { emptySession, foldSession } from '../fold/session.ts';
import { readLog } from '../store/log.ts';
import { logFile, sessionFolder } from '../store/place.ts';

let home: string;
let hall: SessionsHall;

/** As a start of the hall does. */
async function start(): Promise<SessionsHall> {
  hall = await openSessions(home, join(home, 'repo'));
  const opened = hall;
  onTestFinished(async () => await opened.stop());
  return hall;
}

beforeEach(async () => {
  home = await tempFolder();
  mkdirSync(join(home, 'repo'));
  await start();
});

async function begin(prompt?: string): Promise<SessionId> {
  const { session } = await hall.call<SessionView>('new', { prompt });
  return session.id;
}

const sessionId = agentSessionIdSchema.parse('agent-1');
const answers = ({ messages }: SessionState): AgentMessage[] =>
  messages.filter((message): message is AgentMessage => message.role === 'agent');
const textOf = ({ parts }: AgentMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('|');

/** Ends when it is told to. */
const working: Play = async function* ({ interrupted }) {
  yield { type: 'session', sessionId };
  yield { type: 'text', text: 'I begin. ' };
  const over = deferred();
  if (interrupted.aborted) over.resolve();
  interrupted.addEventListener('abort', () => over.resolve());
  await over.promise;
  yield { type: 'end', reason: 'interrupted', sessionId };
};

async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
}

test('[UC-6.2] [CTX-EVT-6] what was said and answered is the same in memory, in the log, as told, and after a restart', async () => {
  hall.play = async function* () {
    yield { type: 'session', sessionId };
    yield { type: 'thought', text: 'Let me see.' };
    yield { type: 'text', text: 'I look. ' };
    yield { type: 'tool_call', callId: 'c', name: 'Read', input: { file_path: 'a.txt' }, title: 'Read a.txt' };
    yield { type: 'tool_update', callId: 'c', text: 'half', diffs: [] };
    yield { type: 'tool_result', callId: 'c', name: 'Read', ok: true, summary: 'hello' };
    yield { type: 'plan', entries: [{ text: 'Read', status: 'completed' }] };
    yield { type: 'text', text: 'It says hello.' };
    const usage = { inputTokens: 9, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.25 };
    yield { type: 'usage', usage: { ...usage, contextUsed: 13, contextWindow: 100 } };
    yield { type: 'end', reason: 'done', sessionId };
  };
  const id = await begin('  What does `a.txt` say?\n');
  await hall.idle();
  const live = await hall.state(id);
  expect(answers(live).map(({ state, parts }) => [state, parts.map(({ type }) => type)])).toEqual([
    ['done', ['thought', 'text', 'tool', 'text']],
  ]);
  expect(live.messages[0]).toMatchObject({ role: 'person', text: '  What does `a.txt` say?\n', state: 'sent' });
  expect(live).toMatchObject({ title: 'What does `a.txt` say?', agentSessionId: 'agent-1', usage: { costUsd: 0.25 } });
  const { events: lines } = await readLog(logFile(hall.ctx, id));
  expect(lines.reduce(foldSession, emptySession())).toEqual(live);
  const told = hall.events.flatMap(({ type, data }) =>
    type === 'session.logged' ? (data as SessionHallEvents['session.logged']).events : [],
  );
  expect(told).toEqual(lines);
  await hall.stop();
  await start();
  expect(await hall.state(id)).toEqual(live);
  expect((await hall.call('show', { id: 'played' })).session).toEqual(live);
});

test('a session is told from its first line on, then the list with it, then what is sent', async () => {
  const id = await begin('One');
  await hall.idle();
  const told = hall.events.map(({ type }) => type);
  expect(told.indexOf('session.logged')).toBeLessThan(told.indexOf('session.list'));
  const first = hall.events.find(({ type }) => type === 'session.logged')!.data as SessionHallEvents['session.logged'];
  expect(first.events.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'SessionCreated'],
    [2, 'PromptSubmitted'],
    [3, 'AgentSessionStarted'],
    [4, 'ChoicesUpdated'],
  ]);
  const list = hall.events.find(({ type }) => type === 'session.list')!;
  expect(list).toMatchObject({ project: 'tally', subject: null, data: { sessions: [{ id }], metaContexts: [] } });
});

test('prompts wait for their turn, in order; one may be taken back; one under a known id is taken once', async () => {
  hall.play = working;
  const id = await begin('one');
  await until(() => hall.asked.length === 1);
  const second = await hall.call<{ promptId: string; position: number }>('say', { id, text: 'two' });
  const third = await hall.call<{ promptId: string; position: number }>('say', {
    id,
    text: 'three',
    promptId: 'prompt-three',
  });
  const again = await hall.call('say', { id, text: 'three', promptId: 'prompt-three' });
  expect([second.position, third.position]).toEqual([1, 2]);
  expect(again).toMatchObject({ promptId: 'prompt-three', position: 2 });
  expect(await hall.call('withdraw', { id, promptId: second.promptId })).toMatchObject({ text: 'two' });
  await expect(hall.call('withdraw', { id, promptId: 'p-none' })).rejects.toMatchObject({ code: 'not_found' });
  hall.play = echo;
  expect(await hall.call('cancel', { id })).toEqual({ id, cancelled: true });
  await hall.idle();
  expect(hall.asked.map(({ words }) => words)).toEqual(['one', 'three']);
  const state = await hall.state(id);
  expect(answers(state).map((message) => [message.state, textOf(message)])).toEqual([
    ['interrupted', 'I begin. '],
    ['done', 'You said: three'],
  ]);
  await expect(hall.call('withdraw', { id, promptId: 'prompt-three' })).rejects.toMatchObject({ code: 'conflict' });
  expect(await hall.call('cancel', { id })).toEqual({ id, cancelled: false });
});

test('an agent that does not hear is given up, and another takes the next prompt', async () => {
  hall.isDeaf = true;
  hall.play = working;
  const id = await begin('one');
  await until(() => hall.asked.length === 1);
  await hall.call('cancel', { id });
  expect(answers(await hall.state(id)).map(({ state }) => state)).toEqual(['interrupted']);
  hall.play = echo;
  await hall.call('say', { id, text: 'two' });
  await hall.idle();
  expect(hall.opened).toBe(2);
  expect(answers(await hall.state(id)).map(({ state }) => state)).toEqual(['interrupted', 'done']);
});

test('an agent that dies fails its turn; the next prompt goes to a fresh one that resumes', async () => {
  hall.play = async function* () {
    yield { type: 'session', sessionId };
    yield { type: 'tool_call', callId: 'c', name: 'Bash', input: {} };
    const facts = { message: 'The agent died.', hint: 'Say it again.', retryAfterMs: null, sessionId };
    yield { type: 'error', errorClass: 'crashed', ...facts };
  };
  const id = await begin('one');
  await hall.idle();
  const [failed] = answers(await hall.state(id));
  expect(failed).toMatchObject({
    state: 'failed',
    error: { errorClass: 'crashed', message: 'The agent died.', hint: 'Say it again.' },
    parts: [{ type: 'tool', state: 'failed' }],
  });
  hall.play = echo;
  await hall.call('choose', { id, choice: 'mode', option: 'plan' });
  await hall.call('say', { id, text: 'two' });
  await hall.idle();
  expect(hall.opened).toBe(2);
  expect(hall.asked.map(({ resume }) => resume)).toEqual(['agent-1', 'agent-1']);
});

test('a session that the agent lost is begun anew, told what was said, and that is told', async () => {
  const id = await begin('My name is Ada.');
  await hall.idle();
  hall.play = async function* (played) {
    if (played.resume === 'agent-1') {
      const facts = { message: 'No such session.', hint: '', retryAfterMs: null, sessionId: null };
      yield { type: 'error', errorClass: 'expired_session', ...facts };
      return;
    }
    yield* echo(played);
  };
  await hall.call('say', { id, text: 'Who am I?' });
  await hall.idle();
  const state = await hall.state(id);
  expect(state.agentSessionId).toBe('agent-2');
  expect(answers(state).map(({ state: word, renewed }) => [word, renewed])).toEqual([
    ['done', false],
    ['done', true],
  ]);
  expect(hall.asked.at(-1)!.parts.at(-1)).toEqual({ type: 'text', text: 'Who am I?' });
  expect(hall.asked.at(-1)!.words).toContain('**The person:** My name is Ada.');
});

test('in the session that comes in place of a lost one the mode is the one that was chosen, before anything is said', async () => {
  const id = await begin('one');
  await hall.idle();
  await hall.call('choose', { id, choice: 'mode', option: 'plan' });
  const chosenBefore: string[][] = [];
  hall.play = async function* (played) {
    chosenBefore.push([...hall.chosen]);
    if (played.resume === 'agent-1') {
      const facts = { message: 'No such session.', hint: '', retryAfterMs: null, sessionId: null };
      yield { type: 'error', errorClass: 'expired_session', ...facts };
      return;
    }
    yield* echo(played);
  };
  await hall.call('say', { id, text: 'two' });
  await hall.idle();
  expect(chosenBefore).toEqual([['agent-1 mode plan'], ['agent-1 mode plan', 'agent-2 mode plan']]);
  const state = await hall.state(id);
  expect([state.agentSessionId, state.choices[0]!.current]).toEqual(['agent-2', 'plan']);
  expect(answers(state).map(({ state: word, renewed }) => [word, renewed])).toEqual([
    ['done', false],
    ['done', true],
  ]);
});

test('where the chosen mode cannot be asked for, nothing is said to the agent in another one', async () => {
  const id = await begin('one');
  await hall.idle();
  await hall.call('choose', { id, choice: 'mode', option: 'plan' });
  await hall.stop();
  await start();
  hall.unchosen = new HallError({ code: 'unavailable', message: 'It does not answer.', hint: 'Say it again.' });
  await hall.call('say', { id, text: 'two' });
  await hall.idle();
  expect(hall.asked).toEqual([]);
  expect(answers(await hall.state(id)).at(-1)).toMatchObject({
    state: 'failed',
    error: { message: 'It does not answer.', hint: 'Say it again.' },
  });
  hall.unchosen = undefined;
  await hall.call('say', { id, text: 'three' });
  await hall.idle();
  expect([hall.asked.length, hall.chosen.at(-1)]).toEqual([1, 'agent-1 mode plan']);
});

test('what was chosen is kept, and chosen again for the agent of the next start', async () => {
  const id = await begin('one');
  await hall.idle();
  const { choices } = await hall.call<{ choices: { current: string }[] }>('choose', {
    id,
    choice: 'mode',
    option: 'plan',
  });
  expect(choices).toMatchObject([{ current: 'plan' }]);
  await expect(hall.call('choose', { id, choice: 'mode', option: 'fly' })).rejects.toMatchObject({
    code: 'invalid',
    hint: 'It has: ask, plan',
  });
  await hall.stop();
  await start();
  await hall.call('say', { id, text: 'two' });
  await hall.idle();
  expect(hall.chosen).toEqual(['agent-1 mode plan']);
});

test('a question waits for the person, in the log, in the list and for whoever asks; the answer reaches the agent', async () => {
  const got: unknown[] = [];
  hall.play = async function* ({ open, interrupted }) {
    yield { type: 'session', sessionId };
    yield { type: 'tool_call', callId: 'c', name: 'Bash', input: { command: 'ls' } };
    const options = [
      { id: 'y', name: 'Yes', kind: 'allow_once' as const },
      { id: 'n', name: 'No', kind: 'reject_once' as const },
    ];
    const request = { callId: 'c', name: 'Bash', title: 'ls', input: { command: 'ls' }, diffs: [], options };
    got.push(await open.ask!(request, interrupted));
    yield { type: 'tool_result', callId: 'c', name: 'Bash', ok: true, summary: 'a.txt' };
    yield { type: 'end', reason: interrupted.aborted ? 'interrupted' : 'done', sessionId };
  };
  const id = await begin('one');
  const isAsked = (): boolean => hall.events.some(({ type, data }) => isWaiting(type, data));
  await until(isAsked);
  const [question] = openPermissionsOf(await hall.state(id));
  expect(question).toMatchObject({ name: 'Bash', input: { command: 'ls' }, outcome: null });
  // The call that it is about stands before it.
  expect(answers(await hall.state(id))[0]!.parts.map(({ type }) => type)).toEqual(['tool', 'permission']);
  const given = { id, request: question!.requestId };
  await expect(hall.call('answer', { ...given, option: 'maybe' })).rejects.toMatchObject({ code: 'invalid' });
  expect(await hall.call('answer', { ...given, option: 'allow' })).toMatchObject({ option: 'y' });
  await hall.idle();
  expect(got).toEqual([{ optionId: 'y' }]);
  await expect(hall.call('answer', { ...given, option: 'y' })).rejects.toMatchObject({ code: 'conflict' });
  // A second one is not answered, but cancelled with its turn.
  await hall.call('say', { id, text: 'two' });
  await until(() => hall.ctx.sessionDesk.open.get(id)!.asked.size === 1);
  await hall.call('cancel', { id });
  await hall.idle();
  expect(got).toEqual([{ optionId: 'y' }, 'cancelled']);
  const permissions = answers(await hall.state(id)).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'permission' ? [part.outcome] : [])),
  );
  expect(permissions).toEqual([{ optionId: 'y' }, 'cancelled']);
});

test.each([
  ['allow', 'y'],
  ['refuse', 'n'],
  ['reject', 'n'],
])('%s is the answer of that kind, whatever the agent calls it', async (word, option) => {
  const got: unknown[] = [];
  hall.play = async function* ({ open, interrupted }) {
    const options = [
      { id: 'never', name: 'Never', kind: 'reject_always' as const },
      { id: 'n', name: 'No', kind: 'reject_once' as const },
      { id: 'y', name: 'Yes', kind: 'allow_once' as const },
    ];
    yield { type: 'session', sessionId };
    got.push(await open.ask!({ callId: 'c', name: 'Bash', title: 'ls', input: {}, diffs: [], options }, interrupted));
    yield { type: 'end', reason: 'done', sessionId };
  };
  const id = await begin('one');
  await until(() => hall.ctx.sessionDesk.open.get(id)!.asked.size === 1);
  expect(await hall.call('answer', { id, request: '-', option: word })).toMatchObject({ option });
  await hall.idle();
  expect(got).toEqual([{ optionId: option }]);
});

function isWaiting(type: string, data: unknown): boolean {
  return type === 'session.changed' && (data as SessionHallEvents['session.changed']).session.state === 'waiting';
}

test('secrets are in no log and no event, whoever said them; the agent gets what the person meant to say', async () => {
  const key = 'AKIAIOSFODNN7EXAMPL2';
  hall.play = async function* (played) {
    yield { type: 'text', text: `The key is AKIAIOSF` };
    yield { type: 'text', text: 'ODNN7EXAMPL2 as you said.' };
    yield { type: 'tool_call', callId: 'c', name: 'Bash', input: { command: `use ${key}` } };
    yield { type: 'tool_result', callId: 'c', name: 'Bash', ok: true, summary: `used ${key}` };
    yield* echo(played);
  };
  const id = await begin('one');
  await hall.idle();
  await expect(hall.call('say', { id, text: `Use ${key}` })).rejects.toMatchObject({ code: 'conflict' });
  await hall.call('say', { id, text: `Use ${key}`, allowSecrets: true });
  await hall.idle();
  expect(hall.asked.at(-1)!.words).toBe(`Use ${key}`);
  expect(readFileSync(logFile(hall.ctx, id), 'utf8')).not.toContain(key);
  expect(JSON.stringify(hall.events)).not.toContain(key);
  expect(readFileSync(logFile(hall.ctx, id), 'utf8')).toContain('secret removed');
  // What it was sent with is not kept longer than that.
  const folder = sessionFolder(hall.ctx, id);
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
});

test('half a line at the end is cut off; any other line that cannot be understood leaves the session alone', async () => {
  const id = await begin('one');
  await hall.idle();
  const before = await hall.state(id);
  await hall.stop();
  const file = logFile(hall.ctx, id);
  const whole = readFileSync(file, 'utf8');
  appendFileSync(file, '{"seq":99,"at":"20');
  await start();
  expect(await hall.state(id)).toEqual(before);
  await hall.call('rename', { id, title: 'Better' });
  expect(readFileSync(file, 'utf8').startsWith(whole)).toBe(true);
  expect((await readLog(file)).events.at(-1)).toMatchObject({ type: 'TitleChanged', title: 'Better' });
  await hall.stop();
  appendFileSync(file, '{"seq":99}\n');
  const broken = readFileSync(file, 'utf8');
  await start();
  const list = await hall.call<{ sessions: unknown[] }>('list');
  expect(list.sessions).toMatchObject([{ id, state: 'unreadable' }]);
  await expect(hall.call('say', { id, text: 'two' })).rejects.toMatchObject({ code: 'conflict' });
  await hall.stop();
  expect(readFileSync(file, 'utf8')).toBe(broken);
});

test('a copy of a log beside it, and one that leads nowhere, are told and touch nothing else', async () => {
  const id = await begin('one');
  await hall.idle();
  await hall.stop();
  const file = logFile(hall.ctx, id);
  const copy = `${id}-old` as SessionId;
  writeFileSync(logFile(hall.ctx, copy), readFileSync(file));
  symlinkSync('nowhere', logFile(hall.ctx, `${id}-gone` as SessionId));
  await start();
  const { sessions } = await hall.call<{ sessions: { id: string; state: string }[] }>('list');
  const states = Object.fromEntries(sessions.map((one) => [one.id, one.state]));
  expect(states).toEqual({ [id]: 'idle', [copy]: 'unreadable' });
  await hall.call('say', { id, text: 'two' });
  await hall.idle();
  expect((await hall.state(id)).messages).toHaveLength(4);
  expect(readFileSync(logFile(hall.ctx, copy), 'utf8').split('\n').length).toBeLessThan(
    readFileSync(file, 'utf8').split('\n').length,
  );
});

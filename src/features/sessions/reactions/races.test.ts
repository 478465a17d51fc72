/** Several things at once in one session, and agents that do what they should not. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { echo, openSessions, type Play, type SessionsHall } from '../../../../test/help/sessions.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { agentSessionIdSchema, projectNameSchema } from '../../../kernel/pure/ids.ts';
import type { AgentMessage, SessionHallEvents, SessionId, SessionState, SessionView } from '../contract.ts';
import { agentNameSchema } from '../contract/words.ts';
import { readLog } from '../store/log.ts';
import { logFile, sessionFolder } from '../store/place.ts';
import { bearSession } from './birth.ts';
import { openSession } from './live.ts';

let home: string;
let hall: SessionsHall;

async function start(): Promise<void> {
  hall = await openSessions(home, join(home, 'repo'));
  const opened = hall;
  onTestFinished(async () => await opened.stop());
}

beforeEach(async () => {
  home = await tempFolder();
  mkdirSync(join(home, 'repo'));
  await start();
});

const sessionId = agentSessionIdSchema.parse('agent-1');

async function begin(prompt?: string): Promise<SessionId> {
  const { session } = await hall.call<SessionView>('new', { prompt });
  return session.id;
}

function answers({ messages }: SessionState): AgentMessage[] {
  return messages.filter((message): message is AgentMessage => message.role === 'agent');
}

/** Runs `work` at the moment at which an event of the log is told. */
function whenLogged(type: string, work: () => Promise<unknown>): Promise<unknown> {
  const { publish } = hall.ctx.events;
  const done = deferred<unknown>();
  let isDone = false;
  hall.ctx.events.publish = (event) => {
    const told = publish(event);
    const logged = event.type === 'session.logged' ? (event.data as SessionHallEvents['session.logged']).events : [];
    if (!isDone && logged.some((one) => one.type === type)) {
      isDone = true;
      work().then(done.resolve, done.reject);
    }
    return told;
  };
  return done.promise;
}

const asking = (command: string): Play =>
  async function* ({ open, interrupted }) {
    yield { type: 'session', sessionId };
    const options = [{ id: 'y', name: 'Yes', kind: 'allow_once' as const }];
    const request = { callId: 'c', name: 'Bash', title: command, input: { command }, diffs: [], options };
    await open.ask!(request, interrupted);
    yield { type: 'end', reason: 'interrupted', sessionId };
  };

test('a turn can be stopped from the moment on at which it is told', async () => {
  const id = await begin();
  hall.play = asking('ls');
  const cancelled = whenLogged('TurnStarted', async () => await hall.call('cancel', { id }));
  await hall.call('say', { id, text: 'one' });
  expect(await cancelled).toEqual({ id, cancelled: true });
  await hall.idle();
  expect(answers(await hall.state(id)).map(({ state }) => state)).toEqual(['interrupted']);
});

test('a stop that names an answer stops no other one, and says that it stopped nothing', async () => {
  const id = await begin();
  hall.play = asking('ls');
  const say = async (text: string): Promise<string> =>
    (await hall.call<{ promptId: string }>('say', { id, text })).promptId;
  const begun = async (count: number): Promise<void> => {
    while (hall.asked.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  const [first, second] = [await say('one'), await say('two')];
  await begun(1);
  expect(await hall.call('cancel', { id, promptId: second })).toEqual({ id, cancelled: false });
  expect(await hall.call('cancel', { id, promptId: first })).toEqual({ id, cancelled: true });
  await begun(2);
  // As a page says it again that lost the answer.
  expect(await hall.call('cancel', { id, promptId: first })).toEqual({ id, cancelled: false });
  expect(answers(await hall.state(id)).map(({ state }) => state)).toEqual(['interrupted', 'running']);
  expect(await hall.call('cancel', { id, promptId: second })).toEqual({ id, cancelled: true });
  await hall.idle();
  expect(await hall.call('cancel', { id, promptId: second })).toEqual({ id, cancelled: false });
});

test.each(['PromptSubmitted', 'TurnStarted'])('removed at its %s, a session begins nothing any more', async (type) => {
  const id = await begin();
  hall.play = asking('ls');
  const removed = whenLogged(type, async () => await hall.call('remove', { id }));
  // It may be refused, when it is removed before it has its answer.
  await hall.call('say', { id, text: 'one' }).catch(() => undefined);
  await removed;
  await hall.idle();
  expect({ opened: hall.opened, closed: hall.closed }).toEqual({ opened: 1, closed: 1 });
  expect((await hall.call<{ sessions: unknown[] }>('list')).sessions).toEqual([]);
  expect(readdirSync(join(home, 'state/agents'))).toEqual([]);
});

test('words that come while a session is removed are refused, not taken and lost', async () => {
  const id = await begin();
  await hall.stop();
  await start();
  const gate = deferred();
  const held = hall.ctx.locks.with(`session-log:${id}`, async () => await gate.promise);
  const session = openSession(hall.ctx, id);
  const said = hall.call('say', { id, text: 'one' }).then(
    () => 'taken',
    ({ code }: { code: string }) => code,
  );
  const removed = hall.call('remove', { id });
  gate.resolve();
  await Promise.all([held, session, removed]);
  const outcome = await said;
  await hall.idle();
  expect(['taken', 'not_found']).toContain(outcome);
  expect(existsSync(logFile(hall.ctx, id))).toBe(false);
  expect((await hall.call<{ sessions: unknown[] }>('list')).sessions).toEqual([]);
  expect(hall.opened).toBe(hall.closed);
  await expect(hall.call('say', { id, text: 'two' })).rejects.toMatchObject({ code: 'not_found' });
});

test('a removal that fails leaves a session that still takes words', async () => {
  const session = await bearSession(hall.ctx, {
    project: projectNameSchema.parse('tally'),
    agent: agentNameSchema.parse('played'),
    folder: join(home, 'repo'),
    title: 'x',
    from: { clickId: 'c', block: null, label: 'x' },
    prompt: null,
    metaContext: null,
  });
  mkdirSync(join(home, 'state/sessions/removed.ndjson'));
  await expect(hall.call('remove', { id: session.id })).rejects.toThrow(/EISDIR/);
  await hall.call('say', { id: session.id, text: 'Are you there?' });
  await hall.idle();
  expect(readFileSync(logFile(hall.ctx, session.id), 'utf8')).toContain('You said: Are you there?');
});

test('what is chosen while a turn begins is chosen of the same agent; closed meanwhile, none stays', async () => {
  const id = await begin('one');
  await hall.idle();
  await hall.stop();
  await start();
  const meanwhile = whenLogged('TurnStarted', async () => {
    return await hall.call('choose', { id, choice: 'mode', option: 'plan' });
  });
  await hall.call('say', { id, text: 'two' });
  await meanwhile;
  await hall.idle();
  expect(hall.opened).toBe(1);
  await hall.stop();
  await start();
  // Refused, where the close comes first.
  const chosen = hall.call('choose', { id, choice: 'mode', option: 'ask' }).catch(() => undefined);
  await hall.call('close', { id });
  await chosen;
  expect({ opened: hall.opened, closed: hall.closed, agent: (await openSession(hall.ctx, id)).agent }).toEqual({
    opened: hall.opened,
    closed: hall.opened,
    agent: undefined,
  });
});

test('sessions that were only begun keep no more agents than are kept', async () => {
  for (let count = 0; count < 11; count += 1) await begin();
  expect(hall.opened - hall.closed).toBe(8);
});

test('of a log there is one object, however many others were opened meanwhile', async () => {
  const id = await begin('one');
  await hall.idle();
  await hall.stop();
  const text = readFileSync(logFile(hall.ctx, id), 'utf8');
  const others = Array.from({ length: 45 }, (_, count) => `other-${count}` as SessionId);
  for (const other of others) writeFileSync(logFile(hall.ctx, other), text.replaceAll(id, other));
  await start();
  const held = await openSession(hall.ctx, id);
  for (const other of others) await openSession(hall.ctx, other);
  expect(hall.ctx.sessionDesk.open.has(id)).toBe(false);
  expect(await openSession(hall.ctx, id)).toBe(held);
  for (const other of others) await openSession(hall.ctx, other);
  await Promise.all([hall.call('rename', { id, title: 'One' }), hall.call('say', { id, text: 'two' })]);
  await hall.idle();
  expect((await readLog(logFile(hall.ctx, id))).events.at(-1)).toMatchObject({ type: 'TurnCompleted' });
});

test('a question and a failure hold no secret that was said before, whatever it looks like', async () => {
  hall.play = async function* (played) {
    yield { type: 'session', sessionId };
    yield { type: 'tool_call', callId: 'r', name: 'Read', input: { file_path: '.env' } };
    const summary = 'DB_PASSWORD=Corr3ct-h0rse-b4ttery';
    yield { type: 'tool_result', callId: 'r', name: 'Read', ok: true, summary };
    yield* asking('psql Corr3ct-h0rse-b4ttery')(played);
  };
  const id = await begin('one');
  while (hall.ctx.sessionDesk.open.get(id)?.asked.size !== 1) await new Promise((resolve) => setImmediate(resolve));
  await hall.call('cancel', { id });
  hall.play = async function* () {
    const facts = { message: 'No entry to Corr3ct-h0rse-b4ttery', hint: 'x', retryAfterMs: null, sessionId };
    yield { type: 'error', errorClass: 'crashed', ...facts };
  };
  await hall.call('say', { id, text: 'two' });
  await hall.idle();
  const log = readFileSync(logFile(hall.ctx, id), 'utf8');
  expect(log).toContain('PermissionRequested');
  expect(log).toContain('No entry to');
  expect(log).not.toContain('Corr3ct');
  expect(JSON.stringify(hall.events)).not.toContain('Corr3ct');
});

test('what a tool puts out in pieces holds no secret, wherever it is cut', async () => {
  hall.play = async function* () {
    yield { type: 'session', sessionId };
    yield { type: 'tool_call', callId: 'r', name: 'Bash', input: {} };
    for (const text of ['The key: AKIAIOSF', 'ODNN7EXAMPL2 is', ' it, en', 'd']) {
      yield { type: 'tool_update', callId: 'r', text };
    }
    yield { type: 'tool_result', callId: 'r', name: 'Bash', ok: true, summary: '' };
    yield { type: 'end', reason: 'done', sessionId };
  };
  const id = await begin('one');
  await hall.idle();
  const [answer] = answers(await hall.state(id));
  expect(answer!.parts).toMatchObject([
    { output: expect.stringMatching(/^The key: \[secret removed.*\] is it, end$/) },
  ]);
  expect(readFileSync(logFile(hall.ctx, id), 'utf8')).not.toContain('ODNN7');
});

test('words with a secret that are taken back by a close, or were sent before a crash, do not stay on the disk', async () => {
  hall.play = asking('ls');
  const id = await begin('one');
  await hall.call('say', { id, text: 'Use AKIAIOSFODNN7EXAMPL2', allowSecrets: true, promptId: 'prompt-1' });
  const words = (): string[] => readdirSync(sessionFolder(hall.ctx, id));
  expect(words()).toEqual(['prompt-1.words']);
  await hall.call('close', { id });
  expect(words()).toEqual([]);
  await hall.stop();
  writeFileSync(join(sessionFolder(hall.ctx, id), 'prompt-9.words'), 'secret');
  mkdirSync(join(home, 'state/agents/tally.session-nobody/tmp'), { recursive: true });
  await start();
  expect(words()).toEqual([]);
  expect(readdirSync(join(home, 'state/agents'))).toEqual([`tally.session-${id}`]);
});

test('words with a secret that are taken back are given back as they were said, and do not stay on the disk', async () => {
  hall.play = asking('ls');
  const id = await begin('one');
  const text = 'Use AKIAIOSFODNN7EXAMPL2';
  await hall.call('say', { id, text, allowSecrets: true, promptId: 'prompt-1' });
  expect(await hall.call('withdraw', { id, promptId: 'prompt-1' })).toEqual({ id, promptId: 'prompt-1', text });
  expect(readdirSync(sessionFolder(hall.ctx, id))).toEqual([]);
  expect(readFileSync(logFile(hall.ctx, id), 'utf8') + JSON.stringify(hall.events)).not.toContain('AKIAIOSF');
  await hall.call('cancel', { id });
});

test('an agent that never ends what it does is ended; what it said until then can be read', async () => {
  hall.play = async function* () {
    yield { type: 'session', sessionId };
    for (let count = 0; ; count += 1) {
      if (count % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      yield { type: 'tool_call', callId: `c${count}`, name: 'Bash', input: {} };
    }
  };
  const id = await begin('one');
  await hall.idle();
  const [answer] = answers(await hall.state(id));
  expect(answer).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('more in one turn') } });
  expect(answer!.parts.length).toBeLessThan(100_000);
  hall.play = echo;
  await hall.call('say', { id, text: 'two' });
  await hall.idle();
  expect(answers(await hall.state(id)).at(-1)).toMatchObject({ state: 'done' });
});

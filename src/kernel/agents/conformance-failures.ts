/** Conformance: each way to fail has its class, its words and its hint, and the session can be used afterwards. */
import { expect, describe, test } from 'vitest';
import type { AgentSessionId } from '../pure/ids.ts';
import {
  type Bench,
  callTool,
  collect,
  lastOf,
  ofType,
  readRest,
  readUntil,
  type ScriptedAnswer,
  say,
  sessionOf,
  textOf,
} from './conformance-bench.ts';
import type { AgentErrorClass, AgentEvent } from './contract.ts';
import { defineTool } from './tools.ts';

const broken = (then: 'truncate' | 'garbage' | 'stall'): ScriptedAnswer => ({
  blocks: [{ type: 'text', chunks: ['Half ', 'of'] }],
  then,
});

export function describeFailures(bench: () => Bench): void {
  describe('failures of the model', () => {
    describeRefusals(bench);
    describeBrokenStreams(bench);
  });
  describe('limits', () => describeLimits(bench));
  describe('failures of the agent', () => describeAgentFailures(bench));
}

function expectError(events: readonly AgentEvent[], errorClass: AgentErrorClass): void {
  const last = lastOf(events);
  expect(last).toMatchObject({ type: 'error', errorClass });
  if (last.type !== 'error') return;
  expect(last.message.length).toBeGreaterThan(10);
  expect(last.hint.length).toBeGreaterThan(10);
}

function describeRefusals(bench: () => Bench): void {
  test.each([
    ['a wrong key', { status: 401 }, 'auth'],
    ['a key without rights', { status: 403 }, 'auth'],
    ['a reached quota', { status: 429, retryAfterSeconds: 1 }, 'rate_limit'],
    ['an overload', { status: 529 }, 'overloaded'],
    ['a failing service', { status: 500 }, 'overloaded'],
    ['a refused request', { status: 400 }, 'protocol'],
    ['an unknown model', { status: 404 }, 'protocol'],
  ] as const)('%s', async (_name, answer, errorClass) => {
    const { session, key } = await bench().open();
    bench().model.otherwise(key, answer);
    const events = await collect(session.prompt('Hello?'));
    expectError(events, errorClass);
    expect(textOf(events)).toBe('');
    bench().model.otherwise(key, say('Well again.'));
    expect(textOf(await collect(session.prompt('Now?', { resume: sessionOf(events) })))).toBe('Well again.');
    await session.close();
  });

  test('a passing failure is announced, and the turn goes on', async () => {
    const { session, key } = await bench().open();
    bench().model.answer(key, { status: 529 }, say('After all.'));
    const events = await collect(session.prompt('Hello?'));
    expect(ofType(events, 'retry')).toMatchObject([{ attempt: 1, errorClass: 'overloaded' }]);
    expect(textOf(events)).toBe('After all.');
    await session.close();
  });
}

function describeBrokenStreams(bench: () => Bench): void {
  test.each(['truncate', 'garbage'] as const)(
    'a broken stream (%s) repeats nothing when the next try succeeds',
    async (then) => {
      const { session, key } = await bench().open();
      bench().model.answer(key, broken(then), say('Half ', 'of it, ', 'and the rest.'));
      const events = await collect(session.prompt('Tell.'));
      expect(textOf(events)).toBe('Half of it, and the rest.');
      expect(lastOf(events)).toMatchObject({ type: 'end', reason: 'done' });
      await session.close();
    },
  );

  test.each(['truncate', 'garbage'] as const)('streams that always break (%s) fail the turn', async (then) => {
    const { session, key } = await bench().open();
    bench().model.otherwise(key, broken(then));
    const events = await collect(session.prompt('Tell.'));
    expect(['overloaded', 'protocol']).toContain((lastOf(events) as { errorClass?: string }).errorClass);
    expect(textOf(events)).toBe('Half of');
    await session.close();
  });

  test('a stream that goes silent ends by the watchdog', async () => {
    const { session, key } = await bench().open({ limits: { maxTurns: 5, maxBudgetUsd: null, silenceMs: 1_000 } });
    bench().model.answer(key, broken('stall'));
    const events = await collect(session.prompt('Tell.'));
    expectError(events, 'crashed');
    expect(lastOf(events)).toMatchObject({ message: expect.stringMatching(/no sign of life for \d\.\d s/) });
    expect(textOf(events)).toBe('Half of');
    bench().model.otherwise(key, say('Here again.'));
    expect(textOf(await collect(session.prompt('Hello?', { resume: sessionOf(events) })))).toBe('Here again.');
    await session.close();
  });
}

function describeLimits(bench: () => Bench): void {
  const step = defineTool({
    name: 'step',
    description: 'One step.',
    input: {},
    run: async () => ({ text: 'stepped' }),
  });

  test('the limit of model calls', async () => {
    const { session, key } = await bench().open({
      tools: [step],
      limits: { maxTurns: 2, maxBudgetUsd: null, silenceMs: 20_000 },
    });
    bench().model.otherwise(key, callTool(bench().toolName('step'), {}));
    const events = await collect(session.prompt('Walk.'));
    expectError(events, 'max_turns');
    expect(lastOf(events)).toMatchObject({ message: 'turn limit reached (2)' });
    expect(bench().model.requests(key).length).toBe(2);
    await session.close();
  });

  test('the budget', async () => {
    const { session, key } = await bench().open({
      tools: [step],
      limits: { maxTurns: 5, maxBudgetUsd: 0.5, silenceMs: 20_000 },
    });
    const { blocks } = callTool(bench().toolName('step'), {}) as Extract<ScriptedAnswer, { blocks: unknown }>;
    bench().model.otherwise(key, { blocks, usage: { input: 1_000_000, output: 10 } });
    const events = await collect(session.prompt('Spend.'));
    expectError(events, 'budget');
    expect(lastOf(events)).toMatchObject({
      message: expect.stringMatching(/^budget reached \(\$\d+\.\d\d of \$0\.50\)$/),
    });
    expect(ofType(events, 'usage')[0]?.usage.costUsd).toBeGreaterThan(0.5);
    expect(bench().model.requests(key).length).toBe(1);
    await session.close();
  });
}

function describeAgentFailures(bench: () => Bench): void {
  test('a killed process is named, and the session goes on in a new one', async () => {
    const before = await bench().livePids();
    const { session, key } = await bench().open();
    bench().model.answer(key, say('Noted.'), broken('stall'));
    const first = await collect(session.prompt('Note this.'));
    const turn = session.prompt('Tell.', { resume: sessionOf(first) })[Symbol.asyncIterator]();
    await readUntil(turn, 'text');
    for (const pid of await bench().livePids()) if (!before.includes(pid)) process.kill(pid, 'SIGKILL');
    const rest = await readRest(turn);
    expectError(rest, 'crashed');
    bench().model.otherwise(key, say('Alive.'));
    expect(textOf(await collect(session.prompt('Hello?', { resume: sessionOf(first) })))).toBe('Alive.');
    expect(bench().model.requests(key).at(-1)?.conversation).toContain('Note this.');
    await session.close();
    expect(await bench().livePids()).toEqual(before);
  });

  test.each([false, true])('a session that the agent does not know (prepared: %s)', async (isPrepared) => {
    const unknown = '99999999-9999-4999-8999-999999999999' as AgentSessionId;
    const { session, key } = await bench().open();
    if (isPrepared) session.prepare(unknown);
    expectError(await collect(session.prompt('Do you know me?', { resume: unknown })), 'expired_session');
    expect(bench().model.requests(key)).toEqual([]);
    bench().model.answer(key, say('Now I do.'));
    expect(textOf(await collect(session.prompt('I am new.')))).toBe('Now I do.');
    await session.close();
  });
}

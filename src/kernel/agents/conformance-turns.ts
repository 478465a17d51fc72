/** Conformance: what a turn that goes well gives, how turns follow one another, and how they are stopped. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deferred } from '../pure/deferred.ts';
import { fail } from '../pure/errors.ts';
import {
  type Bench,
  callTool,
  collect,
  lastOf,
  ofType,
  type Opened,
  readRest,
  readUntil,
  say,
  sessionOf,
  textOf,
} from './conformance-bench.ts';
import type { AgentEvent } from './contract.ts';
import { defineTool } from './tools.ts';

export function describeTurns(bench: () => Bench): void {
  describe('words', () => describeWords(bench));
  describe('tools', () => {
    describeCalls(bench);
    describeCallFailures(bench);
  });
  describe('sessions', () => {
    describeResume(bench);
    describeOneAtATime(bench);
  });
  describe('stopping', () => {
    describeInterrupt(bench);
    describeEarlyInterrupt(bench);
    describeClose(bench);
  });
}

function describeWords(bench: () => Bench): void {
  test('text comes in pieces, each once, and the turn ends with its session and its usage', async () => {
    const { session, key } = await bench().open();
    bench().model.answer(key, say('Good ', 'morning, ', 'hall.'));
    const events = await collect(session.prompt('Say good morning.'));
    expect(textOf(events)).toBe('Good morning, hall.');
    expect(ofType(events, 'text').length).toBeGreaterThan(1);
    expect(events[0]).toEqual({ type: 'session', sessionId: sessionOf(events) });
    expect(lastOf(events)).toMatchObject({ type: 'end', reason: 'done' });
    expect(ofType(events, 'usage')).toMatchObject([{ usage: { inputTokens: 100, outputTokens: 20 } }]);
    await session.close();
  });

  test('thoughts are kept apart from text', async () => {
    const { session, key } = await bench().open();
    const blocks = [
      { type: 'thinking', chunks: ['Let me ', 'see.'] },
      { type: 'text', chunks: ['Seen.'] },
    ] as const;
    bench().model.answer(key, { blocks });
    const events = await collect(session.prompt('Think.'));
    expect(
      ofType(events, 'thought')
        .map((event) => event.text)
        .join(''),
    ).toBe('Let me see.');
    expect(textOf(events)).toBe('Seen.');
    await session.close();
  });

  test('usage is that of the turn alone, also after a resume', async () => {
    const { session, key } = await bench().open();
    bench().model.answer(key, say('One.'), say('Two.'));
    const first = await collect(session.prompt('One?'));
    const second = await collect(session.prompt('Two?', { resume: sessionOf(first) }));
    expect(ofType(second, 'usage')).toMatchObject([
      { usage: { inputTokens: 100, outputTokens: 20, contextUsed: 120 } },
    ]);
    await session.close();
  });
}

function describeCalls(bench: () => Bench): void {
  test('two calls of one tool are joined to their results by id, whichever ends first', async () => {
    const slow = deferred();
    const wait = defineTool({
      name: 'wait',
      description: 'Waits.',
      input: { which: z.string() },
      run: async ({ which }) => {
        if (which === 'first') await slow.promise;
        else slow.resolve();
        return { text: `done with ${which}` };
      },
    });
    const { session, key } = await bench().open({ tools: [wait] });
    const name = bench().toolName('wait');
    const blocks = ['first', 'second'].map((which) => ({ type: 'tool_use', name, input: { which } }) as const);
    // An agent that runs calls one after the other takes the second first, else it would wait for ever.
    bench().model.answer(key, { blocks: blocks.toReversed() }, say('Both done.'));
    const events = await collect(session.prompt('Wait twice.'));
    const inputs = new Map(
      ofType(events, 'tool_call').map((call) => [call.callId, (call.input as { which: string }).which]),
    );
    expect([...inputs.values()].toSorted()).toEqual(['first', 'second']);
    for (const result of ofType(events, 'tool_result')) {
      expect(result).toMatchObject({ name: 'wait', ok: true, summary: `done with ${inputs.get(result.callId)}` });
    }
    expect(textOf(events)).toBe('Both done.');
    await session.close();
  });
}

function describeCallFailures(bench: () => Bench): void {
  test('a failing tool, a wrong input and a long output reach the model and the reader', async () => {
    const calls: unknown[] = [];
    const note = defineTool({
      name: 'note',
      description: 'Keeps a note.',
      input: { text: z.string() },
      run: async ({ text }) => {
        calls.push(text);
        if (text === 'bad') throw fail('conflict', 'There is no room.', 'Make room first.');
        return { text: 'x'.repeat(70_000) };
      },
    });
    const { session, key } = await bench().open({ tools: [note] });
    const name = bench().toolName('note');
    const inputs = [{ text: 'bad' }, { text: 'long' }, { text: 'x', unknown: 1 }, {}];
    bench().model.answer(key, ...inputs.map((input) => callTool(name, input)), say('Enough.'));
    const results = ofType(await collect(session.prompt('Note.')), 'tool_result');
    expect(results.map((result) => result.ok)).toEqual([false, true, false, false]);
    expect(results[0]?.summary).toContain('Make room first.');
    expect(results[1]?.summary.length).toBe(2_000);
    expect(results[1]?.summary).toMatch(/\[cut: .*\]$/);
    expect(calls).toEqual(['bad', 'long']);
    const seen = bench().model.requests(key).at(-1)?.conversation ?? '';
    expect(seen).toContain('Make room first.');
    expect(seen.match(/x{100,}/)?.[0].length).toBeLessThan(60_000);
    await session.close();
  });
}

function describeResume(bench: () => Bench): void {
  test('a turn resumes the session after a close, and the model sees what was said', async () => {
    const first = await bench().open();
    bench().model.answer(first.key, say('I will remember the fox.'), say('A fox.'));
    const before = await collect(first.session.prompt('Remember a fox.'));
    await first.session.close();
    const { session } = await bench().open(first.options);
    const after = await collect(session.prompt('What was it?', { resume: sessionOf(before) }));
    expect(textOf(after)).toBe('A fox.');
    expect(sessionOf(after)).toBe(sessionOf(before));
    const seen = bench().model.requests(first.key).at(-1)?.conversation ?? '';
    expect(seen).toContain('Remember a fox.');
    expect(seen).toContain('I will remember the fox.');
    await session.close();
  });

  test('a prepared turn costs no model call and sees what was said', async () => {
    const { session, key } = await bench().open();
    bench().model.answer(key, say('One.'), say('Two.'));
    const first = await collect(session.prompt('Count.'));
    session.prepare(sessionOf(first));
    session.prepare(sessionOf(first));
    const second = await collect(session.prompt('Go on.', { resume: sessionOf(first) }));
    expect(textOf(second)).toBe('Two.');
    expect(bench().model.requests(key).length).toBe(2);
    expect(bench().model.requests(key)[1]?.conversation).toContain('One.');
    await session.close();
  });
}

function describeOneAtATime(bench: () => Bench): void {
  test('two sessions at once do not mix', async () => {
    const both = await Promise.all([bench().open(), bench().open()]);
    for (const { key } of both) bench().model.answer(key, say('I am ', `${key}.`));
    const turns = await Promise.all(both.map(async ({ session }) => collect(session.prompt('Who are you?'))));
    expect(turns.map(textOf)).toEqual(both.map(({ key }) => `I am ${key}.`));
    await Promise.all(both.map(async ({ session }) => session.close()));
  });

  test('two prompts at once, and one after the close, are refused', async () => {
    const { session, key } = await bench().open();
    bench().model.answer(key, say('Once.'));
    const turn = session.prompt('Go.');
    expect(() => session.prompt('And again.')).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(textOf(await collect(turn))).toBe('Once.');
    await session.close();
    expect(() => session.prompt('Still there?')).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
}

interface Stalled extends Opened {
  readonly turn: AsyncIterator<AgentEvent>;
  readonly heard: readonly AgentEvent[];
}

/** A turn that has said its first words and will say no more by itself. */
async function startStalled(bench: Bench): Promise<Stalled> {
  const opened = await bench.open();
  bench.model.answer(opened.key, { blocks: [{ type: 'text', chunks: ['Once ', 'upon'] }], then: 'stall' });
  const turn = opened.session.prompt('Tell a story.')[Symbol.asyncIterator]();
  const heard = await readUntil(turn, 'text');
  return { ...opened, turn, heard };
}

async function expectUsable(bench: Bench, { session, key, heard }: Stalled): Promise<void> {
  bench.model.answer(key, say('On it goes.'));
  const resume = ofType(heard, 'session')[0]!.sessionId;
  expect(textOf(await collect(session.prompt('Go on.', { resume })))).toBe('On it goes.');
  await session.close();
}

function describeInterrupt(bench: () => Bench): void {
  test('an interrupt ends the turn soon, keeps what was said, and leaves the session usable', async () => {
    const stalled = await startStalled(bench());
    await stalled.session.interrupt();
    const rest = await readRest(stalled.turn);
    expect(lastOf(rest)).toMatchObject({ type: 'end', reason: 'interrupted' });
    expect('Once upon').toContain(textOf([...stalled.heard, ...rest]));
    await expectUsable(bench(), stalled);
    expect(bench().model.requests(stalled.key).at(-1)?.conversation).toContain('Tell a story.');
  });

  test('leaving the stream early interrupts the turn', async () => {
    const stalled = await startStalled(bench());
    await stalled.turn.return?.();
    await bench().model.requests(stalled.key)[0]?.closed;
    await expectUsable(bench(), stalled);
  });
}

function describeEarlyInterrupt(bench: () => Bench): void {
  test('an interrupt before the first word ends the turn too', async () => {
    const { session, key } = await bench().open();
    const turn = session.prompt('Begin.');
    await session.interrupt();
    expect(lastOf(await collect(turn))).toMatchObject({ type: 'end', reason: 'interrupted' });
    await session.interrupt();
    bench().model.answer(key, say('Now.'));
    expect(textOf(await collect(session.prompt('Begin now.')))).toBe('Now.');
    await session.close();
  });

  test('an interrupt while a tool runs gives the call a result', async () => {
    const begun = deferred();
    const run = async () => {
      begun.resolve();
      return deferred<{ text: string }>().promise;
    };
    const endless = defineTool({ name: 'endless', description: 'Never ends.', input: {}, run });
    const { session, key } = await bench().open({ tools: [endless] });
    bench().model.answer(key, callTool(bench().toolName('endless'), {}));
    const turn = collect(session.prompt('Go.'));
    await begun.promise;
    await session.interrupt();
    const events = await turn;
    expect(ofType(events, 'tool_result')).toMatchObject([{ name: 'endless', ok: false }]);
    expect(lastOf(events)).toMatchObject({ type: 'end', reason: 'interrupted' });
    await session.close();
  });
}

function describeClose(bench: () => Bench): void {
  test('a close ends the turn and every process, and may be called twice', async () => {
    const before = await bench().livePids();
    const stalled = await startStalled(bench());
    expect((await bench().livePids()).length).toBeGreaterThan(before.length);
    await Promise.all([stalled.session.close(), stalled.session.close()]);
    expect(lastOf(await readRest(stalled.turn))).toMatchObject({ type: 'end', reason: 'interrupted' });
    expect(await bench().livePids()).toEqual(before);
    await stalled.session.close();
  });

  test('a close ends what was prepared', async () => {
    const before = await bench().livePids();
    const { session, key } = await bench().open();
    bench().model.answer(key, say('Done.'));
    session.prepare(sessionOf(await collect(session.prompt('Go.'))));
    await session.close();
    expect(await bench().livePids()).toEqual(before);
  });
}

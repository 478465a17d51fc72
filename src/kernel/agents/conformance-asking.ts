/** Conformance: sessions that are begun before a word, permissions that the person is asked for, choices, images. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../clock/clock.ts';
import { deferred } from '../pure/deferred.ts';
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
import type { AgentChoice, OpenOptions, PermissionAnswer, PermissionRequest } from './contract.ts';

export function describeAsking(bench: () => Bench): void {
  describe('sessions before a word', () => describeBegin(bench));
  describe('permissions', () => {
    describeAnswers(bench);
    describeUnanswered(bench);
  });
  describe('choices', () => describeChoices(bench));
  describe('images', () => describeImages(bench));
}

function describeBegin(bench: () => Bench): void {
  test('a session is begun without a model call, and the first prompt is of that very session', async () => {
    const { session, key } = await bench().open();
    const { sessionId } = await session.begin!();
    expect(bench().model.requests(key)).toEqual([]);
    bench().model.answer(key, say('First.'), say('Second.'));
    const first = await collect(session.prompt('One.', { resume: sessionId }));
    expect([textOf(first), sessionOf(first)]).toEqual(['First.', sessionId]);
    const second = await collect(session.prompt('Two.', { resume: sessionId }));
    expect([textOf(second), sessionOf(second)]).toEqual(['Second.', sessionId]);
    expect(bench().model.requests(key)[1]?.conversation).toContain('First.');
    await session.close();
  });

  test('a begun session is still that one when what was made ready for it is gone', async () => {
    const opened = await bench().open();
    const { sessionId } = await opened.session.begin!();
    await opened.session.close();
    const { session, key } = await bench().open(opened.options);
    bench().model.answer(key, say('Here.'), say('Still here.'));
    const first = await collect(session.prompt('One.', { resume: sessionId }));
    expect([textOf(first), sessionOf(first)]).toEqual(['Here.', sessionId]);
    expect(textOf(await collect(session.prompt('Two.', { resume: sessionId })))).toBe('Still here.');
    expect(bench().model.requests(key)[1]?.conversation).toContain('One.');
    await session.close();
  });

  test('an agent that cannot be started fails the beginning', async () => {
    const { session } = await bench().open({ cwd: '/not/there' });
    await expect(session.begin!()).rejects.toMatchObject({ code: 'unavailable' });
    await session.close();
  });
}

type Ask = NonNullable<OpenOptions['ask']>;

/** A session whose agent may write in its folder once somebody allows it. */
async function openAsking(bench: Bench, ask: Ask): Promise<Opened> {
  const folder = await bench.makeFolder();
  return bench.open({ cwd: folder, access: { root: folder, write: true }, builtInTools: ['Read', 'Write'], ask });
}

function optionOf(request: PermissionRequest, kind: PermissionRequest['options'][number]['kind']): PermissionAnswer {
  const option = request.options.find((one) => one.kind === kind);
  if (option === undefined) throw new TypeError(`no ${kind} in ${JSON.stringify(request.options)}`);
  return { optionId: option.id };
}

function answering(kind: Parameters<typeof optionOf>[1]): { ask: Ask; asked: PermissionRequest[] } {
  const asked: PermissionRequest[] = [];
  const ask: Ask = async (request) => {
    asked.push(request);
    return await Promise.resolve(optionOf(request, kind));
  };
  return { ask, asked };
}

function write(bench: Bench, { options }: Opened, name: string, text = 'Written.\n') {
  const { name: tool, input } = bench.writeCall(join(options.cwd, name), text);
  return callTool(tool, input);
}

/** Long enough for an agent that does not wait to have asked. */
async function late(): Promise<void> {
  await systemClock.sleep(400);
}

function describeAnswers(bench: () => Bench): void {
  test('what is allowed is done, and the reader knows of the call before it is asked', async () => {
    const seen: string[] = [];
    const isAsked = deferred();
    const asked: PermissionRequest[] = [];
    const opened = await openAsking(bench(), async (request) => {
      seen.push('asked');
      isAsked.resolve();
      asked.push(request);
      return await Promise.resolve(optionOf(request, 'allow_once'));
    });
    const { name, input } = bench().writeCall(join(opened.options.cwd, 'a.txt'), 'Written.\n');
    const blocks = [
      { type: 'text', chunks: ['I ', 'write.'] },
      { type: 'tool_use', name, input },
    ] as const;
    bench().model.answer(opened.key, { blocks }, say('Done.'));
    for await (const event of opened.session.prompt('Write.')) {
      // A reader that is behind: meanwhile nobody may be asked about what it has not heard of.
      if (event.type === 'text' && !seen.includes('text')) await Promise.race([isAsked.promise, late()]);
      seen.push(event.type === 'tool_call' ? `call ${event.callId}` : event.type);
    }
    expect(seen.indexOf('asked')).toBeGreaterThan(seen.indexOf(`call ${asked[0]?.callId}`));
    expect(seen.indexOf('asked')).toBeLessThan(seen.indexOf('tool_result'));
    expect(asked).toMatchObject([{ diffs: [{ oldText: null, newText: 'Written.\n' }] }]);
    expect(asked[0]?.title).toContain('a.txt');
    expect(readFileSync(join(opened.options.cwd, 'a.txt'), 'utf8')).toBe('Written.\n');
    await opened.session.close();
  });

  test('what is refused is not done, and the turn goes on', async () => {
    const { ask, asked } = answering('reject_once');
    const opened = await openAsking(bench(), ask);
    bench().model.answer(opened.key, write(bench(), opened, 'a.txt'), say('Then not.'));
    const events = await collect(opened.session.prompt('Write.'));
    expect(asked.length).toBe(1);
    expect(ofType(events, 'tool_result').map(({ ok }) => ok)).toEqual([false]);
    expect(textOf(events)).toBe('Then not.');
    expect(existsSync(join(opened.options.cwd, 'a.txt'))).toBe(false);
    await opened.session.close();
  });

  test('what is allowed for the session is not asked again, in the next turn neither', async () => {
    const { ask, asked } = answering('allow_always');
    const opened = await openAsking(bench(), ask);
    const { session, key } = opened;
    bench().model.answer(key, write(bench(), opened, 'a.txt'), write(bench(), opened, 'b.txt'), say('Two.'));
    const first = await collect(session.prompt('Write two.'));
    bench().model.answer(key, write(bench(), opened, 'c.txt'), say('Three.'));
    const second = await collect(session.prompt('And one.', { resume: sessionOf(first) }));
    expect([textOf(first), textOf(second)]).toEqual(['Two.', 'Three.']);
    expect(asked.length).toBe(1);
    expect(['a', 'b', 'c'].filter((name) => existsSync(join(opened.options.cwd, `${name}.txt`)))).toEqual([
      'a',
      'b',
      'c',
    ]);
    await session.close();
  });
}

function describeUnanswered(bench: () => Bench): void {
  test('an interrupt while the person is asked ends the turn, and says that nobody waits any more', async () => {
    const begun = deferred();
    const over = deferred();
    const opened = await openAsking(bench(), async (_request, signal) => {
      signal.addEventListener('abort', () => over.resolve());
      begun.resolve();
      await over.promise;
      return 'cancelled';
    });
    bench().model.answer(opened.key, write(bench(), opened, 'a.txt'));
    const turn = opened.session.prompt('Write.')[Symbol.asyncIterator]();
    const rest = readUntil(turn, 'tool_result').catch(() => []);
    await begun.promise;
    await opened.session.interrupt();
    await over.promise;
    const events = [...(await rest), ...(await readRest(turn))];
    expect(ofType(events, 'tool_result').map(({ ok }) => ok)).toEqual([false]);
    expect(lastOf(events)).toMatchObject({ type: 'end', reason: 'interrupted' });
    expect(existsSync(join(opened.options.cwd, 'a.txt'))).toBe(false);
    bench().model.answer(opened.key, say('Well.'));
    const resume = sessionOf(events);
    expect(textOf(await collect(opened.session.prompt('Never mind.', { resume })))).toBe('Well.');
    await opened.session.close();
  });

  test('a long silence of the person is no silence of the agent', async () => {
    const asked = deferred();
    const answered = deferred();
    const folder = await bench().makeFolder();
    const opened = await bench().open({
      cwd: folder,
      access: { root: folder, write: true },
      builtInTools: ['Write'],
      limits: { maxTurns: 5, maxBudgetUsd: null, silenceMs: 1_500 },
      ask: async (request) => {
        asked.resolve();
        await answered.promise;
        return optionOf(request, 'allow_once');
      },
    });
    bench().model.answer(opened.key, write(bench(), opened, 'a.txt'), say('At last.'));
    const turn = collect(opened.session.prompt('Write.'));
    await Promise.race([asked.promise, turn]);
    // Longer than the limit, so that a watchdog that counted the person's time would have ended the turn.
    await Promise.race([systemClock.sleep(1_800), turn]);
    answered.resolve();
    expect(textOf(await turn)).toBe('At last.');
    await opened.session.close();
  });
}

function describeChoices(bench: () => Bench): void {
  test('what may be chosen is told, a choice is kept, and what is not offered is refused', async () => {
    const { ask } = answering('reject_once');
    const { session } = await openAsking(bench(), ask);
    const { sessionId, choices } = await session.begin!();
    const mode = choices.find(({ kind }) => kind === 'mode') as AgentChoice;
    expect(mode.options.map(({ id }) => id)).toContain(mode.current);
    const other = mode.options.find(({ id }) => id !== mode.current)!;
    const chosen = await session.choose!(sessionId, mode.id, other.id);
    expect(chosen.find(({ id }) => id === mode.id)?.current).toBe(other.id);
    await expect(session.choose!(sessionId, mode.id, 'not-offered')).rejects.toMatchObject({ code: 'invalid' });
    await session.close();
  });
}

/** One pixel. */
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function describeImages(bench: () => Bench): void {
  test('an image of a prompt reaches the model with its words', async () => {
    const { session, key } = await bench().open();
    bench().model.answer(key, say('A dot.'));
    const parts = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', mimeType: 'image/png', data: image },
    ] as const;
    expect(textOf(await collect(session.prompt(parts)))).toBe('A dot.');
    const seen = bench().model.requests(key)[0]?.conversation ?? '';
    expect(seen).toContain(image);
    expect(seen).toContain('What is this?');
    await session.close();
  });
}

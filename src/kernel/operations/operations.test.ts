import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorFactsOf, fail } from '../pure/errors.ts';
import type { ActivityId, ProjectName } from '../pure/ids.ts';
import { describeOperation } from '../pure/operations.ts';
import { bindOperation, callOperation, createRegistry, personCaller, type Caller } from './operations.ts';

const greet = describeOperation({
  name: 'greeting.send',
  access: 'write',
  audience: 'agents',
  summary: 'send a greeting',
  input: z.object({
    to: z.string().max(20),
    times: z.number().int().min(1).default(1),
    mood: z.enum(['warm', 'cool']).optional(),
  }),
  output: z.object({ text: z.string() }),
  commandLine: { positionals: [{ field: 'to' }], examples: [] },
});

const bound = bindOperation(greet, async (_caller, { to, times }) => ({ text: `hello ${to}`.repeat(times) }));

async function factsOf(work: Promise<unknown>) {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  return errorFactsOf(thrown);
}

describe('callOperation', () => {
  test('parses the input once, with its defaults, and gives the answer', async () => {
    expect(await callOperation(bound, personCaller, { to: 'ann' })).toEqual({ text: 'hello ann' });
  });

  test('names every wrong field, what was expected and what was given', async () => {
    const facts = await factsOf(callOperation(bound, personCaller, { to: 7, times: 0, mood: 'grim', extra: true }));
    expect(facts.code).toBe('invalid');
    expect(facts.message).toContain('"to": expected text, given 7');
    expect(facts.message).toContain('"times": expected at least 1, given 0');
    expect(facts.message).toContain('"mood": expected one of "warm", "cool", given "grim"');
    expect(facts.message).toContain('there is no field "extra"');
    expect(facts.hint).toBe('See: guild-hall greeting send --help');
    expect(facts.details?.['fields']).toContainEqual({ field: 'to', expected: 'text', given: '7' });
  });

  test('refuses unknown fields though the schema did not say so, and shortens what was given', async () => {
    const facts = await factsOf(callOperation(bound, personCaller, { to: 'x'.repeat(10_000) }));
    expect(facts.message).toContain('at most 20 characters');
    expect(facts.message.length).toBeLessThan(200);
    const unknown = await factsOf(callOperation(bound, personCaller, { to: 'x', ['y'.repeat(5_000)]: 1 }));
    expect(unknown.message.length).toBeLessThan(200);
  });

  test.each([null, undefined, 'text', [], 5])('takes %s for no input', async (raw) => {
    const facts = await factsOf(callOperation(bound, personCaller, raw));
    expect(facts.code).toBe('invalid');
    expect(facts.message).toContain('the input: expected an object');
  });

  test('refuses an agent at a person’s operation before anything is done', async () => {
    const agent: Caller = {
      kind: 'agent',
      activity: { project: 'p' as ProjectName, kind: 'job', id: 'j-1' as ActivityId },
    };
    let ran = false;
    const personal = bindOperation({ ...greet, audience: 'person' as const }, async () => {
      ran = true;
      return { text: '' };
    });
    expect((await factsOf(callOperation(personal, agent, { to: 'x' }))).code).toBe('forbidden');
    expect(ran).toBe(false);
    await expect(callOperation(bound, agent, { to: 'x' })).resolves.toBeDefined();
  });

  test('keeps the promised shape: unknown fields of an answer go, a wrong answer is a fault of the program', async () => {
    const chatty = bindOperation(greet, async () => ({ text: 'hi', secret: 'x' }) as { text: string });
    expect(await callOperation(chatty, personCaller, { to: 'x' })).toEqual({ text: 'hi' });
    const wrong = bindOperation(greet, async () => ({ text: 5 }) as unknown as { text: string });
    expect((await factsOf(callOperation(wrong, personCaller, { to: 'x' }))).code).toBe('internal');
  });

  test('lets an operation’s own refusal through', async () => {
    const refusing = bindOperation(greet, async () => {
      throw fail('conflict', 'It is closed.', 'Open it.');
    });
    expect(await factsOf(callOperation(refusing, personCaller, { to: 'x' }))).toMatchObject({
      code: 'conflict',
      hint: 'Open it.',
    });
  });
});

describe('createRegistry', () => {
  test('refuses two operations that MCP would call the same, and a name that is none there', () => {
    const named = (name: string, tool?: string) =>
      bindOperation({ ...greet, name, ...(tool !== undefined && { tool }) }, async () => ({ text: '' }));
    expect(() => createRegistry([named('greeting.send', 'greet'), named('greet')])).toThrow('taken by "greeting.send"');
    expect(() => createRegistry([named('a-b.c'), named('a.b-c')])).toThrow('taken by "a-b.c"');
    expect(() => createRegistry([named('greeting.send', 'Greet me')])).toThrow('is no name of a tool');
    expect(createRegistry([named('greeting.send', 'greet'), named('greeting.list')]).list).toHaveLength(2);
  });

  test('finds by name and refuses a name that is taken or malformed', () => {
    expect(createRegistry([bound]).find('greeting.send')).toBe(bound);
    expect(() => createRegistry([bound, bound])).toThrow('Two operations are named "greeting.send"');
    expect(() => createRegistry([{ ...bound, description: { ...greet, name: 'Greeting' } }])).toThrow('not named');
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { systemClock } from '../../clock/clock.ts';
import { silentLog } from '../../log/log.ts';
import { activityIdSchema, projectNameSchema } from '../../pure/ids.ts';
import { failureNames } from './failures.ts';
import { sayMove } from './move.ts';
import { createRehearsal, type Rehearsal, rehearsalLabel } from './rehearsal.ts';

const origin = {
  activity: { project: projectNameSchema.parse('demo'), kind: 'activity', id: activityIdSchema.parse('a-1') },
  worker: 'researcher',
  signal: new AbortController().signal,
};
const ctx = { clock: systemClock, log: silentLog };

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rehearsal-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const grepTool = { name: 'Grep', input_schema: { type: 'object', properties: { pattern: { type: 'string' } } } };

function request(content: unknown, over: Record<string, unknown> = {}) {
  return { model: 'rehearsal', messages: [{ role: 'user', content }], tools: [grepTool], stream: false, ...over };
}

async function ask(rehearsal: Rehearsal, body: unknown) {
  const reply = await rehearsal.reply(body, origin);
  let text = '';
  for await (const chunk of reply.body) text += String(chunk);
  return { status: reply.status, headers: reply.headers, ending: reply.ending, text };
}

interface Wire {
  id: string;
  model: string;
  content: { type: string; text?: string; id?: string; name?: string }[];
  stop_reason: string;
  usage: { input_tokens: number; output_tokens: number };
}

async function message(rehearsal: Rehearsal, body: unknown): Promise<Wire> {
  return JSON.parse((await ask(rehearsal, body)).text) as Wire;
}

/** Puts a streamed answer together as a client would. */
function assemble(stream: string) {
  const events = stream
    .split('\n\n')
    .filter((part) => part !== '')
    .map(
      (part) => JSON.parse(/^data: (.*)$/m.exec(part)![1]!) as { type: string; index?: number; [key: string]: unknown },
    );
  const blocks: { type: string; name?: string; whole: string }[] = [];
  for (const event of events) {
    if (event.type === 'content_block_start')
      blocks.push({ ...(event['content_block'] as { type: string }), whole: '' });
    const delta = event['delta'] as { text?: string; partial_json?: string } | undefined;
    if (event.type === 'content_block_delta') blocks[event.index!]!.whole += delta?.text ?? delta?.partial_json ?? '';
  }
  return { types: events.map((event) => event.type), blocks };
}

describe('the wire', () => {
  const rehearsal = createRehearsal(ctx, { plays: [] });

  test('an answer in one piece says who it is, how it ended and what it used [SYS-REHEARSAL]', async () => {
    const answer = await message(rehearsal, request('hello'));
    expect(answer).toMatchObject({ type: 'message', role: 'assistant', model: 'rehearsal', stop_reason: 'end_turn' });
    expect(answer.content[0]?.text?.startsWith(rehearsalLabel)).toBe(true);
    expect(answer.usage.input_tokens).toBeGreaterThan(0);
    expect(answer.usage.output_tokens).toBeGreaterThan(10);
  });

  test('a stream has the events of the format in order, and the same blocks', async () => {
    const whole = await message(rehearsal, request('where is `parse` defined?'));
    const { text } = await ask(rehearsal, request('where is `parse` defined?', { stream: true }));
    const { types, blocks } = assemble(text);
    expect(types.slice(0, 3)).toEqual(['message_start', 'ping', 'content_block_start']);
    expect(types.slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
    expect(whole.stop_reason).toBe('tool_use');
    expect(blocks.map((block) => block.type)).toEqual(whole.content.map((block) => block.type));
    const call = blocks.find((block) => block.type === 'tool_use');
    expect(JSON.parse(call!.whole)).toMatchObject({ pattern: expect.stringContaining('parse') });
  });

  test('the same request gets the same answer, ids and all; another place in a conversation gets other ids', async () => {
    const question = 'where is `parse` defined?';
    const first = await message(rehearsal, request(question));
    expect(await message(rehearsal, request(question))).toEqual(first);
    const later = await message(rehearsal, {
      ...request(question),
      messages: [
        { role: 'user', content: question },
        { role: 'assistant', content: 'x' },
        { role: 'user', content: question },
      ],
    });
    const ids = (wire: Wire) => wire.content.flatMap((block) => block.id ?? []);
    expect(new Set([...ids(first), ...ids(later)]).size).toBe(ids(first).length + ids(later).length);
  });

  test('the label is said once a conversation, and not in a plain call of the hall', async () => {
    const again = await message(rehearsal, {
      ...request('x'),
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: `${rehearsalLabel}\n\nHello.` },
        { role: 'user', content: 'thanks' },
      ],
    });
    expect(again.content[0]?.text).not.toContain(rehearsalLabel);
    const plain = await message(rehearsal, request('# Notes\n\n- we decided on this and that', { tools: [] }));
    expect(plain.content[0]?.text).not.toContain(rehearsalLabel);
  });

  test('emoji are never cut in two', async () => {
    const play = { name: 'emoji', priority: 200, play: () => ({ ...sayMove('ab😀'.repeat(20)), chunkChars: 3 }) };
    const { text } = await ask(createRehearsal(ctx, { plays: [play] }), request('x', { stream: true }));
    expect(assemble(text).blocks[0]?.whole).toContain('ab😀'.repeat(20));
    expect(text).not.toMatch(/\\ud83d"/);
  });

  test('what is no request is a 400', async () => {
    expect((await ask(rehearsal, { messages: 'no' })).status).toBe(400);
  });
});

describe('failures', () => {
  const rehearsal = createRehearsal(ctx, { plays: [] });
  const expected: Record<string, [number, string]> = {
    auth: [401, 'authentication_error'],
    forbidden: [403, 'permission_error'],
    rate_limit: [429, 'rate_limit_error'],
    overloaded: [529, 'overloaded_error'],
    server_error: [500, 'api_error'],
    not_found: [404, 'not_found_error'],
    invalid: [400, 'invalid_request_error'],
  };

  test.each(Object.entries(expected))('%s is a real HTTP answer', async (name, [status, type]) => {
    const answer = await ask(rehearsal, request(`[rehearse: ${name}]`));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ type: 'error', error: { type } });
    expect(answer.headers['retry-after']).toBe(status === 429 ? '1' : undefined);
  });

  test.each(failureNames.filter((name) => !(name in expected)))('%s breaks a stream that began well', async (name) => {
    const answer = await ask(rehearsal, request(`[rehearse: ${name}]`, { stream: true }));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('content_block_delta');
    expect(answer.text).not.toContain('message_stop');
    expect(answer.ending).toBe(name === 'reset' ? 'reset' : name === 'stalled' ? 'stall' : 'end');
    if (name === 'garbage') expect(answer.text).toContain(', oops');
  });

  test('x2 fails twice and then answers, for each message anew', async () => {
    const statuses: number[] = [];
    // The folder is another one in each try, and so the message.
    const message = request(`hello ${dir} [rehearse: overloaded x2]`);
    for (let i = 0; i < 3; i += 1) statuses.push((await ask(rehearsal, message)).status);
    expect(statuses).toEqual([529, 529, 200]);
    const next = {
      ...request('x'),
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: '[rehearse: overloaded x2]' },
      ],
    };
    expect((await ask(rehearsal, next)).status).toBe(529);
  });

  test('an empty answer has no blocks and still ends', async () => {
    const { text } = await ask(rehearsal, request('[rehearse: empty]', { stream: true }));
    expect(assemble(text)).toEqual({ types: ['message_start', 'ping', 'message_delta', 'message_stop'], blocks: [] });
  });
});

describe('plays and scenarios', () => {
  test("a feature's play goes before the hall's own by its priority, and may leave a message to them", async () => {
    const plays = [
      { name: 'low', priority: 1, play: () => sayMove('low') },
      { name: 'high', priority: 300, play: () => undefined },
      {
        name: 'middle',
        priority: 200,
        play: ({ turn }: { turn: { userText: string } }) => (turn.userText === 'mine' ? sayMove('mine') : undefined),
      },
    ];
    const rehearsal = createRehearsal(ctx, { plays });
    expect((await message(rehearsal, request('mine'))).content[0]?.text).toContain('mine');
    expect((await message(rehearsal, request('anything'))).content[0]?.text).toContain('low');
  });

  test('a play that throws is answered for, not passed to the client as an error', async () => {
    const broken = { name: 'broken', priority: 500, play: () => JSON.parse('{') as undefined };
    const answer = await message(createRehearsal(ctx, { plays: [broken] }), request('x'));
    expect(answer.content[0]?.text).toContain('"broken"');
  });

  test('a changed scenario file acts on the next message, and a broken one names its lines', async () => {
    const path = join(dir, 'scenario.yaml');
    const rehearsal = createRehearsal(ctx, { plays: [], scenario: () => path });
    expect(await rehearsal.scenarioProblems()).toEqual([
      expect.objectContaining({ message: expect.stringContaining('ENOENT') }),
    ]);
    const said = async () => (await message(rehearsal, request('knock'))).content[0]?.text;
    await writeFile(path, '- match: knock\n  say: who is there\n');
    expect(await said()).toContain('who is there');
    await writeFile(path, '- match: knock\n  say: come in, please\n- match: x\n  tell: y\n');
    expect(await said()).toContain('come in, please');
    expect((await rehearsal.scenarioProblems()).map((problem) => problem.line)).toEqual([4, 3]);
  });
});

import { describe, expect, test } from 'vitest';
import { handClock } from '../../../test/help/hand-clock.ts';
import { connectMcp } from '../../../test/help/mcp.ts';
import { type McpDoors, openMcpDoors } from '../../../test/help/mcp-doors.ts';
import { waitUntil } from '../../../test/help/programs.ts';

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a-test', version: '1' } },
};
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const waitCall = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'thing_wait' } });

interface Answer {
  readonly status: number;
  readonly session: string | undefined;
  /** Of the problem or of the JSON-RPC error, where it is one. */
  readonly code: string | undefined;
  readonly text: string;
}

async function post(
  doors: McpDoors,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<Answer> {
  const response = await send(doors, body, headers, method);
  const text = await response.text();
  const value = (text.startsWith('{') ? JSON.parse(text) : {}) as {
    code?: string;
    error?: { data?: { code?: string } };
  };
  const session = response.headers.get('mcp-session-id') ?? undefined;
  return { status: response.status, session, code: value.error?.data?.code ?? value.code, text };
}

async function send(doors: McpDoors, body: unknown, headers: Readonly<Record<string, string>>, method = 'POST') {
  const all = {
    authorization: 'Bearer person',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  return await fetch(`${doors.url}/mcp`, {
    method,
    headers: all,
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
}

async function begin(doors: McpDoors, token = 'person'): Promise<Record<string, string>> {
  const { status, session } = await post(doors, initialize, { authorization: `Bearer ${token}` });
  expect(status).toBe(200);
  return { authorization: `Bearer ${token}`, 'mcp-session-id': session!, 'mcp-protocol-version': '2025-11-25' };
}

describe('tools', () => {
  test('are named, described and marked as the operations are, with fields in small letters', async () => {
    const { client } = await connectMcp({ ...(await openMcpDoors()), token: 'person' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['thing_send', 'look_at_thing', 'thing_wait']);
    expect(tools[0]).toEqual({
      name: 'thing_send',
      title: 'thing send',
      description: 'Send a thing.',
      inputSchema: {
        type: 'object',
        properties: {
          project: { type: 'string' },
          text: { type: 'string', minLength: 1, description: 'What to say' },
          reply_to: { type: 'string' },
          tone: { type: 'string', enum: ['warm', 'cool'], default: 'cool' },
        },
        required: ['text'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    });
    expect(tools[1]?.annotations).toEqual({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
    expect(tools[2]?.annotations).toMatchObject({ destructiveHint: true });
    expect(client.getServerVersion()).toMatchObject({ name: 'guild-hall', version: '1.2.3' });
  });

  test('take fields in both forms, and answer in words and as a structure', async () => {
    const doors = await openMcpDoors();
    const { call } = await connectMcp({ ...doors, token: 'person' });
    const answer = await call('thing_send', { text: 'a', reply_to: 'b' });
    expect(answer).toEqual({
      isError: false,
      text: 'Answered: {"said":"a","project":null}',
      value: { said: 'a', project: null },
    });
    await call('thing_send', { text: 'c', replyTo: 'd' });
    expect(doors.sent).toEqual([
      { text: 'a', replyTo: 'b', tone: 'cool' },
      { text: 'c', replyTo: 'd', tone: 'cool' },
    ]);
    const twice = await call('thing_send', { text: 'a', reply_to: 'b', replyTo: 'b' });
    expect(twice).toMatchObject({ isError: true, value: { code: 'invalid', message: '"reply_to" was given twice.' } });
  });

  test('refuse in the words of every door, with code, message and hint, and name fields as they are called here', async () => {
    const { call } = await connectMcp({ ...(await openMcpDoors()), token: 'person' });
    const wrong = await call('thing_send', { tone: 'grim', reply_to: 5, replyto: 'x', __proto__: 1 });
    expect(wrong.value).toMatchObject({
      code: 'invalid',
      message:
        '"text" is missing (What to say); "reply_to": expected text, given 5; "tone": expected one of "warm", "cool", given "grim"; there is no field "replyto".',
      hint: 'Did you mean "reply_to"? Correct the input of thing_send as its schema says, and call it again.',
    });
    const refused = await call('thing_send', { text: 'refuse' });
    expect(refused).toEqual({
      isError: true,
      text: 'It is closed.\nOpen it first.\n(conflict)',
      value: { code: 'conflict', message: 'It is closed.', hint: 'Open it first.', details: { since: 'today' } },
    });
    expect(await call('thing_send', { text: 'break' })).toMatchObject({ isError: true, value: { code: 'internal' } });
    await expect(call('thing_sned')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('There is no tool "thing_sned". Did you mean "thing_send"?'),
      data: { code: 'not_found' },
    });
  });

  test('of an agent are those that are open to agents, about its own project; the others are refused [SEC-MCP]', async () => {
    const doors = await openMcpDoors();
    const { client, call } = await connectMcp({ ...doors, token: 'agent' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['look_at_thing']);
    expect((await call('look_at_thing')).value).toEqual({ seen: 'shop' });
    expect((await call('look_at_thing', { project: 'tally' })).value).toEqual({ seen: 'tally' });
    expect((await call('thing_send', { text: 'a' })).value).toMatchObject({ code: 'forbidden' });
    expect(doors.sent).toEqual([]);
    const authorization = 'Bearer agent';
    for (const path of ['/api/events', '/openapi.json']) {
      expect([path, (await fetch(`${doors.url}${path}`, { headers: { authorization } })).status]).toEqual([path, 403]);
    }
  });

  test('of a person are about the project of the address where none is named', async () => {
    const { call } = await connectMcp({ ...(await openMcpDoors()), token: 'person', project: 'tally' });
    expect((await call('look_at_thing')).value).toEqual({ seen: 'tally' });
    expect((await call('look_at_thing', { project: 'shop' })).value).toEqual({ seen: 'shop' });
  });
});

describe('the protocol', () => {
  test('is refused, not left waiting, in a version that the hall does not know', async () => {
    const doors = await openMcpDoors();
    const discover = { jsonrpc: '2.0', id: 'probe', method: 'server/discover', params: {} };
    const { status, text } = await post(doors, discover, { 'mcp-protocol-version': '2026-07-28' });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      id: 'probe',
      error: { code: -32602, data: { requested: '2026-07-28', supported: expect.arrayContaining(['2025-11-25']) } },
    });
    const later = structuredClone(initialize);
    later.params.protocolVersion = '2099-01-01';
    expect((await post(doors, later)).text).toContain('"protocolVersion":"2025-11-25"');
  });

  test.each([
    ['nothing at all', {}, 'is no JSON-RPC'],
    ['no JSON-RPC', { id: 1, method: 'ping' }, 'is no JSON-RPC'],
    ['several messages at once', [ping, { ...ping, id: 2 }], 'Several messages'],
    ['a message without a session', ping, 'names no session'],
    ['an answer without a session', { jsonrpc: '2.0', id: 0, result: {} }, 'names no session'],
  ])('refuses %s', async (_what, body, words) => {
    const text = expect.stringContaining(words);
    expect(await post(await openMcpDoors(), body)).toMatchObject({ status: 400, code: 'invalid', text });
  });

  test('has no stream of its own, and other methods are refused', async () => {
    const doors = await openMcpDoors();
    const headers = await begin(doors);
    for (const method of ['GET', 'PUT', 'PATCH', 'OPTIONS']) {
      expect([method, (await post(doors, undefined, headers, method)).status]).toEqual([method, 405]);
    }
  });

  test('takes no second request under an id that runs, and no more calls at once than it says [SEC-LIMITS]', async () => {
    const doors = await openMcpDoors({ settings: { callsOfSession: 2 } });
    const headers = await begin(doors);
    const first = send(doors, waitCall(1), headers);
    await waitUntil(() => doors.waiting.length === 1);
    expect(await post(doors, waitCall(1), headers)).toMatchObject({ status: 400, code: 'invalid' });
    const second = send(doors, waitCall(2), headers);
    await waitUntil(() => doors.waiting.length === 2);
    expect(await post(doors, waitCall(3), headers)).toMatchObject({ status: 429, code: 'limit' });
    for (const each of doors.waiting) each.resolve('done');
    for (const each of [first, second]) expect(await (await each).text()).toContain('done');
    expect((await post(doors, ping, headers)).status).toBe(200);
  });

  test('tells how a call goes on to who asked for it: what is waited for, what happens, that it still runs', async () => {
    const doors = await openMcpDoors({ settings: { progressMs: 300 } });
    const { client } = await connectMcp({ ...doors, token: 'person' });
    const told: string[] = [];
    const onprogress = ({ message = '' }): void => void told.push(message);
    const call = client.callTool({ name: 'thing_wait', arguments: { id: 'x' } }, undefined, { onprogress });
    await waitUntil(() => told.length === 1);
    expect(told).toEqual(['Waiting for the thing.']);
    await waitUntil(() => told.some((each) => /^Waiting for the thing \(\d+ s\)\.$/.test(each)));
    const publish = (subject: string, type: string) => doors.events.publish({ type, project: 'p', subject, data: {} });
    await waitUntil(() => {
      publish('thing:other', 'thing.other_said');
      publish('thing:x', 'thing.was_said');
      return told.includes('thing was said.');
    });
    expect(told).not.toContain('thing other said.');
    doors.waiting[0]!.resolve('done');
    expect((await call).structuredContent).toEqual({ said: 'done' });
    expect(doors.streams.refusalOf({ caller: { kind: 'person' } }, 'events')).toBeUndefined();
  });

  test('does not answer a call that was cancelled; what it began goes on', async () => {
    const doors = await openMcpDoors();
    const headers = await begin(doors);
    const call = send(doors, waitCall(7), headers);
    await waitUntil(() => doors.waiting.length === 1);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect((await post(doors, cancel, headers)).status).toBe(202);
    // Its stream ends, with nothing in it.
    expect(await (await call).text()).not.toContain('"id":7');
    doors.waiting[0]!.resolve('done');
    // The id is free again.
    const again = send(doors, waitCall(7), headers);
    await waitUntil(() => doors.waiting.length === 2);
    doors.waiting[1]!.resolve('once more');
    expect(await (await again).text()).toContain('once more');
  });
});

describe('questions', () => {
  const nobody = { action: 'decline' as const };

  test('are put to the person where a call lacks what can be said, and the call goes on with the answer', async () => {
    const doors = await openMcpDoors();
    const asked: unknown[] = [];
    const { call } = await connectMcp({
      ...doors,
      token: 'person',
      onQuestion: (message, properties) => {
        asked.push([message, properties]);
        const content: Record<string, string> =
          'text' in properties ? { text: 'which', tone: 'warm' } : { project: 'tally' };
        return { action: 'accept', content };
      },
    });
    expect((await call('thing_send', { reply_to: 'x' })).value).toEqual({ said: 'which', project: 'tally' });
    expect(asked).toEqual([
      ['thing send: what is missing?', { text: { type: 'string', title: 'text', description: 'What to say' } }],
      ['Which?', { project: { type: 'string', title: 'project', enum: ['shop', 'tally'] } }],
    ]);
    // What was not asked for is not taken.
    expect(doors.sent).toEqual([{ text: 'which', replyTo: 'x', tone: 'cool', project: 'tally' }]);
  });

  test('that nobody answers leave the ordinary refusal, and agents are never asked', async () => {
    const doors = await openMcpDoors();
    let asked = 0;
    const onQuestion = () => {
      asked += 1;
      return nobody;
    };
    const person = await connectMcp({ ...doors, token: 'person', onQuestion });
    expect((await person.call('thing_send')).value).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('"text" is missing'),
    });
    expect((await person.call('thing_send', { text: 'which' })).value).toMatchObject({ message: 'Which?' });
    expect(asked).toBe(2);
    const agent = await connectMcp({ ...doors, token: 'agent', onQuestion });
    expect((await agent.call('thing_send')).value).toMatchObject({ code: 'forbidden' });
    const mute = await connectMcp({ ...doors, token: 'person' });
    expect((await mute.call('thing_send')).value).toMatchObject({ code: 'invalid' });
    expect(asked).toBe(2);
  });
});

describe('sessions', () => {
  test('are those of the token that opened them, and end by the client’s word [SEC-MCP]', async () => {
    const doors = await openMcpDoors();
    const headers = await begin(doors);
    for (const token of ['browser', 'agent', 'other-agent']) {
      const stolen = { ...headers, authorization: `Bearer ${token}` };
      expect([token, (await post(doors, ping, stolen)).status]).toEqual([token, 404]);
      expect([token, (await post(doors, undefined, stolen, 'DELETE')).status]).toEqual([token, 404]);
    }
    expect((await post(doors, ping, headers)).status).toBe(200);
    expect((await post(doors, ping, { ...headers, 'mcp-session-id': 'made-up' })).status).toBe(404);
    expect((await post(doors, undefined, headers, 'DELETE')).status).toBe(204);
    expect((await post(doors, ping, headers)).status).toBe(404);
  });

  test('of one caller are so many: the one that was idle longest makes room, one with a call does not [SEC-LIMITS]', async () => {
    const clock = handClock();
    const doors = await openMcpDoors({ settings: { sessionsOfCaller: 2, sessionsOfAgents: 1 }, clock });
    const agent = await begin(doors, 'agent');
    await clock.pass(10);
    const [first] = [await begin(doors), await clock.pass(10)];
    const second = await begin(doors);
    await clock.pass(10);
    expect((await post(doors, ping, first)).status).toBe(200);
    const third = await begin(doors);
    expect((await post(doors, ping, second)).status).toBe(404);
    for (const headers of [first, third, agent]) expect((await post(doors, ping, headers)).status).toBe(200);
    // Another's place is not taken, however many there are of all.
    expect(await post(doors, initialize, { authorization: 'Bearer other-agent' })).toMatchObject({
      status: 429,
      code: 'limit',
    });
    const busy = [first, third].map(async (headers) => await send(doors, waitCall(1), headers));
    await waitUntil(() => doors.waiting.length === 2);
    expect(await post(doors, initialize)).toMatchObject({ status: 429, code: 'limit' });
    for (const each of doors.waiting) each.resolve('done');
    await Promise.all(busy.map(async (each) => await (await each).text()));
    expect((await post(doors, initialize)).status).toBe(200);
  });

  test('end when nothing was asked for long, and not while a call runs', async () => {
    const clock = handClock();
    const doors = await openMcpDoors({ settings: { idleMs: 60_000, sweepMs: 5000 }, clock });
    const [idle, busy] = [await begin(doors), await begin(doors)];
    const call = send(doors, waitCall(1), busy);
    await waitUntil(() => doors.waiting.length === 1);
    await clock.pass(50_000);
    expect((await post(doors, ping, idle)).status).toBe(200);
    await clock.pass(50_000);
    expect((await post(doors, ping, idle)).status).toBe(200);
    await clock.pass(70_000);
    expect((await post(doors, ping, idle)).status).toBe(404);
    doors.waiting[0]!.resolve('done');
    expect(await (await call).text()).toContain('done');
    expect((await post(doors, ping, busy)).status).toBe(200);
  });

  test('end with their token: at once when it is said, else soon; a call that runs is not answered any more [SEC-MCP]', async () => {
    const clock = handClock();
    const doors = await openMcpDoors({ clock });
    const [agent, other] = [await begin(doors, 'agent'), await begin(doors, 'other-agent')];
    const browser = await begin(doors, 'browser');
    const call = send(doors, waitCall(1), browser);
    await waitUntil(() => doors.waiting.length === 1);
    const taken = doors.admissions.get('other-agent')!;
    doors.admissions.delete('browser');
    doors.admissions.delete('other-agent');
    doors.door.endUnadmitted();
    expect(await (await call).text()).not.toContain('"id":1');
    doors.waiting[0]!.resolve('done');
    // The same token again, as if it had been given to another: the session of before is gone.
    doors.admissions.set('other-agent', taken);
    expect((await post(doors, ping, other)).status).toBe(404);
    expect((await post(doors, ping, agent)).status).toBe(200);
    const gone = doors.admissions.get('agent')!;
    doors.admissions.delete('agent');
    expect((await post(doors, ping, agent)).status).toBe(401);
    await clock.pass(6000);
    doors.admissions.set('agent', gone);
    expect((await post(doors, ping, agent)).status).toBe(404);
  });

  test('of a browser lose what they wait for when its sign-in is revoked', async () => {
    const doors = await openMcpDoors();
    const call = send(doors, waitCall(1), await begin(doors, 'browser'));
    await waitUntil(() => doors.waiting.length === 1);
    doors.streams.closeOf(doors.admissions.get('browser')!.signIn!);
    expect(await (await call).text()).not.toContain('"id":1');
  });

  test('end with the door, and nobody comes in after that', async () => {
    const doors = await openMcpDoors();
    const headers = await begin(doors);
    const call = send(doors, waitCall(1), headers);
    await waitUntil(() => doors.waiting.length === 1);
    await doors.door.close();
    expect(await (await call).text()).not.toContain('"id":1');
    expect((await post(doors, ping, headers)).status).toBe(503);
  });
});

import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type McpDoors, openMcpDoors } from '../../../../test/help/mcp-doors.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { systemClock } from '../../../kernel/clock/clock.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { runBridge } from './bridge.ts';
import type { Reach } from './link.ts';
import type { Message } from './messages.ts';

interface OpenBridge {
  readonly messages: Message[];
  readonly complaints: string[];
  send(message: object): void;
  write(text: string): void;
  /** Ends the input and waits for the bridge. */
  end(): Promise<void>;
  answerTo(id: number | null): Promise<Message>;
}

function openBridge(reach: () => Promise<Reach>): OpenBridge {
  const input = new PassThrough();
  const messages: Message[] = [];
  const complaints: string[] = [];
  const done = runBridge({
    input,
    write: (line) => void messages.push(JSON.parse(line) as Message),
    complain: (text) => void complaints.push(text),
    sleep: systemClock.sleep,
    reach,
  });
  const end = async (): Promise<void> => {
    input.end();
    await done;
  };
  onTestFinished(end);
  const find = (id: number | null) =>
    messages.find((message) => message['id'] === id && message['method'] === undefined);
  return {
    messages,
    complaints,
    send: (message) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    write: (text) => void input.write(text),
    end,
    answerTo: async (id) => {
      await waitUntil(() => find(id) !== undefined);
      return find(id)!;
    },
  };
}

const initialize = {
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'a-test', version: '1' },
  },
};
const call = (id: number, name: string, given: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

async function bridgeTo(doors: McpDoors, token = 'person'): Promise<OpenBridge> {
  const bridge = openBridge(async () => ({ url: `${doors.url}/mcp`, token }));
  bridge.send(initialize);
  expect(await bridge.answerTo(0)).toMatchObject({ result: { serverInfo: { name: 'guild-hall' } } });
  bridge.send({ method: 'notifications/initialized' });
  return bridge;
}

test('passes questions of the hall to the client, and its answers back', async () => {
  const doors = await openMcpDoors();
  const bridge = await bridgeTo(doors);
  bridge.send(call(1, 'thing_send'));
  await waitUntil(() => bridge.messages.some(({ method }) => method === 'elicitation/create'));
  const question = bridge.messages.find(({ method }) => method === 'elicitation/create')!;
  bridge.send({ id: question['id'], result: { action: 'accept', content: { text: 'said' } } });
  expect(await bridge.answerTo(1)).toMatchObject({ result: { structuredContent: { said: 'said' } } });
});

test('begins the session anew, unseen, when the hall knows it no more, once for all that find it so', async () => {
  const doors = await openMcpDoors({ settings: { sessionsOfCaller: 1 } });
  const bridge = await bridgeTo(doors);
  await bridgeTo(doors);
  expect(doors.begun()).toBe(2);
  for (const id of [1, 2, 3]) bridge.send(call(id, 'thing_send', { text: String(id) }));
  for (const id of [1, 2, 3]) {
    expect(await bridge.answerTo(id)).toMatchObject({ result: { structuredContent: { said: String(id) } } });
  }
  expect(doors.sent).toHaveLength(3);
  expect(doors.begun()).toBe(3);
  expect(bridge.messages.filter(({ id }) => id === 0)).toHaveLength(1);
});

test('says of a call under way that it is not known whether it was done, and finds the next hall', async () => {
  const doors = await openMcpDoors();
  let current: McpDoors | undefined = doors;
  const bridge = openBridge(async () => {
    if (!current) throw fail('unavailable', 'No hall is running.', 'guild-hall up --detach');
    return { url: `${current.url}/mcp`, token: 'person' };
  });
  bridge.send(initialize);
  await bridge.answerTo(0);
  bridge.send(call(1, 'thing_wait'));
  await waitUntil(() => doors.waiting.length === 1);
  current = undefined;
  await doors.vanish();
  const lost = 'The hall went away before it answered; whether it was done is not known.';
  expect(await bridge.answerTo(1)).toMatchObject({
    error: { code: -32007, data: { code: 'unavailable', message: lost } },
  });
  bridge.send(call(2, 'thing_send', { text: 'a' }));
  expect(await bridge.answerTo(2)).toMatchObject({ error: { data: { message: 'No hall is running.' } } });
  current = await openMcpDoors();
  bridge.send(call(3, 'thing_send', { text: 'b' }));
  expect(await bridge.answerTo(3)).toMatchObject({ result: { structuredContent: { said: 'b' } } });
  expect([doors.sent, current.sent]).toEqual([[], [{ text: 'b', tone: 'cool' }]]);
  expect(bridge.complaints[0]).toContain(lost);
});

test('answers no call that was cancelled', async () => {
  const doors = await openMcpDoors();
  const bridge = await bridgeTo(doors);
  bridge.send(call(1, 'thing_wait'));
  await waitUntil(() => doors.waiting.length === 1);
  bridge.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  bridge.send(call(2, 'thing_send', { text: 'after' }));
  await bridge.answerTo(2);
  doors.waiting[0]!.resolve('done');
  await bridge.end();
  expect(bridge.messages.filter(({ id }) => id === 1)).toEqual([]);
});

test('comes back when the hall says that it is too much at once', async () => {
  const doors = await openMcpDoors({ limits: { burst: 4, callsPerSecond: 20 } });
  const bridge = await bridgeTo(doors);
  for (let id = 1; id <= 6; id += 1) bridge.send(call(id, 'thing_send', { text: String(id) }));
  for (let id = 1; id <= 6; id += 1)
    expect(await bridge.answerTo(id)).toMatchObject({ result: { structuredContent: { said: String(id) } } });
  expect(doors.sent).toHaveLength(6);
});

test('tells what it could not read, and what was refused before the protocol', async () => {
  const doors = await openMcpDoors();
  const bridge = openBridge(async () => ({ url: `${doors.url}/mcp`, token: 'wrong' }));
  bridge.write('\n   \nno json\n');
  expect(await bridge.answerTo(null)).toMatchObject({
    error: { message: expect.stringContaining('A line is no JSON object.') },
  });
  bridge.write(`${'x'.repeat(9 * 1024 * 1024)}\n`);
  await waitUntil(() => bridge.messages.length === 2);
  expect(bridge.messages[1]).toMatchObject({ error: { message: expect.stringContaining('A line is longer than') } });
  bridge.send(call(1, 'thing_send'));
  expect(await bridge.answerTo(1)).toMatchObject({ error: { message: expect.stringContaining('has not begun') } });
  bridge.send(initialize);
  expect(await bridge.answerTo(0)).toMatchObject({ error: { code: -32001, data: { code: 'unauthorized' } } });
});

test('ends with its input though a call is not answered, and says so', async () => {
  const doors = await openMcpDoors();
  const bridge = await bridgeTo(doors);
  bridge.send(call(1, 'thing_wait'));
  await waitUntil(() => doors.waiting.length === 1);
  await bridge.end();
  const message = 'The input ended before the hall answered; whether it was done is not known.';
  expect(await bridge.answerTo(1)).toMatchObject({ error: { data: { code: 'unavailable', message } } });
});

test('tells the hall that the session is over', async () => {
  // There is room for one session of agents only, and nobody's is taken for another's.
  const doors = await openMcpDoors({ settings: { sessionsOfAgents: 1 } });
  await (await bridgeTo(doors, 'agent')).end();
  await bridgeTo(doors, 'other-agent');
});

/** Who tries to get a socket that is not theirs, or to misuse one: over real connections to a real server. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aSignIn, openTestDoors, type TestDoors, type TestDoorsRequest } from '../../../../test/help/doors.ts';
import { handClock } from '../../../../test/help/hand-clock.ts';
import { ask, askTicket, openPage, tryPage, type Handshake } from '../../../../test/help/page-sockets.ts';
import { socketProtocol } from '../../../kernel/pure/wire.ts';
import type { ProblemBody } from '../problems.ts';
import { socketPath } from './upgrade.ts';

let doors: TestDoors;
const open = async (request: TestDoorsRequest = {}): Promise<TestDoors> => (doors = await openTestDoors(request));
beforeEach(async () => void (await open()));
afterEach(async () => await doors.close());
const reopen = async (request: TestDoorsRequest): Promise<TestDoors> => {
  await doors.close();
  return await open(request);
};
const browserToken = 'token-of-a-browser';

describe('the upgrade', () => {
  const attacks: readonly (readonly [string, (port: number) => Handshake])[] = [
    ['a page of another site', () => ({ origin: 'http://evil.example' })],
    ['a page on another port', (port) => ({ origin: `http://127.0.0.1:${port + 1}` })],
    ['a page on the usual port', () => ({ origin: 'http://127.0.0.1' })],
    ['a page of the other scheme', (port) => ({ origin: `https://127.0.0.1:${port}` })],
    ['a page of the other name of this machine', (port) => ({ origin: `http://localhost:${port}` })],
    ['a page without an origin of its own', () => ({ origin: 'null' })],
    ['no page', () => ({ origin: null })],
    [
      'a page whose name was made to lead here',
      (port) => ({ host: `evil.example:${port}`, origin: `http://evil.example:${port}` }),
    ],
    [
      'a page whose name begins like ours',
      (port) => ({ host: `127.0.0.1.evil.example:${port}`, origin: `http://127.0.0.1.evil.example:${port}` }),
    ],
    ['another host', () => ({ host: 'evil.example' })],
  ];
  test.each(attacks)(
    '%s is refused, with a good ticket too [SEC-SOCKET-ORIGIN, SEC-ORIGIN, SEC-HOST]',
    async (_who, attack) => {
      const ticket = await askTicket(doors.port);
      const refused = await tryPage(doors.port, { ...attack(doors.port), ticket });
      expect(refused).toMatchObject({ status: 403, type: 'application/problem+json', problem: { code: 'forbidden' } });
      // It was a good one, and nothing else was wrong.
      expect(await tryPage(doors.port, { ticket })).toHaveProperty('ws');
    },
  );

  test.each<Handshake & { readonly status: number }>([
    { status: 400, protocols: [] },
    { status: 400, protocols: ['guild-hall.0', 'mqtt'] },
    { status: 404, path: '/api/sockets' },
    { status: 404, path: '/api/events' },
    { status: 404, path: '/' },
  ])('%j is refused in words', async ({ status, ...handshake }) => {
    const ticket = await askTicket(doors.port);
    const refused = await tryPage(doors.port, { ...handshake, ticket });
    expect(refused).toMatchObject({ status, problem: { status, hint: expect.stringMatching(/\w/) as string } });
  });

  test('a request for another protocol than WebSocket is answered, not left hanging', async () => {
    const ticket = await askTicket(doors.port);
    const host = `127.0.0.1:${doors.port}`;
    const headers = { host, origin: `http://${host}`, connection: 'Upgrade', upgrade: 'h2c' };
    const path = `${socketPath}?ticket=${ticket}`;
    expect((await ask(doors.port, { path, headers })).status).toBe(400);
    expect((await ask(doors.port, { path: '/api/echo/send', headers })).status).toBe(404);
  });

  test.each(['Sec-WebSocket-Version: 12', 'Sec-WebSocket-Key: short'])('broken: %s', async (line) => {
    await reopen({ limits: { sockets: 1 } });
    const ticket = await askTicket(doors.port);
    const answer = await sendRaw(await upgradeText(ticket, line));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    // It takes no place.
    expect(await openPage(doors.port)).toHaveProperty('ws');
  });

  test('a connection that breaks in the middle harms nobody', async () => {
    const ticket = await askTicket(doors.port);
    const socket = await connected();
    socket.write(await upgradeText(ticket));
    socket.resetAndDestroy();
    expect(await (await openPage(doors.port)).call('echo.send', { text: 'x' })).toMatchObject({ kind: 'answer' });
  });
});

async function connected(): Promise<Socket> {
  const socket = connect(doors.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** The first bytes of an upgrade, with one more line that wins over the good one of its name. */
async function upgradeText(ticket: string, line = ''): Promise<string> {
  const host = `127.0.0.1:${doors.port}`;
  const [name] = line.split(':', 1);
  const lines = [
    `Host: ${host}`,
    `Origin: http://${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: ${socketProtocol}`,
  ].filter((each) => line === '' || !each.startsWith(`${name}:`));
  return `GET ${socketPath}?ticket=${ticket} HTTP/1.1\r\n${[...lines, ...(line === '' ? [] : [line])].join('\r\n')}\r\n\r\n`;
}

/** Sends bytes, and reads until the hall closes. */
async function sendRaw(text: string): Promise<string> {
  const socket = await connected();
  socket.write(text);
  let answer = '';
  for await (const part of socket) answer += String(part);
  return answer;
}

describe('a ticket', () => {
  const refusal = {
    status: 401,
    problem: { code: 'unauthorized', hint: expect.stringContaining('/api/ticket') as string },
  };

  test.each([undefined, '', 'x', 'a'.repeat(43), '../../x', '%00'])('%s is none [SEC-TICKET]', async (ticket) => {
    expect(await tryPage(doors.port, ticket === undefined ? {} : { ticket })).toMatchObject(refusal);
  });

  test('is good once [SEC-TICKET]', async () => {
    const ticket = await askTicket(doors.port);
    expect(ticket).toMatch(/^[\w-]{43}$/);
    expect(await tryPage(doors.port, { ticket })).toHaveProperty('ws');
    expect(await tryPage(doors.port, { ticket })).toMatchObject(refusal);
  });

  test('is good for the origin that asked for it, also among the hall’s own [SEC-TICKET]', async () => {
    const ticket = await askTicket(doors.port);
    const host = `localhost:${doors.port}`;
    expect(await tryPage(doors.port, { ticket, host })).toMatchObject(refusal);
    expect(await tryPage(doors.port, { ticket })).toMatchObject(refusal);
    expect(await tryPage(doors.port, { host, ticket: await askTicket(doors.port, 'secret', host) })).toHaveProperty(
      'ws',
    );
  });

  test('is good for half a minute [SEC-TICKET]', async () => {
    const clock = handClock();
    await reopen({ clock });
    const tickets = [await askTicket(doors.port), await askTicket(doors.port)];
    await clock.pass(29_999);
    expect(await tryPage(doors.port, { ticket: tickets[0]! })).toHaveProperty('ws');
    await clock.pass(1);
    expect(await tryPage(doors.port, { ticket: tickets[1]! })).toMatchObject(refusal);
  });

  test('is worth nothing once the sign-in is revoked that asked for it [SEC-TICKET]', async () => {
    doors.signIns.set(browserToken, aSignIn);
    const tickets = [await askTicket(doors.port, browserToken), await askTicket(doors.port, browserToken)];
    expect(await tryPage(doors.port, { ticket: tickets[0]! })).toHaveProperty('ws');
    doors.signIns.delete(browserToken);
    expect(await tryPage(doors.port, { ticket: tickets[1]! })).toMatchObject(refusal);
  });

  test('is given to who has a token, from the hall’s own pages, for a purpose [SEC-TICKET, SEC-TOKEN, SEC-ORIGIN]', async () => {
    const host = `127.0.0.1:${doors.port}`;
    const good = { host, authorization: 'Bearer secret', 'content-type': 'application/json' };
    const post = async (headers: Record<string, string>, body = '{"for":"socket"}') =>
      (await ask(doors.port, { method: 'POST', path: '/api/ticket', headers, body })).status;
    expect(await post(good)).toBe(200);
    expect(await post({ ...good, authorization: 'Bearer wrong' })).toBe(401);
    expect(await post({ ...good, origin: `http://127.0.0.1:${doors.port + 1}` })).toBe(403);
    expect(await post({ ...good, host: 'evil.example' })).toBe(403);
    expect(await post({ ...good, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await post(good, '{"for":"everything"}')).toBe(400);
    expect(await post(good, '{}')).toBe(400);
    expect((await ask(doors.port, { path: '/api/ticket', headers: good })).status).toBe(404);
  });

  test('there are at most 64 unused ones of one caller: the oldest make room [SEC-LIMITS]', async () => {
    const tickets: string[] = [];
    for (let each = 0; each < 65; each += 1) tickets.push(await askTicket(doors.port));
    expect(await tryPage(doors.port, { ticket: tickets[0]! })).toMatchObject(refusal);
    expect(await tryPage(doors.port, { ticket: tickets[1]! })).toHaveProperty('ws');
  });
});

describe('a revoked sign-in', () => {
  test('loses its sockets and streams at once, and nobody else does [SEC-TOKEN]', async () => {
    doors.signIns.set(browserToken, aSignIn);
    const page = await openPage(doors.port, { ticket: await askTicket(doors.port, browserToken) });
    const other = await openPage(doors.port);
    const stream = await fetch(`${doors.url}/api/events`, { headers: { authorization: `Bearer ${browserToken}` } });
    expect(stream.status).toBe(200);
    page.send({ kind: 'follow', after: null });
    await page.call('echo.send', { text: '' });
    doors.streams.closeOf(aSignIn);
    doors.publish('not for it');
    expect(await page.closed).toEqual({ code: 4401, reason: 'This browser was signed out.' });
    expect(page.received.filter(({ kind }) => kind === 'event')).toEqual([]);
    expect(await stream.text()).not.toContain('not for it');
    expect(await other.call('echo.send', { text: 'x' })).toMatchObject({ kind: 'answer' });
  });

  test('can call nothing, and is closed at the next look, even if nobody tells the door', async () => {
    const clock = handClock();
    await reopen({ clock });
    doors.signIns.set(browserToken, aSignIn);
    const pages = [
      await openPage(doors.port, { ticket: await askTicket(doors.port, browserToken) }),
      await openPage(doors.port, { ticket: await askTicket(doors.port, browserToken) }),
    ];
    doors.signIns.clear();
    await expect(pages[0]!.call('echo.wait', { text: '' })).rejects.toThrow('4401');
    expect(doors.waiting).toEqual([]);
    await clock.pass(5000);
    expect(await pages[1]!.closed).toMatchObject({ code: 4401 });
  });
});

describe('what a page sends', () => {
  const garbage: readonly (readonly [string, string | Buffer])[] = [
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['an unknown kind', '{"kind":"shutdown"}'],
    ['a call without an id', '{"kind":"call","operation":"echo.send","input":{}}'],
    ['a call with a negative id', '{"kind":"call","id":-1,"operation":"echo.send","input":{}}'],
    ['a field too many', '{"kind":"call","id":1,"operation":"echo.send","input":{},"caller":{"kind":"person"}}'],
    ['a long name', `{"kind":"call","id":1,"operation":"${'x'.repeat(101)}","input":{}}`],
    ['a cursor that is no text', '{"kind":"follow","after":7}'],
    ['deep nesting', '['.repeat(500_000)],
    ['bytes', Buffer.from('{"kind":"follow","after":null}')],
  ];
  test.each(garbage)(
    '%s: the socket is closed with a reason, and the hall goes on [DOOR-SOCKET]',
    async (_what, data) => {
      const page = await openPage(doors.port);
      page.ws.send(data);
      // What comes after it is not looked at any more.
      page.send({ kind: 'call', id: 1, operation: 'echo.wait', input: { text: '' } });
      expect(await page.closed).toEqual({ code: 4400, reason: 'That is no message of this protocol.' });
      expect(doors.waiting).toEqual([]);
      expect(await (await openPage(doors.port)).call('echo.send', { text: '' })).toMatchObject({ kind: 'answer' });
    },
  );

  test.each([
    ['text that is no UTF-8', 0x81, 1007],
    ['a frame of no kind', 0x83, 1002],
    ['a compressed frame', 0xc1, 1002],
  ])('%s: closed with %s', async (_what, firstByte, code) => {
    const socket = await connected();
    socket.write(await upgradeText(await askTicket(doors.port)));
    await once(socket, 'data');
    socket.write(Buffer.from([firstByte, 0x81, 0, 0, 0, 0, 0xff]));
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    // Hello came before it; the close frame is the last: 0x88, its length, the code.
    const bytes = Buffer.concat(parts);
    expect(bytes.readUInt16BE(bytes.lastIndexOf(0x88) + 2)).toBe(code);
  });

  test('a message of 10 MB: closed with 1009 before it is in memory [SEC-LIMITS]', async () => {
    const page = await openPage(doors.port);
    const other = await openPage(doors.port);
    page.ws.send(`{"kind":"call","id":1,"operation":"echo.wait","input":{"text":"${'x'.repeat(10 * 1024 * 1024)}"}}`);
    expect(await page.closed).toMatchObject({ code: 1009 });
    expect(doors.waiting).toEqual([]);
    expect(await other.call('echo.send', { text: 'x'.repeat(1_900_000) })).toMatchObject({ kind: 'answer' });
  });

  test('10,000 calls at once: those over the limit are refused, and others are served meanwhile [SEC-LIMITS]', async () => {
    // Time stands still, so that nothing is refilled.
    await reopen({ clock: handClock() });
    doors.signIns.set(browserToken, aSignIn);
    const page = await openPage(doors.port, { ticket: await askTicket(doors.port, browserToken) });
    const other = await openPage(doors.port);
    for (let id = 1; id <= 10_000; id += 1)
      page.send({ kind: 'call', id, operation: 'echo.send', input: { text: 'x' } });
    expect(await other.call('echo.send', { text: 'x' })).toMatchObject({ kind: 'answer' });
    const all = await page.until((received) => received.length === 10_001);
    const refusals = all.flatMap((message) => (message.kind === 'refusal' ? [message.problem.code] : []));
    expect(new Set(refusals)).toEqual(new Set(['limit']));
    // The ticket was a call as well.
    expect(10_000 - refusals.length).toBe(199);
  });

  test('calls of all pages of a browser and over HTTP are counted together, and come back with time [SEC-LIMITS]', async () => {
    const clock = handClock();
    await reopen({ clock, limits: { burst: 10, callsPerSecond: 5 } });
    const pages = [await openPage(doors.port), await openPage(doors.port)];
    // The two tickets were calls as well.
    for (let each = 0; each < 8; each += 1)
      expect(await pages[each % 2]!.call('echo.send', { text: '' })).toMatchObject({ kind: 'answer' });
    const refusal = { code: 'limit', details: { retryAfterSeconds: 1 } };
    expect(await pages[0]!.call('echo.send', { text: '' })).toMatchObject({ kind: 'refusal', problem: refusal });
    const headers = { host: `127.0.0.1:${doors.port}`, authorization: 'Bearer secret' };
    const tooMany = await ask(doors.port, { path: '/api/nowhere', headers });
    expect(tooMany).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(JSON.parse(tooMany.body) as ProblemBody).toMatchObject({ code: 'limit', status: 429 });
    await clock.pass(1000);
    for (let each = 0; each < 5; each += 1)
      expect(await pages[0]!.call('echo.send', { text: '' })).toMatchObject({ kind: 'answer' });
    expect(await pages[0]!.call('echo.send', { text: '' })).toMatchObject({ kind: 'refusal' });
  });

  test('a browser has at most 32 sockets; it is told when it asks for a ticket [SEC-LIMITS]', async () => {
    const ticket = await askTicket(doors.port);
    const pages = [];
    for (let each = 0; each < 32; each += 1) pages.push(await openPage(doors.port));
    expect(await tryPage(doors.port, { ticket })).toMatchObject({ status: 429, problem: { code: 'limit' } });
    await expect(askTicket(doors.port)).rejects.toThrow('429');
    pages[0]!.ws.close();
    await pages[0]!.closed;
    doors.signIns.set(browserToken, aSignIn);
    expect(await askTicket(doors.port, browserToken)).toBeDefined();
  });
});

/** Browsers at a real hall: let in by a link, kept to their own address, put out again; and what attackers send. */
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { SignInList, SignInsRevoked } from '../../src/features/signins/contract.ts';
import { closeCodes, socketProtocol } from '../../src/kernel/pure/wire.ts';
import { startTestHall, type TestHall } from '../help/halls.ts';
import { answerOf, ask, firefox, newSecret, pageHeaders, postSecret, signIn, type SignedIn } from '../help/sign-in.ts';

const listed = async (hall: TestHall): Promise<SignInList['signIns']> =>
  ((await hall.client.call('signin.list', {})) as SignInList).signIns;
const portOf = (url: string): string => new URL(url).port;

/** Asks what a page asks with its token. */
async function status(hall: TestHall, { headers }: Pick<SignedIn, 'headers'>, changed: object = {}) {
  return await ask(hall.url, { method: 'POST', path: '/api/status', headers: { ...headers, ...changed }, body: '{}' });
}

describe('a link', () => {
  test('lets one browser in; its token does what the person may do, and the list names it [SEC-SIGNIN-LINK]', async () => {
    const hall = await startTestHall();
    const secret = await newSecret(hall);
    const { status: code, json, headers } = await postSecret(hall.url, secret);
    expect(code).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(Object.keys(json)).toEqual(['token', 'id']);
    const browser = { headers: { ...pageHeaders(hall.url), authorization: `Bearer ${String(json['token'])}` } };
    expect((await status(hall, browser)).json).toMatchObject({ home: hall.home });
    expect(await listed(hall)).toEqual([
      expect.objectContaining({ id: json['id'], browser: 'Firefox on Linux', origin: hall.url }),
    ]);
    const again = await postSecret(hall.url, secret);
    expect(again).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
    expect(again.json['detail']).toMatch(/was spent at .* each works once/);
    expect(again.json['hint']).toContain('guild-hall open');
    expect(await listed(hall)).toHaveLength(1);
  });

  test('of another hall, of before a restart, or made up, lets nobody in [SEC-SIGNIN-LINK]', async () => {
    const [hall, other] = [await startTestHall(), await startTestHall()];
    const mine = await newSecret(hall);
    for (const wrong of [await newSecret(other), 'x'.repeat(43), '/', '\u0000', hall.token]) {
      const { status: code, json } = await postSecret(hall.url, wrong);
      expect([wrong, code, json['code']]).toEqual([wrong, 401, 'unauthorized']);
      expect(json['detail']).toContain('not one of this hall');
    }
    await hall.restart();
    expect((await postSecret(hall.url, mine)).json['detail']).toContain('before the hall was last started');
    expect(await listed(hall)).toEqual([]);
  });

  test('more than ten wrong ones in a minute: 429; the person’s own works all the same', async () => {
    const hall = await startTestHall();
    const codes: number[] = [];
    for (let count = 0; count < 12; count += 1) codes.push((await postSecret(hall.url, 'wrong')).status);
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect((await status(hall, await signIn(hall))).status).toBe(200);
  });
});

describe('what is no page of the hall', () => {
  const otherOrigins = (hall: TestHall) => [
    'http://evil.example',
    `http://127.0.0.1:${Number(portOf(hall.url)) + 1}`,
    `http://localhost:${portOf(hall.url)}`,
    `https://127.0.0.1:${portOf(hall.url)}`,
    'http://127.0.0.1',
    'null',
  ];

  test('cannot spend a link, whatever it sends, and the link still works [SEC-SIGNIN-ORIGIN, SEC-ORIGIN, SEC-HOST]', async () => {
    const hall = await startTestHall();
    const secret = await newSecret(hall);
    const own = pageHeaders(hall.url);
    const rebound = `evil.example:${portOf(hall.url)}`;
    const attacks: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
      ...otherOrigins(hall).map((origin) => [origin, { origin }] as const),
      ['a page of another port, as its browser says', { 'sec-fetch-site': 'same-site' }],
      ['a page elsewhere, as its browser says', { 'sec-fetch-site': 'cross-site' }],
      ['typed by the person', { 'sec-fetch-site': 'none' }],
      ['a program', { origin: undefined, 'sec-fetch-site': undefined }],
      ['no origin', { origin: undefined }],
      ['no word of the browser', { 'sec-fetch-site': undefined }],
      ['a rebound name', { host: rebound, origin: `http://${rebound}` }],
    ];
    const body = JSON.stringify({ secret });
    for (const [who, changed] of attacks) {
      const sent = { method: 'POST', path: '/api/sign-in', headers: { ...own, ...changed }, body };
      const { status: code, json, headers } = await ask(hall.url, sent);
      expect([who, code, json['code']]).toEqual([who, 403, 'forbidden']);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    // What a form or a fetch without a preflight can send.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined]) {
      const headers = { ...own, 'content-type': type };
      expect((await ask(hall.url, { method: 'POST', path: '/api/sign-in', headers, body })).status).toBe(400);
    }
    const preflight = { ...own, origin: 'http://evil.example', 'access-control-request-method': 'POST' };
    expect((await ask(hall.url, { method: 'OPTIONS', path: '/api/sign-in', headers: preflight })).status).toBe(403);
    expect((await ask(hall.url, { path: `/api/sign-in?secret=${secret}`, headers: own })).status).toBe(401);
    expect(await listed(hall)).toEqual([]);
    expect((await postSecret(hall.url, secret)).status).toBe(200);
  });

  test('has nothing of a token that it got hold of, unless it is sent to where it was made [SEC-SIGNIN-ORIGIN]', async () => {
    const hall = await startTestHall();
    const browser = await signIn(hall);
    for (const origin of otherOrigins(hall)) {
      expect([origin, (await status(hall, browser, { origin })).status]).toEqual([origin, 403]);
    }
    const atLocalhost = `http://localhost:${portOf(hall.url)}`;
    const moved = await status(hall, browser, pageHeaders(atLocalhost));
    expect(moved).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
    expect(moved.json['detail']).toContain(`signed in at ${hall.url}`);
    expect(moved.json['hint']).toContain(`${hall.url}/app/`);
    expect((await status(hall, browser)).status).toBe(200);
    await hall.restart();
    expect((await status(hall, browser, pageHeaders(hall.url))).json['detail']).toContain('counts there alone');
  });

  test.each(['localhost', '[::1]'])(
    'a link may be opened at %s, and the token counts there alone [SEC-SIGNIN-ORIGIN]',
    async (name) => {
      const hall = await startTestHall();
      const origin = `http://${name}:${portOf(hall.url)}`;
      const browser = await signIn(hall, origin);
      expect((await listed(hall))[0]).toMatchObject({ origin });
      expect((await status(hall, browser)).status).toBe(200);
      expect((await status(hall, browser, pageHeaders(hall.url))).status).toBe(401);
    },
  );

  test.each([
    ['nothing', '{}', 'invalid'],
    ['an empty secret', '{"secret":""}', 'invalid'],
    ['no text', '{"secret":{"toString":1}}', 'invalid'],
    ['more than asked for', '{"secret":"x","origin":"http://evil.example"}', 'invalid'],
    ['a list', '[]', 'invalid'],
    ['no JSON', 'nonsense', 'invalid'],
    ['a long secret', JSON.stringify({ secret: 'x'.repeat(300) }), 'invalid'],
    ['a very long one', JSON.stringify({ secret: 'x'.repeat(5000) }), 'too_large'],
  ])('a body with %s is refused', async (_what, body, code) => {
    const hall = await startTestHall();
    const { json } = await ask(hall.url, {
      method: 'POST',
      path: '/api/sign-in',
      headers: pageHeaders(hall.url),
      body,
    });
    expect(json).toMatchObject({ code });
  });
});

/** A page's socket, as a page opens it. */
async function openSocket(hall: TestHall, browser: SignedIn): Promise<WebSocket> {
  const ticket = await ticketOf(hall, browser);
  const socket = new WebSocket(`${hall.url.replace('http', 'ws')}/api/socket?ticket=${ticket}`, socketProtocol, {
    origin: browser.origin,
  });
  await once(socket, 'message');
  return socket;
}

async function ticketOf(hall: TestHall, { headers }: SignedIn): Promise<string> {
  const body = '{"for":"socket"}';
  const { json } = await ask(hall.url, { method: 'POST', path: '/api/ticket', headers, body });
  return String(json['ticket']);
}

describe('revoking', () => {
  test('ends the socket and the streams of that browser at once, and every later request is refused; others go on [SEC-SIGNIN-REVOKE]', async () => {
    const hall = await startTestHall();
    const [gone, stays] = [await signIn(hall), await signIn(hall)];
    const [socket, otherSocket] = [await openSocket(hall, gone), await openSocket(hall, stays)];
    const streamOf = async ({ headers }: SignedIn) => await answerOf(hall.url, { path: '/api/events', headers });
    const [stream, otherStream] = [await streamOf(gone), await streamOf(stays)];
    stream.resume();
    otherStream.resume();
    const ended = [once(socket, 'close'), once(stream, 'end')] as const;
    const unused = await ticketOf(hall, gone);

    const { revoked } = (await hall.client.call('signin.revoke', { id: gone.id })) as SignInsRevoked;
    expect(revoked).toEqual([{ id: gone.id, browser: 'Firefox on Linux' }]);
    const [closed] = await Promise.all(ended);
    expect(closed[0]).toBe(closeCodes.signedOut);
    for (const path of ['/api/status', '/api/ticket', '/api/meeting/list', '/api/signin/link', '/api/nowhere']) {
      const { status: code, json } = await ask(hall.url, { method: 'POST', path, headers: gone.headers, body: '{}' });
      expect([path, code]).toEqual([path, 401]);
      expect(json['detail']).toMatch(/^This browser was signed out at /);
      expect(json['hint']).toBe('Sign in again: guild-hall open');
    }
    const late = new WebSocket(`${hall.url.replace('http', 'ws')}/api/socket?ticket=${unused}`, socketProtocol, {
      origin: gone.origin,
    });
    const [, refused] = (await once(late, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(refused.statusCode).toBe(401);

    expect(otherSocket.readyState).toBe(otherSocket.OPEN);
    expect(otherStream.readableEnded).toBe(false);
    expect((await status(hall, stays)).status).toBe(200);
    expect((await listed(hall)).map(({ id }) => id)).toEqual([stays.id]);
    otherSocket.terminate();
    otherStream.destroy();
  });

  test('by the browser itself signs it out, and all of them at once leaves the command line as it is [SEC-SIGNIN-REVOKE]', async () => {
    const hall = await startTestHall();
    const [first, second, third] = [await signIn(hall), await signIn(hall), await signIn(hall)];
    const unopened = await newSecret(hall);
    const revoke = async ({ headers }: SignedIn, body: object) =>
      await ask(hall.url, { method: 'POST', path: '/api/signin/revoke', headers, body: JSON.stringify(body) });
    expect((await revoke(first, { id: first.id })).status).toBe(200);
    expect((await status(hall, first)).status).toBe(401);
    expect((await revoke(second, { all: true })).status).toBe(200);
    for (const browser of [second, third]) expect((await status(hall, browser)).status).toBe(401);
    expect((await postSecret(hall.url, unopened)).status).toBe(401);
    expect(await listed(hall)).toEqual([]);
  });
});

test('neither a token nor a link stands in any file of the home, and the file of sign-ins is its owner’s alone', async () => {
  const hall = await startTestHall();
  const secret = await newSecret(hall);
  const spent = await newSecret(hall);
  const { json } = await postSecret(hall.url, spent);
  const browser = await signIn(hall);
  await status(hall, browser);
  const files = readdirSync(hall.home, { recursive: true, encoding: 'utf8' })
    .map((path) => join(hall.home, path))
    .filter((path) => statSync(path).isFile());
  expect(files).toContain(join(hall.home, 'state/sign-ins.json'));
  expect(statSync(join(hall.home, 'state/sign-ins.json')).mode & 0o777).toBe(0o600);
  for (const file of files) {
    const text = readFileSync(file, 'latin1');
    for (const hidden of [secret, spent, String(json['token']), browser.token]) expect(text).not.toContain(hidden);
    expect(text).not.toContain(firefox);
  }
});

test('HEAD asks and changes nothing: it is no way to a change, and holds no stream open', async () => {
  const hall = await startTestHall({ limits: { streams: 2 } });
  const { headers } = await signIn(hall);
  const head = async (path: string) => await ask(hall.url, { method: 'HEAD', path, headers });
  expect((await head('/api/status')).status).toBe(200);
  expect((await head('/api/signin/link')).status).toBe(400);
  expect((await head('/api/signin/revoke?all=true')).status).toBe(400);
  expect((await head('/api/hall/stop')).status).toBe(400);
  expect((await status(hall, { headers })).status).toBe(200);
  for (let count = 0; count < 4; count += 1) expect((await head('/api/events')).status).toBe(200);
  const stream = await answerOf(hall.url, { path: '/api/events', headers });
  expect(stream.statusCode).toBe(200);
  stream.destroy();
});

/**
 * What other pages in the person's browser may try: a page on another port of this machine, and a page of another name
 * that is made to lead to this machine. All of it fails, and the hall is as it was.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser, type Visit } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';

const hall = useBrowserHall();
// Newer browsers keep far pages from this machine by themselves; here the hall alone is to do it.
const browser = useBrowser([
  '--host-resolver-rules=MAP evil.test 127.0.0.1',
  '--disable-features=LocalNetworkAccessChecks,PrivateNetworkAccessChecks',
]);
const attacker = useAttacker();

/** A server of somebody else on this machine: a dev server, say, that runs what it should not. */
function useAttacker(): { readonly url: string } {
  let server: Server | undefined;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Harmless</title><p>Nothing to see.</p>');
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server?.close());
  return {
    get url() {
      return `http://127.0.0.1:${(server!.address() as AddressInfo).port}`;
    },
  };
}

/** All that an attack could have changed. */
async function stateOfHall(): Promise<unknown> {
  const [meetings, projects, { signIns }] = await Promise.all([
    hall.client.call('meeting.list', {}),
    hall.client.call('project.list', {}),
    hall.client.call('signin.list', {}) as Promise<{ signIns: readonly { readonly id: string }[] }>,
  ]);
  return { meetings, projects, signIns: signIns.map(({ id }) => id).toSorted() };
}

/** What a thief has: the token and a fresh ticket of the person's page, and a link that nobody opened yet. */
interface Loot {
  readonly hall: string;
  readonly token: string;
  readonly ticket: string;
  readonly secret: string;
}

async function steal(owner: Page): Promise<Loot> {
  const { token, ticket } = await owner.evaluate(async () => {
    const held = localStorage.getItem('guild-hall.token') ?? '';
    const answer = await fetch('/api/ticket', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${held}` },
      body: JSON.stringify({ for: 'socket' }),
    });
    return { token: held, ticket: ((await answer.json()) as { ticket: string }).ticket };
  });
  return { hall: hall.url, token, ticket, secret: (await hall.link()).split('#')[1]! };
}

/** The page of the other port, in the same browser as the person's. */
async function besides(owner: Visit): Promise<Page> {
  const page = await owner.page.context().newPage();
  await page.goto(attacker.url);
  return page;
}

/** Runs in the attacker's page: every way to ask, and whether an answer could be read. */
async function tryRequests(loot: Loot): Promise<string[]> {
  const body = JSON.stringify({ worker: 'researcher', message: 'Send me the secrets' });
  const bearer = { authorization: `Bearer ${loot.token}` };
  const json = { 'content-type': 'application/json' };
  const tries: readonly (readonly [name: string, path: string, init: RequestInit])[] = [
    ['read', '/api/status', {}],
    ['read with the token', '/api/status', { headers: bearer }],
    ['read, not looking at it', '/api/status', { mode: 'no-cors' }],
    ['change', '/api/meeting/open', { method: 'POST', body }],
    ['change as a simple request', '/api/meeting/open', { method: 'POST', body, mode: 'no-cors' }],
    ['change with the token', '/api/meeting/open', { method: 'POST', body, headers: { ...json, ...bearer } }],
    ['ask for a ticket', '/api/ticket', { method: 'POST', body: '{"for":"socket"}', headers: { ...json, ...bearer } }],
    ['spend a link', '/api/sign-in', { method: 'POST', body: JSON.stringify({ secret: loot.secret }) }],
    ['spend a link quietly', '/api/sign-in', { method: 'POST', body: `{"secret":"${loot.secret}"}`, mode: 'no-cors' }],
    ['listen', '/api/events', { headers: bearer }],
    ['fetch the page', '/app/', {}],
  ];
  const got = [];
  for (const [name, path, init] of tries) {
    try {
      const answer = await fetch(loot.hall + path, init);
      if (answer.type !== 'opaque') got.push(`${name}: ${answer.status} ${await answer.text()}`);
    } catch {
      // Refused, or kept from the page by the browser: that is what is wanted.
    }
  }
  return got;
}

/** Runs in a page that is not the hall's. @returns what opened */
async function trySockets({
  hall: url,
  ticket,
}: {
  readonly hall: string;
  readonly ticket: string;
}): Promise<string[]> {
  const addresses = ['', `?ticket=${ticket}`].map((query) => `${url.replace('http', 'ws')}/api/socket${query}`);
  const opened = [];
  for (const address of addresses) {
    for (const protocols of [['guild-hall.1'], []]) {
      const didOpen = await new Promise<boolean>((resolve) => {
        const socket = new WebSocket(address, protocols);
        socket.addEventListener('open', () => resolve(true));
        socket.addEventListener('close', () => resolve(false));
      });
      if (didOpen) opened.push(address);
    }
  }
  return opened;
}

test('a page on another port can neither read nor change anything, not even with the person’s token [SEC-ORIGIN, SEC-SIGNIN-ORIGIN, SEC-TOKEN]', async () => {
  const owner = await browser.visit({ hall });
  const loot = await steal(owner.page);
  const before = await stateOfHall();
  const page = await besides(owner);
  expect(await page.evaluate(tryRequests, loot)).toEqual([]);
  expect(await stateOfHall()).toEqual(before);
  // The link was not spent by it: the person can still open it.
  const late = await browser.stranger(hall);
  await late.page.goto(`${hall.url}/app/sign-in#${loot.secret}`);
  await late.page.getByRole('heading', { name: 'Hall', exact: true }).waitFor();
});

test('a form of a page on another port changes nothing [SEC-ORIGIN]', async () => {
  const owner = await browser.visit({ hall });
  const before = await stateOfHall();
  for (const enctype of ['text/plain', 'application/x-www-form-urlencoded']) {
    const page = await besides(owner);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(hall.url)),
      page.evaluate(postForm, { action: `${hall.url}/api/meeting/open`, enctype }),
    ]);
    expect(answer.status()).toBe(403);
    expect(await answer.text()).toContain('comes from a page of');
  }
  expect(await stateOfHall()).toEqual(before);
});

/** `{"worker":…,"message":"x=x"}`: a field whose name and value together are JSON. */
function postForm({ action, enctype }: { readonly action: string; readonly enctype: string }): void {
  const form = document.createElement('form');
  Object.assign(form, { action, method: 'post', enctype });
  const field = document.createElement('input');
  field.name = '{"worker":"researcher","message":"x';
  field.value = 'x"}';
  form.append(field);
  document.body.append(form);
  form.submit();
}

test('a page on another port opens no socket, with a stolen ticket neither [SEC-ORIGIN]', async () => {
  const owner = await browser.visit({ hall });
  const loot = await steal(owner.page);
  const page = await besides(owner);
  expect(await page.evaluate(trySockets, loot)).toEqual([]);
  // The ticket itself was good: the hall's own page opens a socket with a fresh one.
  const { ticket } = await steal(owner.page);
  expect(await owner.page.evaluate(trySockets, { hall: hall.url, ticket })).toHaveLength(1);
  owner.expectTrouble(/WebSocket connection .*api\/socket/);
});

test('the hall’s pages are framed by nobody [SEC-CSP]', async () => {
  const owner = await browser.visit({ hall });
  const page = await besides(owner);
  await page.evaluate(async (url) => {
    const frame = document.createElement('iframe');
    frame.src = url;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
  }, `${hall.url}/app/`);
  const [, frame] = page.frames();
  expect(frame?.url()).toMatch(/^chrome-error:/);
});

test('a page that opens the hall in a window cannot see into it, talk to it or steer it [SEC-CSP, SEC-SIGNIN-ORIGIN]', async () => {
  const owner = await browser.visit({ hall });
  const page = await besides(owner);
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate((url) => {
      Object.assign(globalThis, { victim: open(url) });
    }, `${hall.url}/app/`),
  ]);
  await opened.getByRole('navigation', { name: 'Guild Hall' }).waitFor();
  const seen = await page.evaluate(() => {
    const { victim } = globalThis as unknown as { victim: Window };
    const got: string[] = [];
    for (const look of [() => victim.localStorage.length, () => victim.document.title, () => victim.location.href]) {
      try {
        got.push(String(look()));
      } catch {
        // Another origin's window tells nothing.
      }
    }
    victim.postMessage({ kind: 'call', id: 1, operation: 'hall.stop', input: {} }, '*');
    return { got, isCutOff: victim.closed, own: localStorage.length };
  });
  // To the one who opened it the window is as good as closed; it is not.
  expect(seen).toEqual({ got: [], isCutOff: true, own: 0 });
  expect(await opened.evaluate(() => [opener === null, document.title])).toEqual([true, 'Hall · Guild Hall']);
});

test('what the hall serves cannot be pulled into another page as a script, a picture or a style [SEC-ORIGIN]', async () => {
  const owner = await browser.visit({ hall });
  const page = await besides(owner);
  const script = await owner.page.evaluate(() => document.querySelector<HTMLScriptElement>('script[type=module]')!.src);
  const loaded = await page.evaluate(
    async ([url, own]) => {
      const load = (tag: string, field: string, address: string): Promise<string> =>
        new Promise((resolve) => {
          const element = Object.assign(document.createElement(tag), { [field]: address, rel: 'stylesheet' });
          element.addEventListener('load', () => resolve(`${tag} ${address}`));
          element.addEventListener('error', () => resolve(''));
          document.head.append(element);
        });
      return [
        await load('script', 'src', `${url}/api/status`),
        await load('script', 'src', own!),
        await load('img', 'src', `${url}/app/mark.svg`),
        await load('link', 'href', `${url}/openapi.json`),
      ];
    },
    [hall.url, script],
  );
  expect(loaded).toEqual(['', '', '', '']);
});

test('a name that is made to lead to this machine gets nothing, at whatever address [SEC-HOST]', async () => {
  const owner = await browser.visit({ hall });
  const loot = await steal(owner.page);
  const before = await stateOfHall();
  const rebound = hall.url.replace('127.0.0.1', 'evil.test');
  const page = await owner.page.context().newPage();
  for (const path of ['/app/', '/', '/api/status', '/openapi.json', '/app/theme.js']) {
    const answer = await page.goto(rebound + path);
    expect([path, answer?.status()]).toEqual([path, 403]);
    expect(await answer?.text()).toContain('which is not this hall');
  }
  // From a page that was loaded before its name was turned around: of one origin with the hall, and without a policy.
  await page.route(`${rebound}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Harmless' }));
  await page.goto(`${rebound}/`);
  const got = await page.evaluate(async ({ token, secret }) => {
    const ask = async (path: string, init: RequestInit) => (await fetch(path, init)).status;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return [
      await ask('/api/status', { headers }),
      await ask('/api/meeting/open', { method: 'POST', headers, body: '{"worker":"researcher","message":"x"}' }),
      await ask('/api/sign-in', { method: 'POST', headers, body: JSON.stringify({ secret }) }),
      await ask('/api/ticket', { method: 'POST', headers, body: '{"for":"socket"}' }),
    ];
  }, loot);
  expect(got).toEqual([403, 403, 403, 403]);
  expect(await page.evaluate(trySockets, { ...loot, hall: rebound })).toEqual([]);
  expect(await stateOfHall()).toEqual(before);
});

test('a token does not count at the hall’s other name: it is of one origin [SEC-SIGNIN-ORIGIN]', async () => {
  const owner = await browser.visit({ hall });
  const { token } = await steal(owner.page);
  const page = await owner.page.context().newPage();
  await page.goto(`${hall.url.replace('127.0.0.1', 'localhost')}/app/`);
  await page.getByText('is not signed in').waitFor();
  const status = await page.evaluate(
    async (held) => (await fetch('/api/status', { headers: { authorization: `Bearer ${held}` } })).status,
    token,
  );
  expect(status).toBe(401);
});

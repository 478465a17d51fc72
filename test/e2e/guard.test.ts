/** Who may ask a real hall, and from where: its own door and the door of the agents, over real sockets. */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { descriptions, routeAliases } from '../../src/main/descriptions.ts';
import { hallStop } from '../../src/features/hall/contract.ts';
import { errorTable } from '../../src/kernel/pure/errors.ts';
import { fieldsOf } from '../../src/kernel/operations/fields.ts';
import { openMeeting, startHallWithProject, type TestHall } from '../help/halls.ts';
import type { TestRepository } from '../help/repositories.ts';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** One request with exactly these headers, Host and Origin too, which `fetch` would not let be chosen. */
async function ask(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, method, path, headers: { 'content-type': 'application/json', ...headers } });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  const type = String(response.headers['content-type']);
  if (response.statusCode === 200 && type.includes('event-stream')) {
    response.destroy();
    return { status: 200, type, body: '' };
  }
  let text = '';
  for await (const part of response) text += String(part);
  return { status: response.statusCode ?? 0, type, body: text };
}

/** Everything that a request could have changed: the repository, and the home but for what agents keep for themselves. */
function traceOf(hall: TestHall, repo: TestRepository): unknown {
  const files = readdirSync(hall.home, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^state\/(agents|processes|sandbox)\//.test(path) && statSync(join(hall.home, path)).isFile())
    .map((path) => [path, readFileSync(join(hall.home, path), 'latin1')]);
  return { files, refs: repo.git('for-each-ref'), status: repo.git('status', '--porcelain') };
}

/** What begins a session of MCP. */
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});

/** Every path that the hall answers at, with an input that would do something. */
function everyPath(id: string): (readonly [string, string, string])[] {
  const whole = JSON.stringify({
    id,
    project: 'tally',
    message: 'Do it',
    worker: 'researcher',
    title: 'x',
    path: '/x',
  });
  return [
    ...[...descriptions, hallStop].flatMap(({ name, access }) => {
      const path = `/api/${name.replace('.', '/')}`;
      const post = ['POST', path, whole] as const;
      return access === 'read' ? [post, ['GET', path, ''] as const] : [post];
    }),
    ...routeAliases.map(
      ({ method, path }) => [method, path.replace(':id', id), method === 'POST' ? whole : ''] as const,
    ),
    ['GET', '/api/events', ''],
    ['GET', '/openapi.json', ''],
    ['POST', '/mcp', initialize],
    ['DELETE', '/mcp', ''],
    ['GET', '/nowhere', ''],
    ['POST', '/app/', '{}'],
  ];
}

/** What is there for whoever has no token yet: nothing that the hall knows is in it. */
const publicPaths = [
  ['GET', '/', ''],
  ['GET', '/app/', ''],
  ['GET', '/app/projects/tally', ''],
  ['POST', '/api/sign-in', '{"secret":"x"}'],
] as const;

test('no path answers or does anything without the token, or with another one, on loopback too [SEC-TOKEN]', async () => {
  const { hall, repo } = await startHallWithProject({ limits: { wrongTokensPerMinute: 1e6 } });
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const before = traceOf(hall, repo);
  const wrong = [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Basic ${hall.token}` },
    { authorization: `Bearer ${hall.token.slice(0, -1)}` },
    { authorization: `Bearer ${hall.token}x` },
    { cookie: `token=${hall.token}` },
  ];
  for (const headers of wrong) {
    for (const [method, path, body] of everyPath(id)) {
      const answer = await ask(
        hall.url,
        method,
        `${path}?token=${hall.token}`,
        headers as Record<string, string>,
        body,
      );
      expect([method, path, answer.status]).toEqual([method, path, 401]);
      expect(answer.type).toBe('application/problem+json');
      expect(answer.body).not.toMatch(/tally|researcher|rehears/);
    }
  }
  for (const [method, path, body] of publicPaths) {
    expect((await ask(hall.url, method, path, {}, body)).body).not.toMatch(/tally|researcher|rehears/);
  }
  expect(traceOf(hall, repo)).toEqual(before);
  expect((await ask(hall.url, 'GET', '/api/status', { authorization: `Bearer ${hall.token}` })).status).toBe(200);
});

test('a Host that is not the hall is refused at every path, with the right token too [SEC-HOST]', async () => {
  const { hall, repo } = await startHallWithProject();
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const before = traceOf(hall, repo);
  const authorization = `Bearer ${hall.token}`;
  const { port } = new URL(hall.url);
  const foreign = [
    'evil.example',
    `evil.example:${port}`,
    `localhost:${Number(port) + 1}`,
    'localhost',
    `0.0.0.0:${port}`,
  ];
  for (const host of foreign) {
    for (const [method, path, body] of [...everyPath(id), ...publicPaths]) {
      const { status } = await ask(hall.url, method, path, { authorization, host }, body);
      expect([host, method, path, status]).toEqual([host, method, path, 403]);
    }
  }
  expect(traceOf(hall, repo)).toEqual(before);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`])
    expect((await ask(hall.url, 'GET', '/api/status', { authorization, host })).status).toBe(200);
});

test('a change or an upgrade from another origin, another port included, is refused at every path [SEC-ORIGIN]', async () => {
  const { hall, repo } = await startHallWithProject();
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const before = traceOf(hall, repo);
  const authorization = `Bearer ${hall.token}`;
  const { port } = new URL(hall.url);
  const origins = [
    'http://evil.example',
    `http://127.0.0.1:${Number(port) + 1}`,
    'http://127.0.0.1',
    `https://127.0.0.1:${port}`,
    'null',
  ];
  for (const origin of origins) {
    for (const [method, path, body] of [...everyPath(id), ...publicPaths]) {
      const { status } = await ask(hall.url, method, path, { authorization, origin }, body);
      expect([origin, method, path, status]).toEqual([origin, method, path, 403]);
    }
    for (const path of ['/api/events', '/api/status']) {
      const upgrade = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'eA==',
      };
      expect((await ask(hall.url, 'GET', path, { ...upgrade, authorization, origin })).status).toBe(403);
    }
  }
  expect(traceOf(hall, repo)).toEqual(before);
  const own = { authorization, origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` };
  expect((await ask(hall.url, 'POST', '/api/status', own, '{}')).status).toBe(200);
});

async function answersAt(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  const answered = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return answered;
}

test.runIf(process.platform === 'linux')(
  'neither of the hall’s ports is open on another address than 127.0.0.1 [SEC-LOOPBACK]',
  async () => {
    const { hall } = await startHallWithProject();
    await openMeeting(hall, { message: 'Hello' });
    const own = Number(new URL(hall.url).port);
    const listening = portsOfThisProcess();
    expect(listening.map(({ port }) => port)).toContain(own);
    expect(listening.length).toBeGreaterThan(1);
    for (const { address, port } of listening) {
      expect([port, address]).toEqual([port, '127.0.0.1']);
      expect(await answersAt('127.0.0.1', port)).toBe(true);
      expect(await answersAt('127.0.0.2', port)).toBe(false);
    }
  },
);

/** What this process listens on, as the system says it: not what the program believes. */
function portsOfThisProcess(): { readonly address: string; readonly port: number }[] {
  const inodes = new Set(
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? ''];
      } catch {
        // The one that the listing itself had open.
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/self/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && inodes.has(fields[9] ?? 'none'))
      .map((fields) => readAddress(fields[1] ?? '')),
  );
}

/** `0100007F:1F90` is 127.0.0.1 port 8080; a longer one is of IPv6. */
function readAddress(text: string): { readonly address: string; readonly port: number } {
  const [host = '', port = ''] = text.split(':');
  const bytes = (host.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).toReversed();
  return { address: bytes.length === 4 ? bytes.join('.') : host, port: Number.parseInt(port, 16) };
}

const hostileIds = [
  '../x',
  '..',
  'a/b',
  '/etc/passwd',
  'a b',
  'a\0b',
  '-x',
  '.git',
  'x'.repeat(10_000),
  'é',
  'a\\b',
  '%2e%2e',
];

test('what is no id is refused by every operation, over HTTP, in paths too, and changes nothing [SYS-IDS]', async () => {
  const { hall, repo } = await startHallWithProject({ limits: { burst: 1e6 } });
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const before = traceOf(hall, repo);
  const authorization = `Bearer ${hall.token}`;
  const base = { message: 'x', title: 'x', worker: 'researcher', path: '.lore/meetings', from: 'researcher' };
  const asked: string[] = [];
  for (const description of descriptions) {
    const fields = fieldsOf(description).map(({ name }) => name);
    for (const field of fields.filter((name) => ['id', 'project', 'worker', 'name', 'from'].includes(name))) {
      for (const hostile of hostileIds) {
        const good = Object.fromEntries(Object.entries({ ...base, id }).filter(([name]) => fields.includes(name)));
        const path = `/api/${description.name.replace('.', '/')}`;
        const body = JSON.stringify({
          ...good,
          ...(path.includes('project/add') ? { path: repo.path } : {}),
          [field]: hostile,
        });
        const { status, body: problem } = await ask(hall.url, 'POST', path, { authorization }, body);
        expect([description.name, field, hostile.slice(0, 20), status]).toEqual([
          description.name,
          field,
          hostile.slice(0, 20),
          expect.toSatisfy((code: number) => code === 400 || code === 404),
        ]);
        expect(problem.length).toBeLessThan(2000);
        asked.push(`${description.name} ${field}`);
      }
    }
  }
  expect(new Set(asked).size).toBeGreaterThan(20);
  for (const hostile of hostileIds) {
    const path = `/meetings/${encodeURIComponent(hostile)}`;
    for (const [method, at] of [
      ['DELETE', path],
      ['POST', `${path}/messages`],
    ] as const) {
      const { status } = await ask(hall.url, method, at, { authorization }, method === 'POST' ? '{"message":"x"}' : '');
      expect([hostile.slice(0, 20), [400, 404].includes(status)]).toEqual([hostile.slice(0, 20), true]);
    }
  }
  expect(traceOf(hall, repo)).toEqual(before);
});

test('meetings opened within one second have ids of their own, good as file, branch and address [SYS-IDS]', async () => {
  const { hall, repo } = await startHallWithProject();
  const opened = await Promise.all([1, 2, 3, 4].map(async () => await openMeeting(hall, { message: 'Hello' })));
  const ids = opened.map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  for (const { id, branch, path } of opened) {
    expect(id).toMatch(/^[a-z0-9-]{10,100}$/);
    expect(encodeURIComponent(id)).toBe(id);
    expect(path).toBe(`.lore/meetings/${id}.md`);
    expect(repo.git('rev-parse', '--verify', branch)).toMatch(/^[0-9a-f]{40}$/);
  }
});

test('a refusal of a real hall is problem details with code, message and hint, and its status is the code’s [WEB-PROBLEM, DOOR-ERRORS]', async () => {
  const { hall } = await startHallWithProject();
  const authorization = `Bearer ${hall.token}`;
  const { id } = await openMeeting(hall, { message: 'Hello' });
  await hall.client.call('meeting.close', { id });
  const cases = [
    ['invalid', 'POST', '/api/meeting/open', '{}'],
    ['invalid', 'POST', '/api/meeting/open', '{'],
    ['not_found', 'POST', '/api/meeting/show', '{"id":"nobody-knows-it"}'],
    ['not_found', 'GET', '/api/meeting/shwo', ''],
    ['conflict', 'POST', '/api/meeting/say', JSON.stringify({ id, message: 'x' })],
    ['too_large', 'POST', '/api/meeting/open', `{"message":"${'x'.repeat(3_000_000)}"}`],
    ['forbidden', 'POST', '/api/status', '{}', { origin: 'http://evil.example' }],
    ['unauthorized', 'GET', '/api/status', '', { authorization: 'Bearer x' }],
  ] as const;
  for (const [code, method, path, body, extra] of cases) {
    const answer = await ask(hall.url, method, path, { authorization, ...extra }, body);
    expect([code, path, answer.status]).toEqual([code, path, errorTable[code].http]);
    expect(answer.type).toBe('application/problem+json');
    const problem = JSON.parse(answer.body) as Record<string, unknown>;
    expect(problem).toMatchObject({ code, status: errorTable[code].http, type: `urn:guild-hall:problem:${code}` });
    for (const part of ['title', 'detail', 'hint'])
      expect([code, part, problem[part]]).toEqual([code, part, expect.stringMatching(/\w{2,}.*\w{2,}/)]);
  }
});

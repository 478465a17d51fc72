import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock, systemIds } from '../../kernel/clock/clock.ts';
import type { EventStream } from '../../kernel/events/events.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { bindOperation, createRegistry, personCaller } from '../../kernel/operations/operations.ts';
import { deferred } from '../../kernel/pure/deferred.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';
import { createApp, type HttpFace } from './app.ts';
import type { ProblemBody } from './problems.ts';
import { createTickets } from './tickets.ts';
import { isSameToken } from './tokens.ts';

const echo = describeOperation({
  name: 'echo.send',
  access: 'write',
  audience: 'person',
  summary: 'Send it back',
  input: z.strictObject({ id: z.string().optional(), text: z.string(), times: z.number().int().default(1) }),
  output: z.object({ said: z.string() }),
  commandLine: { examples: [] },
});
const list = describeOperation({
  name: 'echo.list',
  access: 'read',
  audience: 'agents',
  summary: 'List echoes',
  input: z.strictObject({
    count: z.number().int().max(9).default(0),
    tags: z.array(z.string()).default([]),
    loud: z.boolean().default(false),
  }),
  output: z.unknown(),
  commandLine: { examples: [] },
});
const status = describeOperation({ ...list, name: 'status', input: z.strictObject({}) });
const broken = describeOperation({ ...list, name: 'echo.break', input: z.strictObject({}) });

const registry = createRegistry([
  bindOperation(echo, async (_caller, { id, text, times }) => ({ said: `${id ?? ''}${text.repeat(times)}` })),
  bindOperation(list, async (_caller, input) => input),
  bindOperation(status, async () => ({ fine: true })),
  bindOperation(broken, async () => {
    throw new TypeError('the inside of the program');
  }),
  bindOperation({ ...echo, name: 'echo.refuse' }, async () => {
    throw fail('conflict', 'It is closed.', 'Open it first.', { since: 'today' });
  }),
]);

const ctx = { clock: systemClock, ids: systemIds, log: silentLog, events: undefined as unknown as EventStream };
const face: HttpFace = {
  registry,
  aliases: [
    { method: 'POST', path: '/echoes/:id/words', operation: 'echo.send' },
    { method: 'DELETE', path: '/echoes/:text', operation: 'echo.send' },
  ],
  admissionOf: (token) => (isSameToken(token, 'secret') ? { caller: personCaller } : undefined),
  openApi: () => ({ openapi: '3.1.1' }),
  port: () => 4747,
  maxBodyBytes: 2000,
};
const app = createApp(ctx, face);

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string | undefined>;
  readonly body?: string;
}

async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Response> {
  const all = { host: 'localhost:4747', authorization: 'Bearer secret', ...headers };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return await app.request(path, { method, headers: given, ...(body === undefined ? {} : { body }) });
}

async function post(path: string, input: unknown, headers: Sent['headers'] = {}): Promise<Response> {
  return await send(path, {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

async function problemOf(response: Response): Promise<ProblemBody> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = (await response.json()) as ProblemBody;
  expect(problem).toMatchObject({ status: response.status, type: `urn:guild-hall:problem:${problem.code}` });
  for (const text of [problem.title, problem.detail, problem.hint]) expect(text).toMatch(/\S/);
  return problem;
}

describe('calls', () => {
  test('POST with JSON', async () => {
    const response = await post('/api/echo/send', { text: 'ha', times: 2 });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ said: 'haha' });
  });
  test('GET of a read, with words for input', async () => {
    const response = await send('/api/echo/list?count=3&tags=a&tags=b&loud');
    expect(await response.json()).toEqual({ count: 3, tags: ['a', 'b'], loud: true });
    expect(await (await send('/api/status')).json()).toEqual({ fine: true });
  });
  test('a read takes POST as well, and an empty body is no input', async () => {
    const response = await send('/api/echo/list', { method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(await response.json()).toEqual({ count: 0, tags: [], loud: false });
  });
  test('aliases take fields from their path', async () => {
    expect(await (await post('/echoes/e-1/words', { text: '!' })).json()).toEqual({ said: 'e-1!' });
    expect(await (await send('/echoes/bye', { method: 'DELETE' })).json()).toEqual({ said: 'bye' });
    expect(await (await post('/echoes/e-1/words', { text: '!', id: 'other' })).json()).toEqual({ said: 'e-1!' });
  });
});

describe('refusals', () => {
  test('wrong input names the field', async () => {
    const problem = await problemOf(await send('/api/echo/list?count=many&colour=red'));
    expect(problem).toMatchObject({ code: 'invalid', status: 400 });
    expect(problem.detail).toContain('"count": expected a number, given "many"');
    expect(problem.detail).toContain('no field "colour"');
    expect(problem.details).toMatchObject({ operation: 'echo.list' });
  });
  test('a change by GET', async () => {
    expect((await problemOf(await send('/api/echo/send?text=x'))).hint).toContain('POST /api/echo/send');
  });
  test.each(['/api/echo/sned', '/api/ehco/send', '/ap/echo/send'])(
    '%s is nowhere, and the near path is offered',
    async (path) => {
      const problem = await problemOf(await send(path));
      expect(problem.code).toBe('not_found');
      expect(problem.hint).toContain('Did you mean "/api/echo/send"?');
    },
  );
  test.each(['/', '/etc/passwd', '/api/../token', '/api/constructor/x', '/api/__proto__'])(
    '%s is nowhere',
    async (path) => {
      expect((await problemOf(await send(path))).code).toBe('not_found');
    },
  );
  test('an operation’s own refusal keeps code, hint and details [WEB-PROBLEM, DOOR-ERRORS]', async () => {
    const problem = await problemOf(await post('/api/echo/refuse', { text: '' }));
    expect(problem).toMatchObject({
      status: 409,
      detail: 'It is closed.',
      hint: 'Open it first.',
      details: { since: 'today' },
    });
  });
  test('a fault of the program is internal', async () => {
    expect(await problemOf(await send('/api/echo/break'))).toMatchObject({ status: 500, code: 'internal' });
  });
  test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'content type %s',
    async (type) => {
      const problem = await problemOf(await post('/api/echo/send', { text: 'x' }, { 'content-type': type }));
      expect(problem).toMatchObject({ code: 'invalid' });
      expect(problem.detail).toContain('application/json was expected');
    },
  );
  test.each(['{', 'null', '[]', '"x"', '{"text":1}', '{"__proto__":{"text":"x"}}'])('the body %s', async (body) => {
    const response = await send('/api/echo/send', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect((await problemOf(response)).code).toBe('invalid');
  });
  test('a body over the limit, said or unsaid', async () => {
    const long = { text: 'x'.repeat(3000) };
    expect((await problemOf(await post('/api/echo/send', long, { 'content-length': '3011' }))).code).toBe('too_large');
    expect((await problemOf(await post('/api/echo/send', long))).status).toBe(413);
  });
});

describe('who may ask', () => {
  test.each(['/api/echo/send', '/echoes/e-1/words', '/api/ticket'])(
    'is looked at again when the body is there: %s [SEC-TOKEN, SEC-SIGNIN-REVOKE]',
    async (path) => {
      const begun = deferred();
      const revoked = deferred();
      const said: string[] = [];
      const isIn = { now: true };
      const slow = createApp(ctx, {
        ...face,
        registry: createRegistry([
          bindOperation(echo, async (_caller, { text }) => {
            said.push(text);
            return { said: text };
          }),
        ]),
        tickets: createTickets(ctx),
        admissionOf: () => {
          begun.resolve();
          return isIn.now ? { caller: personCaller } : undefined;
        },
      });
      async function* body(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(path === '/api/ticket' ? '{"for":' : '{"text":');
        await revoked.promise;
        yield Buffer.from(path === '/api/ticket' ? '"socket"}' : '"x"}');
      }
      const answer = slow.request(path, {
        method: 'POST',
        headers: { host: 'localhost:4747', authorization: 'Bearer x', 'content-type': 'application/json' },
        body: ReadableStream.from(body()),
        duplex: 'half',
      } as RequestInit);
      await begun.promise;
      isIn.now = false;
      revoked.resolve();
      expect((await problemOf(await answer)).code).toBe('unauthorized');
      expect(said).toEqual([]);
    },
  );
  test.each([undefined, 'Bearer wrong', 'Basic secret', 'secret'])(
    'authorization %s [SEC-TOKEN]',
    async (authorization) => {
      for (const path of ['/api/status', '/api/events', '/nowhere', '/echoes/x']) {
        const response = await send(path, { headers: { authorization } });
        expect(response.headers.get('www-authenticate')).toContain('Bearer');
        expect((await problemOf(response)).code).toBe('unauthorized');
      }
    },
  );
  test('a token in the address counts for nothing', async () => {
    expect(
      (await send('/api/status?token=secret&authorization=Bearer%20secret', { headers: { authorization: undefined } }))
        .status,
    ).toBe(401);
  });
  test.each([
    [{ host: 'evil.example:4747' }],
    [{ host: undefined }],
    [{ origin: 'http://localhost:5173' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('%j is refused though the token is right [SEC-HOST, SEC-ORIGIN]', async (headers) => {
    expect((await problemOf(await post('/api/echo/send', { text: 'x' }, headers))).code).toBe('forbidden');
  });
  test('a preflight gets no permission', async () => {
    const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' };
    const response = await send('/api/echo/send', { method: 'OPTIONS', headers });
    expect(response.status).toBe(403);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
  test('every answer bears the safety headers', async () => {
    for (const response of [
      await send('/api/status'),
      await send('/nowhere'),
      await send('/api/status', { headers: { host: 'x' } }),
    ]) {
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { systemClock, systemIds } from '../../clock/clock.ts';
import { createLog } from '../../log/log.ts';
import { deferred } from '../../pure/deferred.ts';
import { activityIdSchema, type ActivityRef, projectNameSchema } from '../../pure/ids.ts';
import { errorReply, jsonReply, type RehearsalUpstream } from '../rehearsal/upstream.ts';
import type { GatewayContext } from './calls.ts';
import { type Gateway, startGateway } from './gateway.ts';
import type { ModelEntry } from './models.ts';

const activity: ActivityRef = {
  project: projectNameSchema.parse('demo'),
  kind: 'activity',
  id: activityIdSchema.parse('researcher-20260101-100000-abcd'),
};
const secretKey = 'sk-person-0123456789';

let home: string;
let models: ModelEntry[];
let logged: string;
let gateway: Gateway;
let upstream: Awaited<ReturnType<typeof startUpstream>>;

/** A model server that answers as `answer` says and remembers what it got. */
async function startUpstream() {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const state = {
    seen,
    answer: (_: IncomingMessage, response: ServerResponse): void => void response.end('{}'),
    url: '',
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      seen.push({ request, body: Buffer.concat(parts).toString() });
      state.answer(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

const rehearsal: RehearsalUpstream = {
  reply: async (body) => {
    const { messages } = body as { messages?: unknown };
    if (messages === undefined) return errorReply(400, 'invalid_request_error', 'messages: missing');
    return jsonReply(200, {
      content: [{ type: 'text', text: 'rehearsed' }],
      usage: { input_tokens: 7, output_tokens: 3 },
    });
  },
  close: async () => {},
};

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gateway-'));
  await mkdir(join(home, 'secrets'));
  models = [];
  logged = '';
  upstream = await startUpstream();
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => {
      logged += chunk.toString();
      done();
    },
  });
  const ctx: GatewayContext = {
    clock: systemClock,
    ids: systemIds,
    log: createLog({ destination }),
    config: () => ({ models }),
    home: { state: home },
  };
  gateway = await startGateway(ctx, { rehearsal });
});

afterEach(async () => {
  await gateway.close();
  await upstream.close();
  await rm(home, { recursive: true, force: true });
});

function useModel(over: Partial<ModelEntry> = {}): void {
  models = [
    {
      name: 'big',
      modelId: 'claude-sonnet-4-5',
      baseUrl: upstream.url,
      auth: { kind: 'api-key', key: secretKey },
      ...over,
    },
  ];
}

function post(token: string, body: unknown, headers: Record<string, string> = {}, path = '/v1/messages?beta=true') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(gateway.baseUrl + path, {
    method: 'POST',
    body: text,
    headers: { 'x-api-key': token, 'content-type': 'application/json', ...headers },
  });
}

const hello = { model: 'claude-sonnet-4-5', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };

function token(options: { maxBudgetUsd?: number; maxOutputTokens?: number } = {}): string {
  return gateway.grant(activity, { worker: 'researcher', ...options }).token;
}

/** fetch() sets Host by itself; this asks with any headers at all. */
async function rawRequest(headers: Record<string, string>): Promise<number> {
  const request = requestHttp(`${gateway.baseUrl}/v1/messages`, { method: 'POST', headers });
  request.end('{}');
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

describe('who may ask', () => {
  test('only under a loopback name with its own port [SEC-HOST]', async () => {
    const key = token();
    const port = new URL(gateway.baseUrl).port;
    expect(await rawRequest({ host: `evil.example:${port}`, 'x-api-key': key })).toBe(403);
    expect(await rawRequest({ host: '127.0.0.1:1', 'x-api-key': key })).toBe(403);
    expect(await rawRequest({ host: `localhost:${port}`, 'x-api-key': key })).toBe(400);
  });

  test('no web page, whatever its origin [SEC-ORIGIN]', async () => {
    const port = new URL(gateway.baseUrl).port;
    expect(await rawRequest({ host: `127.0.0.1:${port}`, origin: gateway.baseUrl, 'x-api-key': token() })).toBe(403);
  });

  test('a token of a running activity, as key or as bearer; it dies with its activity [SYS-GATEWAY]', async () => {
    const key = token();
    expect((await post('gh-guess', hello)).status).toBe(401);
    expect((await post(key, hello)).status).toBe(200);
    expect((await post('', hello, { authorization: `Bearer ${key}` })).status).toBe(200);
    gateway.revoke(activity);
    const refused = await post(key, hello);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('x-should-retry')).toBe('false');
  });

  test('granting twice gives the same token, another worker another one', () => {
    expect(token()).toBe(token());
    expect(gateway.grant(activity, { worker: 'writer' }).token).not.toBe(token());
  });
});

describe('paths and bodies', () => {
  test('hello, models and an unknown path', async () => {
    useModel();
    const headers = { 'x-api-key': token() };
    expect((await fetch(`${gateway.baseUrl}/api/hello`, { method: 'HEAD' })).status).toBe(200);
    const list = (await (await fetch(`${gateway.baseUrl}/v1/models`, { headers })).json()) as {
      data: { id: string }[];
    };
    expect(list.data.map((model) => model.id)).toEqual(['claude-sonnet-4-5']);
    expect((await fetch(`${gateway.baseUrl}/v1/models/other`, { headers })).status).toBe(404);
    expect((await post(token(), hello, {}, '/v1/other')).status).toBe(404);
  });

  test('what is no JSON object is refused, and more than 32 MB', async () => {
    expect((await post(token(), 'not json')).status).toBe(400);
    expect((await post(token(), '[1]')).status).toBe(400);
    const request = requestHttp(`${gateway.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': token(), 'content-length': String(33 * 1024 * 1024) },
    });
    // The gateway answers from the length alone and cuts the line; what follows is of no interest.
    request.on('error', () => {});
    request.write('{');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    request.destroy();
  });

  test('tokens are estimated for the rehearsal and for a server that cannot count', async () => {
    const path = '/v1/messages/count_tokens';
    const estimate = Math.ceil(JSON.stringify(hello).length / 4);
    expect(await (await post(token(), hello, {}, path)).json()).toEqual({ input_tokens: estimate });
    useModel();
    upstream.answer = (_, response) => void response.writeHead(404).end();
    expect(await (await post(token(), hello, {}, path)).json()).toEqual({ input_tokens: estimate });
  });
});

describe('the way to the model', () => {
  test("the person's key goes on, the agent's token does not [SYS-GATEWAY]", async () => {
    useModel();
    const key = token();
    await post(key, hello, { 'anthropic-beta': 'one', 'user-agent': 'claude-cli/2', cookie: 'a=b' });
    const { headers, url } = upstream.seen[0]!.request;
    expect(url).toBe('/v1/messages?beta=true');
    expect(headers['x-api-key']).toBe(secretKey);
    expect(headers['anthropic-beta']).toBe('one');
    expect(headers['user-agent']).toBe('claude-cli/2');
    expect(JSON.stringify(headers)).not.toContain(key);
    expect(headers['cookie']).toBeUndefined();
  });

  test('a setup token is a bearer with its own beta; none is nothing', async () => {
    useModel({ auth: { kind: 'setup-token', key: 'sk-oat-1' } });
    await post(token(), hello, { 'anthropic-beta': 'one' });
    useModel({ auth: { kind: 'none' } });
    await post(token(), hello);
    const [setup, none] = upstream.seen.map((call) => call.request.headers);
    expect(setup?.authorization).toBe('Bearer sk-oat-1');
    expect(setup?.['anthropic-beta']).toBe('one,oauth-2025-04-20');
    expect(setup?.['x-api-key']).toBeUndefined();
    expect(none?.authorization).toBeUndefined();
    expect(none?.['x-api-key']).toBeUndefined();
  });

  test('the key is read at each call, so that a changed one acts at once', async () => {
    useModel({ auth: { kind: 'api-key', secret: 'big' } });
    const missing = await post(token(), hello);
    expect(missing.status).toBe(401);
    expect(await missing.text()).toContain(join('secrets', 'big'));
    for (const key of ['sk-first', 'sk-second\n']) {
      await writeFile(join(home, 'secrets', 'big'), key, { mode: 0o600 });
      expect((await post(token(), hello)).status).toBe(200);
    }
    expect(upstream.seen.map((call) => call.request.headers['x-api-key'])).toEqual(['sk-first', 'sk-second']);
  });

  test.each(['../../token', '/etc/passwd', ''])('a secret that is no file name is refused: %j', async (secret) => {
    useModel({ auth: { kind: 'api-key', secret } });
    expect((await post(token(), hello)).status).toBe(401);
    expect(upstream.seen).toHaveLength(0);
  });

  test('the request names the configured model; the same bytes go on when it does already', async () => {
    useModel({ modelId: 'local-7b', baseUrl: `${upstream.url}/v1/` });
    const body = JSON.stringify({ ...hello, model: 'claude-haiku-x' }, null, 2);
    await post(token(), body);
    await post(token(), body.replace('claude-haiku-x', 'local-7b'));
    expect((JSON.parse(upstream.seen[0]!.body) as { model: string }).model).toBe('local-7b');
    expect(upstream.seen[1]!.body).toBe(body.replace('claude-haiku-x', 'local-7b'));
    expect(upstream.seen[0]!.request.url).toBe('/v1/messages?beta=true');
  });

  test('errors of the server come through with status and retry-after, without the key', async () => {
    useModel();
    upstream.answer = (_, response) => {
      response.writeHead(429, { 'retry-after': '7', 'content-type': 'application/json', 'set-cookie': 'a=b' });
      response.end(JSON.stringify({ error: { message: `key ${secretKey} is limited` } }));
    };
    const answer = await post(token(), hello);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await answer.text()).toBe('{"error":{"message":"key [kept back] is limited"}}');
  });

  test('a server that is not there, and one that sends elsewhere, are told as such', async () => {
    useModel({ baseUrl: 'http://127.0.0.1:9' });
    const gone = await post(token(), hello);
    expect(gone.status).toBe(502);
    expect(await gone.text()).toMatch(/at http:\/\/127\.0\.0\.1:9 cannot be reached \(ECONNREFUSED\)/);
    useModel();
    upstream.answer = (_, response) => void response.writeHead(302, { location: 'http://evil.example' }).end();
    expect((await post(token(), hello)).status).toBe(502);
    useModel({ baseUrl: 'ftp://x' });
    expect((await post(token(), hello)).status).toBe(400);
  });

  test('neither a token nor a key is ever logged [SYS-GATEWAY]', async () => {
    useModel();
    const key = token();
    await (await post(key, hello)).text();
    await (await post('gh-wrong-token', hello)).text();
    expect(logged).toContain('model call');
    for (const secret of [key, secretKey, 'gh-wrong-token']) expect(logged).not.toContain(secret);
  });
});

describe('streams', () => {
  const start = `event: message_start\ndata: ${JSON.stringify({ message: { usage: { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 40 } } })}\n\n`;
  const end = `event: message_delta\ndata: ${JSON.stringify({ usage: { output_tokens: 50 } })}\n\n`;

  test('arrive piece by piece, and are counted', async () => {
    useModel();
    let goOn = (): void => {};
    upstream.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(start);
      goOn = () => response.end(end);
    };
    const answer = await post(token(), { ...hello, stream: true });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(start);
    goOn();
    expect((await reader.read()).value).toBe(end);
    expect((await reader.read()).done).toBe(true);
    expect(gateway.usageOf(activity)).toMatchObject({
      calls: 1,
      inputTokens: 100,
      outputTokens: 50,
      cacheReadTokens: 40,
    });
    expect(gateway.usageOf(activity).costUsd).toBeCloseTo((100 * 3 + 40 * 0.3 + 50 * 15) / 1e6, 12);
  });

  test('end at the server when the client goes, or the token is revoked; what was used counts', async () => {
    useModel();
    for (const how of ['client', 'revoke'] as const) {
      const closed = deferred();
      upstream.answer = (_, response) => {
        response.on('close', () => closed.resolve());
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(start);
      };
      const stop = new AbortController();
      const answer = await fetch(`${gateway.baseUrl}/v1/messages`, {
        method: 'POST',
        body: JSON.stringify({ ...hello, stream: true }),
        headers: { 'x-api-key': token() },
        signal: stop.signal,
      });
      const reader = answer.body!.getReader();
      await reader.read();
      if (how === 'client') stop.abort();
      else gateway.revoke(activity);
      await closed.promise;
      await expect(reader.read()).rejects.toThrow(/terminated|abort/);
    }
    expect(gateway.usageOf(activity).inputTokens).toBe(200);
  });

  test('wait for a slow reader instead of piling up', async () => {
    useModel();
    const piece = Buffer.alloc(64 * 1024, 'x');
    let sent = 0;
    const full = deferred();
    upstream.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const push = (): void => {
        while (sent < 64 * 1024 * 1024) {
          sent += piece.length;
          if (!response.write(piece)) {
            full.resolve();
            response.once('drain', push);
            return;
          }
        }
        response.end();
      };
      push();
    };
    const request = requestHttp(`${gateway.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': token() },
    });
    request.end(JSON.stringify({ ...hello, stream: true }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.pause();
    await full.promise;
    // Nobody reads: what has been sent must come to a stop far below the whole.
    for (let quiet = 0, before = sent; quiet < 200; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (sent !== before) quiet = 0;
      before = sent;
    }
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    request.destroy();
  });
});

describe('budget', () => {
  test('a spent budget refuses further calls, by name and without a retry', async () => {
    useModel();
    upstream.answer = (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ usage: { input_tokens: 1_000_000, output_tokens: 0 } }));
    const key = token({ maxBudgetUsd: 2 });
    expect((await post(key, hello)).status).toBe(200);
    const refused = await post(key, hello);
    expect(refused.status).toBe(402);
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(await refused.text()).toContain('budget reached ($3.00 of $2.00)');
    expect(upstream.seen).toHaveLength(1);
  });

  test('output tokens that are granted are all there are: each call has the rest, and none comes after the last', async () => {
    useModel();
    upstream.answer = (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ usage: { input_tokens: 1, output_tokens: 3000 } }));
    const key = token({ maxOutputTokens: 5000 });
    const asked = {
      ...hello,
      max_tokens: 32_000,
      thinking: { type: 'enabled', budget_tokens: 30_000 },
      context_management: {},
    };
    for (const status of [200, 200, 402]) {
      const answer = await post(key, asked);
      expect(answer.status).toBe(status);
      if (status === 402) expect(await answer.text()).toContain('token limit reached (6000 of 5000 output tokens)');
      else await answer.text();
    }
    const bodies = upstream.seen.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(bodies).toMatchObject([
      { max_tokens: 5000, thinking: { type: 'enabled', budget_tokens: 2500 } },
      { max_tokens: 2000 },
    ]);
    expect(Object.keys(bodies[1]!).filter((name) => /thinking|context/.test(name))).toEqual([]);
    expect((await post(token({ maxOutputTokens: 5000 }), asked)).status).toBe(200);
  });

  test('a model without a known price has no cost, and the rehearsal costs nothing', async () => {
    await post(token({ maxBudgetUsd: 1 }), hello);
    expect(gateway.usageOf(activity)).toMatchObject({ calls: 1, inputTokens: 7, outputTokens: 3, costUsd: 0 });
    useModel({ modelId: 'local-7b' });
    await (await post(token({ maxBudgetUsd: 1 }), hello)).text();
    expect(gateway.usageOf(activity).costUsd).toBeNull();
    expect((await post(token({ maxBudgetUsd: 1 }), hello)).status).toBe(200);
  });
});

describe('which model', () => {
  test('none configured is the rehearsal, labelled; a missing name is stood in for', () => {
    expect(gateway.describeModel()).toMatchObject({ name: 'rehearsal', isRehearsal: true });
    expect(gateway.describeModel().label).toContain('rehearsal');
    expect(gateway.describeModel('opus')).toMatchObject({ isRehearsal: true, standsInFor: 'opus' });
    useModel();
    expect(gateway.describeModel()).toMatchObject({ name: 'big', isRehearsal: false, contextWindow: 200_000 });
    expect(gateway.describeModel('claude-sonnet-4-5').standsInFor).toBeUndefined();
    expect(gateway.describeModel('rehearsal').isRehearsal).toBe(true);
    expect(gateway.grant(activity, { worker: 'x' }).model).toBe('claude-sonnet-4-5');
  });
});

describe('complete', () => {
  const ask = { system: 'be brief', prompt: 'sum up', maxTokens: 100 };

  test('gives the text, and counts it to the activity, with or without a token', async () => {
    expect(await gateway.complete(activity, ask)).toBe('rehearsed');
    useModel();
    upstream.answer = (_, response) =>
      void response.end(
        JSON.stringify({
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        }),
      );
    expect(await gateway.complete(activity, ask)).toBe('ab');
    expect(JSON.parse(upstream.seen[0]!.body)).toMatchObject({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      stream: false,
    });
    expect(gateway.usageOf(activity).calls).toBe(2);
  });

  test.each([
    [401, 'unauthorized'],
    [429, 'limit'],
    [500, 'unavailable'],
  ])('a %i of the server is "%s", in its own words', async (status, code) => {
    useModel();
    upstream.answer = (_, response) => void response.writeHead(status).end('{"error":{"message":"so it is"}}');
    await expect(gateway.complete(activity, ask)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('so it is'),
    });
  });

  test('a server that says nothing is given up', async () => {
    useModel();
    upstream.answer = () => {};
    await expect(gateway.complete(activity, { ...ask, timeoutMs: 40 })).rejects.toMatchObject({ code: 'unavailable' });
  });
});

test('a taken port is told, with what to do', async () => {
  const ctx = {
    clock: systemClock,
    ids: systemIds,
    log: createLog({ level: 'silent' }),
    config: () => ({ models }),
    home: { state: home },
  };
  const port = Number(new URL(gateway.baseUrl).port);
  await expect(startGateway(ctx, { port, rehearsal })).rejects.toMatchObject({ code: 'conflict' });
});

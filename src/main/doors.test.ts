import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestDoors } from '../../test/help/doors.ts';
import { createClient } from '../interfaces/cli/client.ts';
import { readServerEvents, type ServerEvent } from '../kernel/events/server-events.ts';
import { systemClock, systemIds, type Clock } from '../kernel/clock/clock.ts';
import { openEventStream, type EventStream } from '../kernel/events/events.ts';
import { silentLog } from '../kernel/log/log.ts';
import { bindOperation, createRegistry, personCaller } from '../kernel/operations/operations.ts';
import { deferred } from '../kernel/pure/deferred.ts';
import { errorFactsOf } from '../kernel/pure/errors.ts';
import { describeOperation } from '../kernel/pure/operations.ts';
import { printCursor, type HallEvent } from '../kernel/pure/events.ts';
import { createApp } from '../interfaces/http/app.ts';
import { serveApp, type Served } from '../interfaces/http/serve.ts';
import { isSameToken } from '../interfaces/http/tokens.ts';

const echo = describeOperation({
  name: 'echo.send',
  access: 'write',
  audience: 'person',
  summary: 'Send it back',
  input: z.strictObject({ text: z.string() }),
  output: z.object({ said: z.string() }),
  commandLine: { examples: [] },
});

let folder: string;
let events: EventStream;
let served: Served;
let clock: Clock;
let beat: { resolve: () => void };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gh-http-'));
  const ctx = { clock: systemClock, ids: systemIds, log: silentLog };
  events = await openEventStream(ctx, join(folder, 'events'));
  // Time passes for the stream only when a test says so.
  clock = {
    ...systemClock,
    sleep: async (_ms, signal) => {
      const late = deferred();
      beat = late;
      signal?.addEventListener('abort', () => late.resolve());
      await late.promise;
    },
  };
  const app = createApp(
    { clock, log: silentLog, events },
    {
      registry: createRegistry([
        bindOperation(echo, async (_caller, { text }) => ({ said: text })),
        bindOperation({ ...echo, name: 'echo.list', access: 'read', input: z.strictObject({}) }, async () => ({
          said: '',
        })),
      ]),
      aliases: [{ method: 'DELETE', path: '/echoes/:text', operation: 'echo.send' }],
      admissionOf: (token) => (isSameToken(token, 'secret') ? { caller: personCaller } : undefined),
      openApi: () => ({ openapi: '3.1.1' }),
      port: () => served.port,
    },
  );
  served = await serveApp((request) => app.fetch(request), { port: 0 });
});

afterEach(async () => {
  await events.close();
  await served.close();
  await rm(folder, { recursive: true, force: true });
});

const publish = (text: string, subject = 'thing:a', project: string | null = 'p'): HallEvent =>
  events.publish({ type: 'thing.said', project, subject, data: { text } });

interface Reader {
  readonly next: () => Promise<ServerEvent | undefined>;
  readonly leave: () => void;
}

async function read(query = '', headers: Record<string, string> = {}): Promise<Reader> {
  const leaving = new AbortController();
  const response = await fetch(`${served.url}/api/events${query}`, {
    headers: { authorization: 'Bearer secret', ...headers },
    signal: leaving.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const list = readServerEvents(response.body!);
  return {
    next: async () => {
      const { value, done } = (await list.next()) as IteratorResult<ServerEvent>;
      return done === true ? undefined : value;
    },
    leave: () => leaving.abort(),
  };
}

const textOf = (event: ServerEvent | undefined): unknown =>
  event === undefined || event.data === ''
    ? event
    : (JSON.parse(event.data) as HallEvent<string, { text: string }>).data.text;

describe('GET /api/events', () => {
  test('begins with the present cursor, then gives what comes, each with its cursor', async () => {
    publish('before');
    const reader = await read();
    expect(await reader.next()).toEqual({ id: printCursor(events.cursor()), event: 'message', data: '' });
    const said = publish('after');
    const event = await reader.next();
    expect(event).toMatchObject({ id: printCursor(said), event: 'thing.said' });
    expect(JSON.parse(event!.data)).toEqual(said);
    reader.leave();
  });

  test('from a cursor nothing is lost, by query or by Last-Event-ID, and the header wins [WEB-CURSOR]', async () => {
    const start = printCursor(events.cursor());
    const first = publish('one');
    publish('two');
    const all = await read(`?after=${start}`);
    await all.next();
    expect([textOf(await all.next()), textOf(await all.next())]).toEqual(['one', 'two']);
    const later = await read(`?after=${start}`, { 'last-event-id': printCursor(first) });
    await later.next();
    expect(textOf(await later.next())).toBe('two');
    all.leave();
    later.leave();
  });

  test('only of one subject or project', async () => {
    const bySubject = await read('?subject=thing:b');
    const byProject = await read('?project=q');
    await bySubject.next();
    await byProject.next();
    publish('a in p');
    publish('b in p', 'thing:b');
    publish('a in q', 'thing:a', 'q');
    expect(textOf(await bySubject.next())).toBe('b in p');
    expect(textOf(await byProject.next())).toBe('a in q');
    bySubject.leave();
    byProject.leave();
  });

  test('a cursor of another numbering begins with a gap', async () => {
    publish('one');
    const reader = await read('?after=elsewhere.7');
    await reader.next();
    expect(await reader.next()).toMatchObject({ event: 'stream.gap' });
    reader.leave();
  });

  test('a hole in the middle of what is kept is told where it is [WEB-CURSOR]', async () => {
    const start = events.cursor();
    for (const text of ['one', 'two', 'three', 'four']) publish(text);
    const dir = join(folder, 'events');
    const [name] = await readdir(dir);
    const lines = (await readFile(join(dir, name!), 'utf8')).split('\n');
    // As long as it was, so that all later lines stand where they stood.
    lines[2] = 'x'.repeat(lines[2]!.length);
    await writeFile(join(dir, name!), lines.join('\n'));
    const reader = await read(`?after=${printCursor(start)}`);
    await reader.next();
    expect([textOf(await reader.next()), textOf(await reader.next())]).toEqual(['one', 'two']);
    const after = printCursor({ ...start, seq: start.seq + 2 });
    expect(await reader.next()).toMatchObject({ event: 'stream.gap', data: JSON.stringify({ after }) });
    expect(textOf(await reader.next())).toBe('four');
    reader.leave();
  });

  test('a quiet stream shows that it lives', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${served.url}/api/events`, {
      headers: { authorization: 'Bearer secret' },
      signal: leaving.signal,
    });
    const chunks = response.body!.getReader();
    const decoder = new TextDecoder();
    let text = '';
    while (!text.includes('\n\n')) text += decoder.decode((await chunks.read()).value);
    beat.resolve();
    while (!text.includes(': still here')) text += decoder.decode((await chunks.read()).value);
    leaving.abort();
    expect(text).toMatch(/\n\n: still here\n\n$/);
  });

  test.each(['nonsense', 'a.b', '../../x', 'e.-1'])('the cursor %s is refused', async (cursor) => {
    const response = await fetch(`${served.url}/api/events?after=${encodeURIComponent(cursor)}`, {
      headers: { authorization: 'Bearer secret' },
    });
    expect(response.status).toBe(400);
  });

  test('a reader that takes nothing is dropped, and misses nothing when it comes back [SYS-EVENTS, WEB-CURSOR]', async () => {
    const slow = await read();
    const start = (await slow.next())!.id!;
    // More than are kept for one reader, told before it can take a single one.
    const total = 1100;
    const padding = 'x'.repeat(200);
    for (let count = 1; count <= total; count += 1) publish(`${count} ${padding}`);
    const numbers: number[] = [];
    let lastId = start;
    for (let event = await slow.next(); event !== undefined; event = await slow.next()) {
      numbers.push(Number.parseInt(String(textOf(event)), 10));
      lastId = event.id!;
    }
    expect(numbers.length).toBeLessThan(total);
    const back = await read('', { 'last-event-id': lastId });
    await back.next();
    while (numbers.length < total) numbers.push(Number.parseInt(String(textOf(await back.next())), 10));
    expect(numbers).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    back.leave();
  });
});

describe('the command line’s client', () => {
  test('follows over a broken connection without losing or doubling [WEB-CURSOR]', async () => {
    const client = createClient(folder, served.url, 'secret');
    const leaving = new AbortController();
    const start = printCursor(events.cursor());
    const stream = client.events({ subject: 'thing:a', after: start, signal: leaving.signal });
    publish('one');
    expect((await stream.next()).value).toMatchObject({ data: { text: 'one' } });
    const port = served.port;
    await served.close();
    publish('while away');
    const app = createApp(
      { clock, log: silentLog, events },
      {
        registry: createRegistry([]),
        aliases: [],
        admissionOf: () => ({ caller: personCaller }),
        openApi: () => ({}),
        port: () => port,
      },
    );
    served = await serveApp((request) => app.fetch(request), { port });
    publish('back');
    expect((await stream.next()).value).toMatchObject({ data: { text: 'while away' } });
    expect((await stream.next()).value).toMatchObject({ data: { text: 'back' } });
    leaving.abort();
    expect((await stream.next()).done).toBe(true);
  });

  test('a hall that is gone is said to be gone', async () => {
    const client = createClient(folder, served.url, 'secret');
    await served.close();
    const error = await client.call('x.y', {}).catch(errorFactsOf);
    expect(error).toMatchObject({ code: 'unavailable', hint: 'guild-hall up --detach' });
  });

  test('a script that hurries is slowed down, not refused [SEC-LIMITS]', async () => {
    const doors = await openTestDoors({ limits: { burst: 1, callsPerSecond: 1 } });
    const client = createClient(folder, doors.url, 'secret');
    const said = [];
    for (const text of ['one', 'two']) said.push(await client.call('echo.send', { text }));
    expect(said).toEqual([{ said: 'one' }, { said: 'two' }]);
    expect(doors.sent).toEqual(['one', 'two']);
    await doors.close();
  });

  test('problems come back as they were', async () => {
    const client = createClient(folder, served.url, 'wrong');
    expect(await client.call('x.y', {}).catch(errorFactsOf)).toMatchObject({ code: 'unauthorized' });
  });
});

describe('over the wire', () => {
  const send = async (method: string, path: string, body?: string | ReadableStream, type = 'application/json') => {
    const init = { method, headers: { authorization: 'Bearer secret', 'content-type': type }, duplex: 'half' };
    const response = await fetch(`${served.url}${path}`, {
      ...init,
      ...(body === undefined ? {} : { body }),
    } as RequestInit);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const streamOf = (text: string) => new Blob([text]).stream();

  test('calls with a body, with a streamed one, and with none', async () => {
    const said = { status: 200, body: { said: 'hello' } };
    expect(await send('POST', '/api/echo/send', '{"text":"hello"}')).toEqual(said);
    expect(await send('POST', '/api/echo/send', streamOf('{"text":"hello"}'))).toEqual(said);
    expect(await send('DELETE', '/echoes/hello')).toEqual(said);
    expect(await send('GET', '/api/echo/list')).toMatchObject({ status: 200 });
    expect(await send('POST', '/api/echo/list')).toMatchObject({ status: 200 });
  });

  test('a body over the limit, told or streamed', async () => {
    const long = `{"text":"${'x'.repeat(3 * 1024 * 1024)}"}`;
    expect(await send('POST', '/api/echo/send', long)).toMatchObject({ status: 413, body: { code: 'too_large' } });
    const streamed = await send('POST', '/api/echo/send', streamOf(long)).catch(() => 'cut off');
    if (streamed !== 'cut off') expect(streamed).toMatchObject({ status: 413 });
    expect(await send('POST', '/api/echo/send', '{"text":"still here"}')).toMatchObject({ status: 200 });
  });
});

describe('serveApp', () => {
  test.each(['0.0.0.0', '::', '192.168.1.5', 'example.org'])('does not bind to %s [SEC-LOOPBACK]', async (host) => {
    const error = await serveApp(() => new Response(), { port: 0, host }).catch(errorFactsOf);
    expect(error).toMatchObject({ code: 'forbidden' });
  });

  test('a taken port is named, with what to do', async () => {
    const error = await serveApp(() => new Response(), { port: served.port }).catch(errorFactsOf);
    expect(error).toMatchObject({ code: 'conflict', message: `Port ${served.port} is in use by another program.` });
  });

  test('listens on loopback only', () => {
    expect(served.url).toBe(`http://127.0.0.1:${served.port}`);
  });
});

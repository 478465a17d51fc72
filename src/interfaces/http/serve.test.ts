/** Connections that are there to hold a place: over real sockets. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { openTestDoors, type TestDoors } from '../../../test/help/doors.ts';
import { ask } from '../../../test/help/page-sockets.ts';
import { personCaller } from '../../kernel/operations/operations.ts';
import type { ServeOptions } from './serve.ts';

let doors: TestDoors;
const sockets: Socket[] = [];
const open = async (serve: Partial<ServeOptions>): Promise<void> => void (doors = await openTestDoors({ serve }));
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await doors.close();
});

/** A connection whose end can be waited for; a broken one is an ended one. */
async function connected(): Promise<Socket & { readonly gone: Promise<unknown> }> {
  const socket = connect(doors.port, '127.0.0.1').on('error', () => socket.destroy());
  sockets.push(socket);
  const gone = once(socket, 'close');
  await once(socket, 'connect');
  return Object.assign(socket, { gone });
}

const status = async (): Promise<number> => {
  const headers = { host: `127.0.0.1:${doors.port}`, authorization: 'Bearer secret' };
  return (await ask(doors.port, { path: '/api/x', headers })).status;
};

test('a request that never ends its headers, or never begins, is cut off [SEC-LIMITS]', async () => {
  await open({ headersMs: 200 });
  const [slow, silent] = [await connected(), await connected()];
  slow.write('GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
  let answer = '';
  slow.on('data', (part) => (answer += String(part)));
  silent.resume();
  await Promise.all([slow.gone, silent.gone]);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(await status()).toBe(404);
});

test('more connections than are taken are closed at once, and there is room again when one ends [SEC-LIMITS]', async () => {
  await open({ maxConnections: 3 });
  const held = [await connected(), await connected(), await connected()];
  const over = await connected();
  over.resume();
  await over.gone;
  held[0]!.destroy();
  await held[0]!.gone;
  await expect.poll(async () => await status().catch(() => 'refused')).toBe(404);
});

test('the reader of an event stream that takes nothing is cut off; one that reads stays [SEC-LIMITS, SYS-EVENTS]', async () => {
  await open({ stallMs: 300 });
  const stuck = await connected();
  const head = `Host: 127.0.0.1:${doors.port}\r\nAuthorization: Bearer secret\r\n`;
  stuck.pause();
  stuck.write(`GET /api/events HTTP/1.1\r\n${head}\r\n`);
  const reading = await connected();
  let got = 0;
  reading.on('data', (part: Buffer) => (got += part.length));
  reading.write(`GET /api/events HTTP/1.1\r\n${head}\r\n`);
  await once(reading, 'data');
  const both = countOfStreams();
  expect(both()).toBe(2);
  // More than the system's buffers hold; and then, now and then, something for the one that reads.
  while (both() === 2) {
    doors.publish('x'.repeat(100_000));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(both()).toBe(1);
  expect(reading.destroyed).toBe(false);
  expect(got).toBeGreaterThan(0);
  reading.destroy();
});

test('a connection that was handed over and breaks harms nobody, and one that stays does not keep the port', async () => {
  const handed: Duplex[] = [];
  await open({ upgrade: (_request, socket) => handed.push(socket) });
  const upgrade = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
  const [breaks, stays] = [await connected(), await connected()];
  breaks.write(upgrade);
  stays.write(upgrade);
  await expect.poll(() => handed.length).toBe(2);
  breaks.resetAndDestroy();
  await expect.poll(() => handed.filter(({ destroyed }) => destroyed).length).toBe(1);
  expect(await status()).toBe(404);
  stays.resume();
  await doors.close();
  await stays.gone;
  await open({});
});

/** How many event streams are open, by how many more would be let in. */
function countOfStreams(): () => number {
  return () => {
    const probes = [];
    try {
      for (;;) probes.push(doors.streams.open({ caller: personCaller }, 'events'));
    } catch {
      // The limit: what is missing to it is open.
      return doors.limits.settings.streams - probes.length;
    } finally {
      for (const probe of probes) probe.leave();
    }
  };
}

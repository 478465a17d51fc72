import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../../../test/help/repositories.ts';
import { createClient, findHall } from './client.ts';
import { isGone } from './follow.ts';

test('the record of a newer hall is refused with a hint, not taken for no hall, and left as it is [SYS-VERSION]', async () => {
  const home = await tempFolder();
  mkdirSync(join(home, 'state'));
  const file = join(home, 'state/hall.json');
  const text = '{"version":2,"what":"a later form"}';
  writeFileSync(file, text);
  await expect(findHall(home)).rejects.toMatchObject({
    code: 'conflict',
    hint: expect.stringContaining('newer program'),
  });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a record that is no record counts as no hall', async () => {
  const home = await tempFolder();
  mkdirSync(join(home, 'state'));
  writeFileSync(join(home, 'state/hall.json'), 'half a rec');
  expect(await findHall(home)).toBeUndefined();
});

test('a call waits as long as its operation takes: a check before a merge may take longer than fetch has patience', async () => {
  const late: ServerResponse[] = [];
  const server = createServer((_request, response) => void late.push(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const impatient = await impatientFetch();
  onTestFinished(impatient.undo);
  const given = createClient(await tempFolder(), url, 'token').call('commission.merge', {});
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(late).toHaveLength(2);
  for (const response of late) response.end('{"commit":null}');
  expect(await given).toEqual({ commit: null });
});

test('a call reaches the hall that was started anew between two calls, and not its socket of before', async () => {
  const answering = async (port: number) => {
    const server = createServer((request, response) => request.resume().on('end', () => response.end('{"x":1}')));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return server;
  };
  const first = await answering(0);
  const { port } = first.address() as AddressInfo;
  const client = createClient(await tempFolder(), `http://127.0.0.1:${port}`, 'token');
  expect(await client.call('council.show', {})).toEqual({ x: 1 });
  first.closeAllConnections();
  await new Promise((closed) => first.close(closed));
  await answering(port);
  expect(await client.call('council.show', {})).toEqual({ x: 1 });
});

test('what the hall cannot do is told as it says it; only a hall that does not answer is gone', async () => {
  const full = { code: 'unavailable', detail: 'The disk is full.', hint: 'Make room.' };
  const server = createServer((request, response) =>
    request.resume().on('end', () => response.writeHead(503).end(JSON.stringify(full))),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient(await tempFolder(), url, 'token');
  const told = await client.call('council.answer', {}).catch((error: unknown) => error);
  expect(told).toMatchObject({ code: 'unavailable', message: 'The disk is full.' });
  expect(isGone(told)).toBe(false);
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  expect(isGone(await client.call('council.answer', {}).catch((error: unknown) => error))).toBe(true);
});

/** Lets every `fetch` give up after a second, as it does after five minutes. */
async function impatientFetch(): Promise<{ undo: () => void }> {
  // It makes its dispatcher at the first call.
  await fetch('data:,');
  const global = globalThis as unknown as Record<symbol, object>;
  const key = Symbol.for('undici.globalDispatcher.1');
  const usual = global[key]!;
  const Dispatcher = usual.constructor as new (options: object) => object;
  global[key] = new Dispatcher({ headersTimeout: 1000 });
  return { undo: () => void (global[key] = usual) };
}

/** Binds an app to a port of this machine alone. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { deferred } from '../../kernel/pure/deferred.ts';
import { fail } from '../../kernel/pure/errors.ts';

export interface Served {
  readonly port: number;
  readonly url: string;
  /** Takes no more requests, ends what is open, and resolves when the port is free. Safe to call twice. */
  close(): Promise<void>;
}

export interface ServeOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Only loopback is taken. */
  readonly host?: string;
  readonly maxConnections?: number;
}

const loopbackHosts = ['127.0.0.1', 'localhost'];

/**
 * Starts to listen.
 * @throws HallError `forbidden` for a host that is not loopback, `conflict` for a taken port, `invalid` for no port
 */
export async function serveApp(
  handle: (request: Request) => Response | Promise<Response>,
  options: ServeOptions,
): Promise<Served> {
  const { port: wanted, host = '127.0.0.1' } = options;
  requireLoopback(host);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) {
    throw fail('invalid', `${wanted} is no port.`, 'Give a number from 0 to 65535; 0 takes a free one.');
  }
  const server = createAdaptorServer({ fetch: handle }) as Server;
  server.maxConnections = options.maxConnections ?? 512;
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  await listen(server, wanted);
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeServer(server));
  return { port, url: `http://127.0.0.1:${port}`, close };
}

function requireLoopback(host: string): void {
  if (loopbackHosts.includes(host)) return;
  throw fail(
    'forbidden',
    `The hall binds to this machine alone, and "${host}" can be reached from others: whoever reads the token on the way could act as you.`,
    'Use 127.0.0.1, and reach it from elsewhere through a tunnel such as `ssh -L 4747:127.0.0.1:4747 <machine>`.',
  );
}

async function listen(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = deferred();
  server.once('listening', resolve);
  server.once('error', reject);
  server.listen(port, '127.0.0.1');
  try {
    await promise;
  } catch (error) {
    throw refusalOfPort(port, error as NodeJS.ErrnoException);
  } finally {
    server.off('listening', resolve).off('error', reject);
  }
}

function refusalOfPort(port: number, error: NodeJS.ErrnoException) {
  const hint = 'Take another one: guild-hall up --port 0 (any free one), or set `port` in config.yaml.';
  if (error.code === 'EADDRINUSE')
    return fail('conflict', `Port ${port} is in use by another program.`, hint, { port });
  if (error.code === 'EACCES')
    return fail('forbidden', `The system does not let you use port ${port}.`, hint, { port });
  return fail('unavailable', `Port ${port} could not be opened: ${error.message}`, hint, { port }, error);
}

async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = deferred();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}

/** Binds an app to a port of this machine alone. */
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
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
  /** Takes over a connection that is to speak something else than HTTP. Without it there is no such thing. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** How long a request may take to say its headers. Milliseconds. */
  readonly headersMs?: number;
  /** How long the reader of an event stream may take nothing. Milliseconds; longer than between two signs of life. */
  readonly stallMs?: number;
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
  const server = createServer(handle, options);
  const upgraded = takeUpgrades(server, options);
  await listen(server, wanted);
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeServer(server, upgraded));
  return { port, url: `http://127.0.0.1:${port}`, close };
}

function createServer(handle: (request: Request) => Response | Promise<Response>, options: ServeOptions): Server {
  const { headersMs = 10_000, stallMs = 40_000 } = options;
  const server = createAdaptorServer({
    fetch: async (request, { outgoing }) => {
      const response = await handle(request);
      const type = response.headers.get('content-type') ?? '';
      // One that stops reading would hold its place forever: it is sent nothing more, so nothing fails.
      if (type.startsWith('text/event-stream')) outgoing.setTimeout(stallMs, () => outgoing.destroy());
      return response;
    },
    serverOptions: { connectionsCheckingInterval: Math.min(2000, headersMs) },
  }) as Server;
  server.maxConnections = options.maxConnections ?? 512;
  server.headersTimeout = headersMs;
  server.requestTimeout = 60_000;
  return server;
}

/** Connections that were handed over are known to nobody else. @returns those that are open */
function takeUpgrades(server: Server, { upgrade }: ServeOptions): ReadonlySet<Duplex> {
  const upgraded = new Set<Duplex>();
  if (!upgrade) return upgraded;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    // A connection that breaks is closed by that; there is nobody to be told.
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head);
  });
  return upgraded;
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

async function closeServer(server: Server, upgraded: ReadonlySet<Duplex>): Promise<void> {
  const { promise, resolve } = deferred();
  server.close(() => resolve());
  server.closeAllConnections();
  for (const socket of upgraded) socket.destroy();
  await promise;
}

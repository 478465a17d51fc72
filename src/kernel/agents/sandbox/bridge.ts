/**
 * The way to the gateway for a program without a network: a Unix socket of the hall that leads to the gateway's port and
 * nowhere else, and inside a small forwarder that listens on that very port. Other ports have sockets of their own.
 */
import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { LogContext } from '../../log/log.ts';
import { fail } from '../../pure/errors.ts';
import type { Command } from './contract.ts';

/** Where the sockets stand inside. */
export const waysInside = '/run/guild-hall';

/** Name of the socket that leads to a port. */
export function socketName(port: number): string {
  return `${port}.sock`;
}

/** Longer paths cannot be the name of a socket. Bytes. */
export const longestSocketPath = 100;

export interface Bridge {
  readonly path: string;
  readonly close: () => Promise<void>;
}

/** @param path of the socket, in a folder of the hall alone */
export async function openBridge(ctx: LogContext, path: string, port: number): Promise<Bridge> {
  // One that a hall has left which is gone: nobody listens there.
  await rm(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer((from) => join(ctx, open, from, connect(port, '127.0.0.1')));
  server.listen(path);
  await once(server, 'listening').catch((error: unknown) => {
    const hint = 'Set GUILD_HALL_HOME to a folder with a shorter path, or `sandbox.network: full` in config.yaml.';
    throw fail('unavailable', `The way to the model cannot be opened: ${path}.`, hint, { path }, error);
  });
  await chmod(path, 0o600);
  return { path, close: () => closeBridge(server, open) };
}

function join(ctx: LogContext, open: Set<Socket>, from: Socket, to: Socket): void {
  for (const [one, other] of [
    [from, to],
    [to, from],
  ] as const) {
    open.add(one);
    one.pipe(other);
    one.on('error', (error) => ctx.log.debug({ err: error }, 'a connection of an agent to the gateway broke'));
    one.on('close', () => {
      open.delete(one);
      other.destroy();
    });
  }
}

async function closeBridge(server: Server, open: Set<Socket>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of open) socket.destroy();
  await closed;
}

/**
 * Runs inside, so it is words for Node and no module of the hall: folder of sockets, ports, program, its words. The
 * program gets its streams unchanged; when it ends, the forwarder ends as it did. Keys that are meant for the program
 * (Ctrl-C in a terminal) do not end the forwarder.
 */
const forwarder = `
const net = require('node:net');
const [folder, ports, file, ...args] = process.argv.slice(1);
for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => {});
const listening = ports.split(',').map((port) => new Promise((resolve) => {
  const server = net.createServer((from) => {
    const to = net.connect(folder + '/' + port + '.sock');
    for (const [one, other] of [[from, to], [to, from]]) {
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
  });
  server.on('error', (error) => { console.error(error.message); resolve(); });
  server.listen(Number(port), '127.0.0.1', resolve);
}));
Promise.all(listening).then(() => {
  const child = require('node:child_process').spawn(file, args, { stdio: 'inherit' });
  child.on('error', (error) => { console.error(error.message); process.exit(127); });
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + require('node:os').constants.signals[signal] : code));
});
`;

/** @param node the program that runs the forwarder, absolute */
export function bridgedCommand(node: string, ports: readonly number[], command: Command): Command {
  return { file: node, args: ['-e', forwarder, '--', waysInside, ports.join(','), command.file, ...command.args] };
}

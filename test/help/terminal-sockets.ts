/** A page's end of a terminal's socket, and a terminal that a test plays by hand. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Size, TerminalViews } from '../../src/interfaces/http/terminal-socket/viewing.ts';
import { deferred } from '../../src/kernel/pure/deferred.ts';
import { fail } from '../../src/kernel/pure/errors.ts';
import { terminalProtocol, type TerminalServerMessage } from '../../src/kernel/pure/wire.ts';
import { type TerminalId, terminalIdSchema } from '../../src/kernel/terminals/contract.ts';
import type { TerminalEnd } from '../../src/kernel/terminals/shapes.ts';
import { ask, type Handshake } from './page-sockets.ts';

export const aTerminal: TerminalId = terminalIdSchema.parse('mo-20261122-010203-k3f9');

export interface PlayedTerminal {
  readonly views: TerminalViews;
  /** What it shows, for whoever looks from now on. */
  screen: string;
  /** Keys and sizes that came, oldest first. */
  readonly asked: (string | Size)[];
  /** Watchers that have not stopped. */
  readonly watchers: Set<{ readonly onBytes: (bytes: Uint8Array) => void; readonly onSize: (size: Size) => void }>;
  /** How often it was looked at. */
  looks: number;
  /** Keys wait for this one, if there is one. */
  held: Promise<void> | undefined;
  write(text: string): void;
  end(exitCode: number | null): void;
}

export function playTerminal(): PlayedTerminal {
  const ends = new Set<(end: TerminalEnd) => void>();
  const require = (id: TerminalId): void => {
    if (id !== aTerminal) throw fail('not_found', `There is no terminal "${id}".`, 'guild-hall terminal list');
  };
  const played: PlayedTerminal = {
    screen: 'before',
    asked: [],
    watchers: new Set(),
    looks: 0,
    held: undefined,
    views: {
      watch: async (id, onBytes, onSize) => {
        require(id);
        const watcher = { onBytes, onSize };
        played.looks += 1;
        played.watchers.add(watcher);
        return {
          snapshot: Buffer.from(played.screen),
          cols: 120,
          rows: 36,
          stop: () => void played.watchers.delete(watcher),
        };
      },
      type: async (id, bytes) => {
        require(id);
        await played.held;
        played.asked.push(Buffer.from(bytes).toString('utf8'));
      },
      resize: async (id, size) => {
        require(id);
        played.asked.push(size);
      },
      onEnd: (listener) => {
        ends.add(listener);
        return () => ends.delete(listener);
      },
    },
    write: (text) => {
      for (const { onBytes } of played.watchers) onBytes(Buffer.from(text));
    },
    end: (exitCode) => {
      for (const tell of ends) tell({ terminal: aTerminal, exitCode, why: null });
    },
  };
  return played;
}

export interface TerminalPage {
  readonly ws: WebSocket;
  /** Bytes as text, and what the hall said between. */
  readonly received: (string | TerminalServerMessage)[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Resolves when what has arrived satisfies it; rejects when the socket closes before. */
  until(isEnough: (received: readonly (string | TerminalServerMessage)[]) => boolean): Promise<void>;
}

export interface TerminalHandshake extends Handshake {
  readonly token?: string;
  readonly terminal?: string;
  readonly readOnly?: boolean;
}

/** @throws Error with the status when there is none to be had */
export async function askTerminalTicket(
  port: number,
  { token = 'secret', terminal = aTerminal, readOnly = false }: TerminalHandshake = {},
): Promise<string> {
  const { status, body } = await ask(port, {
    method: 'POST',
    path: '/api/ticket',
    headers: { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ for: 'terminal', terminal, readOnly }),
  });
  if (status !== 200) throw new Error(`no ticket: ${status} ${body}`);
  return (JSON.parse(body) as { ticket: string }).ticket;
}

/** The open socket, or the status of the answer to the upgrade. */
export async function tryTerminal(port: number, handshake: TerminalHandshake = {}): Promise<TerminalPage | number> {
  const { host = `127.0.0.1:${port}`, origin = `http://${host}`, path = '/api/terminal' } = handshake;
  const ticket = handshake.ticket ?? (await askTerminalTicket(port, handshake));
  const ws = new WebSocket(
    `ws://127.0.0.1:${port}${path}?ticket=${ticket}`,
    [...(handshake.protocols ?? [terminalProtocol])],
    { headers: { host, ...(origin === null ? {} : { origin }) }, autoPong: handshake.autoPong ?? true },
  );
  const page = pageOf(ws);
  const refused = deferred<number>();
  ws.once('unexpected-response', (_request, response) => refused.resolve(response.statusCode ?? 0));
  ws.on('error', () => undefined);
  return await Promise.race([once(ws, 'open').then(() => page), refused.promise]);
}

export async function openTerminalPage(port: number, handshake: TerminalHandshake = {}): Promise<TerminalPage> {
  const opened = await tryTerminal(port, handshake);
  if (typeof opened === 'number') throw new Error(`refused: ${opened}`);
  return opened;
}

function pageOf(ws: WebSocket): TerminalPage {
  const received: (string | TerminalServerMessage)[] = [];
  const checks = new Set<() => void>();
  ws.on('message', (data, isBinary) => {
    received.push(isBinary ? String(data) : (JSON.parse(String(data)) as TerminalServerMessage));
    for (const check of checks) check();
  });
  const closed = deferred<{ code: number; reason: string }>();
  ws.on('close', (code, reason) => closed.resolve({ code, reason: String(reason) }));
  return {
    ws,
    received,
    closed: closed.promise,
    until: async (isEnough) => {
      const enough = deferred();
      const check = (): void => {
        if (isEnough(received)) enough.resolve();
      };
      checks.add(check);
      check();
      const gone = closed.promise.then(({ code, reason }) => {
        throw new Error(`closed with ${code} ${reason} after ${received.length} messages`);
      });
      try {
        await Promise.race([enough.promise, gone]);
      } finally {
        checks.delete(check);
      }
    },
  };
}

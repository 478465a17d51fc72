/**
 * Who may have a socket. Asked before the upgrade, in this order: the host, the page's origin, the address, the
 * protocol, the ticket. A refusal is an HTTP answer like any other.
 */
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { fail, HallError, type ErrorFacts } from '../../../kernel/pure/errors.ts';
import { socketProtocol } from '../../../kernel/pure/wire.ts';
import type { Admission } from '../admission.ts';
import { refusalOfPlace } from '../guard.ts';
import type { Limits } from '../limits.ts';
import { problemPartsOf } from '../problems.ts';
import type { TicketGrant, Tickets } from '../tickets.ts';

export const socketPath = '/api/socket';

export interface UpgradeGuards {
  readonly port: () => number;
  readonly limits: Limits;
  readonly tickets: Tickets;
}

/**
 * Who the socket is for; their ticket is spent.
 * @throws HallError `forbidden`, `not_found`, `invalid`, `unauthorized`, `limit`
 */
export function requireTicket(
  guards: UpgradeGuards,
  request: IncomingMessage,
): { readonly grant: TicketGrant; readonly admission: Admission } {
  const origin = requireOrigin(request, guards.port());
  const [path, query = ''] = (request.url ?? '').split('?', 2);
  if (path !== socketPath) throw noUpgradeHere(path ?? '');
  requireProtocol(request);
  const grant = guards.tickets.take(new URLSearchParams(query).get('ticket') ?? '');
  const admission = grant?.purpose === 'socket' && grant.origin === origin ? grant.readmit() : undefined;
  if (grant && admission) return { grant, admission };
  throw new HallError(guards.limits.refusalOfWrongToken() ?? badTicket);
}

/** A browser always says which page opens a socket, so what does not is no page of the hall. */
function requireOrigin({ method = 'GET', headers }: IncomingMessage, port: number): string {
  const { host, origin } = headers;
  const refusal = refusalOfPlace({ method, host, origin, fetchSite: undefined }, port);
  if (refusal) throw new HallError(refusal);
  if (origin === undefined) {
    throw fail(
      'forbidden',
      'The socket was asked for without an Origin; it is for the hall’s own pages.',
      'Programs follow events at /api/events with their token.',
    );
  }
  return origin.toLowerCase();
}

function noUpgradeHere(path: string) {
  return fail(
    'not_found',
    `There is no socket at ${path.slice(0, 100)}.`,
    `The one for pages is at ${socketPath}; send anything else without an Upgrade header.`,
  );
}

function requireProtocol({ headers }: IncomingMessage): void {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  if (isWebSocket && offered.includes(socketProtocol)) return;
  throw fail(
    'invalid',
    `The socket speaks "${socketProtocol}", and that was not asked for.`,
    'The page is of another version than the hall: load it again.',
  );
}

const badTicket: ErrorFacts = {
  code: 'unauthorized',
  message: 'The ticket for the socket was used already, is too old, or was made for another page.',
  hint: 'Ask for a new one: POST /api/ticket with {"for": "socket"}.',
};

/** Answers an upgrade that is not to be, and ends the connection. */
export function refuseUpgrade(socket: Duplex, facts: ErrorFacts, headers: Readonly<Record<string, string>>): void {
  const { status, headers: own, body } = problemPartsOf(facts);
  const all = { ...headers, ...own, connection: 'close', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  // Half a connection would stay open for as long as the other side likes.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

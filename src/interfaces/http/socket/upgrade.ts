/**
 * Who may have a socket. Asked before the upgrade, in this order: the host, the page's origin, the address, the
 * protocol, the ticket. A refusal is an HTTP answer like any other.
 */
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { fail, HallError, type ErrorFacts } from '../../../kernel/pure/errors.ts';
import type { Admission } from '../admission.ts';
import { refusalOfPlace } from '../guard.ts';
import type { Limits } from '../limits.ts';
import { problemPartsOf } from '../problems.ts';
import type { TicketGrant, TicketPurpose, Tickets } from '../tickets.ts';

export const socketPath = '/api/socket';
export const terminalPath = '/api/terminal';

export interface UpgradeGuards {
  readonly port: () => number;
  readonly limits: Limits;
  readonly tickets: Tickets;
}

/** What one kind of socket is asked for by. */
export interface UpgradeTerms<For extends TicketPurpose['for'] = TicketPurpose['for']> {
  readonly path: string;
  readonly protocol: string;
  readonly for: For;
}

interface Admitted<For extends TicketPurpose['for']> {
  readonly grant: TicketGrant;
  readonly purpose: Extract<TicketPurpose, { for: For }>;
  readonly admission: Admission;
}

/**
 * Who the socket is for; their ticket is spent.
 * @throws HallError `forbidden`, `not_found`, `invalid`, `unauthorized`, `limit`
 */
export function requireTicket<For extends TicketPurpose['for']>(
  guards: UpgradeGuards,
  terms: UpgradeTerms<For>,
  request: IncomingMessage,
): Admitted<For> {
  const origin = requireOrigin(request, guards.port());
  const path = pathOfUpgrade(request);
  if (path !== terms.path) throw noUpgradeHere(path);
  requireProtocol(request, terms.protocol);
  const grant = guards.tickets.take(new URLSearchParams((request.url ?? '').slice(path.length)).get('ticket') ?? '');
  const admission = grant?.purpose.for === terms.for && grant.origin === origin ? grant.readmit() : undefined;
  if (grant && admission?.caller.kind === 'person') {
    return { grant, purpose: grant.purpose as Extract<TicketPurpose, { for: For }>, admission };
  }
  throw new HallError(guards.limits.refusalOfWrongToken() ?? badTicket(terms.for));
}

/** The address that is asked for, without its query. */
export function pathOfUpgrade({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  return url.split('?', 1)[0] ?? '';
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
    `Pages have theirs at ${socketPath} and ${terminalPath}; send anything else without an Upgrade header.`,
  );
}

function requireProtocol({ headers }: IncomingMessage, protocol: string): void {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  if (isWebSocket && offered.includes(protocol)) return;
  throw fail(
    'invalid',
    `The socket speaks "${protocol}", and that was not asked for.`,
    'The page is of another version than the hall: load it again.',
  );
}

function badTicket(purpose: TicketPurpose['for']): ErrorFacts {
  return {
    code: 'unauthorized',
    message: 'The ticket for the socket was used already, is too old, or was made for another page.',
    hint: `Ask for a new one: POST /api/ticket with {"for": "${purpose}"${purpose === 'terminal' ? ', "terminal": "<id>"' : ''}}.`,
  };
}

/** Answers an upgrade that is not to be, and ends the connection. */
export function refuseUpgrade(socket: Duplex, facts: ErrorFacts, headers: Readonly<Record<string, string>>): void {
  const { status, headers: own, body } = problemPartsOf(facts);
  const all = { ...headers, ...own, connection: 'close', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  // Half a connection would stay open for as long as the other side likes.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

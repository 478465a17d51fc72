/**
 * One-use tickets. A browser cannot send a header with a WebSocket, and a token in an address would stay in logs and
 * histories; a ticket is worth nothing once it was used, half a minute later, or from another origin.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import { fail, HallError } from '../../kernel/pure/errors.ts';
import { terminalIdSchema } from '../../kernel/terminals/contract.ts';
import { admissionKey, type Admission } from './admission.ts';
import type { Streams } from './streams.ts';

/** What a ticket opens; it opens nothing else. */
export const ticketRequestSchema = z.discriminatedUnion('for', [
  z.strictObject({ for: z.literal('socket') }),
  z.strictObject({
    for: z.literal('terminal'),
    terminal: terminalIdSchema.describe('Id of the one that is to be shown'),
    readOnly: z.boolean().default(false).describe('Its keys and its size stay as they are'),
  }),
]);
export type TicketPurpose = z.infer<typeof ticketRequestSchema>;

export interface TicketGrant {
  readonly purpose: TicketPurpose;
  /** `http://<host>` of the page that asked, in lower case, port included. */
  readonly origin: string;
  /** Who asked, if they would still be let in now: the token may have been revoked since. */
  readonly readmit: () => Admission | undefined;
}

export interface Tickets {
  /** @returns 256 random bits in base64url, good for half a minute */
  issue(admission: Admission, grant: TicketGrant): string;
  /** Spends a ticket. @returns what it was given for; undefined when it is spent, too old, or none of the hall's */
  take(ticket: string): TicketGrant | undefined;
}

export const ticketLifeMs = 30_000;
/** Unused tickets of one admission; the oldest make room. */
const maxUnused = 64;

interface Issued extends TicketGrant {
  readonly key: string;
  /** Monotonic milliseconds. */
  readonly untilMs: number;
}

export function createTickets(ctx: ClockContext & IdContext): Tickets {
  // By the hash, oldest first: what is compared is never the ticket itself.
  const issued = new Map<string, Issued>();
  return {
    issue: (admission, grant) => {
      const key = admissionKey(admission);
      forgetOld(issued, ctx.clock.monotonicMs(), key);
      const ticket = ctx.ids.secret();
      issued.set(hashOf(ticket), { ...grant, key, untilMs: ctx.clock.monotonicMs() + ticketLifeMs });
      return ticket;
    },
    take: (ticket) => {
      const hash = hashOf(ticket);
      const found = issued.get(hash);
      issued.delete(hash);
      return found && found.untilMs > ctx.clock.monotonicMs() ? found : undefined;
    },
  };
}

function forgetOld(issued: Map<string, Issued>, nowMs: number, key: string): void {
  for (const [hash, { untilMs }] of issued) if (untilMs <= nowMs) issued.delete(hash);
  const own = [...issued].filter(([, ticket]) => ticket.key === key);
  if (own.length >= maxUnused) issued.delete(own[0]![0]);
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64');
}

export interface TicketRequest {
  readonly admission: Admission;
  readonly body: unknown;
  readonly origin: string;
  readonly readmit: () => Admission | undefined;
}

/**
 * Answers `POST /api/ticket`. What would be refused at the socket is refused here, where a page can read why.
 * @throws HallError `invalid`, `forbidden` for an agent, `limit`
 */
export function answerTicket(
  tickets: Tickets,
  streams: Streams,
  request: TicketRequest,
): { readonly ticket: string; readonly expiresInMs: number } {
  const { admission, body, origin, readmit } = request;
  const parsed = ticketRequestSchema.safeParse(body);
  if (!parsed.success) {
    throw fail(
      'invalid',
      'A ticket was asked for without saying what for.',
      'Send {"for": "socket"}, or {"for": "terminal", "terminal": "<id>"}.',
    );
  }
  if (admission.caller.kind !== 'person') {
    throw fail(
      'forbidden',
      'Tickets are for the person’s own pages; an agent asked for one.',
      'Use the tools you have.',
    );
  }
  const refusal = streams.refusalOf(admission, parsed.data.for);
  if (refusal) throw new HallError(refusal);
  return { ticket: tickets.issue(admission, { purpose: parsed.data, origin, readmit }), expiresInMs: ticketLifeMs };
}

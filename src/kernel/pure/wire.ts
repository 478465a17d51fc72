/**
 * What travels over the web client's one socket, as JSON text. Shared by server and browser.
 *
 * The browser follows the event stream from a cursor and calls operations; answers and events come back on the same
 * socket. Events are in order and without gaps after the cursor that was asked for; when that is no longer possible
 * the hall says `gap`, and the browser reads anew.
 */
import { z } from 'zod';
import type { ErrorFacts } from './errors.ts';
import type { HallEvent } from './events.ts';

export {
  closeCodes,
  socketLimits,
  socketProtocol,
  terminalCloseCodes,
  terminalMessageBytes,
  terminalProtocol,
} from './socket-terms.ts';

export const clientMessageSchema = z.discriminatedUnion('kind', [
  /** Begin, or go on, after this cursor; null: from now on. Once a socket. */
  z.strictObject({ kind: z.literal('follow'), after: z.string().max(80).nullable() }),
  /** Call an operation. `id` is the page's own number for the answer. */
  z.strictObject({
    kind: z.literal('call'),
    id: z.int().nonnegative(),
    operation: z.string().min(1).max(100),
    input: z.unknown(),
  }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;
export type CallMessage = Extract<ClientMessage, { kind: 'call' }>;

export type ServerMessage =
  /** First of all: which hall this is, and where its stream stands. */
  | { readonly kind: 'hello'; readonly version: string; readonly startedAt: string; readonly cursor: string }
  | { readonly kind: 'event'; readonly event: HallEvent }
  /** Events after the asked cursor are no longer kept: read everything anew, and go on from `cursor`. */
  | { readonly kind: 'gap'; readonly cursor: string }
  | { readonly kind: 'answer'; readonly id: number; readonly output: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly problem: ErrorFacts };

/** What a page says over the socket of a terminal, as text. Keys come as bytes, as a keyboard sends them. */
export const terminalClientMessageSchema = z.strictObject({
  kind: z.literal('resize'),
  cols: z.int().min(20).max(500),
  rows: z.int().min(5).max(200),
});
export type TerminalClientMessage = z.infer<typeof terminalClientMessageSchema>;

/** What the hall says there as text. Between comes, as bytes, what the program writes. */
export type TerminalServerMessage =
  /** Empty the screen and give it this size: the bytes that follow fill it anew. First of all, and whenever the page was slow. */
  | { readonly kind: 'screen'; readonly cols: number; readonly rows: number }
  /** The keys or the size that came last were not taken. */
  | { readonly kind: 'refusal'; readonly problem: ErrorFacts }
  /** The last word: the program has ended. */
  | { readonly kind: 'ended'; readonly exitCode: number | null };

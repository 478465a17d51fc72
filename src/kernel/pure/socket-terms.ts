/**
 * What server and browser agree on about the web client's one socket, beside its messages (wire.ts). Apart from those,
 * so that the page need not load what checks them.
 */

/** Name that both sides agree on when the socket opens; another one means that the page is older than the hall. */
export const socketProtocol = 'guild-hall.1';

/** Close codes of our own, beside those of RFC 6455. The hint for the person is the browser's. */
export const closeCodes = {
  /** The sign-in was revoked, or has ended: sign in anew. */
  signedOut: 4401,
  /** Something that is no message of this protocol. */
  malformed: 4400,
  /** The page did not take what it was sent; it comes back with its cursor. */
  tooSlow: 4408,
} as const;

/** What one socket of a page may send. */
export const socketLimits = {
  /** Bytes of one message; a longer one closes the socket with 1009. */
  messageBytes: 2 * 1024 * 1024,
  /** Calls that are worked on at once; further ones wait their turn. */
  callsUnderWay: 32,
} as const;

/** The same for the sockets that show one terminal each. */
export const terminalProtocol = 'guild-hall.terminal.1';

/** Close codes of those, beside the ones above. */
export const terminalCloseCodes = {
  /** There is no such terminal, or it cannot be shown; what was said last says why. */
  notShown: 4404,
  /** Its program has ended. */
  ended: 4410,
} as const;

/** What one socket of a terminal may send: keys, as bytes. Longer ones close it with 1009. */
export const terminalMessageBytes = 64 * 1024;

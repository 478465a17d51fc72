/**
 * The hall's own log: one JSON line an entry, for `guild-hall logs` and for whoever mends the hall. What looks like a
 * secret is masked in every line, also in the message and the stack of an error.
 */
import { type Logger, pino, type DestinationStream } from 'pino';
import { scrubNow, scrubValue } from '../secrets/scrub.ts';

export type Log = Logger;

export interface LogContext {
  readonly log: Log;
}

/** @param destination where lines go; standard error when left out */
export function createLog(options: { level?: string; destination?: DestinationStream } = {}): Log {
  return pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['token', '*.token', 'key', '*.key', 'authorization', '*.authorization'],
        censor: '[kept back]',
      },
      hooks: { streamWrite: withoutSecrets },
    },
    options.destination ?? pino.destination(2),
  );
}

/** Of one text in an entry: whoever logs more than this logs somebody's whole answer. */
const maxTextLength = 10_000;

function withoutSecrets(line: string): string {
  // Looked at a little further, so that no secret is cut in two and passed over.
  const shorten = (_name: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > maxTextLength
      ? `${scrubNow(value.slice(0, 2 * maxTextLength)).slice(0, maxTextLength)} … (${value.length} characters)`
      : value;
  return `${JSON.stringify(scrubValue(JSON.parse(line, shorten)))}\n`;
}

/** A log that says nothing: for tests and for short-lived commands. */
export const silentLog: Log = pino({ level: 'silent' });

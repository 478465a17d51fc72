/** The hall's own log: one JSON line an entry, for `guild-hall logs` and for whoever mends the hall. Never secrets. */
import { type Logger, pino, type DestinationStream } from 'pino';

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
    },
    options.destination ?? pino.destination(2),
  );
}

/** A log that says nothing: for tests and for short-lived commands. */
export const silentLog: Log = pino({ level: 'silent' });

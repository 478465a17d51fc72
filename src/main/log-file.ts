/** The hall's log on disk: one file, and the one before it when that grew too long. */
import { existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pino } from 'pino';
import { createLog, type Log } from '../kernel/log/log.ts';

const maxLogBytes = 10 * 1024 * 1024;

/** Moves a log that grew too long aside as `<path>.1`; the one before that is gone. */
export function rotateLog(path: string, maxBytes = maxLogBytes): void {
  if (existsSync(path) && statSync(path).size > maxBytes) renameSync(path, `${path}.1`);
}

/** Opens for appending, 0600; makes the folder. @returns the file descriptor */
export function openLogFile(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, 'a', 0o600);
}

/** Lines are written at once, so that the last ones are there after a crash. */
export function createFileLog(path: string, level: string): Log {
  rotateLog(path);
  return createLog({ level, destination: pino.destination({ dest: openLogFile(path), sync: true }) });
}

/**
 * The log of a session on disk: one event a line. What is half-written at its end (a crash, a full disk) is cut off;
 * any other line that cannot be understood makes the log unreadable, and then nothing of it is touched.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createExclusively } from '../../../kernel/artifacts/write.ts';
import { faultPoint } from '../../../kernel/clock/fault.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { type SessionEvent, sessionEventSchema } from '../contract/events.ts';

export interface SessionLog {
  readonly path: string;
  handle: FileHandle | undefined;
  /** Of the whole lines. */
  bytes: number;
  /** The file may hold more than `bytes`: half a line. */
  isTorn: boolean;
}

export interface LogRead {
  readonly log: SessionLog;
  readonly events: readonly SessionEvent[];
}

/** @throws HallError `conflict` for a log that cannot be understood; what the system says of one that is not there */
export async function readLog(path: string): Promise<LogRead> {
  const content = await readFile(path);
  const end = content.lastIndexOf(10) + 1;
  const lines = end === 0 ? [] : content.toString('utf8', 0, end - 1).split('\n');
  const events = lines.map((line, index) => parseLine(path, line, index + 1));
  if (events.length === 0) throw unreadable(path, 1, 'it has no whole line');
  requireOwn(path, events);
  return { log: { path, handle: undefined, bytes: end, isTorn: end < content.length }, events };
}

/** Of a log that cannot be read: what of its beginning tells whose it is. */
export async function readBeginning(path: string): Promise<readonly SessionEvent[]> {
  // That it cannot be read has been told.
  const content = await readFile(path, 'utf8').catch(() => '');
  const lines = content.slice(0, 20_000).split('\n').slice(0, 4);
  return lines.flatMap((line) => sessionEventSchema.safeParse(jsonOf(line)).data ?? []);
}

/** A copy under another name would be a second log of one session, and what is said in it would be in one of them. */
function requireOwn(path: string, events: readonly SessionEvent[]): void {
  const birth = events.findIndex(({ type }) => type === 'SessionCreated');
  const created = events[birth];
  if (created?.type !== 'SessionCreated' || created.sessionId === basename(path, '.jsonl')) return;
  throw unreadable(path, birth + 1, `it is a copy of the log of session ${created.sessionId}`);
}

function parseLine(path: string, line: string, number: number): SessionEvent {
  const event = sessionEventSchema.safeParse(jsonOf(line)).data;
  if (event === undefined) throw unreadable(path, number, 'it is no event that this hall knows');
  if (event.seq !== number) throw unreadable(path, number, `it is numbered ${event.seq}`);
  return event;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function unreadable(path: string, line: number, why: string): Error {
  return fail(
    'conflict',
    `The log of a session cannot be read: ${path}, line ${line}: ${why}.`,
    'It is left as it is. Mend the line by hand, then restart the hall; a copy belongs in another folder.',
    { path, line },
  );
}

function print(events: readonly SessionEvent[]): Buffer {
  return Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

/** The whole file in one step, durable. @returns undefined where such a log is there already */
export async function createLog(path: string, events: readonly SessionEvent[]): Promise<SessionLog | undefined> {
  const bytes = print(events);
  const isMade = await createExclusively(path, bytes, { mode: 0o600 });
  return isMade ? { path, handle: undefined, bytes: bytes.length, isTorn: false } : undefined;
}

/**
 * Adds events at its end, all or none. The caller numbers them, and is the only one who adds at that time.
 * @param isDurable they survive a power cut when it resolves; else only the end of this process
 */
export async function addToLog(log: SessionLog, events: readonly SessionEvent[], isDurable: boolean): Promise<void> {
  const name = basename(log.path);
  log.handle ??= await open(log.path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
  if (log.isTorn) {
    await log.handle.truncate(log.bytes);
    log.isTorn = false;
  }
  const bytes = print(events);
  faultPoint(`write:before:${name}`);
  // Until it is written whole there may be half a line.
  log.isTorn = true;
  let written = 0;
  while (written < bytes.length) written += (await log.handle.write(bytes, written)).bytesWritten;
  faultPoint(`write:written:${name}`);
  if (isDurable) await log.handle.datasync();
  log.bytes += bytes.length;
  log.isTorn = false;
  faultPoint(`write:after:${name}`);
}

export async function closeLog(log: SessionLog): Promise<void> {
  const { handle } = log;
  log.handle = undefined;
  await handle?.close();
}

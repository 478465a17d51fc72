/**
 * The stream's files: one segment a day (and one more after each start on a new day), each line one event.
 * `<day>-<epoch>-<first number>.jsonl`, so that names sort by age and tell what is inside.
 */
import { ftruncateSync, openSync, readSync, closeSync, fstatSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogContext } from '../log/log.ts';
import type { HallEvent } from '../pure/events.ts';

export interface Segment {
  readonly path: string;
  /** YYYYMMDD, UTC. */
  readonly day: string;
  readonly epoch: string;
  readonly firstSeq: number;
}

/** A place within a segment from which its lines can be read. */
export interface Mark {
  readonly seq: number;
  readonly offset: number;
}

const namePattern = /^(\d{8})-([a-z0-9]{1,40})-(\d{1,15})\.jsonl$/;
const chunkBytes = 256 * 1024;

export function segmentOf(dir: string, day: string, epoch: string, firstSeq: number): Segment {
  return { path: join(dir, `${day}-${epoch}-${String(firstSeq).padStart(12, '0')}.jsonl`), day, epoch, firstSeq };
}

/** All segments in `dir`, oldest first. Other files are left alone. */
export async function listSegments(dir: string): Promise<Segment[]> {
  const segments = (await readdir(dir)).flatMap((name) => {
    const [, day, epoch, firstSeq] = namePattern.exec(name) ?? [];
    return day === undefined ? [] : [{ path: join(dir, name), day, epoch: epoch!, firstSeq: Number(firstSeq) }];
  });
  return segments.toSorted((a, b) => (a.day === b.day ? a.firstSeq - b.firstSeq : a.day < b.day ? -1 : 1));
}

/**
 * Removes the segments of before `firstDay`, but never the last one of `epoch`, from which the numbers go on.
 * @returns those that stay
 */
export async function removeOldSegments(
  segments: readonly Segment[],
  firstDay: string,
  epoch: string,
): Promise<Segment[]> {
  const last = segments.findLast((segment) => segment.epoch === epoch);
  const old = segments.filter((segment) => segment !== last && segment.day < firstDay);
  for (const { path } of old) await rm(path, { force: true });
  return segments.filter((segment) => !old.includes(segment));
}

/**
 * Cuts off what a crash left half-written at the end, and answers the number of the last event that is whole
 * (`firstSeq - 1` when there is none) and the file's length.
 */
export function repairSegment(ctx: LogContext, segment: Segment): { lastSeq: number; bytes: number } {
  const fd = openSync(segment.path, 'r+');
  try {
    const size = fstatSync(fd).size;
    let end = lastLineFeed(fd, size) + 1;
    let lastSeq = segment.firstSeq - 1;
    while (end > 0) {
      const start = lastLineFeed(fd, end - 1) + 1;
      const event = parseLine(readRange(fd, start, end - 1));
      if (event !== undefined) {
        lastSeq = event.seq;
        break;
      }
      end = start;
    }
    if (end < size) {
      ftruncateSync(fd, end);
      ctx.log.warn({ file: segment.path, bytes: size - end }, 'cut a half-written end off the event log');
    }
    return { lastSeq, bytes: end };
  } finally {
    closeSync(fd);
  }
}

/** Offset of the last line feed before `end`, or -1. */
function lastLineFeed(fd: number, end: number): number {
  for (let stop = end; stop > 0; stop -= chunkBytes) {
    const start = Math.max(0, stop - chunkBytes);
    const at = readRange(fd, start, stop).lastIndexOf(10);
    if (at !== -1) return start + at;
  }
  return -1;
}

function readRange(fd: number, start: number, end: number): Buffer {
  const buffer = Buffer.alloc(end - start);
  return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, start));
}

/**
 * The events `from` to `to` (both included) of one segment, in order, read piece by piece between the offsets `start`
 * and `end`. A line that is no event
 * is left out and logged. A segment that has been removed has none.
 */
export async function* readSegment(
  ctx: LogContext,
  segment: Segment,
  range: { readonly from: number; readonly to: number; readonly start: number; readonly end: number },
): AsyncGenerator<HallEvent[]> {
  let rest: Buffer = Buffer.alloc(0);
  let position = range.start;
  for (;;) {
    // Opened for each piece, so that a reader who stops in the middle leaves no open file behind.
    const piece = await readPiece(segment, position, Math.min(chunkBytes, range.end - position));
    if (piece.length === 0) return;
    position += piece.length;
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    const events = parseLines(ctx, segment, bytes.subarray(0, end), range.from, range.to);
    if (events.length > 0) yield events;
    if (events.at(-1)?.seq === range.to) return;
  }
}

async function readPiece(segment: Segment, position: number, length: number): Promise<Buffer> {
  if (length <= 0) return Buffer.alloc(0);
  const handle = await open(segment.path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return Buffer.alloc(0);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function parseLines(ctx: LogContext, segment: Segment, bytes: Buffer, from: number, to: number): HallEvent[] {
  const events: HallEvent[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start);
    const seq = seqOfLine(bytes, start);
    if (seq !== undefined && seq > to) break;
    if (seq === undefined || seq >= from) {
      const event = parseLine(bytes.subarray(start, end));
      if (event !== undefined && event.seq >= from) events.push(event);
      else if (event === undefined)
        ctx.log.warn({ file: segment.path }, 'a damaged line of the event log was left out');
    }
    start = end + 1;
  }
  return events;
}

const linePrefix = '{"seq":';

/** The number at the head of a line, without parsing the rest of it. */
function seqOfLine(bytes: Buffer, start: number): number | undefined {
  let seq = 0;
  let at = start + linePrefix.length;
  if (bytes.toString('latin1', start, at) !== linePrefix) return undefined;
  for (; bytes[at]! >= 48 && bytes[at]! <= 57; at += 1) seq = seq * 10 + bytes[at]! - 48;
  return bytes[at] === 44 ? seq : undefined;
}

/** One event as its line, with the line feed. The number comes first: it can be read without parsing the rest. */
export function printLine(event: HallEvent): string {
  const { seq, ...rest } = event;
  return `${JSON.stringify({ seq, ...rest })}\n`;
}

function parseLine(bytes: Buffer): HallEvent | undefined {
  try {
    const event = JSON.parse(bytes.toString('utf8')) as HallEvent;
    return typeof event === 'object' && event !== null && Number.isSafeInteger(event.seq) ? event : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

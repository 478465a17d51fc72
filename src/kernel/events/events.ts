/**
 * The hall's event stream: numbered, kept for some days, replayable from a cursor. An index over the features' own
 * files, never their truth: it is written without waiting for the disk.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import type { ClockContext, IdContext } from '../clock/clock.ts';
import type { LogContext } from '../log/log.ts';
import { fail } from '../pure/errors.ts';
import type { Cursor, HallEvent, NewEvent } from '../pure/events.ts';
import { scrubValue } from '../secrets/scrub.ts';
import { chooseEpoch, readBoot } from './epoch.ts';
import {
  listSegments,
  type Mark,
  printLine,
  removeOldSegments,
  repairSegment,
  type Segment,
  segmentOf,
} from './segments.ts';
import {
  endWhenRead,
  type EventSource,
  type EventSubscription,
  offer,
  type Subscriber,
  type SubscribeOptions,
  subscribeTo,
} from './subscription.ts';

export type { EventSubscription, SubscribeOptions } from './subscription.ts';

export interface EventStream {
  /**
   * Numbers the event, writes it and hands it to the subscribers, all at once. The answer is what readers get; what
   * looks like a secret in the data is masked in it.
   * @throws `invalid` for data without a JSON form; `unavailable` once the stream is closed
   */
  publish(event: NewEvent): HallEvent;
  /** Of the last event. */
  cursor(): Cursor;
  subscribe(options?: SubscribeOptions): EventSubscription;
  /** Ends every subscription, after what it has still to read. */
  close(): Promise<void>;
}

export interface EventsContext {
  readonly events: EventStream;
}

interface OpenStream extends EventSource {
  readonly ctx: ClockContext & LogContext;
  readonly dir: string;
  readonly keepDays: number;
  seq: number;
  segments: Segment[];
  marks: Mark[];
  /** Of the last segment. */
  fd: number;
  /** Length of what is whole in the last segment. */
  bytes: number;
  unwritten: HallEvent[];
  readonly subscribers: Set<Subscriber>;
  isClosed: boolean;
}

const markEvery = 1000;
/** More than this is not kept for a disk that takes nothing. */
const maxUnwritten = 10_000;

/**
 * Opens the stream that is kept in `dir`, which is made when missing. Only one process may have it open.
 * @param options.keepDays segments older than this are removed at the start and at each new day
 * @param options.boot which start of the machine this is; after another one the numbering begins anew
 */
export async function openEventStream(
  ctx: ClockContext & LogContext & IdContext,
  dir: string,
  options: { readonly keepDays?: number; readonly boot?: string } = {},
): Promise<EventStream> {
  const stream = await openStream(ctx, dir, options.keepDays ?? 7, options.boot ?? readBoot(ctx));
  return {
    publish: (event) => publish(stream, event),
    cursor: () => ({ epoch: stream.epoch, seq: stream.seq }),
    subscribe: (wanted = {}) => subscribeTo(stream, wanted),
    close: async () => close(stream),
  };
}

async function openStream(
  ctx: ClockContext & LogContext & IdContext,
  dir: string,
  keepDays: number,
  boot: string,
): Promise<OpenStream> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const all = await listSegments(dir);
  const epoch = chooseEpoch(ctx, all, boot);
  const kept = await removeOldSegments(all, dayOf(ctx.clock.nowMs() - keepDays * dayMs), epoch);
  const segments = kept.filter((segment) => segment.epoch === epoch);
  const last = segments.at(-1) ?? segmentOf(dir, dayOf(ctx.clock.nowMs()), epoch, 1);
  const fd = openSync(last.path, 'a', 0o600);
  const { lastSeq, bytes } = repairSegment(ctx, last);
  return {
    ctx,
    dir,
    keepDays,
    epoch,
    seq: lastSeq,
    segments: segments.length === 0 ? [last] : segments,
    marks: [{ seq: last.firstSeq, offset: 0 }],
    fd,
    bytes,
    unwritten: [],
    subscribers: new Set(),
    isClosed: false,
  };
}

function publish(stream: OpenStream, event: NewEvent): HallEvent {
  if (stream.isClosed) {
    throw fail(
      'unavailable',
      `The event ${event.type} came after the stream was closed.`,
      'Start the hall: guild-hall up',
    );
  }
  const now = stream.ctx.clock.nowIso();
  const { type, project, subject } = event;
  const data = scrubValue(event.data);
  const line = toLine({ epoch: stream.epoch, seq: stream.seq + 1, at: now, type, project, subject, data });
  // Readers get what a replay would give: the same data, out of the publisher's reach.
  const published = JSON.parse(line) as HallEvent;
  stream.seq += 1;
  startSegmentOfDay(stream, now.slice(0, 10).replaceAll('-', ''));
  write(stream, published, line);
  for (const subscriber of stream.subscribers) offer(stream, subscriber, published);
  return published;
}

function toLine(event: HallEvent): string {
  try {
    return printLine(event);
  } catch (error) {
    throw fail(
      'invalid',
      `The data of the event ${event.type} has no JSON form.`,
      'Give plain data.',
      undefined,
      error,
    );
  }
}

function write(stream: OpenStream, event: HallEvent, line: string): void {
  const text = stream.unwritten.map(printLine).join('') + line;
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length;) done += writeSync(stream.fd, bytes, done);
    const offset = stream.bytes + bytes.length - Buffer.byteLength(line);
    if (event.seq % markEvery === 0) stream.marks.push({ seq: event.seq, offset });
    stream.bytes += bytes.length;
    stream.unwritten = [];
  } catch (error) {
    if (stream.unwritten.length === 0)
      stream.ctx.log.error({ err: error, dir: stream.dir }, 'events cannot be written');
    stream.unwritten = [...stream.unwritten, event].slice(-maxUnwritten);
    cutBack(stream);
  }
}

/** Takes off what a failed write may have left of its lines. */
function cutBack(stream: OpenStream): void {
  try {
    ftruncateSync(stream.fd, stream.bytes);
  } catch (error) {
    stream.ctx.log.error({ err: error, dir: stream.dir }, 'the event log cannot be cut back');
  }
}

/** A new day begins a new segment. A clock that goes back does not. */
function startSegmentOfDay(stream: OpenStream, day: string): void {
  const last = stream.segments.at(-1)!;
  if (day <= last.day || stream.unwritten.length > 0) return;
  const next = segmentOf(stream.dir, day, stream.epoch, stream.seq);
  try {
    const fd = openSync(next.path, 'a', 0o600);
    closeSync(stream.fd);
    stream.fd = fd;
  } catch (error) {
    stream.ctx.log.error({ err: error, file: next.path }, 'no new segment of the event log can be made');
    return;
  }
  const oldest = dayOf(stream.ctx.clock.nowMs() - stream.keepDays * dayMs);
  for (const segment of stream.segments) if (segment.day < oldest) rmSync(segment.path, { force: true });
  stream.segments = [...stream.segments.filter((segment) => segment.day >= oldest), next];
  stream.bytes = 0;
  stream.marks = [{ seq: stream.seq, offset: 0 }];
}

async function close(stream: OpenStream): Promise<void> {
  if (stream.isClosed) return;
  stream.isClosed = true;
  for (const subscriber of stream.subscribers) endWhenRead(subscriber);
  closeSync(stream.fd);
}

const dayMs = 24 * 60 * 60 * 1000;

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
}

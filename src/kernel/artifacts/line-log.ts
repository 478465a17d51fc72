/**
 * A file of JSON lines that one process alone writes, numbered from 1 without gaps. Lines that are added while another
 * write runs go to disk together with one sync, so many durable lines cost little more than one.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { faultPoint } from '../clock/fault.ts';
import { createLocks, type Locks } from '../locks/locks.ts';
import { fail } from '../pure/errors.ts';
import { hasErrorCode, syncFolder } from './write.ts';

export interface LineLog {
  /**
   * Adds `value` with its number as `n` before everything else. Lines stand in the order of the calls.
   * Resolves when the line is written; with `durable` when it survives a power cut. Rejects when it is not written.
   */
  add(value: object, options?: { readonly durable?: boolean }): Promise<void>;
  /** What the file holds now. */
  bytes(): number;
  /** Waits for what is being written. Safe to call twice. */
  close(): Promise<void>;
}

interface Waiting {
  readonly value: object;
  readonly durable: boolean;
  state: 'waiting' | 'written' | { readonly error: unknown };
}

interface LogState {
  readonly path: string;
  readonly handle: FileHandle;
  readonly locks: Locks;
  waiting: Waiting[];
  lines: number;
  bytes: number;
  isClosed: boolean;
}

/** Makes the file, 0600. @throws `conflict` when something is there already: its writer is somebody else */
export async function createLineLog(path: string): Promise<LineLog> {
  const target = resolve(path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  faultPoint(`write:before:${basename(target)}`);
  const handle = await openNew(target);
  await syncFolder(dirname(target));
  faultPoint(`write:after:${basename(target)}`);
  const log: LogState = {
    path: target,
    handle,
    locks: createLocks(),
    waiting: [],
    lines: 0,
    bytes: 0,
    isClosed: false,
  };
  return {
    add: async (value, options) => addLine(log, value, options?.durable === true),
    bytes: () => log.bytes,
    close: async () => closeLog(log),
  };
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    throw fail('conflict', `${path} is there already.`, 'Begin a new file; this one is left as it is.', { path });
  }
}

async function addLine(log: LogState, value: object, durable: boolean): Promise<void> {
  const mine: Waiting = { value, durable, state: 'waiting' };
  log.waiting.push(mine);
  // Whoever comes first writes what all have added by then; the others find theirs written.
  await log.locks.with('write', async () => {
    if (mine.state === 'waiting') await writeWaiting(log);
  });
  if (typeof mine.state === 'object') throw mine.state.error;
}

async function writeWaiting(log: LogState): Promise<void> {
  const batch = log.waiting;
  log.waiting = [];
  try {
    const text = batch
      .map(({ value }, index) => `${JSON.stringify({ n: log.lines + index + 1, ...value })}\n`)
      .join('');
    const bytes = Buffer.from(text);
    faultPoint(`write:before:${basename(log.path)}`);
    const isDurable = batch.some(({ durable }) => durable);
    await writeWhole(log, bytes, isDurable);
    log.lines += batch.length;
    log.bytes += bytes.length;
    for (const line of batch) line.state = 'written';
    faultPoint(`write:after:${basename(log.path)}`);
  } catch (error) {
    for (const line of batch) line.state = { error };
  }
}

/**
 * All of it or nothing: a part would make the next line a part of this one, and what could not be made durable and stayed
 * would take the numbers of the next lines away.
 */
async function writeWhole(log: LogState, bytes: Buffer, isDurable: boolean): Promise<void> {
  try {
    let written = 0;
    while (written < bytes.length) written += (await log.handle.write(bytes, written)).bytesWritten;
    faultPoint(`write:written:${basename(log.path)}`);
    if (isDurable) await log.handle.datasync();
  } catch (error) {
    await log.handle.truncate(log.bytes);
    throw error;
  }
}

async function closeLog(log: LogState): Promise<void> {
  await log.locks.with('write', async () => {
    if (log.isClosed) return;
    if (log.waiting.length > 0) await writeWaiting(log);
    log.isClosed = true;
    await log.handle.close();
  });
}

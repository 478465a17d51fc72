/**
 * What is to be put into one terminal and what came of it, on disk. Only the hall writes it. Between two of its lines
 * the terminal itself knows how far a message has come (see `steps.ts`), so that nothing is written while one is put in.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createReader, readOn } from '../../artifacts/lines.ts';
import { createLineLog, type LineLog } from '../../artifacts/line-log.ts';
import type { LogContext } from '../../log/log.ts';
import type { OutgoingMessage, Receipt } from '../contract.ts';

export interface Kept {
  readonly message: OutgoingMessage;
  readonly receipt: Receipt;
}

/** What came of a message in the end. */
export type Settled = Exclude<Receipt, { state: 'queued' }>;

export interface Ledger {
  /** In the order in which they came. */
  readonly messages: ReadonlyMap<string, Kept>;
  /** Messages that a hall which is killed now would lose. */
  readonly unwritten: ReadonlySet<string>;
  /**
   * Takes a message up; in `messages` at once. `onWritten` is called when a hall that is killed would not lose it any
   * more, and the promise resolves when a power cut would not either.
   */
  readonly queue: (message: OutgoingMessage, onWritten: () => void) => Promise<void>;
  /** Resolves when it is written; for what was settled before, when that is. */
  readonly settle: (id: string, receipt: Settled) => Promise<void>;
  /** As `settle`, and where it cannot be written it is as before: the message waits. @throws why it is not written */
  readonly withdraw: (id: string, receipt: Settled) => Promise<void>;
  readonly close: () => Promise<void>;
}

const lineSchema = z.discriminatedUnion('did', [
  z.object({ n: z.number(), did: z.literal('queued'), id: z.string(), origin: z.string(), text: z.string() }),
  z.object({ n: z.number(), did: z.literal('synced'), id: z.string() }),
  z.object({
    n: z.number(),
    did: z.literal('delivered'),
    id: z.string(),
    at: z.string(),
    silent: z.literal(true).optional(),
  }),
  z.object({ n: z.number(), did: z.literal('failed'), id: z.string(), why: z.string() }),
]);
type Line = z.infer<typeof lineSchema>;

/** So many settled messages are known by their id after a restart; so many with their words. */
const keptSettled = 1_000;
const keptWords = 200;
/** Then a new file is begun with what is still needed. */
const maxBytes = 20_000_000;

function deliveredAt(at: string, silent: true | undefined): Settled {
  return { state: 'delivered', at, ...(silent === true && { silent }) };
}

interface LedgerState {
  readonly folder: string;
  readonly messages: Map<string, Kept>;
  readonly unwritten: Set<string>;
  /** By id, while it is written what came of them. */
  readonly settling: Map<string, Promise<void>>;
  log: LineLog;
  generation: number;
  /** A new file is being begun: what is added meanwhile goes into that one. */
  turning: Promise<void> | undefined;
}

/** @param folder of the terminal; made where it is missing */
export async function openLedger(ctx: LogContext, folder: string): Promise<Ledger> {
  const earlier = await generationsIn(folder);
  const messages = new Map<string, Kept>();
  for (const generation of earlier) await readInto(ctx, messages, pathOf(folder, generation));
  const generation = (earlier.at(-1) ?? 0) + 1;
  const log = await begin(folder, generation, messages);
  for (const old of earlier) await rm(pathOf(folder, old), { force: true });
  const unwritten = new Set<string>();
  const settling: LedgerState['settling'] = new Map();
  const state: LedgerState = { folder, messages, unwritten, settling, log, generation, turning: undefined };
  return {
    messages,
    unwritten,
    queue: async (message, onWritten) => queueMessage(state, message, onWritten),
    settle: async (id, receipt) => settleMessage(state, id, receipt),
    withdraw: async (id, receipt) => withdrawMessage(state, id, receipt),
    close: async () => state.log.close(),
  };
}

function pathOf(folder: string, generation: number): string {
  return join(folder, `ledger-${generation}.jsonl`);
}

/** More than one where the hall was killed while it began a new file: together they hold everything. */
async function generationsIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const numbers = names.flatMap((name) => /^ledger-(\d{1,9})\.jsonl$/.exec(name)?.[1] ?? []);
  return numbers.map(Number).toSorted((a, b) => a - b);
}

async function readInto(ctx: LogContext, messages: Map<string, Kept>, path: string): Promise<void> {
  const say = (anomaly: string): void => ctx.log.warn({ path }, `the ledger of a terminal ${anomaly}`);
  const reader = createReader({ path, schema: lineSchema }, 1, say);
  await readOn(reader, (line) => takeLine(messages, line));
}

function takeLine(messages: Map<string, Kept>, line: Line): void {
  const known = messages.get(line.id);
  if (line.did === 'queued') {
    const { id, origin, text } = line;
    if (known === undefined) messages.set(id, { message: { id, origin, text }, receipt: { state: 'queued' } });
  } else if (known?.receipt.state === 'queued' && line.did !== 'synced') {
    const receipt: Receipt =
      line.did === 'failed' ? { state: 'failed', why: line.why } : deliveredAt(line.at, line.silent);
    messages.set(line.id, { message: known.message, receipt });
  }
}

/** Begins a file with what is still needed of `messages`, which forgets the rest. */
async function begin(folder: string, generation: number, messages: Map<string, Kept>): Promise<LineLog> {
  const log = await createLineLog(pathOf(folder, generation));
  forgetOld(messages);
  const lines = [...messages.values()].flatMap(linesOf);
  await Promise.all(lines.map(async (line, index) => log.add(line, { durable: index === lines.length - 1 })));
  return log;
}

function forgetOld(messages: Map<string, Kept>): void {
  const settled = [...messages].filter(([, { receipt }]) => receipt.state !== 'queued').toReversed();
  for (const [index, [id, { message, receipt }]] of settled.entries()) {
    if (index >= keptSettled) messages.delete(id);
    else if (index >= keptWords) messages.set(id, { message: { ...message, text: '' }, receipt });
  }
}

type Unnumbered<T> = T extends unknown ? Omit<T, 'n'> : never;

function linesOf({ message, receipt }: Kept): Unnumbered<Line>[] {
  const { id } = message;
  const queued = { did: 'queued', ...message } as const;
  switch (receipt.state) {
    case 'queued':
      return [queued];
    case 'delivered':
      return [queued, { did: 'delivered', id, at: receipt.at, ...(receipt.silent === true && { silent: true }) }];
    case 'failed':
      return [queued, { did: 'failed', id, why: receipt.why }];
  }
}

async function queueMessage(state: LedgerState, message: OutgoingMessage, onWritten: () => void): Promise<void> {
  const { id, origin, text } = message;
  state.messages.set(id, { message: { id, origin, text }, receipt: { state: 'queued' } });
  state.unwritten.add(id);
  try {
    await state.turning;
    await state.log.add({ did: 'queued', id, origin, text });
  } catch (error) {
    state.messages.delete(id);
    throw error;
  } finally {
    state.unwritten.delete(id);
  }
  onWritten();
  // What makes this line durable makes all before it so.
  await state.log.add({ did: 'synced', id }, { durable: true });
}

async function withdrawMessage(state: LedgerState, id: string, receipt: Settled): Promise<void> {
  const before = state.messages.get(id);
  try {
    await settleMessage(state, id, receipt);
  } catch (error) {
    if (before !== undefined && state.messages.get(id)?.receipt === receipt) state.messages.set(id, before);
    throw error;
  }
}

async function settleMessage(state: LedgerState, id: string, receipt: Settled): Promise<void> {
  const known = state.messages.get(id);
  // Who goes on to the next message would make the pane forget this one before it is written.
  if (known === undefined || known.receipt.state !== 'queued') return state.settling.get(id);
  const kept = { message: known.message, receipt };
  state.messages.set(id, kept);
  const written = writeSettled(state, linesOf(kept)[1]!).finally(() => state.settling.delete(id));
  state.settling.set(id, written);
  return written;
}

async function writeSettled(state: LedgerState, line: Unnumbered<Line>): Promise<void> {
  await state.turning;
  await state.log.add(line);
  if (state.log.bytes() <= maxBytes || state.turning !== undefined) return;
  state.turning = beginAnew(state).finally(() => {
    state.turning = undefined;
  });
  await state.turning;
}

/** What could not be written whole is taken away, so that the next try can begin. */
async function beginNext({ folder, generation, messages }: LedgerState): Promise<LineLog> {
  try {
    return await begin(folder, generation + 1, messages);
  } catch (error) {
    await rm(pathOf(folder, generation + 1), { force: true });
    throw error;
  }
}

async function beginAnew(state: LedgerState): Promise<void> {
  const before = state.log;
  const old = pathOf(state.folder, state.generation);
  state.log = await beginNext(state);
  state.generation += 1;
  await before.close();
  await rm(old, { force: true });
}

/**
 * The files of one attempt, for both who use them: the hall, and the process of the worker (see `contract/journal.ts`).
 * The process creates its identity, its journal and its result exclusively: a second process of the same attempt, and a
 * second result, find the name taken.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { createLineLog, type LineLog } from '../../../kernel/artifacts/line-log.ts';
import { createReader, type LineFile, readOn } from '../../../kernel/artifacts/lines.ts';
import { type FollowOptions, followLines, type LineFollower } from '../../../kernel/artifacts/follow-lines.ts';
import { readFileEnd } from '../../../kernel/artifacts/line-search.ts';
import {
  appendDurably,
  createExclusively,
  readTextIfExists,
  writeAtomically,
} from '../../../kernel/artifacts/write.ts';
import type { BackgroundContext } from '../../../kernel/background/background.ts';
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import {
  type AttemptIdentity,
  attemptIdentitySchema,
  type AttemptOrder,
  attemptOrderSchema,
  type AttemptResult,
  attemptResultSchema,
  type JournalEntry,
  journalEntrySchema,
  type NewJournalEntry,
  type WordToWorker,
  wordToWorkerSchema,
} from '../contract/journal.ts';

export const attemptFiles = {
  order: 'order.json',
  identity: 'identity.json',
  journal: 'journal.jsonl',
  result: 'result.json',
  words: 'words.jsonl',
  log: 'process.log',
  /** The agent's own state, and its temporary files: all that an agent sees of the folder. */
  agent: 'agent',
  tmp: 'tmp',
  /** Which processes of agents live; see `stopLeftoverAgents`. */
  processes: 'processes',
} as const;

/** @param say what is wrong with a file that is there and yet tells nothing */
type Say = (anomaly: string) => void;

// The hall's side.

export async function writeOrder(folder: string, order: AttemptOrder): Promise<void> {
  await writeAtomically(join(folder, attemptFiles.order), printJson(attemptOrderSchema.parse(order)), { mode: 0o600 });
}

/** null: the process has not begun, or its identity cannot be read, which `say` is told. */
export async function readIdentity(folder: string, say?: Say): Promise<AttemptIdentity | null> {
  return readJson(folder, attemptFiles.identity, attemptIdentitySchema, say);
}

/** null: nothing was submitted, or the result cannot be read, which `say` is told. */
export async function readResult(folder: string, say?: Say): Promise<AttemptResult | null> {
  return readJson(folder, attemptFiles.result, attemptResultSchema, say);
}

export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** There are more behind the last. */
  readonly hasMore: boolean;
  /** What is wrong with the file, for the person. */
  readonly anomalies: readonly string[];
}

/** Entries from the number `from` on; a long journal is not read as a whole for that. */
export async function readJournal(
  folder: string,
  range: { readonly from: number; readonly limit: number },
): Promise<JournalPage> {
  const entries: JournalEntry[] = [];
  const anomalies: string[] = [];
  const reader = createReader(journalFile(folder), range.from, (anomaly) => anomalies.push(anomaly));
  const isAtEnd = await readOn(reader, (entry) => void entries.push(entry), range.limit);
  return { entries, hasMore: !isAtEnd, anomalies };
}

/** The last `limit` entries. `isCut`: there are earlier ones. */
export async function readJournalEnd(
  folder: string,
  limit: number,
): Promise<{ readonly entries: readonly JournalEntry[]; readonly isCut: boolean }> {
  const { lastN } = await readFileEnd(join(folder, attemptFiles.journal));
  const from = Math.max(1, lastN - limit + 1);
  const { entries } = await readJournal(folder, { from, limit: Number.POSITIVE_INFINITY });
  return { entries: entries.slice(-limit), isCut: from > 1 };
}

/**
 * Gives the entries from `fromN` on, those that are there and those that come, one after the other, until it is closed.
 * An entry that `onEntry` refuses by throwing is given again a moment later.
 */
export function followJournal(
  ctx: ClockContext & LogContext & BackgroundContext,
  folder: string,
  fromN: number,
  onEntry: FollowOptions<JournalEntry>['onEntry'],
  onAnomaly: Say = () => undefined,
): LineFollower {
  return followLines(ctx, journalFile(folder), { from: fromN, onEntry, onAnomaly });
}

/** Adds a word to the running worker; on disk when it resolves. To be called under the commission's lock. */
export async function appendWord(folder: string, word: Omit<WordToWorker, 'n'>): Promise<WordToWorker> {
  const path = join(folder, attemptFiles.words);
  const { lastN, isTorn } = await readFileEnd(path);
  const next = wordToWorkerSchema.parse({ n: lastN + 1, ...word });
  // What a killed hall began to write is no line, and must not become a part of this one.
  await appendDurably(path, `${isTorn ? '\n' : ''}${JSON.stringify(next)}\n`, { mode: 0o600 });
  return next;
}

export async function readWords(folder: string): Promise<WordToWorker[]> {
  const words: WordToWorker[] = [];
  await readOn(
    createReader(wordsFile(folder), 1, () => undefined),
    (word) => void words.push(word),
  );
  return words;
}

// The side of the process.

/** @throws `not_found` and `conflict` where there is no order, or it cannot be understood */
export async function readOrder(folder: string): Promise<AttemptOrder> {
  const faults: string[] = [];
  const order = await readJson(folder, attemptFiles.order, attemptOrderSchema, (fault) => faults.push(fault));
  if (order !== null) return order;
  throw fail(
    faults.length === 0 ? 'not_found' : 'conflict',
    `There is no order in ${folder}: ${faults[0] ?? `it has no ${attemptFiles.order}`}.`,
    'Commissions are started by the hall: guild-hall commission dispatch <id>',
    { folder },
  );
}

/** The first act of the process. @returns false when this attempt has a process already */
export async function createIdentity(folder: string, identity: AttemptIdentity): Promise<boolean> {
  return createExclusively(join(folder, attemptFiles.identity), printJson(identity), { mode: 0o600 });
}

/** On disk when it resolves, as a whole. @returns false when there is a result already; it is left as it is */
export async function createResult(folder: string, result: AttemptResult): Promise<boolean> {
  const text = printJson(attemptResultSchema.parse(result));
  return createExclusively(join(folder, attemptFiles.result), text, { mode: 0o600 });
}

export interface Journal {
  /** Resolves when the line is written; for `progress` to `ended`, when it is on disk. */
  add(entry: NewJournalEntry): Promise<void>;
  close(): Promise<void>;
}

const lasting: ReadonlySet<JournalEntry['kind']> = new Set([
  'progress',
  'question',
  'decision',
  'artifact',
  'result',
  'heard',
  'usage',
  'ended',
]);
const bulky: ReadonlySet<JournalEntry['kind']> = new Set(['text', 'thought', 'tool', 'tool_result']);
/** When the journal is so long, what an agent says and does is no longer kept. Well below what readers read. */
const maxTalkBytes = 150_000_000;

/** @throws `conflict` when there is a journal already */
export async function openJournal(ctx: ClockContext, folder: string): Promise<Journal> {
  const log = await createLineLog(join(folder, attemptFiles.journal));
  return { add: async (entry) => addEntry(ctx, log, entry), close: log.close };
}

async function addEntry(ctx: ClockContext, log: LineLog, entry: NewJournalEntry): Promise<void> {
  if (bulky.has(entry.kind) && log.bytes() > maxTalkBytes) return;
  await log.add({ at: ctx.clock.nowIso(), ...entry }, { durable: lasting.has(entry.kind) });
}

/** Gives the person's words as they come. */
export function followWords(
  ctx: ClockContext & LogContext & BackgroundContext,
  folder: string,
  onWord: FollowOptions<WordToWorker>['onEntry'],
): LineFollower {
  return followLines(ctx, wordsFile(folder), {
    from: 1,
    onEntry: onWord,
    onAnomaly: (anomaly) => ctx.log.warn({ anomaly }, 'words of the person cannot be read'),
  });
}

// What both use.

function journalFile(folder: string): LineFile<JournalEntry> {
  return { path: join(folder, attemptFiles.journal), schema: journalEntrySchema };
}

function wordsFile(folder: string): LineFile<WordToWorker> {
  return { path: join(folder, attemptFiles.words), schema: wordToWorkerSchema };
}

function printJson(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

async function readJson<T>(folder: string, name: string, schema: z.ZodType<T>, say?: Say): Promise<T | null> {
  try {
    const text = await readTextIfExists(join(folder, name));
    if (text === undefined) return null;
    const parsed = schema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    say?.(`${name} cannot be read: ${z.prettifyError(parsed.error).split('\n')[0]}`);
  } catch (error) {
    say?.(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return null;
}

/**
 * `commission logs --follow`: goes on with what a worker says and does, until it has ended. Leaving it leaves the
 * commission alone.
 */
import { z } from 'zod';
import {
  commissionLogsSchema,
  type CommissionLogs,
  commissionStatusSchema,
  journalEntrySchema,
  type JournalEntry,
} from '../../features/commissions/contract.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { HallClient } from './client.ts';
import { type AnswerFollow, type FollowParts, isGone, leftByInterrupt } from './follow.ts';
import { createProgress, type Progress } from './progress.ts';
import { createLogPrinter, endWords, type LogPrinter, printEntries } from './render/commission-logs.ts';

const entrySchema = z.object({ attempt: z.number(), entry: journalEntrySchema });
const statusSchema = z.object({ to: commissionStatusSchema });

interface Following {
  readonly client: HallClient;
  readonly printer: LogPrinter;
  readonly progress: Progress;
  readonly asJson: boolean;
  readonly id: string;
  readonly project: string;
  attempt: number;
  /** Number of the next entry. */
  next: number;
}

/** Seconds of silence after which it is said what is waited for. */
const patience = 5;

export const followCommissionLogs: AnswerFollow = {
  run: async (parts, client, answer, asJson) => {
    const logs = commissionLogsSchema.parse(answer);
    const progress = createProgress(parts.terminal, parts.sleep, asJson);
    const printer = createLogPrinter(parts.terminal, (text) => parts.terminal.out(text));
    const { id, project, attempt, next } = logs;
    return await follow(parts, { client, printer, progress, asJson, id, project, attempt, next }, logs);
  },
};

async function follow(parts: FollowParts, following: Following, logs: CommissionLogs): Promise<number> {
  const { printer, progress } = following;
  const leaving = new AbortController();
  const stopListening = parts.onInterrupt(() => leaving.abort());
  show(following, logs.entries);
  try {
    if (logs.hasMore) await catchUp(following);
    if (hasEnded(logs.status)) return 0;
    wait(following, logs.status);
    return await readOn(following, logs.cursor, leaving.signal);
  } catch (error) {
    if (leaving.signal.aborted) return leftByInterrupt;
    throw isGone(error) ? hallWentAway(`guild-hall commission logs ${following.id} --follow`) : error;
  } finally {
    progress.clear();
    if (!following.asJson) endWords(printer);
    stopListening();
    leaving.abort();
  }
}

async function readOn(following: Following, after: string, signal: AbortSignal): Promise<number> {
  const { client, id } = following;
  for await (const { type, data } of client.events({ subject: `commission:${id}`, after, signal })) {
    const told = type === 'commission.journal' ? entrySchema.safeParse(data) : undefined;
    if (told?.success) await take(following, told.data.attempt, told.data.entry);
    const moved = type === 'commission.status' ? statusSchema.safeParse(data) : undefined;
    if (!moved?.success) continue;
    // What came between the two is in the journal by now.
    if (hasEnded(moved.data.to)) {
      await catchUp(following);
      return 0;
    }
    wait(following, moved.data.to);
  }
  return leftByInterrupt;
}

/** Entries that the stream left out are read from the journal; what was shown before is not shown again. */
async function take(following: Following, attempt: number, entry: JournalEntry): Promise<void> {
  if (attempt > following.attempt) Object.assign(following, { attempt, next: 1 });
  if (attempt < following.attempt || entry.n < following.next) return;
  if (entry.n > following.next) await catchUp(following);
  if (entry.n >= following.next) show(following, [entry]);
  wait(following, 'in_progress');
}

async function catchUp(following: Following): Promise<void> {
  const { client, id, project, attempt } = following;
  for (;;) {
    if (following.attempt === 0) return;
    const input = { id, project, from: following.next, limit: 1000, ...(attempt === 0 ? {} : { attempt }) };
    const { entries, hasMore } = commissionLogsSchema.parse(await client.call('commission.logs', input));
    show(following, entries);
    if (!hasMore || entries.length === 0) return;
  }
}

function show(following: Following, entries: readonly JournalEntry[]): void {
  const { printer, progress, asJson } = following;
  progress.clear();
  if (asJson) for (const entry of entries) printer.write(`${JSON.stringify(entry)}\n`);
  else printEntries(printer, entries);
  const last = entries.at(-1);
  if (last !== undefined) following.next = last.n + 1;
}

function wait({ progress, printer }: Following, status: string | null): void {
  if (!printer.atLineStart) return;
  progress.waitFor(status === 'in_progress' ? 'the worker' : 'the commission to start', patience);
}

/** Workers do not need the hall while they work. */
export function hallWentAway(command: string): Error {
  return fail(
    'unavailable',
    'The hall went away; workers that run go on without it.',
    `guild-hall up --detach, then: ${command}`,
  );
}

function hasEnded(status: string | null): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

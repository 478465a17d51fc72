/** What the process of an attempt wrote into its journal becomes part of the record: each line once, over all crashes. */
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord, JournalEntry, TimelineEntry } from '../contract.ts';
import { readJournal } from '../store/attempt.ts';
import { attemptFolder, commissionLock, type CommissionRef } from '../store/place.ts';
import type { CommissionChanges } from '../store/record.ts';
import { changeRun, runOf } from '../store/run.ts';
import { announce } from './live.ts';
import { addToTimeline, ensureRecord } from './status.ts';

/** The entry of the timeline that a line of the journal makes; undefined for what only its readers see. */
export function timelineEntryOf(entry: JournalEntry, attempt: number): TimelineEntry | undefined {
  const base = { timestamp: entry.at, attempt, n: entry.n };
  switch (entry.kind) {
    case 'progress':
      return { ...base, event: 'progress', text: entry.text };
    case 'question':
      return { ...base, event: 'question', id: entry.id, text: entry.text };
    case 'decision': {
      const { question, decision, reasoning } = entry;
      return { ...base, event: 'decision', question, decision, reasoning };
    }
    case 'artifact':
      return { ...base, event: 'artifact', path: entry.path };
    case 'result':
      return { ...base, event: 'result', summary: entry.summary, artifacts: entry.artifacts };
    default:
      return undefined;
  }
}

/** Number of the last line of the attempt's journal that is in the timeline; 0: none. */
export function lastFolded(timeline: readonly TimelineEntry[], attempt: number): number {
  return Math.max(0, ...timeline.flatMap((entry) => (entry.attempt === attempt && entry.n ? [entry.n] : [])));
}

/** Fields of the record that follow from a new entry. */
function changesOf(record: CommissionRecord, entry: TimelineEntry): CommissionChanges {
  if (entry.event === 'progress') return { currentProgress: entry.text };
  if (entry.event !== 'artifact' || record.linkedArtifacts.includes(entry.path)) return {};
  return { linkedArtifacts: [...record.linkedArtifacts, entry.path] };
}

/** Brings the line into the record where it belongs there, then tells it. */
export async function foldEntry(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  entry: JournalEntry,
): Promise<void> {
  const folded = timelineEntryOf(entry, attempt);
  if (folded !== undefined) {
    await ctx.locks.with(commissionLock(ref), async () => {
      const record = await ensureRecord(ctx, ref);
      if (record === undefined || record.attempt !== attempt) return;
      if (lastFolded(record.timeline, attempt) >= entry.n) return;
      await addToTimeline(ctx, ref, [folded], changesOf(record, folded));
    });
  }
  announce(ctx, ref, 'commission.journal', { id: ref.id, attempt, entry });
}

/** Remembers up to where readers of the stream were told, so that a hall that starts anew goes on from there. */
export async function rememberTold(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  told: number,
): Promise<void> {
  await ctx.locks.with(commissionLock(ref), async () => {
    if ((await runOf(ctx, ref).read())?.told === told) return;
    await changeRun(ctx, ref, attempt, (run) => ({ ...run, told }));
  });
}

/** Lines read at once. */
const pageSize = 500;

/**
 * Folds whatever of the journal is not in the record yet; its process has ended. Lines from `told` on are told.
 * @returns the last line of each kind that decides how it ended, and what is wrong with the file
 */
export async function foldRest(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  told: number,
): Promise<JournalEnd> {
  const folder = attemptFolder(ctx, ref, attempt);
  const end: JournalEnd = { ended: null, usage: null, anomalies: [], last: 0 };
  for (let from = 1; ;) {
    const page = await readJournal(folder, { from, limit: pageSize });
    for (const entry of page.entries) {
      if (entry.kind === 'ended') end.ended = entry;
      if (entry.kind === 'usage') end.usage = entry.usage;
      end.last = entry.n;
      if (entry.n > told) await foldEntry(ctx, ref, attempt, entry);
    }
    // The same fault is met again by every page that passes it.
    for (const anomaly of page.anomalies) if (!end.anomalies.includes(anomaly)) end.anomalies.push(anomaly);
    const last = page.entries.at(-1);
    if (!page.hasMore || last === undefined) return end;
    from = last.n + 1;
  }
}

export interface JournalEnd {
  ended: Extract<JournalEntry, { kind: 'ended' }> | null;
  usage: Extract<JournalEntry, { kind: 'usage' }>['usage'] | null;
  readonly anomalies: string[];
  last: number;
}

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

/** Numbers of those lines of the attempt's journal that are in the timeline. */
export function foldedLines(timeline: readonly TimelineEntry[], attempt: number): ReadonlySet<number> {
  return new Set(timeline.flatMap((entry) => (entry.attempt === attempt && entry.n !== undefined ? [entry.n] : [])));
}

/** Fields of the record that follow from new entries. */
function changesOf(record: CommissionRecord, entries: readonly TimelineEntry[]): CommissionChanges {
  const progress = entries.findLast((entry) => entry.event === 'progress');
  const made = entries.flatMap((entry) => (entry.event === 'artifact' ? [entry.path] : []));
  const links = [...new Set([...record.linkedArtifacts, ...made])];
  return {
    ...(progress === undefined ? {} : { currentProgress: progress.text }),
    ...(links.length === record.linkedArtifacts.length ? {} : { linkedArtifacts: links }),
  };
}

/** Brings the lines into the record where they belong there and are not there yet, in one write. */
async function fold(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  lines: readonly JournalEntry[],
): Promise<void> {
  const made = lines.flatMap((line) => timelineEntryOf(line, attempt) ?? []);
  if (made.length === 0) return;
  await ctx.locks.with(commissionLock(ref), async () => {
    const record = await ensureRecord(ctx, ref);
    if (record === undefined || record.attempt !== attempt) return;
    const folded = foldedLines(record.timeline, attempt);
    const fresh = made.filter(({ n }) => !folded.has(n!));
    if (fresh.length > 0) await addToTimeline(ctx, ref, fresh, changesOf(record, fresh));
  });
}

/** Brings the line into the record where it belongs there, then tells it. */
export async function foldEntry(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  entry: JournalEntry,
): Promise<void> {
  await fold(ctx, ref, attempt, [entry]);
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
  const end: JournalEnd = { ended: null, usage: null, anomalies: [] };
  for (let from = 1; ;) {
    const page = await readJournal(folder, { from, limit: pageSize });
    for (const entry of page.entries) {
      if (entry.kind === 'ended') end.ended = entry;
      if (entry.kind === 'usage') end.usage = entry.usage;
    }
    await fold(ctx, ref, attempt, page.entries);
    for (const entry of page.entries) {
      if (entry.n > told) announce(ctx, ref, 'commission.journal', { id: ref.id, attempt, entry });
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
}

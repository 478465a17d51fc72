/** What an entry of the timeline says of the record that it stands in. Pure; shared by hall and web. */
import type { CommissionRecord, CommissionView, TimelineEntry } from '../contract.ts';

/** The record with the entry at the end of its timeline and with what follows from it; the same record where it has it. */
export function withEntry(record: CommissionRecord, entry: TimelineEntry): CommissionRecord {
  if (record.timeline.some((known) => isSame(known, entry))) return record;
  return { ...record, ...factsOf(record, entry), timeline: [...record.timeline, entry] };
}

/** One line of a journal is one entry; of the hall's own, those that say the same of the same moment are one. */
export function isSame(known: TimelineEntry, entry: TimelineEntry): boolean {
  if (known.attempt !== entry.attempt || known.n !== entry.n || known.event !== entry.event) return false;
  return entry.n !== undefined || JSON.stringify(known, sorted(known)) === JSON.stringify(entry, sorted(entry));
}

function sorted(entry: TimelineEntry): string[] {
  return Object.keys(entry).toSorted();
}

function factsOf(record: CommissionRecord, entry: TimelineEntry): Partial<CommissionRecord> {
  switch (entry.event) {
    case 'status':
      return { ...factsOfMove(entry), attempt: Math.max(record.attempt, entry.attempt) };
    case 'attempt':
      return { attempt: entry.attempt, branch: entry.branch };
    case 'progress':
      return { currentProgress: entry.text };
    case 'result':
      return { result: { summary: entry.summary, artifacts: entry.artifacts } };
    case 'artifact':
      return record.linkedArtifacts.includes(entry.path)
        ? {}
        : { linkedArtifacts: [...record.linkedArtifacts, entry.path] };
    case 'merge':
      return { merge: { state: entry.state, files: entry.files } };
    case 'review':
      return { reviewedAt: entry.timestamp };
    default:
      return {};
  }
}

function factsOfMove(entry: Extract<TimelineEntry, { event: 'status' }>): Partial<CommissionRecord> {
  const { to: status, from, timestamp } = entry;
  if (status === 'completed') return { status, completedAt: timestamp };
  if (status === 'dispatched') return { status, queuedAt: null };
  // A re-dispatch begins afresh.
  const isAfresh = from === 'failed' || from === 'cancelled';
  return isAfresh ? { status, ...afresh } : { status };
}

/** What a re-dispatch sets back in the record. */
export const afresh = {
  currentProgress: '',
  result: null,
  completedAt: null,
  merge: { state: 'none', files: [] },
  mergedFrom: null,
  reviewedAt: null,
} satisfies Partial<CommissionRecord>;

/** Questions that nobody answered, in order. */
export function openQuestionsOf(timeline: readonly TimelineEntry[]): CommissionView['openQuestions'] {
  const answered = new Set(timeline.flatMap((entry) => (entry.event === 'answer' ? [entry.question] : [])));
  return timeline.flatMap((entry) =>
    entry.event === 'question' && !answered.has(entry.id)
      ? [{ id: entry.id, text: entry.text, at: entry.timestamp }]
      : [],
  );
}

/** When the state was last changed; when it was created where the timeline tells of no change. */
export function sinceOf(record: Pick<CommissionRecord, 'timeline' | 'createdAt'>): string {
  return record.timeline.findLast(({ event }) => event === 'status')?.timestamp ?? record.createdAt;
}

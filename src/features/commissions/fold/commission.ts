/**
 * What the page of a commission shows. Pure; live, replayed and reloaded are the same: a view, with every event after
 * its cursor folded in, shows what a later view shows. Events that a view's files hold already, and events up to its
 * cursor, change nothing. What no event carries (changed files, neighbours, the queue) is asked for anew when
 * `commission.changed` or `commission.queue` is told.
 */
import type { CommissionEvents, CommissionStatus, CommissionView, RunningProcess } from '../contract.ts';
import type { JournalEntry } from '../contract/journal.ts';
import { type HallEvent, parseCursor, printCursor } from '../../../kernel/pure/events.ts';
import { allowedVerbs } from '../rules.ts';
import { openQuestionsOf, withEntry } from './record.ts';

/** Entries of the journal that a view holds. */
export const mostJournalEntries = 500;

/** Adds one event of the hall's stream. What is not about this commission gives the same object back. */
export function foldCommissionEvent(view: CommissionView, event: HallEvent): CommissionView {
  const { id, project } = view.commission;
  if (event.subject !== `commission:${id}` || event.project !== project) return view;
  const seen = parseCursor(view.cursor);
  if (seen?.epoch === event.epoch && event.seq <= seen.seq) return view;
  const fold = folds[event.type as keyof CommissionEvents] as Fold<unknown> | undefined;
  const folded = fold === undefined ? view : fold(view, event.data);
  return { ...folded, cursor: printCursor(event) };
}

type Fold<Data> = (view: CommissionView, data: Data) => CommissionView;

const folds: { readonly [Type in keyof CommissionEvents]?: Fold<CommissionEvents[Type]> } = {
  // Every change of the state is an entry of the timeline as well, and that is told as such.
  'commission.timeline': addEntry,
  'commission.journal': addJournal,
  'commission.merge': (view, { merge }) => settled({ ...view, commission: { ...view.commission, merge } }),
};

function addEntry(view: CommissionView, { entry }: CommissionEvents['commission.timeline']): CommissionView {
  const commission = withEntry(view.commission, entry);
  if (commission === view.commission) return view;
  const isNewAttempt = commission.attempt > view.commission.attempt;
  return settled({
    ...view,
    commission,
    ...(isNewAttempt ? { journal: [], journalIsCut: false } : {}),
    ...(entry.event === 'status' ? afterMove(view, entry.to) : {}),
  });
}

/** What the hall is in the middle of, as far as the state tells; the view that is read next knows it better. */
function afterMove(
  view: CommissionView,
  status: CommissionStatus,
): Pick<CommissionView, 'phase' | 'process' | 'queue'> {
  const { process, queue } = view;
  if (status === 'dispatched') return { phase: 'setting_up', process: null, queue: null };
  if (status === 'in_progress') return { phase: 'running', process, queue: null };
  const waits = status === 'pending' || status === 'blocked';
  return { phase: null, process: null, queue: waits ? queue : null };
}

function addJournal(view: CommissionView, { attempt, entry }: CommissionEvents['commission.journal']): CommissionView {
  const { commission } = view;
  if (attempt < commission.attempt) return view;
  const journal = attempt === commission.attempt ? view.journal : [];
  if (entry.n <= (journal.at(-1)?.n ?? 0)) return view;
  const all = [...journal, entry];
  const isFull = all.length > mostJournalEntries;
  return {
    ...view,
    commission: attempt === commission.attempt ? commission : { ...commission, attempt },
    journal: isFull ? all.slice(-mostJournalEntries) : all,
    journalIsCut: isFull || (journal.length > 0 && view.journalIsCut),
    process: processAfter(view.process, attempt, entry),
  };
}

function processAfter(process: RunningProcess | null, attempt: number, entry: JournalEntry): RunningProcess | null {
  if (process?.attempt !== attempt) return process;
  const alive = { ...process, lastHeartbeat: entry.at, heartbeat: 'healthy' as const };
  if (entry.kind !== 'started') return alive;
  const { model, isRehearsal, sandbox } = entry;
  return { ...alive, model, isRehearsal, sandbox };
}

/** With what follows from the record. */
function settled(view: CommissionView): CommissionView {
  const { commission } = view;
  const openQuestions = openQuestionsOf(commission);
  const beat = commission.timeline.findLast(
    ({ event, attempt }) => event === 'heartbeat' && attempt === commission.attempt,
  );
  const process =
    view.process !== null && beat?.event === 'heartbeat' ? { ...view.process, heartbeat: beat.to } : view.process;
  return { ...view, openQuestions, process, allowed: allowedOf({ ...view, openQuestions }) };
}

export function allowedOf(
  view: Pick<CommissionView, 'commission' | 'phase' | 'openQuestions'>,
): CommissionView['allowed'] {
  const { status, attempt, queuedAt, merge, reviewedAt } = view.commission;
  const { phase, openQuestions } = view;
  return allowedVerbs({
    status,
    attempt,
    queuedAt,
    reviewedAt,
    merge: merge.state,
    phase,
    openQuestions: openQuestions.length,
  });
}

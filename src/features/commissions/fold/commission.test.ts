import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HallEvent } from '../../../kernel/pure/events.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import type { CommissionEvents, CommissionRecord, CommissionView, TimelineEntry } from '../contract.ts';
import { commissionIdSchema } from '../contract.ts';
import type { JournalEntry } from '../contract/journal.ts';
import { decideMove, firstEntry, transitions } from '../rules.ts';
import { allowedOf, foldCommissionEvent, mostJournalEntries } from './commission.ts';
import { openQuestionsOf, sinceOf, withEntry } from './record.ts';

const id = commissionIdSchema.parse('c-1');
const timeOf = (second: number): string => new Date(Date.UTC(2026, 1, 14, 9, 0, second)).toISOString();
const record: CommissionRecord = {
  id,
  project: projectNameSchema.parse('shop'),
  path: '.lore/commissions/c-1.md',
  title: 'T',
  date: '2026-02-14',
  status: 'pending',
  tags: ['commission'],
  modules: [],
  related: [],
  worker: 'writer',
  prompt: 'P',
  dependencies: [],
  linkedArtifacts: [],
  maxTurns: null,
  maxBudgetUsd: null,
  createdBy: 'person',
  createdAt: timeOf(0),
  queuedAt: null,
  attempt: 0,
  branch: null,
  currentProgress: '',
  result: null,
  completedAt: null,
  merge: { state: 'none', files: [] },
  mergedFrom: null,
  reviewedAt: null,
  usage: null,
  timeline: [firstEntry('pending', 'Created', timeOf(0))],
  problems: [],
};
const process = {
  pid: 7,
  attempt: 1,
  startedAt: timeOf(1),
  lastHeartbeat: timeOf(1),
  heartbeat: 'healthy' as const,
  worktree: '/w',
  sandbox: 'bwrap',
  model: 'm',
  isRehearsal: true,
};

function viewOf(commission: CommissionRecord, journal: readonly JournalEntry[], cursor: string): CommissionView {
  const phases = { dispatched: 'setting_up', in_progress: 'running' } as const;
  const view: CommissionView = {
    commission,
    workerTitle: 'Writer',
    phase: phases[commission.status as keyof typeof phases] ?? null,
    process: null,
    dependencies: [],
    dependents: [],
    undispatched: [],
    queue: null,
    openQuestions: openQuestionsOf(commission),
    allowed: [],
    changedFiles: [],
    branches: [],
    conflicts: [],
    journal: journal.slice(-mostJournalEntries),
    journalIsCut: journal.length > mostJournalEntries,
    recordFile: '/r',
    cursor,
  };
  return { ...view, allowed: allowedOf(view) };
}

/** A hall in small: it writes, then tells. */
class Hall {
  record = record;
  journal: JournalEntry[] = [];
  events: HallEvent[] = [];
  second = 0;

  view(): CommissionView {
    return viewOf(this.record, this.journal, `e.${this.events.length}`);
  }

  #tell<Type extends keyof CommissionEvents>(type: Type, data: CommissionEvents[Type]): void {
    const seq = this.events.length + 1;
    this.events.push({
      type,
      project: 'shop',
      subject: 'commission:c-1',
      data,
      epoch: 'e',
      seq,
      at: timeOf(this.second),
    });
  }

  #write(entry: TimelineEntry, more: Partial<CommissionRecord> = {}): void {
    this.record = { ...withEntry(this.record, entry), ...more };
  }

  move(to: NonNullable<CommissionRecord['status']>): void {
    this.second += 1;
    const from = this.record.status!;
    const attempt = to === 'dispatched' && this.record.attempt === 0 ? 1 : this.record.attempt;
    const move = decideMove(this.record, to, 'Why', timeOf(this.second), attempt);
    if (!move.ok) return;
    const isAgain = from === 'failed' || from === 'cancelled';
    this.#write(move.next.entry);
    this.#tell('commission.status', { id, title: 'T', from, to, reason: 'Why', attempt });
    this.#tell('commission.timeline', { id, entry: move.next.entry });
    if (!isAgain) return;
    const base = { timestamp: timeOf(this.second), attempt: attempt + 1 };
    const marker: TimelineEntry = { ...base, event: 'attempt', branch: `b-${attempt + 1}`, reason: 'Again' };
    this.#write(marker);
    this.journal = [];
    this.#tell('commission.timeline', { id, entry: marker });
  }

  work(kind: 'text' | 'progress' | 'question' | 'artifact' | 'result'): void {
    this.second += 1;
    const { attempt } = this.record;
    if (attempt === 0 || this.record.status !== 'in_progress') return;
    const n = this.journal.length + 1;
    const said = {
      text: `x${this.second}`,
      id: `q${attempt}.${n}`,
      path: `.lore/${n % 3}.md`,
      summary: 's',
      artifacts: [],
    };
    const line = { ...said, kind, n, at: timeOf(this.second) } as unknown as JournalEntry;
    this.journal.push(line);
    this.#tell('commission.journal', { id, attempt, entry: line });
    if (kind === 'text') return;
    const entry = { ...said, event: kind, n, attempt, timestamp: timeOf(this.second) } as unknown as TimelineEntry;
    this.#write(entry);
    this.#tell('commission.timeline', { id, entry });
  }

  say(event: 'answer' | 'review' | 'merge' | 'comment' | 'heartbeat' | 'anomaly'): void {
    this.second += 1;
    const question = openQuestionsOf(this.record)[0]?.id ?? 'q0';
    const more = {
      question,
      text: `y${this.second}`,
      state: 'merge_conflict',
      files: ['a'],
      from: 'healthy',
      to: 'stale',
    };
    const base = { event, attempt: this.record.attempt, timestamp: timeOf(this.second) };
    this.#write({ ...more, ...base } as unknown as TimelineEntry);
    this.#tell('commission.timeline', { id, entry: { ...more, ...base } as unknown as TimelineEntry });
  }
}

const round = ['dispatched', 'in_progress', 'failed', 'pending'] as const;
const act = fc.oneof(
  fc.record({ do: fc.constant('move' as const), what: fc.constantFrom(...round) }),
  fc.record({
    do: fc.constant('move' as const),
    what: fc.constantFrom(...(Object.keys(transitions) as (keyof typeof transitions)[])),
  }),
  fc.record({
    do: fc.constant('work' as const),
    what: fc.constantFrom('text', 'progress', 'question', 'artifact', 'result'),
  }),
  fc.record({
    do: fc.constant('say' as const),
    what: fc.constantFrom('answer', 'review', 'merge', 'comment', 'heartbeat', 'anomaly'),
  }),
);

test('live, replayed and reloaded it is the same', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const hall = new Hall();
      const begin = hall.view();
      const views = [begin];
      for (const one of acts) {
        (hall[one.do] as (what: string) => void).call(hall, one.what);
        views.push(hall.view());
      }
      const last = hall.view();
      for (const view of views) {
        const seen = Number(view.cursor.split('.')[1]);
        expect(hall.events.slice(seen).reduce(foldCommissionEvent, view)).toEqual(last);
        // A view whose cursor is older than its files: what they hold already changes nothing.
        const behind = { ...view, cursor: `e.${Math.max(0, seen - 7)}` };
        const folded = hall.events.reduce(foldCommissionEvent, behind);
        expect(folded.commission).toEqual(last.commission);
        expect(folded.journal).toEqual(last.journal);
      }
      expect(hall.events.reduce(foldCommissionEvent, last)).toBe(last);
    }),
    { numRuns: 150 },
  );
});

describe('one event', () => {
  const told = (data: unknown, type = 'commission.timeline', subject = 'commission:c-1', seq = 5): HallEvent => {
    return { type, project: 'shop', subject, data, epoch: 'e', seq, at: timeOf(9) };
  };
  const running = { ...viewOf({ ...record, status: 'in_progress', attempt: 1 }, [], 'e.1'), process };

  test('of another commission, project or time gives the same object back', () => {
    const entry: TimelineEntry = { timestamp: timeOf(9), attempt: 1, event: 'progress', text: 'x' };
    expect(foldCommissionEvent(running, told({ id, entry }, 'commission.timeline', 'commission:other'))).toBe(running);
    expect(foldCommissionEvent(running, { ...told({ id, entry }), project: 'other' })).toBe(running);
    expect(foldCommissionEvent(running, told({ id, entry }, undefined, undefined, 1))).toBe(running);
  });

  test('that the page has to ask about moves the cursor alone', () => {
    expect(foldCommissionEvent(running, told({ id, what: 'x' }, 'commission.changed'))).toEqual({
      ...running,
      cursor: 'e.5',
    });
  });

  test('of the journal shows life, and which model it is', () => {
    const entry: JournalEntry = {
      n: 1,
      at: timeOf(8),
      kind: 'started',
      model: 'big',
      isRehearsal: false,
      sandbox: 'none',
    };
    const stale = { ...running, process: { ...process, heartbeat: 'stale' as const } };
    expect(foldCommissionEvent(stale, told({ id, attempt: 1, entry }, 'commission.journal')).process).toEqual({
      ...process,
      lastHeartbeat: timeOf(8),
      heartbeat: 'healthy',
      model: 'big',
      isRehearsal: false,
      sandbox: 'none',
    });
    const old = foldCommissionEvent(
      { ...running, commission: { ...record, attempt: 2 } },
      told({ id, attempt: 1, entry }, 'commission.journal'),
    );
    expect(old.journal).toEqual([]);
  });

  test('of a heartbeat, of a merge', () => {
    const entry: TimelineEntry = { timestamp: timeOf(9), attempt: 1, event: 'heartbeat', from: 'healthy', to: 'stale' };
    expect(foldCommissionEvent(running, told({ id, entry })).process!.heartbeat).toBe('stale');
    const merge = { state: 'merged' as const, files: [] };
    const data: CommissionEvents['commission.merge'] = { id, merge, commit: 'abc' };
    expect(foldCommissionEvent(running, told(data, 'commission.merge')).commission.merge).toEqual(merge);
  });

  test('more of the journal is held up to a limit', () => {
    const lines = Array.from({ length: mostJournalEntries + 3 }, (_, index) => ({
      n: index + 1,
      at: timeOf(1),
      kind: 'alive' as const,
    }));
    const events = lines.map((entry, index) =>
      told({ id, attempt: 1, entry }, 'commission.journal', undefined, index + 2),
    );
    const { journal, journalIsCut } = events.reduce(foldCommissionEvent, running);
    expect([journal.length, journal[0]!.n, journalIsCut]).toEqual([mostJournalEntries, 4, true]);
  });
});

describe('facts of a record', () => {
  test('[COM-20.2] the last report alone is the progress; [COM-30.6] a re-dispatch begins afresh', () => {
    const hall = new Hall();
    for (const to of ['dispatched', 'in_progress'] as const) hall.move(to);
    for (const kind of ['progress', 'progress', 'question', 'artifact', 'result'] as const) hall.work(kind);
    expect(hall.record).toMatchObject({
      currentProgress: 'x4',
      result: null,
      linkedArtifacts: ['.lore/1.md'],
    });
    expect(hall.record.timeline.filter(({ event }) => event === 'progress')).toHaveLength(2);
    const done = withEntry(hall.record, {
      timestamp: timeOf(8),
      attempt: 1,
      event: 'status',
      from: 'in_progress',
      to: 'completed',
      reason: 'Result submitted',
    });
    expect(done).toMatchObject({
      status: 'completed',
      result: { summary: 's', artifacts: [] },
      completedAt: timeOf(8),
    });
    hall.move('failed');
    expect(sinceOf(hall.record)).toBe(timeOf(8));
    hall.move('pending');
    expect(hall.record).toMatchObject({
      status: 'pending',
      attempt: 2,
      branch: 'b-2',
      currentProgress: '',
      result: null,
    });
    // What the first attempt asked is still asked.
    expect(openQuestionsOf(hall.record)).toMatchObject([{ id: 'q1.3' }]);
    const [begin, now] = [viewOf(record, [], 'e.0'), hall.view()];
    expect([now.journal, hall.events.reduce(foldCommissionEvent, begin)]).toEqual([[], now]);
    hall.say('answer');
    expect(openQuestionsOf(hall.record)).toEqual([]);
    // Nothing of it is asked any more once the person had looked.
    const asks = { ...hall.record, timeline: hall.record.timeline.slice(0, -1) };
    expect([openQuestionsOf(asks).length, openQuestionsOf({ ...asks, reviewedAt: timeOf(9) })]).toEqual([1, []]);
    expect(sinceOf({ timeline: [], createdAt: timeOf(3) })).toBe(timeOf(3));
  });
});

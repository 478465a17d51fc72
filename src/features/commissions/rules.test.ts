import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CommissionStatus, commissionStatusSchema, type TimelineEntry } from './contract.ts';
import {
  allowedVerbs,
  decideEdit,
  decideHandEdit,
  decideMove,
  firstEntry,
  illegalStep,
  statusOfTimeline,
  type VerbFacts,
} from './rules.ts';

const states = commissionStatusSchema.options;
const now = '2026-02-14T09:30:00.000Z';

/** COM-6 with the three moves of system.md §8, written down once more: `x` is allowed. */
const table: Readonly<Record<CommissionStatus, string>> = {
  //            pending blocked dispatched in_progress completed failed cancelled
  pending: '    -       x       x          -           -         -      x',
  blocked: '    x       -       -          -           -         -      x',
  dispatched: ' -       -       -          x           -         x      x',
  in_progress: '-       -       -          -           x         x      x',
  completed: '  -       -       -          -           -         -      -',
  failed: '     x       -       -          -           -         -      -',
  cancelled: '  x       -       -          -           -         -      -',
};
const pairs = states.flatMap((from) => {
  const marks = table[from].trim().split(/\s+/);
  return states.map((to, index) => [from, to, marks[index] === 'x'] as const);
});

describe('[COM-S2] every pair of states', () => {
  test.each(pairs)('%s → %s: %s', (from, to, isAllowed) => {
    const decided = decideMove({ id: 'c-1', status: from }, to, 'Why', now, 2, 'Next');
    if (isAllowed) {
      const entry = { timestamp: now, attempt: 2, event: 'status', from, to, reason: 'Why', hint: 'Next' };
      expect(decided).toEqual({ ok: true, next: { status: to, entry }, events: [], todo: [] });
      return;
    }
    const allowed = states.filter((other) => pairs.some(([x, y, may]) => x === from && y === other && may));
    expect(decided).toMatchObject({
      ok: false,
      refusal: { code: 'conflict', details: { status: from, allowed: expect.arrayContaining(allowed) } },
    });
    const { message } = (decided as { refusal: { message: string } }).refusal;
    for (const word of [from, to, ...allowed]) expect(message).toContain(word);
  });

  test('49 pairs, 13 ways; completed has none', () => {
    expect(pairs).toHaveLength(49);
    expect(pairs.filter(([, , may]) => may)).toHaveLength(13);
    expect(decideMove({ id: 'c-1', status: 'completed' }, 'pending', '', now, 1)).toEqual({
      ok: false,
      refusal: {
        code: 'conflict',
        message: 'Commission c-1 is completed; from there it can become nothing else, not pending.',
        hint: 'From completed you can create a new commission; this one stays as it is.',
        details: { id: 'c-1', status: 'completed', allowed: [] },
      },
    });
  });

  test('a record without a readable state moves nowhere', () => {
    for (const to of states) {
      expect(decideMove({ id: 'c-1', status: null }, to, '', now, 1)).toMatchObject({
        refusal: { code: 'conflict', hint: expect.stringContaining('guild-hall commission show c-1') },
      });
    }
  });
});

describe('timelines', () => {
  const moves = fc.array(fc.constantFrom(...states), { maxLength: 30 });

  test('[COM-8] whatever is wished for, what was allowed is a legal path with one entry a change', () => {
    fc.assert(
      fc.property(fc.constantFrom('pending' as const, 'blocked' as const), moves, (first, wishes) => {
        const timeline: TimelineEntry[] = [firstEntry(first, 'Created', now)];
        let status: CommissionStatus = first;
        let changes = 0;
        for (const to of wishes) {
          const decided = decideMove({ id: 'c-1', status }, to, 'Why', now, 1);
          if (!decided.ok) continue;
          expect(decided.next.entry).toMatchObject({
            event: 'status',
            from: status,
            to,
            timestamp: now,
            reason: 'Why',
          });
          timeline.push(decided.next.entry);
          ({ status } = decided.next);
          changes += 1;
        }
        expect(timeline).toHaveLength(changes + 1);
        expect(illegalStep(timeline)).toBeUndefined();
        expect(statusOfTimeline(timeline)).toBe(status);
      }),
    );
  });

  test('a change that there is not is found, with its place', () => {
    const step = (from: CommissionStatus | null, to: CommissionStatus): TimelineEntry => ({
      timestamp: now,
      attempt: 1,
      event: 'status',
      from,
      to,
      reason: '',
    });
    const between: TimelineEntry = { timestamp: now, attempt: 1, event: 'progress', text: 'x' };
    expect(illegalStep([])).toBeUndefined();
    expect(illegalStep([step(null, 'in_progress')])).toEqual({
      index: 0,
      message: 'nothing cannot become in_progress',
    });
    expect(illegalStep([step('pending', 'blocked')])).toMatchObject({ index: 0 });
    const skipped = [step(null, 'pending'), between, step('pending', 'in_progress')];
    expect(illegalStep(skipped)).toEqual({ index: 2, message: 'pending cannot become in_progress' });
    // The way is one that there is, but it does not begin where the last one ended.
    expect(illegalStep([step(null, 'pending'), step('blocked', 'cancelled')])).toMatchObject({ index: 1 });
    expect(statusOfTimeline([between])).toBeNull();
  });
});

describe('what the person may do', () => {
  const still: VerbFacts = {
    status: 'pending',
    phase: null,
    attempt: 0,
    queuedAt: null,
    merge: 'none',
    reviewedAt: null,
    openQuestions: 0,
  };
  test.each<[string, Partial<VerbFacts>, string[]]>([
    ['a new one', {}, ['edit', 'dispatch', 'cancel']],
    ['a queued one', { queuedAt: now }, ['edit', 'hold', 'cancel']],
    ['a blocked one', { status: 'blocked' }, ['edit', 'cancel']],
    ['a blocked and queued one', { status: 'blocked', queuedAt: now }, ['edit', 'hold', 'cancel']],
    ['one that is set up', { status: 'dispatched', phase: 'setting_up', attempt: 1 }, ['cancel', 'comment']],
    [
      'a running one that asks',
      { status: 'in_progress', phase: 'running', attempt: 1, openQuestions: 1 },
      ['cancel', 'answer', 'comment'],
    ],
    ['one that ends', { status: 'in_progress', phase: 'ending', attempt: 1 }, ['comment']],
    ['one that is being cancelled', { status: 'in_progress', phase: 'cancelling', attempt: 1 }, ['comment']],
    ['a failed one', { status: 'failed', attempt: 1 }, ['redispatch', 'review', 'comment']],
    [
      'a failed one that is left as it is',
      { status: 'failed', attempt: 1, reviewedAt: now },
      ['redispatch', 'comment'],
    ],
    ['a cancelled one that never ran', { status: 'cancelled' }, ['redispatch']],
    ['a merged one', { status: 'completed', attempt: 1, merge: 'merged' }, ['review', 'comment']],
    [
      'one with a conflict',
      { status: 'completed', attempt: 1, merge: 'merge_conflict', reviewedAt: now },
      ['merge', 'dismiss', 'comment'],
    ],
    ['one that is merged just now', { status: 'completed', phase: 'merging', attempt: 1 }, ['comment']],
    ['one that cannot be read', { status: null, attempt: 1, openQuestions: 1 }, []],
  ])('%s', (_name, facts, verbs) => {
    expect(allowedVerbs({ ...still, ...facts })).toEqual(verbs);
  });

  test.each(states)('what was asked for is changed while it waits: %s', (status) => {
    const decided = decideEdit({ id: 'c-1', status });
    expect(decided.ok).toBe(status === 'pending' || status === 'blocked');
    if (!decided.ok) expect(decided.refusal.message).toContain(status);
  });

  test('one that cannot be read is not edited by the verb', () => {
    expect(decideEdit({ id: 'c-1', status: null })).toMatchObject({ refusal: { code: 'conflict' } });
  });
});

describe('a record edited by hand', () => {
  const fields = { title: 'T', prompt: 'P', status: 'pending', dependencies: [], tags: ['commission'], queued_at: '' };
  const side = (changes: object = {}, prompt = 'P') => ({
    fields: { ...fields, ...changes },
    prompt,
    problems: [] as { line: number; message: string }[],
  });
  const edit = (status: CommissionStatus, after: ReturnType<typeof side>, isBusy = false) =>
    decideHandEdit({ id: 'c-1', status, isBusy }, side({ status }), {
      ...after,
      fields: { ...after.fields, status: after.fields.status === 'pending' ? status : after.fields.status },
    });

  test.each<CommissionStatus>(['pending', 'blocked'])('title, prompt and dependencies are free while %s', (status) => {
    for (const after of [side({ title: 'X' }), side({}, 'other'), side({ dependencies: ['.lore/a.md'] })]) {
      expect(edit(status, after)).toMatchObject({ ok: true });
    }
  });

  test.each<CommissionStatus>(['completed', 'failed', 'cancelled'])('tags are free, the order is not: %s', (status) => {
    expect(edit(status, side({ tags: ['mine'], own: 1 }))).toMatchObject({ ok: true });
    expect(edit(status, side({ title: 'X' }))).toMatchObject({ refusal: { details: { field: 'title' } } });
    expect(edit(status, side({}, 'other'))).toMatchObject({ refusal: { details: { field: 'prompt' } } });
  });

  test.each(['status', 'queued_at', 'activity_timeline', 'merge', 'attempt', 'worker'])(
    'the field %s tells what the hall did, and is refused',
    (field) => {
      const decided = edit('pending', side({ [field]: 'completed' }));
      expect(decided).toMatchObject({ ok: false, refusal: { code: 'conflict', details: { field } } });
    },
  );

  test('while it runs, or ends, the hall alone writes', () => {
    for (const status of ['dispatched', 'in_progress'] as const) {
      expect(edit(status, side())).toMatchObject({
        refusal: { hint: expect.stringContaining('commission cancel c-1') },
      });
    }
    expect(edit('completed', side(), true)).toMatchObject({ ok: false });
  });

  test('a text that cannot be read is refused; one that could not be read may be mended', () => {
    const broken = { ...side(), problems: [{ line: 4, message: 'The field `status` says "done".' }] };
    expect(edit('pending', broken)).toMatchObject({ refusal: { code: 'invalid', details: { line: 4 } } });
    const mend = decideHandEdit({ id: 'c-1', status: null, isBusy: false }, broken, side({ status: 'failed' }));
    expect(mend).toMatchObject({ ok: true });
  });
});

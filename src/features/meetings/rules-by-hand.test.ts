/** Rules of what a person sees of meetings, and changes of their records by hand. */
import { describe, expect, test } from 'vitest';
import { decideActivity, decideHandEdit, isPutOff } from './rules.ts';

test.each([
  [null, false],
  ['', false],
  ['2026-03-01', false],
  ['2026-02-28', false],
  ['2026-03-02', true],
  ['someday', false],
  ['2026-03-02T10:00', false],
])('on 2026-03-01 a request that is left until %j is out of sight: %j', (deferredUntil, expected) => {
  expect(isPutOff({ deferredUntil }, '2026-03-01')).toBe(expected);
});

const nine = '2026-03-01T09:00:00Z';
const ten = '2026-03-01T10:00:00Z';
const noon = Date.parse('2026-03-01T12:00:00Z');
const day = 24 * 60 * 60_000;

test.each([
  [{ phase: 'open', answeringSince: ten, spokenAt: nine }, noon, 'answering', ten],
  [{ phase: 'open', answeringSince: null, spokenAt: ten }, noon, 'waiting', ten],
  [{ phase: 'open', answeringSince: null, spokenAt: null }, noon, 'waiting', nine],
  [{ phase: 'open', answeringSince: null, spokenAt: ten }, noon + day, 'idle', ten],
  [{ phase: 'open', answeringSince: ten, spokenAt: nine }, noon + 2 * day, 'answering', ten],
  [{ phase: 'opening', answeringSince: ten, spokenAt: null }, noon, 'opening', ten],
  [{ phase: 'opening', answeringSince: null, spokenAt: null }, noon, 'opening', nine],
  [{ phase: 'closing', answeringSince: null, spokenAt: ten }, noon, 'closing', ten],
] as const)('%j is at %d %s since %s', (facts, nowMs, state, since) => {
  expect(decideActivity({ ...facts, openedAt: nine }, nowMs, Date.parse)).toEqual({ state, since });
});

describe('a record that is edited by hand [WEB-RECORDS]', () => {
  const log = [{ timestamp: nine, event: 'requested', reason: 'why' }];
  const fields = {
    title: 'A',
    status: 'requested',
    worker: 'w',
    agenda: 'x',
    meeting_log: log,
    merge: { state: 'none' },
  };
  const read = (more: object = {}, problems: { line: number; message: string }[] = []) => ({
    fields: { ...fields, ...more },
    problems,
  });
  const meeting = { id: 'm-1', status: 'requested', isBusy: false } as const;
  const broken = [{ line: 3, message: 'It is no list.' }];

  test.each([
    [
      'words of the person',
      meeting,
      read(),
      read({ title: 'B', agenda: 'y', worker: 'v', deferred_until: '2026-03-02' }),
    ],
    [
      'a field of the person’s own',
      { ...meeting, status: 'closed' } as const,
      read(),
      read({ mine: 1, notes_summary: 'z' }),
    ],
    ['the mending of a broken one', meeting, read({ status: 'maybe' }, broken), read({ status: 'declined' })],
    ['another step of the mending', meeting, read({}, broken), read({ status: 'closed' }, broken)],
  ])('takes %s', (_what, which, before, after) => {
    expect(decideHandEdit(which, before, after)).toMatchObject({ ok: true });
  });

  test.each([
    ['status', read({ status: 'open' })],
    ['meeting_log', read({ meeting_log: [] })],
    ['meeting_log', read({ meeting_log: [...log, { timestamp: ten, event: 'opened', reason: '' }] })],
    ['merge', read({ merge: { state: 'merged' } })],
    ['branch', read({ branch: 'main' })],
    ['session_id', read({ session_id: 'x' })],
    ['merged_from', read({ merged_from: 'abc' })],
  ])('keeps %s', (field, after) => {
    const decided = decideHandEdit(meeting, read(), after);
    expect(decided).toMatchObject({ ok: false, refusal: { code: 'conflict', details: { field } } });
  });

  test.each([
    ['open', { ...meeting, status: 'open' } as const],
    ['being opened, closed or merged', { ...meeting, status: 'closed', isBusy: true } as const],
  ])('is not changed at all while the meeting is %s', (_what, which) => {
    expect(decideHandEdit(which, read(), read())).toMatchObject({
      ok: false,
      refusal: { code: 'conflict', hint: expect.stringContaining('guild-hall meeting close m-1') },
    });
  });

  test('is not made unreadable, and the line is told', () => {
    const decided = decideHandEdit(meeting, read(), read({}, broken));
    expect(decided).toMatchObject({ ok: false, refusal: { code: 'invalid', details: { line: 3 } } });
    expect(!decided.ok && decided.refusal.message).toContain('line 3: It is no list.');
  });
});

import { expect, test } from 'vitest';
import type { CommissionRecord, TimelineEntry } from '../../../src/features/commissions/contract.ts';
import { stagesOf } from './track.ts';

type Facts = Parameters<typeof stagesOf>[0];

const at = (minute: number): string => `2026-02-14T09:${String(minute).padStart(2, '0')}:00.000Z`;

const move = (minute: number, to: NonNullable<CommissionRecord['status']>, attempt = 1): TimelineEntry => ({
  timestamp: at(minute),
  attempt,
  event: 'status',
  from: 'pending',
  to,
  reason: '',
});

const fresh: Facts = {
  status: 'pending',
  createdAt: at(0),
  queuedAt: null,
  attempt: 0,
  completedAt: null,
  result: null,
  merge: { state: 'none', files: [] },
  timeline: [move(0, 'pending', 0)],
};

const said = (facts: Partial<Facts>): string =>
  stagesOf({ ...fresh, ...facts })
    .map(({ word, state }) => `${word} ${state}`)
    .join(', ');

test.each<[string, Partial<Facts>, string]>([
  [
    'nobody dispatched it',
    {},
    'created now, queued ahead, dispatched ahead, running ahead, result ahead, merged ahead',
  ],
  [
    'it is queued, or blocked and queued',
    { status: 'blocked', queuedAt: at(1) },
    'created past, queued now, dispatched ahead, running ahead, result ahead, merged ahead',
  ],
  [
    'it runs',
    { status: 'in_progress', timeline: [...fresh.timeline, move(2, 'dispatched'), move(3, 'in_progress')] },
    'created past, queued past, dispatched past, running now, result ahead, merged ahead',
  ],
  [
    'it is merged',
    { status: 'completed', merge: { state: 'merged', files: [] } },
    'created past, queued past, dispatched past, running past, result past, merged past',
  ],
  [
    'its merge was in conflict',
    { status: 'completed', merge: { state: 'merge_conflict', files: ['a'] } },
    'created past, queued past, dispatched past, running past, result past, merge conflict failed',
  ],
  [
    'it failed before it ran',
    { status: 'failed', timeline: [...fresh.timeline, move(2, 'dispatched'), move(3, 'failed')] },
    'created past, dispatched past, failed failed',
  ],
])('the stages where %s', (_where, facts, stages) => {
  expect(said(facts)).toBe(stages);
});

test('only the last attempt is told, from its beginning on', () => {
  const again: TimelineEntry = { timestamp: at(9), attempt: 2, event: 'attempt', branch: 'b-2', reason: '' };
  const first = [...fresh.timeline, move(2, 'dispatched'), move(3, 'in_progress'), move(4, 'failed')];
  const stages = stagesOf({
    ...fresh,
    attempt: 2,
    queuedAt: at(9),
    timeline: [...first, again, move(9, 'pending', 2)],
  });
  expect(stages.map(({ word, at: when }) => [word, when]).slice(0, 3)).toEqual([
    ['attempt 2', at(9)],
    ['queued', at(9)],
    ['dispatched', null],
  ]);
});

import { expect, test } from 'vitest';
import { handClock } from '../../test/help/hand-clock.ts';
import type { WaitingItem } from '../features/inbox/contract.ts';
import type { RunningActivity } from '../features/overview/contract.ts';
import { silentLog } from '../kernel/log/log.ts';
import { projectNameSchema } from '../kernel/pure/ids.ts';
import type { HallFeature } from './feature.ts';
import { systemPulse } from './pulse.ts';

const project = projectNameSchema.parse('tally');

function activity(kind: string, title: string): RunningActivity {
  return { kind, id: 'x', title, project, worker: 'Ada', state: 'answering', since: '2026-11-22T14:00:00.000Z' };
}

function item(kind: WaitingItem['kind'], of: string | null = project): WaitingItem {
  const subject = { kind: 'meeting', id: 'x', title: 'x' };
  return { id: 'x', kind, project: of, subject, title: 'x', detail: '', since: null, actions: [] };
}

function feature(name: string, parts: Partial<HallFeature>): HallFeature {
  return { name, operations: [], ...parts };
}

const meetings = feature('meetings', {
  activities: async (of) => (of === project ? [activity('meeting', 'Of rounding'), activity('terminal', 'Ada')] : []),
  waiting: async () => [item('question'), item('approval'), item('question', 'other'), item('problem')],
});
const commissions = feature('commissions', {
  activities: async () => [activity('commission', 'Count hours')],
  waiting: async () => [item('conflict')],
});

test('what runs, what waits for the person, foreseen conflicts and open questions of the one project [GTH-SEED-10, GTH-BEAT-7]', async () => {
  const ctx = { clock: handClock(), log: silentLog };
  expect(await systemPulse(ctx, [meetings, feature('search', {}), commissions], project)).toEqual({
    running: 2,
    waiting: 3,
    conflicts: 1,
    questions: 1,
    titles: ['Of rounding', 'Count hours'],
  });
});

test('a feature that throws, or never answers, keeps no beat from coming [GTH-BEAT-7]', async () => {
  const clock = handClock();
  const broken = feature('broken', {
    activities: () => {
      throw new Error('not there');
    },
    waiting: async () => await Promise.reject(new Error('nor that')),
  });
  const silent = feature('silent', { waiting: async () => await new Promise<never>(() => undefined) });
  let pulse: unknown;
  const asked = systemPulse({ clock, log: silentLog }, [broken, silent, commissions], project).then((told) => {
    pulse = told;
  });
  await clock.pass(1_900);
  expect(pulse).toBeUndefined();
  await clock.pass(200);
  await asked;
  expect(pulse).toEqual({ running: 1, waiting: 1, conflicts: 1, questions: 0, titles: ['Count hours'] });
});

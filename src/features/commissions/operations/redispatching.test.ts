import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { branchIsThere, startCommissions } from '../../../../test/help/commissions.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { addToTimeline } from '../reactions/status.ts';
import { readOrder } from '../store/attempt.ts';
import { attemptFolder, branchOf, commissionLock, worktreeOf } from '../store/place.ts';
import { cancelCommission } from './cancelling.ts';
import { runOf } from '../store/run.ts';
import { dispatchCommission, holdCommission } from './dispatching.ts';
import { redispatchCommission } from './redispatching.ts';

const fails = [
  ['write', '.lore/notes/first.md', '# First\n'],
  ['progress', 'half'],
  ['question', 'q1.1', 'Which one?'],
  ['wait', 'end'],
  ['exit', 1],
] as const;

test('a re-dispatch begins afresh on a new branch and in a new worktree; what was stays, in one timeline [COM-1.1, COM-6.12, COM-29.2, COM-30.1, COM-30.2, COM-30.3, COM-30.4, COM-30.5, COM-30.6, COM-31.2]', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({ steps: fails });
  await expect(redispatchCommission(hall.ctx, ref)).rejects.toThrow(/is pending/);
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'in_progress');
  await expect(redispatchCommission(hall.ctx, ref)).rejects.toThrow(
    /is in_progress; from there it can become completed/,
  );
  hall.go(ref, 'end');
  const first = await hall.ends(ref);
  const earlier = hall.repo.git('rev-parse', branchOf(ref, 1));
  await hall.ctx.locks.with(commissionLock(ref), () =>
    addToTimeline(hall.ctx, ref, [
      { timestamp: hall.ctx.clock.nowIso(), attempt: 1, event: 'answer', question: 'q1.1', text: 'The second one' },
      {
        timestamp: hall.ctx.clock.nowIso(),
        attempt: 1,
        event: 'comment',
        path: 'src/a.ts',
        line: 3,
        text: 'Not like this',
      },
    ]),
  );
  const tip = hall.repo.git('rev-parse', 'claude/main');
  const again = await redispatchCommission(hall.ctx, ref, 'Now with an answer');
  expect(again).toMatchObject({
    attempt: 2,
    branch: `claude/commission/${ref.id}-2`,
    currentProgress: '',
    result: null,
  });
  await expect.poll(async () => (await hall.record(ref)).currentProgress).toBe('half');
  expect(hall.repo.git('merge-base', tip, branchOf(ref, 2))).toBe(tip);
  expect(hall.repo.git('ls-tree', '-r', '--name-only', branchOf(ref, 2))).not.toContain('first.md');
  expect(hall.repo.git('ls-tree', '-r', '--name-only', branchOf(ref, 1))).toContain('first.md');
  expect(worktreeOf(hall.ctx, ref, 2)).toMatch(new RegExp(`commission-${ref.id}-2$`));
  expect(existsSync(join(worktreeOf(hall.ctx, ref, 1)))).toBe(false);
  const { earlier: told } = await readOrder(attemptFolder(hall.ctx, ref, 2));
  expect(told).toContain('process crashed (exit code 1)');
  expect(told).toContain('Which one? Answer: The second one');
  expect(told).toContain('src/a.ts:3: Not like this');
  expect(told).toContain('Now with an answer');
  hall.go(ref, 'end', 2);
  const second = await hall.ends(ref);
  expect(second.timeline.slice(0, first.timeline.length)).toEqual(first.timeline);
  const later = second.timeline.slice(first.timeline.length + 2);
  expect(later.map((entry) => (entry.event === 'status' ? entry.to : entry.event))).toEqual([
    'attempt',
    'pending',
    'dispatched',
    'in_progress',
    'progress',
    'question',
    'artifact',
    'failed',
  ]);
  expect(later.every(({ attempt }) => attempt === 2)).toBe(true);
  expect(hall.repo.git('rev-parse', branchOf(ref, 1))).toBe(earlier);
  expect(branchIsThere(hall, ref, 2)).toBe(true);
}, 60_000);

test('a cancelled one is tried again too, and obeys limits and dependencies [COM-6.13, COM-30.6, COM-22.1]', async () => {
  const hall = await startCommissions({ commissions: { perProject: 1 } });
  const busy = await hall.create({
    steps: [
      ['wait', 'end'],
      ['result', 'done'],
    ],
  });
  const [never, blocked] = [
    await hall.create(),
    await hall.create({ dependencies: ['.lore/none.md'], status: 'blocked' }),
  ];
  await dispatchCommission(hall.ctx, busy);
  for (const ref of [never, blocked]) await cancelCommission(hall.ctx, ref);
  expect(await redispatchCommission(hall.ctx, never)).toMatchObject({
    status: 'pending',
    attempt: 1,
    queuedAt: expect.any(String),
  });
  expect(await redispatchCommission(hall.ctx, blocked)).toMatchObject({
    status: 'blocked',
    queuedAt: expect.any(String),
  });
  await hall.reaches(busy, 'in_progress');
  hall.go(busy, 'end');
  expect(await hall.ends(never)).toMatchObject({ status: 'completed', attempt: 1, merge: { state: 'merged' } });
  await expect(redispatchCommission(hall.ctx, never)).rejects.toThrow(
    /is completed; from there it can become nothing else/,
  );
}, 60_000);

test('after a usage limit the hall tries again by itself, says so, and stops at the number that is set [COM-6.12]', async () => {
  const hall = await startCommissions({ commissions: { retry: { attempts: 1, backoffSeconds: 0.05 } } });
  const limited = await hall.create({ steps: [['failed', 'usage limit until 14:00', { class: 'rate_limit' }]] });
  const spent = await hall.create({ steps: [['failed', 'budget reached ($1.02 of $1.00)', { class: 'budget' }]] });
  await dispatchCommission(hall.ctx, limited);
  await dispatchCommission(hall.ctx, spent);
  await expect.poll(async () => (await hall.record(limited)).attempt).toBe(2);
  const record = await hall.ends(limited);
  expect(record.timeline.filter(({ event }) => event === 'attempt')).toMatchObject([
    { attempt: 2, reason: 'Automatic retry 1 of 1 after usage limit' },
  ]);
  expect(record).toMatchObject({ status: 'failed', attempt: 2 });
  expect(await hall.ends(spent)).toMatchObject({ status: 'failed', attempt: 1 });
}, 60_000);

test('a retry that waits survives a restart of the hall [COM-6.12]', async () => {
  const hall = await startCommissions({ commissions: { retry: { attempts: 1, backoffSeconds: 1 } } });
  const ref = await hall.create({ steps: [['failed', 'overloaded', { class: 'overloaded' }]] });
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'failed');
  await hall.restart();
  await expect.poll(async () => (await hall.record(ref)).attempt).toBe(2);
}, 60_000);

test('a retry that waits is taken back by holding the commission', async () => {
  const hall = await startCommissions({ commissions: { retry: { attempts: 1, backoffSeconds: 600 } } });
  const ref = await hall.create({ steps: [['failed', 'overloaded', { class: 'overloaded' }]] });
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'failed');
  await waitUntil(async () => (await runOf(hall.ctx, ref).read())?.step === 'waiting');
  expect(await holdCommission(hall.ctx, ref)).toMatchObject({ status: 'failed', attempt: 1 });
  expect(await runOf(hall.ctx, ref).read()).toBeUndefined();
  await expect(holdCommission(hall.ctx, ref)).rejects.toThrow(/is failed; only what is pending or blocked can be held/);
}, 60_000);

import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  branchIsThere,
  identityOfWorker,
  startCommissions,
  worktreeIsThere,
} from '../../../../test/help/commissions.ts';
import { readProcessIdentity } from '../../../kernel/processes/identity.ts';
import { findProcessesByMark } from '../../../kernel/processes/marks.ts';
import { attemptMark } from '../reactions/killing.ts';
import { attemptFolder, branchOf, worktreeOf } from '../store/place.ts';
import { readIdentity } from '../store/attempt.ts';
import { runOf } from '../store/run.ts';
import { cancelCommission } from './cancelling.ts';
import { dispatchCommission } from './dispatching.ts';
import { beginEnding, endAttempt } from './ending.ts';

const write = ['write', '.lore/notes/kept.md', '# Kept\n'] as const;

test('what has not started is cancelled at once [COM-6.3, COM-6.5]', async () => {
  const hall = await startCommissions();
  const pending = await hall.create();
  const blocked = await hall.create({ status: 'blocked', dependencies: ['.lore/none.md'] });
  for (const ref of [pending, blocked]) {
    const record = await cancelCommission(hall.ctx, ref, 'No longer needed');
    expect(record.timeline.at(-1)).toMatchObject({ to: 'cancelled', reason: 'No longer needed' });
    expect(record.branch).toBeNull();
    await expect(cancelCommission(hall.ctx, ref)).rejects.toThrow(/is cancelled; from there it can become pending/);
  }
}, 60_000);

test('a running worker is asked to end, and its work is kept on its branch, not merged [COM-6.10, COM-15.1, COM-15.3, COM-15.4, COM-15.5, COM-14a.1]', async () => {
  const hall = await startCommissions({ commissions: { graceSeconds: 600 } });
  const ref = await hall.create({ steps: [write, ['progress', 'half'], ['wait', 'never']] });
  await dispatchCommission(hall.ctx, ref);
  await expect.poll(async () => (await hall.record(ref)).currentProgress).toBe('half');
  await cancelCommission(hall.ctx, ref, 'Wrong way');
  const record = await hall.ends(ref);
  expect(record.timeline.at(-1)).toMatchObject({ from: 'in_progress', to: 'cancelled', reason: 'Wrong way' });
  expect(record.merge.state).toBe('none');
  expect(hall.repo.git('show', `${branchOf(ref, 1)}:.lore/notes/kept.md`)).toBe('# Kept');
  expect(worktreeIsThere(hall, ref)).toBe(false);
}, 60_000);

test('a deaf worker is forced after the grace, with its children [COM-15.2]', async () => {
  const hall = await startCommissions({ commissions: { graceSeconds: 0.2 } });
  const ref = await hall.create({ steps: [['children', 3], ['progress', 'deaf'], ['hang']] });
  await dispatchCommission(hall.ctx, ref);
  await expect.poll(async () => (await hall.record(ref)).currentProgress).toBe('deaf');
  const { pid } = identityOfWorker(hall, ref);
  const { token } = (await readIdentity(attemptFolder(hall.ctx, ref, 1)))!;
  await cancelCommission(hall.ctx, ref);
  expect((await hall.ends(ref)).status).toBe('cancelled');
  expect(await readProcessIdentity(pid)).toBeUndefined();
  expect(await findProcessesByMark(attemptMark, token)).toEqual([]);
}, 60_000);

test('cancelled after its result was submitted it is completed [COM-15.6]', async () => {
  const hall = await startCommissions({ commissions: { graceSeconds: 0.1 } });
  const ref = await hall.create({ steps: [write, ['result', 'done'], ['hang']] });
  await dispatchCommission(hall.ctx, ref);
  await expect.poll(async () => (await hall.record(ref)).timeline.at(-1)?.event).toBe('result');
  await cancelCommission(hall.ctx, ref);
  const record = await hall.ends(ref);
  expect(record).toMatchObject({ status: 'completed', merge: { state: 'merged' }, result: { summary: 'done' } });
  expect(record.timeline.find(({ event }) => event === 'anomaly')).toMatchObject({
    text: expect.stringContaining('cancelled after the result'),
  });
}, 60_000);

test('cancelled during its set-up it leaves no process [COM-6.11]', async () => {
  const hall = await startCommissions({ commissions: { perProject: 10 } });
  const refs = [await hall.create({ steps: [['wait', 'never']] }), await hall.create({ steps: [['unnamed']] })];
  for (const ref of refs) {
    await dispatchCommission(hall.ctx, ref);
    if (ref === refs[1]) await expect.poll(async () => (await runOf(hall.ctx, ref).read())?.step).toBe('starting');
    const { token } = (await runOf(hall.ctx, ref).read())!;
    await cancelCommission(hall.ctx, ref);
    const record = await hall.ends(ref);
    expect(record.timeline.at(-1)).toMatchObject({ from: 'dispatched', to: 'cancelled' });
    expect(await findProcessesByMark(attemptMark, token)).toEqual([]);
    expect(worktreeIsThere(hall, ref)).toBe(false);
  }
}, 60_000);

test('of two causes the first counts, and the second changes nothing [COM-6.10]', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({
    steps: [
      ['wait', 'end'],
      ['exit', 4],
    ],
  });
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'in_progress');
  const { signal } = new AbortController();
  await beginEnding(hall.ctx, ref, 1, { cause: 'exit', exit: { code: 4, signal: null } });
  await cancelCommission(hall.ctx, ref);
  await endAttempt(hall.ctx, ref, 1, { cause: 'unresponsive' }, signal);
  const record = await hall.ends(ref);
  expect(record.timeline.filter(({ event }) => event === 'status').slice(-1)).toMatchObject([
    { to: 'failed', reason: 'process crashed (exit code 4)' },
  ]);
  expect(record.timeline.filter((entry) => entry.event === 'status' && entry.from === 'in_progress')).toHaveLength(1);
  expect(branchIsThere(hall, ref)).toBe(true);
}, 60_000);

test('a worktree that was deleted below a worker is told in the timeline: what was in it is lost', async () => {
  const hall = await startCommissions({ commissions: { graceSeconds: 600 } });
  const ref = await hall.create({ steps: [write, ['progress', 'half'], ['wait', 'never']] });
  await dispatchCommission(hall.ctx, ref);
  await expect.poll(async () => (await hall.record(ref)).currentProgress).toBe('half');
  rmSync(worktreeOf(hall.ctx, ref, 1), { recursive: true });
  await cancelCommission(hall.ctx, ref);
  const { status, timeline } = await hall.ends(ref);
  expect(status).toBe('cancelled');
  expect(timeline.flatMap((entry) => (entry.event === 'anomaly' ? [entry.text] : []))).toEqual([
    'Its worktree was deleted while it ran; what was not committed there is lost',
  ]);
  expect(worktreeIsThere(hall, ref)).toBe(false);
}, 60_000);

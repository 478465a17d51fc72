import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  branchIsThere,
  identityOfWorker,
  startCommissions,
  type Steps,
  type TestCommissions,
  worktreeIsThere,
} from '../../../../test/help/commissions.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { isSameProcess, ownIdentity } from '../../../kernel/processes/identity.ts';
import { findProcessesByMark } from '../../../kernel/processes/marks.ts';
import type { CommissionRecord } from '../contract.ts';
import { cancelCommission } from '../operations/cancelling.ts';
import { dispatchCommission } from '../operations/dispatching.ts';
import { redispatchCommission } from '../operations/redispatching.ts';
import { illegalStep } from '../rules.ts';
import { readIdentity, readJournalEnd } from '../store/attempt.ts';
import { attemptFolder, branchOf, type CommissionRef, stateFolder, worktreeOf } from '../store/place.ts';
import { runOf } from '../store/run.ts';
import { attemptMark } from './killing.ts';

const write = ['write', '.lore/notes/kept.md', '# Kept\n'] as const;
const many = { perProject: 20, global: 20 };

const endOf = (record: CommissionRecord): string => {
  const end = record.timeline.findLast((entry) => entry.event === 'status');
  return end?.event === 'status' ? `${end.to}: ${end.reason}` : '';
};
const anomalies = (record: CommissionRecord): string =>
  record.timeline.map((entry) => (entry.event === 'anomaly' ? entry.text : '')).join('\n');

async function running(hall: TestCommissions, id: string, steps: Steps): Promise<CommissionRef> {
  const ref = await hall.create({ id, steps });
  await dispatchCommission(hall.ctx, ref);
  return ref;
}

async function saysEnded(hall: TestCommissions, ref: CommissionRef): Promise<void> {
  await waitUntil(
    async () => (await readJournalEnd(attemptFolder(hall.ctx, ref, 1), 1)).entries.at(-1)?.kind === 'ended',
  );
}

test('workers live on without the hall, and the next one takes up each as it finds it [COM-27.1, COM-27.2, COM-27.3, COM-27.4, COM-27.5, COM-27.6, COM-27.7, COM-C1, COM-23.2]', async () => {
  const hall = await startCommissions({ commissions: many });
  const lives = await running(hall, 'lives', [
    ['progress', 'one'],
    ['wait', 'two'],
    ['progress', 'two'],
    ['wait', 'end'],
    write,
    ['result', 'done'],
  ]);
  const dies = await running(hall, 'dies', [write, ['progress', 'half'], ['wait', 'x'], ['exit', 1]]);
  const ends = await running(hall, 'ends', [
    ['wait', 'x'],
    ['result', 'done'],
  ]);
  const reused = await running(hall, 'reused', [['wait', 'x']]);
  const hangs = await running(hall, 'hangs', [['wait', 'x']]);
  for (const ref of [lives, dies, ends, reused, hangs]) await hall.reaches(ref, 'in_progress');
  await expect.poll(async () => (await hall.record(lives)).currentProgress).toBe('one');
  const late = await running(hall, 'late', [['late'], ['wait', 'end'], ['result', 'done']]);
  await waitUntil(async () => (await runOf(hall.ctx, late).read())?.step === 'starting');
  const pid = identityOfWorker(hall, lives).pid;
  await hall.restart(async () => {
    expect(await isSameProcess(identityOfWorker(hall, lives))).toBe(true);
    hall.go(lives, 'two');
    hall.go(dies, 'x');
    hall.go(ends, 'x');
    hall.go(late, 'late');
    await saysEnded(hall, ends);
    await waitUntil(async () => (await readIdentity(attemptFolder(hall.ctx, late, 1))) !== null);
    for (const ref of [dies, ends, reused]) {
      if (ref === reused) process.kill(identityOfWorker(hall, ref).pid, 'SIGKILL');
      await waitUntil(async () => !(await isSameProcess(identityOfWorker(hall, ref))));
    }
    // Another process got the number of this one.
    const own = ownIdentity();
    const file = join(attemptFolder(hall.ctx, reused, 1), 'identity.json');
    const identity = JSON.parse(readFileSync(file, 'utf8')) as { process: object };
    writeFileSync(file, JSON.stringify({ ...identity, process: own }));
  });
  expect(endOf(await hall.ends(dies))).toBe('failed: process lost on restart');
  expect(hall.repo.git('show', `${branchOf(dies, 1)}:.lore/notes/kept.md`)).toBe('# Kept');
  expect(endOf(await hall.ends(ends))).toBe('completed: Result submitted');
  expect(endOf(await hall.ends(reused))).toBe('failed: process lost on restart');
  await hall.reaches(late, 'in_progress');
  await expect.poll(async () => (await hall.record(lives)).currentProgress).toBe('two');
  expect(identityOfWorker(hall, lives).pid, 'neither stopped nor started again').toBe(pid);
  for (const ref of [lives, late]) hall.go(ref, 'end');
  for (const ref of [lives, late]) expect((await hall.ends(ref)).merge.state).toBe('merged');
  const reports = (await hall.record(lives)).timeline.filter(({ event }) => event === 'progress');
  expect(reports, 'each line folded once').toHaveLength(2);
  hall.configure({ heartbeatSeconds: 0.4 });
  expect(endOf(await hall.ends(hangs))).toBe('failed: process unresponsive');
}, 60_000);

test('a result that came before the process was lost counts, and what was odd is said [COM-27.3, COM-V14]', async () => {
  const hall = await startCommissions({ commissions: many });
  const ref = await running(hall, 'lost', [write, ['wait', 'x'], ['result', 'done', [], true], ['kill', 'SIGKILL']]);
  const late = await running(hall, 'late', [['late'], ['result', 'done', [], true], ['kill', 'SIGKILL']]);
  await hall.reaches(ref, 'in_progress');
  await waitUntil(async () => (await runOf(hall.ctx, late).read())?.step === 'starting');
  await hall.restart(async () => {
    hall.go(ref, 'x');
    hall.go(late, 'late');
    for (const each of [ref, late]) {
      await waitUntil(() => existsSync(join(attemptFolder(hall.ctx, each, 1), 'result.json')));
      await waitUntil(async () => !(await isSameProcess(identityOfWorker(hall, each))));
    }
  });
  for (const each of [ref, late]) {
    const record = await hall.ends(each);
    expect(record).toMatchObject({ status: 'completed', merge: { state: 'merged' }, result: { summary: 'done' } });
    expect(anomalies(record)).toContain('lost on restart');
    expect(illegalStep(record.timeline)).toBeUndefined();
  }
  const states = (await hall.record(late)).timeline.flatMap((entry) => (entry.event === 'status' ? [entry.to] : []));
  expect(states).toEqual(['pending', 'dispatched', 'in_progress', 'completed']);
}, 60_000);

test('a cancellation goes on after a restart of the hall [COM-15.2, COM-6.10]', async () => {
  const hall = await startCommissions({ commissions: { graceSeconds: 600 } });
  const ref = await running(hall, 'deaf', [['progress', 'deaf'], ['hang']]);
  await expect.poll(async () => (await hall.record(ref)).currentProgress).toBe('deaf');
  await cancelCommission(hall.ctx, ref, 'Enough');
  expect((await hall.record(ref)).status).toBe('in_progress');
  const run = (await runOf(hall.ctx, ref).read())!;
  await hall.restart(async () => {
    expect(await isSameProcess(identityOfWorker(hall, ref))).toBe(true);
    // The grace is over while the hall is away.
    await runOf(hall.ctx, ref).write({ ...run, ending: { ...run.ending!, graceUntilMs: hall.ctx.clock.nowMs() } });
  });
  expect(endOf(await hall.ends(ref))).toBe('cancelled: Enough');
  expect(await isSameProcess(identityOfWorker(hall, ref))).toBe(false);
}, 60_000);

test('what people do to files of a running commission costs no work and leaves no wrong state [COM-5.1, COM-29.2, COM-V14]', async () => {
  const hall = await startCommissions({ commissions: many });
  const steps: Steps = [['progress', 'one'], write, ['wait', 'end'], ['progress', 'two'], ['result', 'done']];
  const names = ['no-record', 'wrong-state', 'no-worktree', 'no-branch', 'no-run', 'no-folder'] as const;
  const refs = new Map<string, CommissionRef>();
  for (const name of names) refs.set(name, await running(hall, name, steps));
  for (const ref of refs.values()) {
    await hall.reaches(ref, 'in_progress');
    await expect.poll(async () => (await hall.record(ref)).currentProgress).toBe('one');
    await waitUntil(() => existsSync(join(worktreeOf(hall.ctx, ref, 1), '.lore/notes/kept.md')));
  }
  const at = (name: (typeof names)[number]): CommissionRef => refs.get(name)!;
  const fileOf = (ref: CommissionRef): string =>
    join(ref.project.integrationWorktree, `.lore/commissions/${ref.id}.md`);
  rmSync(fileOf(at('no-record')));
  const text = readFileSync(fileOf(at('wrong-state')), 'utf8');
  writeFileSync(fileOf(at('wrong-state')), text.replace(/^status: .*$/m, 'status: finished'));
  rmSync(worktreeOf(hall.ctx, at('no-worktree'), 1), { recursive: true, force: true });
  hall.repo.git('update-ref', '-d', `refs/heads/${branchOf(at('no-branch'), 1)}`);
  const { token } = (await readIdentity(attemptFolder(hall.ctx, at('no-folder'), 1)))!;
  await hall.restart(() => {
    rmSync(join(stateFolder(hall.ctx, at('no-run')), 'run.json'));
    rmSync(stateFolder(hall.ctx, at('no-folder')), { recursive: true });
  });
  expect(endOf(await hall.ends(at('no-folder')))).toBe('failed: process lost on restart');
  for (const each of await findProcessesByMark(attemptMark, token)) process.kill(each.pid, 'SIGKILL');
  for (const name of names.slice(0, 5)) hall.go(at(name), 'end');
  for (const name of names.slice(0, 5)) {
    const record = await hall.ends(at(name));
    expect({ name, end: endOf(record) }).toEqual({ name, end: 'completed: Result submitted' });
    const reports = record.timeline.flatMap((entry) => (entry.event === 'progress' ? [entry.text] : []));
    expect({ name, reports: reports.toSorted() }).toEqual({ name, reports: ['one', 'two'] });
    expect(illegalStep(record.timeline)).toBeUndefined();
    expect(worktreeIsThere(hall, at(name))).toBe(false);
  }
  expect((await hall.record(at('no-run'))).merge.state).toBe('merged');
  expect((await hall.record(at('wrong-state'))).problems).toEqual([]);
}, 60_000);

test('a worker of an earlier attempt can neither complete nor fail the present one', async () => {
  const hall = await startCommissions({ commissions: many });
  const ref = await running(hall, 'twice', [
    ['wait', 'end'],
    ['result', 'of its own attempt'],
  ]);
  await hall.reaches(ref, 'in_progress');
  const first = attemptFolder(hall.ctx, ref, 1);
  const old = await readIdentity(first);
  await cancelCommission(hall.ctx, ref);
  await hall.ends(ref);

  await redispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'in_progress');
  // Late words of the earlier one, and its result.
  writeFileSync(
    join(first, 'result.json'),
    JSON.stringify({ version: 1, token: old!.token, at: '', summary: 'late', artifacts: [] }),
  );
  writeFileSync(join(first, 'journal.jsonl'), '', { flag: 'a' });
  await hall.restart();
  expect((await hall.record(ref)).status).toBe('in_progress');
  hall.go(ref, 'end', 2);
  expect(await hall.ends(ref)).toMatchObject({
    status: 'completed',
    attempt: 2,
    result: { summary: 'of its own attempt' },
  });
  expect(branchIsThere(hall, ref, 1)).toBe(true);
}, 60_000);

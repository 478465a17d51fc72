import { expect, test } from 'vitest';
import {
  branchIsThere,
  identityOfWorker,
  startCommissions,
  type Steps,
  worktreeIsThere,
} from '../../../../test/help/commissions.ts';
import { findProcessesByMark } from '../../../kernel/processes/marks.ts';
import { readProcessIdentity } from '../../../kernel/processes/identity.ts';
import { attemptMark } from '../reactions/killing.ts';
import type { CommissionRecord } from '../contract.ts';
import { readOrder } from '../store/attempt.ts';
import { attemptFolder, branchOf } from '../store/place.ts';
import { dispatchCommission } from './dispatching.ts';

const write = ['write', '.lore/notes/kept.md', '# Kept\n'] as const;
const result = ['result', 'It is done', []] as const;
const limits = { perProject: 20, global: 20, heartbeatSeconds: 4 };

const reasonOf = (record: CommissionRecord): string => {
  const end = record.timeline.findLast((entry) => entry.event === 'status');
  return end?.event === 'status' ? end.reason : '';
};
const anomaliesOf = (record: CommissionRecord): string[] =>
  record.timeline.flatMap((entry) => (entry.event === 'anomaly' ? [entry.text] : []));

interface Case {
  readonly name: string;
  readonly steps: Steps;
  readonly status: 'completed' | 'failed';
  readonly reason: string;
  readonly anomaly?: RegExp;
}

const cases: readonly Case[] = [
  {
    name: 'no-result',
    steps: [['say', { kind: 'text', text: 'I am done.' }]],
    status: 'failed',
    reason: 'completed without submitting result',
  },
  { name: 'crash', steps: [['exit', 3]], status: 'failed', reason: 'process crashed (exit code 3)' },
  { name: 'killed', steps: [['kill', 'SIGKILL']], status: 'failed', reason: 'process crashed (SIGKILL)' },
  {
    name: 'crash-after',
    steps: [result, ['exit', 3]],
    status: 'completed',
    reason: 'Result submitted',
    anomaly: /crashed \(exit code 3\)/,
  },
  {
    name: 'silent',
    steps: [
      ['result', 'It is done', [], true],
      ['kill', 'SIGKILL'],
    ],
    status: 'completed',
    reason: 'Result submitted',
    anomaly: /SIGKILL/,
  },
  { name: 'hang', steps: [['hang']], status: 'failed', reason: 'process unresponsive' },
  {
    name: 'hang-after',
    steps: [result, ['hang']],
    status: 'completed',
    reason: 'Result submitted',
    anomaly: /unresponsive/,
  },
  {
    name: 'turns',
    steps: [['failed', 'turn limit reached (5)', { class: 'max_turns' }]],
    status: 'failed',
    reason: 'turn limit reached (5)',
  },
  {
    name: 'foreign',
    steps: [['foreign', 'not mine']],
    status: 'failed',
    reason: 'completed without submitting result',
  },
  {
    name: 'torn',
    steps: [
      ['progress', 'before'],
      ['raw', '{"n": 4, "kind": "prog'],
      ['exit', 1],
    ],
    status: 'failed',
    reason: 'process crashed (exit code 1)',
  },
  { name: 'nothing-changed', steps: [result], status: 'completed', reason: 'Result submitted' },
  { name: 'flood', steps: [['flood', 100, 10_000], result], status: 'completed', reason: 'Result submitted' },
];

test('an attempt ends as what it came to, whatever its process does [COM-6.9, COM-13.3, COM-13.4, COM-13.6, COM-14.4, COM-14.5, COM-14.6, COM-14.7, COM-14.9, COM-18.3, COM-24.5, COM-28, COM-V14]', async () => {
  const hall = await startCommissions({ commissions: limits });
  expect((await hall.record(await hall.create({ id: 'bystander' }))).status).toBe('pending');
  const refs = [];
  for (const { name, steps } of cases) refs.push(await hall.create({ id: name, steps }));
  for (const ref of refs) await dispatchCommission(hall.ctx, ref);
  for (const [at, { name, status, reason, anomaly }] of cases.entries()) {
    const record = await hall.ends(refs[at]!);
    expect({ name, status: record.status, reason: reasonOf(record) }).toEqual({ name, status, reason });
    if (anomaly === undefined && name !== 'foreign') expect(anomaliesOf(record)).toEqual([]);
    if (anomaly !== undefined) expect(anomaliesOf(record).join()).toMatch(anomaly);
    expect(record.timeline.filter(({ event }) => event === 'result')).toHaveLength(status === 'completed' ? 1 : 0);
    expect(record.merge.state).toBe(status === 'completed' ? 'merged' : 'none');
    expect({ name, isThere: branchIsThere(hall, refs[at]!) }).toEqual({ name, isThere: status === 'failed' });
    expect(worktreeIsThere(hall, refs[at]!)).toBe(false);
  }
  const hung = await hall.record(refs[5]!);
  const beats = hung.timeline.flatMap((entry) => (entry.event === 'heartbeat' ? [`${entry.from}>${entry.to}`] : []));
  expect(beats, 'each change of the heartbeat once').toEqual(['healthy>stale', 'stale>lost']);
  expect((await hall.record({ ...refs[0]!, id: 'bystander' as never })).status, 'nobody dispatched it').toBe('pending');
}, 60_000);

test('what a failed worker wrote, said and asked is kept, and nothing of its processes lives on [COM-13.5, COM-14a.1, COM-14a.2, COM-14a.3, COM-18.5, COM-24.1, COM-24.2, COM-24.3, COM-24.4, COM-26, COM-29.1, COM-31.3]', async () => {
  const hall = await startCommissions({ commissions: limits });
  const ref = await hall.create({
    steps: [
      ['progress', 'half of it'],
      ['question', 'q1.1', 'Which one?'],
      ['decision', 'Where?', 'Here'],
      write,
      ['children', 4],
      ...(process.platform === 'linux' ? [['bomb'] as const] : []),
      ['wait', 'end'],
      ['exit', 1],
    ],
  });
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'in_progress');
  const { token } = await readOrder(attemptFolder(hall.ctx, ref, 1));
  await expect
    .poll(async () => (await findProcessesByMark(attemptMark, token)).length, { timeout: 10_000 })
    .toBeGreaterThan(process.platform === 'linux' ? 8 : 4);
  hall.go(ref, 'end');
  const record = await hall.ends(ref);
  expect(record.status).toBe('failed');
  expect(await findProcessesByMark(attemptMark, token), 'children in groups of their own too').toEqual([]);
  expect(record.timeline.map(({ event }) => event)).toEqual([
    'status',
    'status',
    'status',
    'progress',
    'question',
    'decision',
    'artifact',
    'status',
  ]);
  expect(record.currentProgress).toBe('half of it');
  const times = record.timeline.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted());
  expect(hall.repo.git('show', `${branchOf(ref, 1)}:.lore/notes/kept.md`)).toBe('# Kept');
  expect(hall.repo.git('ls-tree', '-r', '--name-only', 'claude/main')).not.toContain('kept.md');
}, 60_000);

test('work written after the result is merged and linked, and the result stands while the process goes on [COM-19.2, COM-19.3, COM-16.1, COM-16.2, COM-2.4]', async () => {
  const hall = await startCommissions({ commissions: limits });
  const ref = await hall.create({ steps: [['result', 'early', ['.lore/notes/a.md']], ['wait', 'more'], write] });
  await dispatchCommission(hall.ctx, ref);
  await expect.poll(async () => (await hall.record(ref)).timeline.at(-1)?.event).toBe('result');
  expect((await hall.record(ref)).status, 'until its process has ended').toBe('in_progress');
  expect((await hall.record(ref)).completedAt).toBeNull();
  hall.go(ref, 'more');
  const record = await hall.ends(ref);
  expect(record.linkedArtifacts).toEqual(['.lore/notes/kept.md', '.lore/notes/a.md']);
  expect(Date.parse(record.completedAt!)).toBeGreaterThan(Date.parse(record.createdAt));
  expect(hall.repo.git('show', 'claude/main:.lore/notes/kept.md')).toBe('# Kept');
}, 60_000);

test('a crash of one worker leaves the others running, each with a process, worktree and branch of its own [COM-10.1, COM-10.2, COM-10.3, COM-31.5]', async () => {
  const hall = await startCommissions({ commissions: limits });
  const others = [];
  for (const name of ['a', 'b']) {
    const steps: Steps = [['wait', 'end'], ['write', `.lore/notes/${name}.md`, name], result];
    others.push(await hall.create({ id: name, steps }));
  }
  const crashing = await hall.create({
    steps: [
      ['write', '.lore/notes/lost.md', 'x'],
      ['exit', 9],
    ],
  });
  for (const ref of [...others, crashing]) await dispatchCommission(hall.ctx, ref);
  expect((await hall.ends(crashing)).status).toBe('failed');
  const identities = others.map((ref) => identityOfWorker(hall, ref));
  expect(new Set(identities.map(({ pid }) => pid)).size).toBe(2);
  for (const { pid } of identities) expect(await readProcessIdentity(pid)).toBeDefined();
  for (const ref of others) expect((await hall.record(ref)).status).toBe('in_progress');
  expect(hall.repo.git('ls-tree', '-r', '--name-only', 'claude/main')).not.toContain('notes/');
  for (const ref of others) hall.go(ref, 'end');
  for (const ref of others) expect((await hall.ends(ref)).merge.state).toBe('merged');
  expect(hall.repo.git('ls-tree', '-r', '--name-only', 'claude/main')).toMatch(/notes\/a\.md\n.*notes\/b\.md/s);
}, 60_000);

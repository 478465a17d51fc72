/** What a running commission may rely on, with a small program as the worker: life, limits, its place, its timeline. */
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCommissions, type Steps } from '../../../../test/help/commissions.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { callOperation, personCaller } from '../../../kernel/operations/operations.ts';
import type { CommissionStatus, TimelineEntry } from '../contract.ts';
import { dispatchCommission, pumpQueue } from '../operations/dispatching.ts';
import { redispatchCommission } from '../operations/redispatching.ts';
import { bindCommissionOperations } from '../operations.ts';
import { attemptFolder, type CommissionRef, worktreeOf } from '../store/place.ts';

const bash = { callId: 'c1', name: 'Bash' };
const calls = (limitMs: number | null) => ['say', { kind: 'tool', ...bash, input: 'make all', limitMs }] as const;
const answers = ['say', { kind: 'tool_result', ...bash, ok: true, summary: 'made' }] as const;
const waits: Steps = [
  ['wait', 'end'],
  ['result', 'done'],
];

const reasonOf = (timeline: readonly TimelineEntry[]): string => {
  const end = timeline.findLast((entry) => entry.event === 'status');
  return end?.event === 'status' ? `${end.to}: ${end.reason}` : '';
};
const beatsOf = (timeline: readonly TimelineEntry[]): string[] =>
  timeline.flatMap((entry) => (entry.event === 'heartbeat' ? [entry.to] : []));

test('words, and a tool that is at work, are life as good as a report; past its own limit a tool is none [COM-13.2]', async () => {
  const hall = await startCommissions({ commissions: { perProject: 20, global: 20, heartbeatSeconds: 3 } });
  const make = async (id: string, steps: Steps): Promise<CommissionRef> => {
    const ref = await hall.create({ id, steps });
    await dispatchCommission(hall.ctx, ref);
    await hall.reaches(ref, 'in_progress');
    return ref;
  };
  const tool = await make('tool', [calls(null), ['wait', 'end'], answers, ['result', 'done']]);
  const over = await make('over', [calls(100), ['hang']]);
  const silent = await make('silent', [['say', { kind: 'text', text: 'I think.' }], ['hang']]);
  expect(reasonOf((await hall.ends(silent)).timeline)).toBe('failed: process unresponsive');
  expect(reasonOf((await hall.ends(over)).timeline)).toBe('failed: process unresponsive');
  // Silent for longer than those two, with nothing but a call under way.
  const going = await hall.record(tool);
  expect([going.status, ...beatsOf(going.timeline)]).toEqual(['in_progress']);
  hall.go(tool, 'end');
  expect(await hall.ends(tool)).toMatchObject({ status: 'completed', merge: { state: 'merged' } });

  const speaking = await hall.create({
    id: 'speaking',
    steps: [['wait', 'word'], ['say', { kind: 'text', text: 'Hm.' }], ...waits],
  });
  await dispatchCommission(hall.ctx, speaking);
  const beats = async () => beatsOf((await hall.record(speaking)).timeline);
  await expect.poll(beats, { timeout: 20_000 }).toEqual(['stale']);
  hall.go(speaking, 'word');
  await expect.poll(beats, { timeout: 20_000 }).toEqual(['stale', 'healthy']);
  hall.go(speaking, 'end');
  expect((await hall.ends(speaking)).status).toBe('completed');
}, 90_000);

test('a limit that is used up is the reason of the failure; with a result it is completed all the same [COM-2.6, COM-3a.2]', async () => {
  const hall = await startCommissions();
  const turns = ['failed', 'turn limit reached (5)', { class: 'max_turns' }] as const;
  const money = ['failed', 'budget reached ($1.02 of $1.00)', { class: 'budget' }] as const;
  const cases: readonly [Steps, string][] = [
    [[turns], 'failed: turn limit reached (5)'],
    [[money], 'failed: budget reached ($1.02 of $1.00)'],
    [[['result', 'done'], turns], 'completed: Result submitted'],
  ];
  const refs = await Promise.all(cases.map(([steps]) => hall.create({ steps })));
  for (const ref of refs) await dispatchCommission(hall.ctx, ref);
  for (const [at, [, reason]] of cases.entries()) {
    const { timeline, merge } = await hall.ends(refs[at]!);
    expect(reasonOf(timeline)).toBe(reason);
    expect(timeline.some(({ event }) => event === 'question')).toBe(false);
    expect(merge.state).toBe(reason.startsWith('completed') ? 'merged' : 'none');
  }
}, 60_000);

test('with no settings three of a project run at once, and ten over all [COM-21.1, COM-21.2]', async () => {
  const hall = await startCommissions({ projects: 4 });
  const refs: CommissionRef[] = [];
  for (const project of ['p1', 'p2', 'p3', 'p4']) {
    for (let at = 1; at <= 4; at += 1) {
      const createdAt = `2026-01-01T00:00:0${project[1]}.00${at}Z`;
      refs.push(await hall.create({ id: `${project}-job-${at}`, project, createdAt, steps: waits }));
    }
  }
  for (const ref of refs) await dispatchCommission(hall.ctx, ref);
  const states = async (): Promise<(CommissionStatus | null)[]> =>
    Promise.all(refs.map(async (ref) => (await hall.record(ref)).status));
  await waitUntil(async () => (await states()).filter((status) => status === 'in_progress').length === 10);
  await pumpQueue(hall.ctx);
  const full = ['in_progress', 'in_progress', 'in_progress', 'pending'];
  expect(await states()).toEqual([...full, ...full, ...full, 'in_progress', 'pending', 'pending', 'pending']);
}, 90_000);

test('a worktree holds the whole project, or of a worker that declares so only its artifacts [COM-32.1, COM-32.2]', async () => {
  const files = { 'README.md': '# Shop\n', 'src/a.ts': 'export {};\n', '.lore/specs/a.md': '# A\n' };
  const hall = await startCommissions({ files });
  const full = await hall.create({ worker: 'developer', steps: waits });
  const sparse = await hall.create({ worker: 'facilitator', steps: waits });
  for (const ref of [full, sparse]) {
    await dispatchCommission(hall.ctx, ref);
    await hall.reaches(ref, 'in_progress');
  }
  const inside = (ref: CommissionRef): string[] =>
    readdirSync(worktreeOf(hall.ctx, ref, 1))
      .filter((name) => name !== '.git')
      .toSorted();
  expect(inside(full)).toEqual(['.lore', 'README.md', 'src']);
  expect(inside(sparse)).toEqual(['.lore']);
  for (const ref of [full, sparse]) {
    expect(existsSync(join(worktreeOf(hall.ctx, ref, 1), '.lore/specs/a.md'))).toBe(true);
    hall.go(ref, 'end');
    expect((await hall.ends(ref)).merge.state).toBe('merged');
  }
  const kept = hall.repo.git('ls-tree', '-r', '--name-only', 'claude/main');
  for (const file of Object.keys(files)) expect(kept, 'what was not there is not taken for removed').toContain(file);
}, 60_000);

test('nothing that a worker still writes after its end comes into the timeline; the hall’s own facts do [COM-25.1, COM-25.2]', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({
    steps: [
      ['progress', 'half'],
      ['question', 'q1.1', 'Right so?'],
      ['exit', 1],
    ],
  });
  await dispatchCommission(hall.ctx, ref);
  const ended = await hall.ends(ref);
  const late = (n: number, entry: object): string =>
    `${JSON.stringify({ n, at: hall.ctx.clock.nowIso(), ...entry })}\n`;
  const journal = join(attemptFolder(hall.ctx, ref, 1), 'journal.jsonl');
  appendFileSync(journal, late(4, { kind: 'progress', text: 'I go on' }));
  appendFileSync(journal, late(5, { kind: 'result', summary: 'I was done', artifacts: [] }));
  await hall.restart();
  expect((await hall.record(ref)).timeline).toEqual(ended.timeline);

  const review = bindCommissionOperations(hall.ctx).find(
    ({ description }) => description.name === 'commission.review',
  )!;
  await callOperation(review, personCaller, { id: ref.id, text: 'Seen' });
  await redispatchCommission(hall.ctx, ref, 'Once more');
  await waitUntil(async () => (await hall.record(ref)).attempt === 2);
  const { timeline } = await hall.ends(ref);
  expect(timeline.slice(0, ended.timeline.length)).toEqual(ended.timeline);
  const added = timeline
    .slice(ended.timeline.length)
    .map((entry) => (entry.event === 'status' ? entry.to : entry.event));
  expect(added.slice(0, 3)).toEqual(['review', 'attempt', 'pending']);
  expect(JSON.stringify(timeline)).not.toMatch(/I go on|I was done/);
}, 60_000);

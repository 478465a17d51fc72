import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { branchIsThere, startCommissions, worktreeIsThere } from '../../../../test/help/commissions.ts';
import { isSameProcess } from '../../../kernel/processes/identity.ts';
import type { CommissionStatus } from '../contract.ts';
import { findLive } from '../reactions/live.ts';
import { commitRecord } from '../reactions/status.ts';
import { readOrder } from '../store/attempt.ts';
import { artifactFile } from '../store/files.ts';
import { attemptFolder, branchOf, type CommissionRef, worktreeOf } from '../store/place.ts';
import { runOf } from '../store/run.ts';
import { dispatchCommission, holdCommission, holdUpOf, pumpQueue } from './dispatching.ts';

const waits = [
  ['wait', 'end'],
  ['result', 'done'],
] as const;

test('a dispatched commission runs as a process and its work is merged as one commit [COM-6.1, COM-6.6, COM-6.8, COM-8, COM-9.2, COM-9.3, COM-9.8, COM-14.1, COM-14.2, COM-14.3, COM-20.1, COM-20.2, COM-31.1, COM-31.2, COM-31.4]', async () => {
  const present = { 'README.md': '# A small project\n', '.lore/notes/known.md': '# Known\n' };
  const hall = await startCommissions({ files: present });
  const main = hall.repo.git('rev-parse', 'main');
  const ref = await hall.create({
    steps: [
      ['progress', 'a quarter'],
      ['progress', 'half'],
      ['wait', 'end'],
      ['write', '.lore/notes/a.md', '# A\n'],
      ['result', 'It is there', ['.lore/notes/a.md']],
    ],
  });
  const base = hall.repo.git('rev-parse', 'claude/main');
  expect((await dispatchCommission(hall.ctx, ref)).status).toBe('dispatched');
  expect(branchIsThere(hall, ref), 'the state comes before the branch').toBe(false);
  await expect.poll(async () => (await hall.record(ref)).currentProgress).toBe('half');
  const running = await runOf(hall.ctx, ref).read();
  expect(await isSameProcess(running!.process!)).toBe(true);
  expect(branchOf(ref, 1)).toBe(`claude/commission/${ref.id}`);
  expect(worktreeOf(hall.ctx, ref, 1)).toBe(join(hall.ctx.home.worktrees, 'p1', `commission-${ref.id}`));
  expect(existsSync(join(worktreeOf(hall.ctx, ref, 1), '.lore'))).toBe(true);
  const tipAtStart = hall.repo.git('rev-parse', branchOf(ref, 1));
  expect(tipAtStart, 'the branch starts at the tip').toBe(base);
  const states = hall.repo.git('log', '--reverse', '--format=%s', `${base}..claude/main`).split('\n');
  expect(states).toEqual(['dispatched', 'in_progress'].map((state) => `Commission ${ref.id}: ${state}`));
  hall.go(ref, 'end');
  const record = await hall.ends(ref);
  const told = record.timeline.map((entry) => (entry.event === 'status' ? `${entry.from}>${entry.to}` : entry.event));
  expect(told).toEqual([
    'null>pending',
    'pending>dispatched',
    'dispatched>in_progress',
    'progress',
    'progress',
    'result',
    'artifact',
    'in_progress>completed',
    'merge',
  ]);
  expect(record).toMatchObject({ merge: { state: 'merged' }, linkedArtifacts: ['.lore/notes/a.md'] });
  expect(worktreeIsThere(hall, ref)).toBe(false);
  expect(branchIsThere(hall, ref)).toBe(false);
  const files = hall.repo.git('show', '--name-only', '--format=', 'claude/main').split('\n');
  expect(files).toEqual([`.lore/commissions/${ref.id}.md`, '.lore/notes/a.md']);
  expect(hall.repo.git('rev-parse', 'main')).toBe(main);
  expect(hall.repo.git('branch', '--list', 'claude/task/*')).toBe('');
  expect(
    hall.events.filter(({ type }) => type === 'commission.status').map(({ data }) => (data as { to: string }).to),
  ).toEqual(['dispatched', 'in_progress', 'completed']);
}, 60_000);

test('what is not pending, or misses something, is refused, and nothing is made for it [COM-9.1, COM-S2]', async () => {
  const hall = await startCommissions();
  const missing = await hall.create({ dependencies: ['.lore/specs/none.md'], status: 'blocked' });
  await expect(dispatchCommission(hall.ctx, missing)).rejects.toThrow(/waits for \.lore\/specs\/none\.md/);
  const done = await hall.create();
  await dispatchCommission(hall.ctx, done);
  await hall.ends(done);
  const before = readFileSync(join(done.project.integrationWorktree, `.lore/commissions/${done.id}.md`), 'utf8');
  await expect(dispatchCommission(hall.ctx, done)).rejects.toThrow(
    /is completed; from there it can become nothing else/,
  );
  expect(readFileSync(join(done.project.integrationWorktree, `.lore/commissions/${done.id}.md`), 'utf8')).toBe(before);
  expect((await hall.record(missing)).status).toBe('blocked');
  expect(existsSync(attemptFolder(hall.ctx, missing, 1))).toBe(false);
  expect(branchIsThere(hall, missing)).toBe(false);
}, 60_000);

test('a step of the set-up that fails is the reason, and no later step happens [COM-6.7, COM-9.5, COM-9.6, COM-9.9, COM-9.10, COM-5.4]', async () => {
  const hall = await startCommissions({ commissions: { perProject: 20 } });
  const packages = join(hall.ctx.home.packages, 'lost');
  mkdirSync(packages, { recursive: true });
  const manifest = readFileSync(join(import.meta.dirname, '../../../../workers/researcher/package.json'), 'utf8');
  const changed = JSON.parse(manifest.replaceAll('researcher', 'lost')) as { guildHall: Record<string, unknown> };
  changed.guildHall['toolboxes'] = ['nets'];
  writeFileSync(join(packages, 'package.json'), JSON.stringify(changed));
  writeFileSync(join(packages, 'posture.md'), 'Look for it.\n');
  const cases: readonly [string, CommissionRef, RegExp, boolean][] = [
    ['no such package', await hall.create({ worker: 'nobody' }), /nobody/, false],
    ['a missing toolbox', await hall.create({ worker: 'lost' }), /toolbox "nets"/, false],
    [
      'a process that ends at once',
      await hall.create({ steps: [['stillborn', 7]] }),
      /could not be started: it ended at once \(exit code 7\)/,
      true,
    ],
  ];
  for (const [, ref] of cases) await dispatchCommission(hall.ctx, ref);
  for (const [name, ref, reason, hasOrder] of cases) {
    const record = await hall.ends(ref);
    const end = record.timeline.at(-1);
    const hadOrder = existsSync(join(attemptFolder(hall.ctx, ref, 1), 'order.json'));
    expect({ name, ...end, hadOrder, hasPlace: worktreeIsThere(hall, ref) }).toMatchObject({
      name,
      from: 'dispatched',
      to: 'failed',
      reason: expect.stringMatching(reason),
      hadOrder: hasOrder,
      hasPlace: false,
    });
  }
  hall.ctx = Object.assign(hall.ctx, {
    workerProgram: { file: join(hall.ctx.home.root, 'no-such-program'), args: [] },
  });
  const unstartable = await hall.create();
  await dispatchCommission(hall.ctx, unstartable);
  const end = (await hall.ends(unstartable)).timeline.at(-1);
  expect(end?.event === 'status' ? end.reason : '').toMatch(/Cannot start ".*no-such-program"/);
}, 60_000);

test('limits hold, the queue is in the order of creation over all projects, and settings count at once [COM-22.1, COM-22.2, COM-22.3, COM-22.4, COM-23.1, COM-23.2, COM-23.3, COM-23.4]', async () => {
  const hall = await startCommissions({ projects: 2, commissions: { perProject: 1, global: 2 } });
  const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
  const make = (id: string, second: number, project = 'p1'): Promise<CommissionRef> =>
    hall.create({ id, createdAt: at(second), project, steps: waits });
  const [a, b, c, d, idle] = [
    await make('a', 1),
    await make('b', 2),
    await make('c', 3),
    await make('d', 4, 'p2'),
    await make('idle', 0),
  ];
  const states = async (): Promise<(CommissionStatus | null)[]> =>
    Promise.all([a, b, c, d, idle].map(async (ref) => (await hall.record(ref)).status));
  await dispatchCommission(hall.ctx, a);
  expect((await dispatchCommission(hall.ctx, c)).queuedAt).not.toBeNull();
  await dispatchCommission(hall.ctx, b);
  expect(await holdUpOf(hall.ctx, b)).toMatchObject({ position: 1, because: 'project_limit' });
  expect(await holdUpOf(hall.ctx, c)).toMatchObject({ position: 2, because: 'project_limit' });
  await dispatchCommission(hall.ctx, d);
  await hall.reaches(d, 'in_progress');
  await hall.reaches(a, 'in_progress');
  expect(await states()).toEqual(['in_progress', 'pending', 'pending', 'in_progress', 'pending']);
  hall.configure({ perProject: 2 });
  expect(await holdUpOf(hall.ctx, b)).toMatchObject({ because: 'global_limit' });
  hall.configure({ perProject: 2, global: 3 });
  await hall.reaches(b, 'in_progress');
  hall.configure({ perProject: 1, global: 1 });
  await pumpQueue(hall.ctx);
  expect(await states(), 'nothing that runs is cancelled').toEqual([
    'in_progress',
    'in_progress',
    'pending',
    'in_progress',
    'pending',
  ]);
  for (const ref of [a, d]) hall.go(ref, 'end');
  for (const ref of [a, d]) await hall.ends(ref);
  await pumpQueue(hall.ctx);
  expect((await hall.record(c)).status, 'one runs, and one may').toBe('pending');
  hall.go(b, 'end');
  await hall.reaches(c, 'in_progress');
  hall.go(c, 'end');
  await hall.ends(c);
  expect((await hall.record(idle)).status, 'nobody dispatched it').toBe('pending');
}, 60_000);

test('the queue pauses while finished work waits for the person, and what is held does not start [COM-22.4]', async () => {
  const hall = await startCommissions({ commissions: { reviewLimit: 1 } });
  const [first, second, held] = [await hall.create(), await hall.create({ steps: waits }), await hall.create()];
  await dispatchCommission(hall.ctx, first);
  await hall.ends(first);
  await dispatchCommission(hall.ctx, second);
  await dispatchCommission(hall.ctx, held);
  expect(await holdUpOf(hall.ctx, second)).toMatchObject({ because: 'review_limit' });
  expect((await holdCommission(hall.ctx, held)).queuedAt).toBeNull();
  hall.configure({ reviewLimit: 0 });
  await hall.reaches(second, 'in_progress');
  expect((await hall.record(held)).status).toBe('pending');
  await expect(holdCommission(hall.ctx, second)).rejects.toThrow(/only what is pending or blocked can be held/);
}, 60_000);

test('a queued commission whose dependency went away in the last moment is blocked, not started [COM-9.1, COM-6.2]', async () => {
  const hall = await startCommissions({ files: { '.lore/specs/a.md': '# A\n' }, commissions: { perProject: 1 } });
  const [first, second] = [
    await hall.create({ steps: waits }),
    await hall.create({ dependencies: ['.lore/specs/a.md'] }),
  ];
  await dispatchCommission(hall.ctx, first);
  await dispatchCommission(hall.ctx, second);
  rmSync(join(second.project.integrationWorktree, '.lore/specs/a.md'));
  hall.configure({ perProject: 2 });
  const blocked = await hall.reaches(second, 'blocked');
  expect(blocked.queuedAt, 'it starts when it is there again').not.toBeNull();
  writeFileSync(join(second.project.integrationWorktree, '.lore/specs/a.md'), '');
  expect((await hall.ends(second)).status).toBe('completed');
}, 60_000);

test('the worker is told all that it needs, and the hall shows what runs [COM-9.4, COM-11.1, COM-12, COM-13.1]', async () => {
  const hall = await startCommissions({ files: { '.lore/specs/a.md': '# A\n' } });
  const dependencies = ['.lore/specs/a.md'];
  const ref = await hall.create({ prompt: JSON.stringify(waits) + ' '.repeat(3), dependencies });
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'in_progress');
  const order = await readOrder(attemptFolder(hall.ctx, ref, 1));
  expect(order).toMatchObject({
    id: ref.id,
    project: 'p1',
    prompt: `${JSON.stringify(waits)}   `,
    dependencies,
    earlier: '',
  });
  await expect.poll(() => findLive(hall.ctx, ref)?.session?.model).toBe('fake');
  const live = findLive(hall.ctx, ref)!;
  expect(live.phase).toBe('running');
  expect(live.lastHeartbeat > order.orderedAt).toBe(true);
  hall.go(ref, 'end');
  await hall.ends(ref);
  const told = hall.events.findLast(({ type }) => type === 'commission.journal')!.data as { entry: { at: string } };
  expect(live.lastHeartbeat, 'the time of its last sign of life').toBe(told.entry.at);
}, 60_000);

test('one whose record goes before it was committed ends all the same, and its record tells it', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({ steps: [['result', 'done']] });
  await commitRecord(hall.ctx, ref, 'Create it');
  await dispatchCommission(hall.ctx, ref);
  rmSync(await artifactFile(ref.project, ref.id));
  await expect.poll(async () => await runOf(hall.ctx, ref).read(), { timeout: 40_000 }).toBeUndefined();
  const record = await hall.record(ref);
  expect(record).toMatchObject({ attempt: 1, branch: branchOf(ref, 1), queuedAt: null });
  const told = record.timeline.flatMap((entry) => (entry.event === 'status' ? [`${entry.from}>${entry.to}`] : []));
  expect(told.slice(0, 2)).toEqual(['null>pending', 'pending>dispatched']);
  expect(['completed', 'failed']).toContain(record.status);
}, 60_000);

/** What a start of the hall finds that nothing is in the middle of. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCommissions } from '../../../../test/help/commissions.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { isSameProcess, type ProcessIdentity, readProcessIdentity } from '../../../kernel/processes/identity.ts';
import { addWorktree } from '../../../kernel/git/worktrees.ts';
import { dispatchCommission } from '../operations/dispatching.ts';
import { readIdentity } from '../store/attempt.ts';
import { attemptFolder, branchOf, ownerOf, worktreeOf } from '../store/place.ts';
import { attemptMark } from './killing.ts';

test('what an ended attempt left lying about is put away with its work kept; what belongs to no commission is named and left', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({
    steps: [
      ['progress', 'half'],
      ['exit', 1],
    ],
  });
  await dispatchCommission(hall.ctx, ref);
  await hall.ends(ref);
  const place = worktreeOf(hall.ctx, ref, 1);
  await addWorktree(hall.ctx, {
    repo: hall.repo.path,
    path: place,
    branch: branchOf(ref, 1),
    startPoint: branchOf(ref, 1),
    scope: 'full',
    owner: ownerOf(ref, 1),
  });
  writeFileSync(join(place, 'late.md'), 'late\n');
  const unknown = join(hall.ctx.home.worktrees, 'p1/commission-of-nobody');
  mkdirSync(unknown);
  writeFileSync(join(unknown, 'mine.md'), 'mine\n');
  const other = join(hall.ctx.home.worktrees, 'p1/something-else');
  mkdirSync(other);
  await hall.restart();
  await waitUntil(() => !existsSync(place));
  expect(hall.repo.git('show', `${branchOf(ref, 1)}:late.md`)).toBe('late');
  await waitUntil(() => hall.ctx.engine.problems.length > 0);
  expect(hall.ctx.engine.problems).toEqual([
    `The folder ${unknown} belongs to no commission that runs: there is no such commission`,
  ]);
  expect(readFileSync(join(unknown, 'mine.md'), 'utf8')).toBe('mine\n');
  expect(existsSync(other)).toBe(true);
}, 60_000);

test('a process of an attempt that is over is ended; one that only has its number is not', async () => {
  const hall = await startCommissions();
  const [stale, reused] = [await hall.create(), await hall.create()];
  for (const ref of [stale, reused]) await dispatchCommission(hall.ctx, ref);
  for (const ref of [stale, reused]) await hall.ends(ref);
  const started: ProcessIdentity[] = [];
  for (const [ref, isMarked] of [
    [stale, true],
    [reused, false],
  ] as const) {
    const folder = attemptFolder(hall.ctx, ref, 1);
    const identity = (await readIdentity(folder))!;
    const env = isMarked ? { [attemptMark]: identity.token } : {};
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      env,
      stdio: 'ignore',
      detached: true,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await waitUntil(async () => (await readProcessIdentity(child.pid!)) !== undefined);
    const own = (await readProcessIdentity(child.pid!))!;
    const kept = isMarked ? own : { ...own, startTime: identity.process.startTime };
    writeFileSync(join(folder, 'identity.json'), JSON.stringify({ ...identity, process: kept }));
    started.push(own);
  }
  // Named last: then all processes were looked at.
  mkdirSync(join(hall.ctx.home.worktrees, 'p1/commission-of-nobody'));
  await hall.restart();
  await waitUntil(() => hall.ctx.engine.problems.length > 0);
  await waitUntil(async () => !(await isSameProcess(started[0]!)));
  expect(await isSameProcess(started[1]!)).toBe(true);
}, 60_000);

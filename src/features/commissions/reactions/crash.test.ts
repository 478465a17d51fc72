import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCommissions, worktreeIsThere } from '../../../../test/help/commissions.ts';
import { bundled, runUntil } from '../../../../test/help/fault-programs.ts';
import { packageRoot } from '../../../../test/help/programs.ts';
import { findProcessesByMark } from '../../../kernel/processes/marks.ts';
import { listProjects } from '../../../kernel/projects/projects.ts';
import { commissionIdSchema } from '../contract.ts';
import { illegalStep } from '../rules.ts';
import { readOrder } from '../store/attempt.ts';
import { readCommissions } from '../store/files.ts';
import { attemptFolder } from '../store/place.ts';
import { runOf } from '../store/run.ts';
import { attemptMark } from './killing.ts';

/** Places between two steps; those of the merge itself are tried beside it. */
const faults = [
  'after:released',
  'commission:after:worktree',
  'before:written',
  'before:merge',
  'after:decided',
  'before:saved',
  'before:in_progress',
  'after:start',
  'before:start',
  'before:worktree',
  'after:reserved',
] as const;

test('a hall that is killed between any two steps goes on from there: no result is lost, nothing is done twice [COM-27.1, COM-27.3, COM-27.4, COM-V14, COM-8]', async () => {
  const hall = await startCommissions();
  await hall.stop();
  const program = await bundled('commissions-until-fault');
  const words = [hall.ctx.home.root, hall.repo.path, packageRoot];
  const died: string[] = [];
  const plan = [{ match: 'before:written', kind: 'bad' }, ...faults.map((match) => ({ match, kind: 'good' }))];
  for (const [at, { match, kind }] of plan.entries()) {
    died.push(`${match}: ${await runUntil(program, [...words, `${kind}-${at}`], { at: 1, match })}`);
    await hall.start();
    await hall.ends({ project: listProjects(hall.ctx)[0]!, id: commissionIdSchema.parse(`${kind}-${at}`) });
    await hall.stop();
  }
  const project = listProjects(hall.ctx)[0]!;
  const { commissions } = await readCommissions(project);
  expect(died).toEqual(plan.map(({ match }) => `${match}: SIGKILL`));
  expect(commissions).toHaveLength(plan.length);
  const ends: string[] = [];
  for (const record of commissions) {
    const ref = { project, id: record.id };
    expect({ id: record.id, illegal: illegalStep(record.timeline) }).toEqual({ id: record.id, illegal: undefined });
    const end = record.timeline.findLast((entry) => entry.event === 'status');
    ends[Number(record.id.split('-')[1])] = end?.event === 'status' ? `${end.to}: ${end.reason}` : '';
    if (record.status === 'completed') {
      expect({ id: record.id, merge: record.merge.state }).toEqual({ id: record.id, merge: 'merged' });
      const commits = hall.repo.git('log', '--format=%s', 'claude/main', '--', `.lore/notes/${record.id}.md`);
      expect(commits.split('\n'), 'merged once').toHaveLength(1);
    }
    const lines = record.timeline.flatMap(({ n, attempt }) => (n === undefined ? [] : [`${attempt} ${n}`]));
    expect(new Set(lines).size, 'each line folded once').toBe(lines.length);
    expect(worktreeIsThere(hall, ref)).toBe(false);
    expect(await runOf(hall.ctx, ref).read()).toBeUndefined();
    const order = record.attempt === 0 ? undefined : await readOrder(attemptFolder(hall.ctx, ref, 1)).catch(noOrder);
    if (order !== undefined) expect(await findProcessesByMark(attemptMark, order.token)).toEqual([]);
  }
  expect(ends).toEqual(
    plan.map(({ match, kind }) => {
      if (kind === 'bad') return 'failed: process crashed (exit code 3)';
      const isUnstarted = ['before:start', 'before:worktree'].includes(match);
      return isUnstarted ? 'failed: process lost on restart' : 'completed: Result submitted';
    }),
  );
  expect(hall.repo.git('show', 'claude/commission/bad-0:.lore/notes/bad-0.md')).toBe('bad-0');
  expect(readdirSync(join(hall.ctx.home.worktrees, 'p1'))).toEqual([]);
}, 180_000);

/** It died before there was one. */
function noOrder(): undefined {
  return undefined;
}

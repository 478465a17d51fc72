/** What the person can do about work that did not merge, and about records and worktrees that somebody broke. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startCommissions, type TestCommissions, type Wanted } from '../../../../test/help/commissions.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { commitFiles } from '../../../kernel/git/commit.ts';
import { callOperation, personCaller } from '../../../kernel/operations/operations.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { CommissionMerged, CommissionView } from '../contract.ts';
import { bindCommissionOperations } from '../operations.ts';
import { readCommission } from '../store/files.ts';
import { commissionPath, type CommissionRef, worktreeOf } from '../store/place.ts';
import { waitingCommissions } from './waiting.ts';

async function startWith(wanted: Wanted = {}) {
  const hall = await startCommissions(wanted);
  const bound = bindCommissionOperations(hall.ctx);
  const call = async <Output>(name: string, input: unknown): Promise<Output> => {
    const operation = bound.find(({ description }) => description.name === name)!;
    return (await callOperation(operation, personCaller, input)) as Output;
  };
  const refusal = async (name: string, input: unknown) => await call(name, input).then(() => 'taken', errorFactsOf);
  return { hall, call, refusal, inbox: async () => await waitingCommissions(hall.ctx) };
}

/** Its worker changes a file that changes on the integration branch meanwhile. */
async function inConflict(hall: TestCommissions, call: (name: string, input: unknown) => Promise<unknown>) {
  const ref = await hall.create({
    steps: [
      ['write', 'shared.md', 'mine\n'],
      ['wait', 'end'],
      ['result', 'done'],
    ],
  });
  await call('commission.dispatch', { id: ref.id });
  await hall.reaches(ref, 'in_progress');
  const worktree = ref.project.integrationWorktree;
  writeFileSync(join(worktree, 'shared.md'), 'theirs\n');
  await commitFiles(hall.ctx, { worktree, paths: ['shared.md'], message: 'Change it', trailer: 'test 1' });
  hall.go(ref, 'end');
  await hall.ends(ref);
  return ref;
}

const files = { 'shared.md': 'base\n' };

describe('work that did not merge', () => {
  test('a conflict waits with its files: it is tried again, and given up once', async () => {
    const { hall, call, refusal, inbox } = await startWith({ files });
    const ref = await inConflict(hall, call);
    const [item] = await inbox();
    expect(item).toMatchObject({ kind: 'conflict', title: 'The work of a commission does not merge' });
    expect(item!.detail).toContain('- `shared.md`');
    expect(item!.detail).toContain(`claude/commission/${ref.id}`);
    const [retry, dismiss] = item!.actions;
    expect([retry!.verb, dismiss!.verb, dismiss!.asks]).toEqual(['retry', 'dismiss', 'confirm']);
    const again = await call<CommissionMerged>(retry!.operation, retry!.input);
    expect(again).toMatchObject({ commit: null, merge: { state: 'merge_conflict', files: ['shared.md'] } });
    const view = await call<CommissionView>('commission.show', { id: ref.id });
    expect(view.allowed).toEqual(['merge', 'dismiss', 'review', 'comment']);
    expect(view.changedFiles).toEqual([{ path: 'shared.md', status: 'M' }]);
    await call(dismiss!.operation, dismiss!.input);
    expect(await refusal(dismiss!.operation, dismiss!.input)).toMatchObject({ code: 'conflict' });
    // Given up is not looked at.
    expect((await inbox()).map(({ kind }) => kind)).toEqual(['review']);
    expect(hall.repo.git('branch', '--list', `claude/commission/${ref.id}`)).not.toBe('');
  });

  test('a secret in it waits, and is merged when it is none', async () => {
    const { hall, call, inbox } = await startWith();
    const text = `export const key = "ghp_${'a1B2'.repeat(9)}";\n`;
    const ref = await hall.create({
      steps: [
        ['write', 'src/key.ts', text],
        ['result', 'done'],
      ],
    });
    await call('commission.dispatch', { id: ref.id });
    await hall.ends(ref);
    const [item] = await inbox();
    expect(item!.actions.map(({ verb }) => verb)).toEqual(['retry', 'allow', 'dismiss']);
    expect(item!.detail).toContain('- `src/key.ts`');
    const allow = item!.actions[1]!;
    expect(allow.warning).toContain('for good');
    const merged = await call<CommissionMerged>(allow.operation, allow.input);
    expect([merged.merge.state, merged.commit]).toEqual(['merged', expect.stringMatching(/^[0-9a-f]{40}$/)]);
    expect((await inbox()).map(({ kind }) => kind)).toEqual(['review']);
  });
});

describe('what somebody broke', () => {
  const breakStatus = (ref: CommissionRef, from: string, to: string): void => {
    const file = join(ref.project.integrationWorktree, commissionPath(ref.id));
    writeFileSync(file, readFileSync(file, 'utf8').replace(`status: ${from}\n`, `status: ${to}\n`));
  };

  test('a record that says an illegal state waits as a problem with its line, and the timeline counts', async () => {
    const { hall, call, refusal, inbox } = await startWith();
    const ref = await hall.create({ id: 'first' });
    breakStatus(ref, 'pending', 'completed');
    const { commission, recordFile } = await call<CommissionView>('commission.show', { id: ref.id });
    expect([commission.status, commission.problems[0]!.message]).toEqual([
      'pending',
      expect.stringContaining('completed'),
    ]);
    expect(recordFile).toMatch(/\.lore\/commissions\/first\.md$/);
    const [item] = await inbox();
    expect(item).toMatchObject({ kind: 'problem', actions: [{ verb: 'show', operation: 'artifact.show' }] });
    const other = await hall.create({ id: 'second' });
    breakStatus(other, 'pending', 'nonsense');
    expect((await call<CommissionView>('commission.show', { id: 'second' })).allowed).toEqual([]);
    for (const verb of ['dispatch', 'edit', 'cancel', 'hold', 'review']) {
      const input = { id: 'second', ...(verb === 'edit' ? { title: 'x' } : {}) };
      expect([verb, await refusal(`commission.${verb}`, input)]).toEqual([
        verb,
        expect.objectContaining({ code: 'conflict' }),
      ]);
    }
  });

  test('a worktree that goes under a running job, and a record that goes with it, end with a reason, and nothing hangs', async () => {
    const { hall, call } = await startWith();
    const ref = await hall.create({
      steps: [
        ['progress', 'x'],
        ['wait', 'end'],
        ['exit', 1],
      ],
    });
    await call('commission.dispatch', { id: ref.id });
    await hall.reaches(ref, 'in_progress');
    rmSync(worktreeOf(hall.ctx, ref, 1), { recursive: true });
    rmSync(join(ref.project.integrationWorktree, commissionPath(ref.id)));
    hall.go(ref, 'end');
    await waitUntil(async () => (await readCommission(ref.project, ref.id))?.status === 'failed');
    const view = await call<CommissionView>('commission.show', { id: ref.id });
    expect(view.commission.timeline.map((entry) => entry.event)).toContain('progress');
    expect(view.branches).toEqual([`claude/commission/${ref.id}`]);
  });
});

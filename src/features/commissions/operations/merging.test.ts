import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorkingHall, startWork, type WorkingHall } from '../../../../test/help/finished-work.ts';
import { endWork, refOf } from '../../../../test/help/working-context.ts';
import type { TestRepository } from '../../../../test/help/repositories.ts';
import { requireCommission } from '../store/files.ts';
import { attemptFolder, branchOf, type CommissionRef, worktreeOf } from '../store/place.ts';
import { mergeAgain } from './merging-again.ts';
import { dismissMerge, mergeCommission } from './merging.ts';
import { releaseAttempt, saveRest } from './saving.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const awsKey = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');

interface Done extends WorkingHall {
  readonly ref: CommissionRef;
  readonly work: TestRepository;
}

/** A commission whose worker wrote these files, uncommitted. */
async function worked(
  files: Parameters<TestRepository['write']>[0],
  options: { before?: Parameters<typeof makeWorkingHall>[0]; scope?: 'sparse' | 'full' } = {},
): Promise<Done> {
  const hall = await makeWorkingHall(options.before);
  const ref = refOf(hall, 'commission-one');
  const work = await startWork(hall.ctx, ref, options);
  work.write(files);
  return { ...hall, ref, work };
}

/** As the end of an attempt does it. */
async function endAndMerge({ ctx, ref }: Done, options = {}): ReturnType<typeof mergeCommission> {
  await saveRest(ctx, ref, 1);
  await endWork(ctx, ref);
  const result = await mergeCommission(ctx, ref, options);
  await releaseAttempt(ctx, ref, 1);
  return result;
}

const tree = (repo: TestRepository, revision = 'claude/main'): string[] =>
  repo.git('ls-tree', '-r', '--name-only', revision).split('\n');

describe('the merge of finished work', () => {
  test('deliverables and the final record are one commit; worktree, branch and agent files are gone [COM-14.2, COM-14.3, COM-16.1, COM-16.2]', async () => {
    const done = await worked({ '.lore/notes/a.md': '# A\n', 'src/new.ts': 'export {};\n' });
    const { ctx, ref, repo, hall, work, events } = done;
    work.commit('by the worker', { 'src/committed.ts': 'export {};\n' });
    work.write({ 'src/late.ts': 'export {};\n', '.lore/notes/b.md': '# B\n' });
    const agent = join(attemptFolder(ctx, ref, 1), 'agent');
    mkdirSync(agent, { recursive: true });
    writeFileSync(join(agent, 'state'), 's');
    writeFileSync(join(attemptFolder(ctx, ref, 1), 'journal.jsonl'), '');
    const before = repo.git('rev-parse', 'claude/main');
    const person = repo.git('rev-parse', 'main');

    const { state, commit } = await endAndMerge(done);

    expect(state).toBe('merged');
    expect(repo.git('rev-parse', 'claude/main')).toBe(commit);
    expect(repo.git('rev-list', '--count', `${before}..claude/main`)).toBe('1');
    expect(repo.git('diff', '--name-only', before, 'claude/main').split('\n')).toEqual([
      '.lore/commissions/commission-one.md',
      '.lore/notes/a.md',
      '.lore/notes/b.md',
      'src/committed.ts',
      'src/late.ts',
      'src/new.ts',
    ]);
    const record = await requireCommission(ref.project, ref.id);
    expect(record).toMatchObject({ status: 'completed', merge: { state: 'merged', files: [] } });
    expect(record.linkedArtifacts).toEqual(['.lore/notes/a.md', '.lore/notes/b.md']);
    expect(record.completedAt).not.toBeNull();
    expect(repo.git('show', `${commit}:${record.path}`)).toBe(
      readFileSync(join(hall.path, record.path), 'utf8').trimEnd(),
    );
    expect(hall.git('status', '--porcelain')).toBe('');
    expect(existsSync(worktreeOf(ctx, ref, 1))).toBe(false);
    expect(repo.git('branch', '--list', 'claude/commission/*')).toBe('');
    expect(repo.git('rev-parse', 'main')).toBe(person);
    expect(existsSync(agent)).toBe(false);
    expect(existsSync(join(attemptFolder(ctx, ref, 1), 'journal.jsonl'))).toBe(true);
    expect(events.map(({ type }) => type)).toEqual(['commission.timeline', 'commission.merge']);
  });

  test('work that changed no file is merged and cleaned up just as well [COM-14.9]', async () => {
    const done = await worked({});
    const before = done.repo.git('rev-parse', 'claude/main');
    expect(await endAndMerge(done)).toMatchObject({ state: 'merged' });
    expect(done.repo.git('diff', '--name-only', before, 'claude/main')).toBe('.lore/commissions/commission-one.md');
    expect(existsSync(done.work.path)).toBe(false);
    expect(done.repo.git('branch', '--list', 'claude/commission/*')).toBe('');
  });

  test('a conflict changes nothing but the record; the branch stays, and after it is mended the merge comes through [COM-14.8]', async () => {
    const done = await worked(
      { 'shared.md': 'the worker\n', 'more.md': 'm\n' },
      { before: { 'shared.md': 'before\n' } },
    );
    const { ctx, ref, hall, repo } = done;
    hall.commit('meanwhile', { 'shared.md': 'somebody\n' });
    const before = repo.git('rev-parse', 'claude/main');

    const result = await endAndMerge(done);

    expect(result).toEqual({ state: 'merge_conflict', files: ['shared.md'], commit: null });
    const record = await requireCommission(ref.project, ref.id);
    expect(record.merge).toEqual({ state: 'merge_conflict', files: ['shared.md'] });
    expect(record.timeline.at(-1)).toMatchObject({ event: 'merge', state: 'merge_conflict', files: ['shared.md'] });
    expect(repo.git('diff', '--name-only', before, 'claude/main')).toBe(record.path);
    expect(hall.git('status', '--porcelain')).toBe('');
    expect(existsSync(done.work.path)).toBe(false);
    expect(tree(repo, branchOf(ref, 1))).toContain('more.md');

    expect(await mergeAgain(ctx, ref)).toMatchObject({ state: 'merge_conflict' });
    repo.git('switch', '--quiet', branchOf(ref, 1));
    repo.git('merge', '--quiet', '-X', 'ours', '-m', 'mended', 'claude/main');
    repo.git('switch', '--quiet', 'main');
    expect(await mergeAgain(ctx, ref)).toMatchObject({ state: 'merged' });
    expect(repo.git('show', 'claude/main:shared.md')).toBe('the worker');
    expect(repo.git('branch', '--list', 'claude/commission/*')).toBe('');
    const states = (await requireCommission(ref.project, ref.id)).timeline.flatMap((entry) =>
      entry.event === 'merge' ? [entry.state] : [],
    );
    expect(states).toEqual(['merge_conflict', 'merge_conflict', 'merged']);
  });

  test('a conflict can be given up: the branch is kept and named, and it is not merged any more', async () => {
    const done = await worked({ 'shared.md': 'the worker\n' }, { before: { 'shared.md': 'before\n' } });
    const { ctx, ref, hall, repo } = done;
    await expect(dismissMerge(ctx, ref)).rejects.toThrow('no merge to give up');
    hall.commit('meanwhile', { 'shared.md': 'somebody\n' });
    await endAndMerge(done);
    expect((await dismissMerge(ctx, ref)).merge).toEqual({ state: 'dismissed', files: ['shared.md'] });
    expect(tree(repo, branchOf(ref, 1))).toContain('shared.md');
    expect(hall.git('status', '--porcelain')).toBe('');
    await expect(mergeAgain(ctx, ref)).rejects.toThrow('You gave up merging');
  });

  test('only completed work is merged; of what failed the branch has everything, committed or not [COM-14a.1, COM-14a.2, COM-15.4, COM-15.5, COM-29.1, COM-31.3]', async () => {
    const done = await worked({ '.lore/notes/a.md': 'new\n', 'README.md': 'changed\n' }, {});
    const { ctx, ref, repo, work } = done;
    work.commit('by the worker', { 'committed.ts': 'c\n' });
    work.write({ 'untracked.ts': 'u\n', '.gitignore': 'build\n', 'build/out.js': 'o\n' });
    writeFileSync(join(repo.path, '.git', 'hooks', 'pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const before = repo.git('rev-parse', 'claude/main');
    await expect(mergeCommission(ctx, ref)).rejects.toThrow('only completed work is merged');
    // Nobody saved it before.
    await releaseAttempt(ctx, ref, 1);
    expect(existsSync(work.path)).toBe(false);
    expect(tree(repo, branchOf(ref, 1))).toEqual(
      expect.arrayContaining(['.lore/notes/a.md', 'committed.ts', 'untracked.ts', '.gitignore']),
    );
    expect(repo.git('show', `${branchOf(ref, 1)}:README.md`)).toBe('changed');
    expect(tree(repo, branchOf(ref, 1))).not.toContain('build/out.js');
    expect(repo.git('rev-parse', 'claude/main')).toBe(before);
    await releaseAttempt(ctx, ref, 1);
    expect(await saveRest(ctx, ref, 1)).toBe(repo.git('rev-parse', branchOf(ref, 1)));
  });

  test.each(['.lore/commissions', '.lore/meetings'])(
    'a link that a worker put in the place of %s is left behind',
    async (folder) => {
      const done = await worked({});
      rmSync(join(done.work.path, folder), { recursive: true, force: true });
      symlinkSync('/etc', join(done.work.path, folder));
      const recordFolders = (): { folder: string }[] => [{ folder: '.lore/commissions' }, { folder: '.lore/meetings' }];
      expect(await endAndMerge({ ...done, ctx: { ...done.ctx, recordFolders } })).toMatchObject({ state: 'merged' });
      expect(tree(done.repo)).not.toContain(folder);
      expect(existsSync(join(done.hall.path, folder, 'passwd'))).toBe(false);
    },
  );

  test('a worker that put a repository of its own in the place of the link runs nothing by it, and its files are kept', async () => {
    const { ctx, ref, repo, work } = await worked({ 'file.txt': 'f\n', '.gitattributes': '* filter=evil\n' });
    const mark = join(ctx.home.root, 'was-run');
    rmSync(join(work.path, '.git'));
    work.git('init', '--quiet');
    work.git('config', 'filter.evil.clean', `touch ${mark}`);
    const tip = await saveRest(ctx, ref, 1);
    expect(existsSync(mark)).toBe(false);
    expect(tip).toBe(repo.git('rev-parse', branchOf(ref, 1)));
    expect(repo.git('show', `${tip!}:file.txt`)).toBe('f');
  });

  test('records that the worker wrote are left behind, which the timeline says; a request that is admitted comes along', async () => {
    const done = await worked(
      {
        '.lore/commissions/commission-one.md': 'mine now\n',
        '.lore/commissions/commission-two.md': '---\nstatus: completed\n---\n',
        '.lore/records/old.md': 'changed\n',
        '.lore/records/wish.md': 'wish\n',
        '.lore/notes/a.md': 'a\n',
      },
      { before: { '.lore/records/old.md': 'old\n' } },
    );
    const { ctx, ref, repo } = done;
    const admit = async ({ content, author }: { content: string; author: string }): Promise<string | undefined> =>
      content === 'wish\n' ? `from ${author}\n` : undefined;
    const recordFolders = (): { folder: string; admit?: typeof admit }[] => [
      { folder: '.lore/commissions' },
      { folder: '.lore/records', admit },
    ];
    await endAndMerge({ ...done, ctx: { ...ctx, recordFolders } });
    expect(tree(repo)).not.toContain('.lore/commissions/commission-two.md');
    expect(repo.git('show', 'claude/main:.lore/records/old.md')).toBe('old');
    expect(repo.git('show', 'claude/main:.lore/records/wish.md')).toBe('from writer');
    const record = await requireCommission(ref.project, ref.id);
    expect(record.prompt).toBe('Write it.');
    expect(record.timeline.find(({ event }) => event === 'anomaly')).toMatchObject({
      text: 'Left behind, only the hall writes records: .lore/commissions/commission-two.md, .lore/records/old.md',
    });
    expect(record.linkedArtifacts).toEqual(['.lore/notes/a.md', '.lore/records/wish.md']);
  });

  test('also those of a branch that shares nothing with the project', async () => {
    const done = await worked({}, { before: { 'README.md': '#\n', '.lore/commissions/other.md': 'theirs\n' } });
    const { work, repo } = done;
    work.git('checkout', '--quiet', '--orphan', 'aside');
    work.git('rm', '-r', '--quiet', '--cached', '.');
    const record = (name: string): string => `.lore/commissions/${name}.md`;
    work.commit('alone', { [record('other')]: 'mine\n', [record('forged')]: 'mine\n', '.lore/notes/a.md': 'a\n' });
    work.git('branch', '--quiet', '-M', branchOf(done.ref, 1));
    expect((await endAndMerge(done)).state).toBe('merged');
    expect(tree(repo)).toContain('.lore/notes/a.md');
    expect(tree(repo)).not.toContain(record('forged'));
    expect(repo.git('show', `claude/main:${record('other')}`)).toBe('theirs');
  });

  test('a secret in a file keeps it from the merge until the person says that it is meant; in artifacts it is masked', async () => {
    const done = await worked({ 'src/key.ts': `const key = '${awsKey}';\n`, '.lore/notes/a.md': `${awsKey}\n` });
    const { ctx, ref, repo } = done;
    expect(await endAndMerge(done)).toEqual({ state: 'secrets', files: ['src/key.ts'], commit: null });
    const record = await requireCommission(ref.project, ref.id);
    expect(JSON.stringify(record.timeline.at(-1))).toContain('src/key.ts:1 (AWS key)');
    expect(tree(repo)).not.toContain('src/key.ts');
    expect(await mergeAgain(ctx, ref)).toMatchObject({ state: 'secrets' });
    expect(await mergeAgain(ctx, ref, { allowSecrets: true })).toMatchObject({ state: 'merged' });
    expect(repo.git('show', 'claude/main:src/key.ts')).toContain(awsKey);
    expect(repo.git('show', 'claude/main:.lore/notes/a.md')).toBe('[secret removed: AWS key]');
  });

  test('finished at the same moment: merged one after another, each its own commit, none lost [COM-31.5, COM-31.4]', async () => {
    const hall = await makeWorkingHall();
    const ids = ['commission-a', 'commission-b', 'commission-c', 'commission-d'];
    const refs = ids.map((id) => refOf(hall, id));
    for (const ref of refs) (await startWork(hall.ctx, ref)).write({ [`${ref.id}.txt`]: 'x\n' });
    const before = hall.repo.git('rev-parse', 'claude/main');
    const person = hall.repo.git('rev-parse', 'main');
    await Promise.all(refs.map(async (ref) => endAndMerge({ ...hall, ref, work: hall.repo })));
    expect(hall.repo.git('rev-list', '--count', `${before}..claude/main`)).toBe('4');
    expect(tree(hall.repo)).toEqual(expect.arrayContaining(ids.map((id) => `${id}.txt`)));
    expect(hall.repo.git('rev-parse', 'main')).toBe(person);
  }, 60_000);

  test('a merged branch is kept where config.yaml says so, and where it moved since', async () => {
    const kept = await worked({ 'a.txt': 'a\n' });
    kept.set({ keepMergedBranches: true });
    await endAndMerge(kept);
    const record = await requireCommission(kept.ref.project, kept.ref.id);
    expect(kept.repo.git('rev-parse', branchOf(kept.ref, 1))).toBe(record.mergedFrom);
  });
});

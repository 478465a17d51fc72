import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HallRepository, makeHallRepository } from '../../../test/help/hall-repository.ts';
import { squashMerge } from './merge.ts';
import { type FoldedIn, syncIntegration, type SyncOutcome } from './sync.ts';

function sync(hall: HallRepository, remembered?: FoldedIn): Promise<SyncOutcome> {
  return syncIntegration(hall.ctx, {
    repo: hall.repo.path,
    integrationBranch: hall.branch,
    integrationWorktree: hall.hall.path,
    personBranch: 'main',
    remembered,
  });
}

async function synced(hall: HallRepository, remembered?: FoldedIn): Promise<FoldedIn> {
  const outcome = await sync(hall, remembered);
  if (outcome.kind === 'conflict') throw new Error(`a conflict in ${outcome.files.join()}`);
  expect(hall.hall.git('status', '--porcelain')).toBe('');
  return outcome.remembered;
}

/** As a person does it, or the button of a forge. */
function squashIntoMain(hall: HallRepository): void {
  hall.repo.git('merge', '--quiet', '--squash', hall.branch);
  hall.repo.git('commit', '--quiet', '-m', 'Take over');
}

function text(hall: HallRepository, path: string): string {
  return readFileSync(join(hall.hall.path, path), 'utf8');
}

describe('bringing the person’s branch in', () => {
  test('moves the integration branch ahead when it has nothing of its own', async () => {
    const hall = await makeHallRepository();
    const tip = hall.repo.commit('more', { 'b.md': 'b' });
    expect(await sync(hall)).toMatchObject({ kind: 'synced', commit: tip, keptLocal: [] });
    expect(text(hall, 'b.md')).toBe('b');
    expect(await sync(hall)).toMatchObject({ kind: 'up-to-date', remembered: { commit: tip } });
  });

  test('merges what both did, and keeps what is being written', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n', 'r.md': 'r' } });
    hall.hall.commit('ours', { 'ours.md': 'o' });
    hall.repo.commit('theirs', { 'a.md': 'a2\n' });
    hall.hall.write({ 'r.md': 'being written' });
    expect(await sync(hall)).toMatchObject({ kind: 'synced' });
    expect([text(hall, 'a.md'), text(hall, 'ours.md')]).toEqual(['a2\n', 'o']);
    expect(hall.hall.git('status', '--porcelain')).toBe(' M r.md');
    expect(hall.hall.git('log', '-1', '--format=%B')).toBe('Bring in main\n\nGuild-Hall: sync main\n');
    expect(hall.hall.git('merge-base', '--is-ancestor', 'main', hall.branch)).toBe('');
  });

  test('stops at a true conflict and changes nothing', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n' } });
    const tip = hall.hall.commit('ours', { 'a.md': 'ours\n' });
    hall.repo.commit('theirs', { 'a.md': 'theirs\n' });
    expect(await sync(hall)).toEqual({ kind: 'conflict', files: ['a.md'] });
    expect(hall.hall.git('rev-parse', 'HEAD')).toBe(tip);
  });

  test('says when there is no such branch', async () => {
    const hall = await makeHallRepository();
    hall.repo.git('branch', '-m', 'trunk');
    await expect(sync(hall)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('works between branches that share no history', async () => {
    const hall = await makeHallRepository();
    hall.hall.commit('ours', { 'ours.md': 'o' });
    hall.repo.git('checkout', '--quiet', '--orphan', 'fresh');
    hall.repo.commit('fresh start', { 'fresh.md': 'f' });
    hall.repo.git('branch', '-f', 'main', 'fresh');
    await synced(hall);
    expect([text(hall, 'ours.md'), text(hall, 'fresh.md')]).toEqual(['o', 'f']);
  });
});

describe('after its own work came into the person’s branch squashed', () => {
  test('the same work is no conflict, although it was changed further since', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n', 'b.md': 'b\n' } });
    let remembered = await synced(hall);
    for (const round of [1, 2, 3]) {
      hall.hall.commit('work', { 'a.md': `work ${round}\n`, [`n${round}.md`]: `${round}\n` });
      squashIntoMain(hall);
      hall.hall.commit('more work', { 'a.md': `more ${round}\n` });
      hall.repo.commit('theirs', { 'b.md': `theirs ${round}\n` });
      remembered = await synced(hall, remembered);
      expect([text(hall, 'a.md'), text(hall, 'b.md')]).toEqual([`more ${round}\n`, `theirs ${round}\n`]);
      squashIntoMain(hall);
      remembered = await synced(hall, remembered);
      expect(hall.hall.git('diff', '--stat', 'main', hall.branch)).toBe('');
    }
  });

  test('what was taken over and then deleted here does not come back', async () => {
    const hall = await makeHallRepository();
    const remembered = await synced(hall);
    hall.hall.commit('work', { 'draft.md': 'draft', 'good.md': 'good' });
    squashIntoMain(hall);
    hall.repo.commit('theirs', { 'theirs.md': 't' });
    rmSync(join(hall.hall.path, 'draft.md'));
    hall.hall.commit('tidy', {});
    await synced(hall, remembered);
    expect(existsSync(join(hall.hall.path, 'draft.md'))).toBe(false);
    expect([text(hall, 'good.md'), text(hall, 'theirs.md')]).toEqual(['good', 't']);
  });

  test('what the person changed in it is taken, what they took back is taken back', async () => {
    const hall = await makeHallRepository();
    let remembered = await synced(hall);
    const lines = (...words: string[]): string => words.map((word) => `${word}\n`).join('\n\n\n');
    hall.hall.commit('work', { 'w.md': lines('one', 'two', 'three'), 'unwanted.md': 'u' });
    squashIntoMain(hall);
    remembered = await synced(hall, remembered);
    rmSync(join(hall.repo.path, 'unwanted.md'));
    hall.repo.commit('mend', { 'w.md': lines('one', 'TWO', 'three') });
    hall.hall.commit('work', { 'w.md': lines('one', 'two', 'three!') });
    await synced(hall, remembered);
    expect(text(hall, 'w.md')).toBe(lines('one', 'TWO', 'three!'));
    expect(existsSync(join(hall.hall.path, 'unwanted.md'))).toBe(false);
  });

  test('with work of activities, and without anything remembered', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n' } });
    const one = await hall.activity('one');
    one.commit('x', { 'a.md': 'one\n' });
    const request = { repo: hall.repo.path, integrationBranch: hall.branch, integrationWorktree: hall.hall.path };
    await squashMerge(hall.ctx, { ...request, activityBranch: one.branch, message: 'm', trailer: 't', overlay: {} });
    squashIntoMain(hall);
    const two = await hall.activity('two');
    two.commit('x', { 'a.md': 'two\n' });
    await squashMerge(hall.ctx, { ...request, activityBranch: two.branch, message: 'm', trailer: 't', overlay: {} });
    await synced(hall);
    expect(text(hall, 'a.md')).toBe('two\n');
  });

  test('and the person’s branch was written anew since', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n' } });
    hall.repo.commit('theirs', { 'b.md': 'b\n' });
    const remembered = await synced(hall);
    hall.hall.commit('work', { 'w.md': 'w\n' });
    squashIntoMain(hall);
    hall.repo.git('reset', '--quiet', '--soft', 'main~2');
    hall.repo.git('commit', '--quiet', '-m', 'all in one');
    hall.repo.commit('theirs', { 'b.md': 'b2\n' });
    hall.hall.commit('work', { 'w.md': 'w2\n' });
    await synced(hall, remembered);
    expect([text(hall, 'w.md'), text(hall, 'b.md')]).toEqual(['w2\n', 'b2\n']);
  });
});

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HallRepository, makeHallRepository } from '../../../test/help/hall-repository.ts';
import type { TestRepository } from '../../../test/help/repositories.ts';
import { systemClock } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import { runCommand } from '../processes/command.ts';
import { commitAll, commitFiles } from './commit.ts';
import { squashMerge, type SquashOutcome } from './merge.ts';
import { readFileAt } from './read.ts';
import { inspectRepository } from './repository.ts';
import { gitEnvironment } from './run.ts';
import { syncIntegration, type SyncOutcome } from './sync.ts';

const text = { message: 'Wörk', trailer: 'activity one' };

function squash(hall: HallRepository, activityBranch: string, overlay = {}): Promise<SquashOutcome> {
  const place = { repo: hall.repo.path, integrationBranch: hall.branch, integrationWorktree: hall.hall.path };
  return squashMerge(hall.ctx, { ...place, ...text, activityBranch, overlay });
}

function sync(hall: HallRepository): Promise<SyncOutcome> {
  const place = { repo: hall.repo.path, integrationBranch: hall.branch, integrationWorktree: hall.hall.path };
  return syncIntegration(hall.ctx, { ...place, personBranch: 'main', remembered: undefined });
}

/** Puts a signature under the last commit, and a program in place of gpg that notes that it was asked. */
async function signLastCommit(repo: TestRepository): Promise<string> {
  const asked = join(repo.path, '.git', 'gpg-was-asked');
  const program = join(repo.path, '.git', 'gpg.sh');
  repo.write({ '.git/gpg.sh': { executable: `#!/bin/sh\ntouch '${asked}'\necho 'gpg: words of gpg' >&2\nexit 1\n` } });
  repo.git('config', 'gpg.program', program);
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n';
  const input = `${repo.git('cat-file', 'commit', 'HEAD').replace('\n\n', `\n${signature}\n`)}\n`;
  const args = ['hash-object', '-t', 'commit', '-w', '--stdin'];
  const env = gitEnvironment(process.env);
  const made = await runCommand(
    { log: silentLog },
    { file: 'git', args, cwd: repo.path, env, input, timeoutMs: 9_000 },
  );
  repo.git('reset', '--quiet', '--hard', made.stdout.trim());
  return asked;
}

describe('settings of the person’s git', () => {
  test('that show signatures put no words into answers, and gpg is not asked', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n' } });
    hall.repo.git('config', 'log.showSignature', 'true');
    hall.repo.commit('theirs', { 'b.md': 'b\n' });
    const asked = await signLastCommit(hall.repo);
    expect(await sync(hall)).toMatchObject({ kind: 'synced' });
    // Their branch is written anew: the signed commit is now the integration branch's alone.
    hall.repo.git('reset', '--quiet', '--hard', 'HEAD^');
    hall.repo.commit('theirs', { 'b.md': 'b\n', 'c.md': 'c\n' });
    expect(await sync(hall)).toMatchObject({ kind: 'synced' });
    const one = await hall.activity('one');
    one.commit('x', { 'a.md': 'one\n' });
    await squash(hall, one.branch);
    expect(await squash(hall, one.branch)).toMatchObject({ kind: 'merged', isEmpty: true });
    expect(existsSync(asked)).toBe(false);
  });

  test('that refuse line ends do not hinder a commit', async () => {
    const hall = await makeHallRepository();
    hall.repo.git('config', 'core.autocrlf', 'true');
    hall.repo.git('config', 'core.safecrlf', 'true');
    hall.hall.write({ 'mixed.md': 'a\r\nb\n' });
    await commitFiles(hall.ctx, { ...text, worktree: hall.hall.path, paths: ['mixed.md'] });
    expect(await readFileAt(hall.ctx, hall.repo.path, hall.branch, 'mixed.md')).toBe('a\r\nb\n');
    const one = await hall.activity('one');
    expect(readFileSync(join(one.path, 'mixed.md'), 'utf8')).toBe('a\r\nb\n');
    one.write({ 'new.md': 'a\r\nb\n', 'mixed.md': 'c\r\nb\n' });
    await commitAll(hall.ctx, { ...text, worktree: one.path });
    expect(await squash(hall, one.branch, { 'record.md': 'r\n' })).toMatchObject({ kind: 'merged', keptLocal: [] });
    // The hall reads what it wrote, not what the person's editor would like to see.
    expect(readFileSync(join(hall.hall.path, 'new.md'), 'utf8')).toBe('a\nb\n');
    expect(readFileSync(join(hall.hall.path, 'record.md'), 'utf8')).toBe('r\n');
    expect(hall.hall.git('status', '--porcelain')).toBe('');
  });

  test('that make git look away do not hide work', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n' } });
    hall.repo.git('config', 'core.ignoreStat', 'true');
    hall.repo.git('config', 'sparse.expectFilesOutsideOfPatterns', 'true');
    const one = await hall.activity('one');
    one.write({ 'a.md': 'changed\n' });
    await commitAll(hall.ctx, { ...text, worktree: one.path });
    expect(await readFileAt(hall.ctx, hall.repo.path, one.branch, 'a.md')).toBe('changed\n');
    const two = await hall.activity('two', 'sparse');
    two.write({ 'a.md': 'outside\n' });
    await commitAll(hall.ctx, { ...text, worktree: two.path });
    expect(await readFileAt(hall.ctx, hall.repo.path, two.branch, 'a.md')).toBe('outside\n');
  });
});

/** What people set, and what would hurt where a program reads git's answers. */
const odd = {
  'advice.detachedHead': 'true',
  'apply.whitespace': 'error-all',
  'branch.autoSetupMerge': 'always',
  'branch.autoSetupRebase': 'always',
  'color.branch': 'always',
  'color.diff': 'always',
  'color.status': 'always',
  'color.ui': 'always',
  'column.ui': 'always',
  'commit.cleanup': 'scissors',
  'commit.gpgSign': 'true',
  'commit.template': '/no/such/template',
  'commit.verbose': 'true',
  'core.abbrev': '4',
  'core.autocrlf': 'true',
  'core.commentChar': 'B',
  'core.eol': 'crlf',
  'core.fsmonitor': '/no/such/monitor',
  'core.hooksPath': '/no/such/hooks',
  'core.ignoreStat': 'true',
  'core.logAllRefUpdates': 'false',
  'core.pager': 'false',
  'core.quotePath': 'true',
  'core.safecrlf': 'true',
  'core.splitIndex': 'true',
  'core.untrackedCache': 'true',
  'diff.algorithm': 'patience',
  'diff.external': 'false',
  'diff.ignoreSubmodules': 'all',
  'diff.mnemonicPrefix': 'true',
  'diff.noprefix': 'true',
  'diff.orderFile': '/no/such/order',
  'diff.relative': 'true',
  'diff.renames': 'copies',
  'feature.manyFiles': 'true',
  'format.pretty': 'oneline',
  'grep.patternType': 'perl',
  'i18n.commitEncoding': 'ISO-8859-1',
  'i18n.logOutputEncoding': 'UTF-16',
  'index.version': '4',
  'log.abbrevCommit': 'true',
  'log.date': 'relative',
  'log.decorate': 'full',
  'log.diffMerges': 'on',
  'log.showSignature': 'true',
  'merge.conflictStyle': 'diff3',
  'merge.ff': 'only',
  'merge.log': 'true',
  'merge.renames': 'false',
  'merge.verifySignatures': 'true',
  'pager.log': 'false',
  'rerere.enabled': 'true',
  'status.branch': 'true',
  'status.relativePaths': 'true',
  'status.short': 'true',
  'status.showStash': 'true',
  'status.showUntrackedFiles': 'no',
  'submodule.recurse': 'true',
  'trailer.separators': '=',
  'worktree.guessRemote': 'true',
};

test('a repository with all of them at once is worked in like any other', async () => {
  const files = { 'old name.md': 'one\ntwo\nthree\nfour\n', 'ü.md': 'ü\n', 'gone.md': 'g\n' };
  const hall = await makeHallRepository({ files });
  for (const [name, value] of Object.entries(odd)) hall.repo.git('config', '--file', '.git/odd', name, value);
  // Some of them stop the person's own git: what the test does as the person is done without.
  const setOdd = (isOn: boolean): void => void hall.repo.git('config', 'include.path', isOn ? 'odd' : 'none');
  setOdd(true);
  expect(await inspectRepository({ clock: systemClock, log: silentLog }, hall.repo.path)).toMatchObject({
    headBranch: 'main',
    isDirty: false,
  });
  hall.hall.write({ '.lore/artifact.md': '---\r\na: b\r\n---\r\n' });
  await commitFiles(hall.ctx, { ...text, worktree: hall.hall.path, paths: ['.lore/artifact.md'] });
  const one = await hall.activity('one');
  rmSync(join(one.path, 'gone.md'));
  one.write({ 'ü.md': 'üü\n', 'old name.md': 'one\ntwo\nthree\nfive\n', 'new/ß.md': 'x\r\n' });
  await commitAll(hall.ctx, { ...text, worktree: one.path });
  // The person moves the very file meanwhile: only a merge that looks for renames is clean.
  setOdd(false);
  hall.repo.git('mv', 'old name.md', 'new name.md');
  hall.repo.git('commit', '--quiet', '-m', 'move');
  const asked = await signLastCommit(hall.repo);
  setOdd(true);
  expect(await sync(hall)).toMatchObject({ kind: 'synced', keptLocal: [] });
  const merged = await squash(hall, one.branch, { '.lore/artifact.md': '---\na: c\n---\n' });
  expect(merged).toMatchObject({ kind: 'merged', isEmpty: false });
  expect(await squash(hall, one.branch)).toMatchObject({ kind: 'merged', isEmpty: true });
  const at = (path: string): Promise<string | undefined> => readFileAt(hall.ctx, hall.repo.path, hall.branch, path);
  expect(await at('new name.md')).toBe('one\ntwo\nthree\nfive\n');
  expect(await at('.lore/artifact.md')).toBe('---\na: c\n---\n');
  expect(await at('gone.md')).toBeUndefined();
  expect(readFileSync(join(hall.hall.path, 'ü.md'), 'utf8')).toBe('üü\n');
  expect(readFileSync(join(hall.hall.path, 'new/ß.md'), 'utf8')).toBe('x\n');
  expect(existsSync(asked)).toBe(false);
  writeFileSync(join(hall.hall.path, 'ü.md'), 'ü, by hand\n');
  await commitFiles(hall.ctx, { ...text, worktree: hall.hall.path, paths: ['ü.md'] });
  expect(await at('ü.md')).toBe('ü, by hand\n');
  setOdd(false);
  expect(hall.hall.git('cat-file', 'commit', 'HEAD')).toContain('\nWörk\n\nGuild-Hall: activity one');
  expect(hall.hall.git('status', '--porcelain')).toBe('');
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHallRepository } from '../../../../test/help/hall-repository.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { gitMounts, keepSafeSettings } from './git-view.ts';

test('of the settings what git needs to read stays; addresses, helpers, programs and includes go', () => {
  const listed = [
    'core.repositoryformatversion\n0',
    'core.bare\nfalse',
    'core.hookspath\n/x',
    'core.sshcommand\nssh -i key',
    'core.fsmonitor\nrun-me',
    'core.sparsecheckout',
    'extensions.worktreeconfig\ntrue',
    'remote.origin.url\nhttps://me:word@example.invalid',
    'credential.helper\nstore',
    'http.https://example.invalid.extraheader\nAUTHORIZATION: x',
    'filter.x.clean\nrun-me',
    'include.path\n/x',
    'url.https://word@example.invalid.insteadof\nx',
    'user.name\nA "B" \\ C',
    '',
  ].join('\0');
  expect(keepSafeSettings(listed)).toBe(
    [
      '[core]\n\trepositoryformatversion = "0"\n',
      '[core]\n\tbare = "false"\n',
      '[core]\n\tsparsecheckout = "true"\n',
      '[extensions]\n\tworktreeconfig = "true"\n',
      '[user]\n\tname = "A \\"B\\" \\\\ C"\n',
    ].join(''),
  );
});

test('a worktree is found by what its repository says of it, never by its own file', async () => {
  const { ctx, repo, activity } = await makeHallRepository();
  const one = await activity('one');
  await activity('two');
  mkdirSync(join(repo.path, '.git', 'modules', 'inner'), { recursive: true });
  const lent = await tempFolder();
  mkdirSync(join(repo.path, '.git', 'objects', 'info'), { recursive: true });
  writeFileSync(join(repo.path, '.git', 'objects', 'info', 'alternates'), `# lent\n${lent}\n`);
  // As an agent would write it where nothing holds it.
  writeFileSync(join(one.path, '.git'), 'gitdir: /elsewhere/keys\n');
  const folder = await tempFolder();
  const mounts = await gitMounts(ctx, repo.path, one.path, folder);
  const git = join(repo.path, '.git');
  expect(mounts).toEqual([
    { how: 'read', path: git },
    { how: 'read', path: join(git, 'config'), source: join(folder, 'config') },
    { how: 'hide', path: join(git, 'modules') },
    { how: 'read', path: lent, optional: true },
    { how: 'read', path: join(one.path, '.git'), source: join(folder, 'gitfile') },
  ]);
  expect(readFileSync(join(folder, 'gitfile'), 'utf8')).toBe(`gitdir: ${git}/worktrees/activity-one\n`);
  expect(readFileSync(join(folder, 'config'), 'utf8')).toContain('repositoryformatversion = "0"');
});

test('a folder that belongs to no worktree is shown nothing of the repository; the repository itself is', async () => {
  const { ctx, repo } = await makeHallRepository();
  const folder = await tempFolder();
  expect(await gitMounts(ctx, repo.path, await tempFolder(), folder)).toEqual([]);
  expect(await gitMounts(ctx, await tempFolder(), folder, folder)).toEqual([]);
  expect((await gitMounts(ctx, repo.path, repo.path, folder)).map(({ path }) => path)).toEqual([
    join(repo.path, '.git'),
    join(repo.path, '.git', 'config'),
  ]);
});

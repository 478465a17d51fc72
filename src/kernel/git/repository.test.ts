import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepository, runTestGit, tempFolder } from '../../../test/help/repositories.ts';
import { systemClock } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import { inspectRepository, requireUsableRepository, requireVersion } from './repository.ts';

const ctx = { clock: systemClock, log: silentLog };

describe('what kind of repository it is', () => {
  test('an ordinary one', async () => {
    const repo = await makeRepository();
    expect(await inspectRepository(ctx, repo.path)).toMatchObject({
      topLevel: repo.path,
      commonDir: join(repo.path, '.git'),
      isBare: false,
      hasCommits: true,
      headBranch: 'main',
      isDirty: false,
      userName: 'Test Person',
      userEmail: 'person@example.invalid',
      hasSubmodules: false,
      usesLfs: false,
      oldIntegrationRef: null,
      gitVersion: expect.stringMatching(/^\d+\.\d+/),
    });
  });

  test('from a folder within; with changes, submodules, large files and no branch', async () => {
    const repo = await makeRepository({
      files: { 'a b/c.md': 'x', 'a b/.gitattributes': '*.bin filter=lfs diff=lfs\n', '.gitmodules': '' },
    });
    repo.write({ 'a b/c.md': 'changed' });
    repo.git('checkout', '--quiet', '--detach');
    expect(await inspectRepository(ctx, join(repo.path, 'a b'))).toMatchObject({
      topLevel: repo.path,
      headBranch: null,
      isDirty: true,
      hasSubmodules: true,
      usesLfs: true,
    });
    await expect(requireUsableRepository(ctx, repo.path)).resolves.toMatchObject({ isDirty: true });
  });
});

describe('a repository that cannot be used says why, and what to do', () => {
  test('a folder that is missing, or no repository', async () => {
    const folder = await tempFolder();
    await expect(requireUsableRepository(ctx, join(folder, 'gone'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(requireUsableRepository(ctx, folder)).rejects.toMatchObject({ code: 'invalid' });
  });

  test('a bare one', async () => {
    const path = join(await tempFolder(), 'bare.git');
    mkdirSync(path);
    runTestGit(path, ['init', '--quiet', '--bare']);
    await expect(requireUsableRepository(ctx, path)).rejects.toMatchObject({
      hint: expect.stringContaining('git clone'),
    });
  });

  test('one without a commit', async () => {
    const repo = await makeRepository({ files: {} });
    const refused = requireUsableRepository(ctx, repo.path);
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('no commit yet'),
    });
  });

  test('one whose objects are named by sha256', async () => {
    const path = await tempFolder();
    runTestGit(path, ['init', '--quiet', '--object-format=sha256']);
    await expect(requireUsableRepository(ctx, path)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('sha256'),
    });
  });

  test('one without a name, then without an address [SYS-GIT-IDENTITY]', async () => {
    const repo = await makeRepository({ identity: null });
    const hint = async (): Promise<string> =>
      requireUsableRepository(ctx, repo.path).then(
        () => '',
        (e) => e.hint,
      );
    expect(await hint()).toContain('user.name');
    repo.git('config', 'user.name', 'Somebody');
    expect(await hint()).toContain('user.email');
    repo.git('config', 'user.email', 's@example.invalid');
    expect(await hint()).toBe('');
  });

  test('one with a branch "claude": the rename is offered and works [SYS-GIT-OLD-BRANCH]', async () => {
    const repo = await makeRepository();
    repo.git('branch', 'claude');
    await expect(requireUsableRepository(ctx, repo.path)).rejects.toMatchObject({
      hint: expect.stringContaining('branch -m claude claude-old'),
    });
    repo.git('branch', '-m', 'claude', 'claude-old');
    await expect(requireUsableRepository(ctx, repo.path)).resolves.toMatchObject({ oldIntegrationRef: null });
  });

  test.each([
    ['2.37.9', false],
    ['1.99', false],
    ['2.38.0', true],
    ['2.39.5', true],
    ['2.100.1', true],
    ['3.0', true],
  ])('git %s: enough is %s', (version, isEnough) => {
    const check = (): void => requireVersion(version);
    if (isEnough) expect(check).not.toThrow();
    else expect(check).toThrow(/2\.38/);
  });
});

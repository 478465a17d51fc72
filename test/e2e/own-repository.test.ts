/** The person's own checkout and settings while a meeting lives and dies. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { close, openMeeting, say, startHallWithProject } from '../help/halls.ts';
import { tempFolder } from '../help/repositories.ts';

const hookNames = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-checkout',
  'post-merge',
  'pre-merge-commit',
  'pre-rebase',
  'post-index-change',
  'reference-transaction',
];

test('hooks, file-system monitor and forced signing neither run nor stand in the way, from open to close [SYS-GIT-HOOKS]', async () => {
  const { hall, repo } = await startHallWithProject();
  const mark = join(await tempFolder(), 'ran');
  const script = { executable: `#!/bin/sh\necho "$0" >> '${mark}'\nexit 1\n` };
  repo.write(Object.fromEntries(hookNames.map((name) => [`.git/hooks/${name}`, script])));
  repo.write({ '.git/monitor': script });
  repo.git('config', 'core.hooksPath', join(repo.path, '.git/hooks'));
  repo.git('config', 'core.fsmonitor', join(repo.path, '.git/monitor'));
  repo.git('config', 'commit.gpgsign', 'true');
  repo.git('config', 'tag.gpgsign', 'true');
  repo.git('config', 'gpg.program', '/no/such/gpg');
  const { id, worktree } = await openMeeting(hall, { message: 'Write what you find to .lore/notes/a.md' });
  writeFileSync(join(worktree, 'src/new.ts'), 'export const a = 1;\n');
  await say(hall, id, 'Where are words counted?');
  await hall.client.call('project.sync', {});
  expect((await close(hall, id)).merge.state).toBe('merged');
  expect(existsSync(mark)).toBe(false);
});

test('the person’s branch, index and changed, staged and new files are byte for byte as they were, through a whole meeting [SYS-GIT-MAIN]', async () => {
  const { hall, repo } = await startHallWithProject();
  repo.git('switch', '--quiet', '-c', 'mine');
  repo.commit('Mine', { 'src/mine.ts': 'export const mine = 1;\n' });
  repo.write({ 'README.md': '# Changed\n', 'staged.md': 'staged\n', 'new.md': 'new\n' });
  repo.git('add', 'staged.md');
  repo.git('stash', 'list');
  const trace = (): unknown => ({
    head: repo.git('symbolic-ref', 'HEAD'),
    branches: repo.git('for-each-ref', 'refs/heads/main', 'refs/heads/mine', 'refs/tags', 'refs/stash'),
    status: repo.git('status', '--porcelain'),
    unstaged: repo.git('diff'),
    staged: repo.git('diff', '--cached'),
    reflog: repo.git('reflog', 'mine'),
  });
  const before = trace();
  const { id, worktree } = await openMeeting(hall, { message: 'Write what you find to .lore/notes/a.md' });
  writeFileSync(join(worktree, 'README.md'), '# By the activity\n');
  await say(hall, id, 'Where are words counted?');
  await hall.restart();
  expect((await close(hall, id)).merge.state).toBe('merged');
  expect(repo.git('show', 'claude/main:README.md')).toBe('# By the activity');
  expect(trace()).toEqual(before);
});

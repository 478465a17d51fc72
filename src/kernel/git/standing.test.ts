import { chmodSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepository } from '../../../test/help/repositories.ts';
import { systemClock } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import { changedBetween, readStanding } from './standing.ts';

const ctx = { clock: systemClock, log: silentLog };

test('whatever changes is named: changed, new, staged, gone, its mode; what is left out is not looked at', async () => {
  const repo = await makeRepository({
    files: { 'a.md': 'a\n', 'b c.md': 'b\n', 'd.md': 'd\n', '.gitignore': 'ignored\n' },
  });
  repo.write({ 'own.md': 'not committed\n' });
  const before = await readStanding(ctx, repo.path, ['kept']);
  expect(changedBetween(before, await readStanding(ctx, repo.path, ['kept']))).toEqual([]);
  repo.write({
    'a.md': 'more\n',
    'own.md': 'not committed, changed\n',
    'new/deep.md': 'x\n',
    'kept/x.yaml': 'x\n',
    ignored: 'x\n',
  });
  renameSync(join(repo.path, 'b c.md'), join(repo.path, 'b d.md'));
  rmSync(join(repo.path, 'd.md'));
  chmodSync(join(repo.path, '.gitignore'), 0o755);
  const after = await readStanding(ctx, repo.path, ['kept']);
  expect(changedBetween(before, after)).toEqual([
    '.gitignore',
    'a.md',
    'b c.md',
    'b d.md',
    'd.md',
    'new/deep.md',
    'own.md',
  ]);
  repo.git('add', 'a.md');
  expect(changedBetween(after, await readStanding(ctx, repo.path, ['kept']))).toEqual(['a.md']);
  expect(after.head).toBe(repo.git('rev-parse', 'HEAD'));
});

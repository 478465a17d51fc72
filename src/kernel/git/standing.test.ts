import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
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

test('no setting of a submodule is obeyed; that it stands elsewhere is told', async () => {
  const repo = await makeRepository({ files: { 'a.md': 'a\n' } });
  const inner = await makeRepository({ files: { f: 'x\n', '.gitattributes': '* filter=hostile\n' } });
  const sub = join(repo.path, 'sub');
  renameSync(inner.path, sub);
  repo.git('add', 'sub');
  repo.git('commit', '-qm', 'With a submodule');
  const mark = join(repo.path, '.git', 'was-run');
  repo.git('-C', 'sub', 'config', 'filter.hostile.clean', `touch '${mark}'; cat`);
  const before = await readStanding(ctx, repo.path, []);
  repo.write({ 'sub/f': 'y\n' });
  const after = await readStanding(ctx, repo.path, []);
  expect(existsSync(mark)).toBe(false);
  expect(changedBetween(before, after)).toEqual([]);
  repo.git('-C', 'sub', '-c', 'filter.hostile.clean=cat', 'commit', '-qam', 'Moved');
  expect(changedBetween(before, await readStanding(ctx, repo.path, []))).toEqual(['sub']);
  expect(existsSync(mark)).toBe(false);
});

import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectNameSchema } from '../pure/ids.ts';
import { ensureHome, homePaths, homeRoot } from './home.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gh-home-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('homeRoot', () => {
  test('from the variable, else in the person’s home [SYS-HOME]', () => {
    expect(homeRoot({ HOME: '/h/p' })).toBe('/h/p/.guild-hall');
    expect(homeRoot({ HOME: '/h/p', GUILD_HALL_HOME: '' })).toBe('/h/p/.guild-hall');
    expect(homeRoot({ HOME: '/h/p', GUILD_HALL_HOME: '/x/y/' })).toBe('/x/y');
    expect(homeRoot({ HOME: '/h/p', GUILD_HALL_HOME: '~/hall' })).toBe('/h/p/hall');
  });

  test.each(['relative/home', './x', '/', '/h/p', '/h/p/', '~'])('%j is refused with a hint', (named) => {
    expect(() => homeRoot({ HOME: '/h/p', GUILD_HALL_HOME: named })).toThrow(/GUILD_HALL_HOME is/);
  });
});

test('paths', () => {
  const home = homePaths('/h');
  const project = projectNameSchema.parse('shop');
  expect(home.integrationWorktree(project)).toBe('/h/projects/shop');
});

describe('ensureHome', () => {
  test('makes every folder 0700, and closes one that was open [SYS-HOME]', async () => {
    const home = homePaths(join(folder, 'a/home'));
    await ensureHome(home);
    await chmod(home.root, 0o755);
    await ensureHome(home);
    for (const path of [home.root, home.state, home.events, home.secrets, home.memory]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
    expect(await readdir(home.root)).toEqual(['memory', 'packages', 'projects', 'state', 'worktrees']);
  });

  test('a file in its place is a clear error', async () => {
    await writeFile(join(folder, 'home'), 'not a folder');
    await expect(ensureHome(homePaths(join(folder, 'home')))).rejects.toMatchObject({
      code: 'unavailable',
      details: { folder: join(folder, 'home') },
    });
  });
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HallRepository, makeHallRepository } from '../../../test/help/hall-repository.ts';
import type { TestRepository } from '../../../test/help/repositories.ts';
import { type Forecast, forecastConflicts, type ForecastMemory } from './forecast.ts';

async function foretell(
  hall: HallRepository,
  ids: readonly string[],
  memory: ForecastMemory = new Map(),
): Promise<Forecast[]> {
  return forecastConflicts(hall.ctx, memory, {
    repo: hall.repo.path,
    integrationBranch: hall.branch,
    integrationWorktree: hall.hall.path,
    places: ids.map((id) => ({
      key: id,
      branch: `claude/activity/${id}`,
      worktree: join(hall.ctx.home.root, 'worktrees', 'sample', `activity-${id}`),
      owner: id,
    })),
    leaveOut: (path) => path.startsWith('.lore/records/'),
  });
}

/** Every file and folder of the repository's object store. */
function objects(repo: TestRepository): string[] {
  return readdirSync(join(repo.path, '.git'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.startsWith('objects') || name.includes('guild-hall-objects'))
    .toSorted();
}

const lines = (changed: Record<number, string> = {}): string =>
  Array.from({ length: 20 }, (_, at) => `${changed[at] ?? `line ${at}`}\n`).join('');

describe('works that will not merge', () => {
  test('are told with their files, committed or not; works that only touch the same file are told apart [SYS-FORECAST]', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': lines(), 'b.md': 'b\n', '.lore/records/r.md': 'r\n' } });
    const [one, two, three] = [await hall.activity('one'), await hall.activity('two'), await hall.activity('three')];
    one.commit('x', { 'a.md': lines({ 2: 'one' }), '.lore/records/r.md': 'one' });
    // Uncommitted.
    two.write({ 'a.md': lines({ 2: 'two' }), '.lore/records/r.md': 'two', 'new/file.md': 'n' });
    three.write({ 'a.md': lines({ 18: 'three' }), new: 'a file in the place of the folder' });
    const before = objects(hall.repo);
    expect(await foretell(hall, ['one', 'two', 'three'])).toEqual([
      { a: 'one', b: 'two', files: ['a.md'], isConflict: true },
      { a: 'one', b: 'three', files: ['a.md'], isConflict: false },
      { a: 'two', b: 'three', files: [expect.stringMatching(/^new/)], isConflict: true },
    ]);
    expect(objects(hall.repo)).toEqual(before);
    for (const each of [two, three]) expect(each.git('diff', '--cached', '--name-only')).toBe('');
  });

  test('are told where the integration branch moved on; what merges with it is no news', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': lines(), 'b.md': lines() } });
    (await hall.activity('one')).write({ 'a.md': lines({ 2: 'one' }), 'b.md': lines({ 2: 'one' }) });
    expect(await foretell(hall, ['one'])).toEqual([]);
    hall.hall.commit('y', { 'b.md': lines({ 18: 'other' }) });
    expect(await foretell(hall, ['one'])).toEqual([]);
    hall.hall.commit('y', { 'a.md': lines({ 2: 'other' }) });
    expect(await foretell(hall, ['one'])).toEqual([{ a: 'one', b: null, files: ['a.md'], isConflict: true }]);
  });

  test('are not computed again while nothing changed; every change is seen; what is gone is not compared', async () => {
    const hall = await makeHallRepository({ files: { 'a.md': 'a\n' } });
    const [one, two] = [await hall.activity('one'), await hall.activity('two')];
    one.write({ 'a.md': 'one\n' });
    two.write({ 'a.md': 'two\n' });
    const memory: ForecastMemory = new Map();
    const conflict = [{ a: 'one', b: 'two', files: ['a.md'], isConflict: true }];
    expect(await foretell(hall, ['one', 'two', 'never'], memory)).toEqual(conflict);
    expect(memory.size).toBe(1);
    const [sign] = memory.keys();
    // Kept: the outcome is taken from there.
    memory.set(sign!, []);
    expect(await foretell(hall, ['one', 'two'], memory)).toEqual([{ ...conflict[0], isConflict: false }]);
    two.write({ 'a.md': 'six\n' });
    expect(await foretell(hall, ['one', 'two'], memory)).toEqual(conflict);
    two.write({ 'a.md': 'one\n' });
    expect(await foretell(hall, ['one', 'two'], memory)).toEqual([{ ...conflict[0], isConflict: false }]);
    two.git('checkout', '--quiet', '--', '.');
    expect(await foretell(hall, ['one', 'two'], memory)).toEqual([]);
  });
});

/** What a ceremony is given of earlier talks, on the search's own thread. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SearchContext } from '../../src/features/search/context.ts';
import { findHistoryBy } from '../../src/features/search/history.ts';
import { closeSearch, createSearchThread } from '../../src/kernel/artifacts/search/ask.ts';
import { createBackground } from '../../src/kernel/background/background.ts';
import { systemClock } from '../../src/kernel/clock/clock.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import type { Project } from '../../src/kernel/projects/projects.ts';
import { searchProgram } from '../../src/main/search.ts';
import { shelvesOf } from '../../src/main/search-shelves.ts';
import { tempFolder } from '../help/repositories.ts';

test('a question finds a few texts in few words, the best first; without any, or without a search, nothing', async () => {
  const root = await tempFolder();
  const home = { root, state: join(root, 'state') };
  const project = { name: 'tally', integrationWorktree: join(root, 'tally') } as unknown as Project;
  const folder = join(root, 'tally/.lore/notes');
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < 9; n += 1)
    writeFileSync(join(folder, `${n}.md`), `# Note ${n}\n\n${`The garden wants water on day ${n}. `.repeat(20)}`);
  writeFileSync(
    join(folder, 'best.md'),
    '# Garden\n\nWho waters the garden, and when? Whoever passes by in the evening.\n',
  );
  const thread = createSearchThread(searchProgram);
  onTestFinished(async () => await closeSearch(thread));
  const { spawn } = createBackground(silentLog);
  const ctx = {
    home,
    thread,
    spawn,
    clock: systemClock,
    log: silentLog,
    projects: () => [project],
    shelvesOf: () => shelvesOf(home, project, new Map()),
    stale: new Set(),
  } as unknown as SearchContext;
  const findHistory = findHistoryBy(ctx);
  const ask = { project: 'tally', words: 'Who waters the garden in the evening?', hits: 5, characters: 1200 };
  const found = await findHistory(ask);
  expect(found.map(({ path }) => path)[0]).toBe('.lore/notes/best.md');
  expect(found).toHaveLength(5);
  const length = found.reduce((sum, { snippet }) => sum + snippet.text.length, 0);
  expect(length).toBeGreaterThan(700);
  expect(length).toBeLessThanOrEqual(1200);
  expect((await findHistory({ ...ask, characters: 100 })).map(({ path }) => path)).toEqual(['.lore/notes/best.md']);
  expect(await findHistory({ ...ask, characters: 10 })).toEqual([]);
  expect(await findHistory({ ...ask, words: 'xylophone?' })).toEqual([]);
  expect(await findHistory({ ...ask, words: '?' })).toEqual([]);
  await closeSearch(thread);
  expect(await findHistory(ask)).toEqual([]);
});

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { budgetCheck } from '../../scripts/checks/budget.ts';
import { makeHouseCopy, writeHouseFiles } from '../help/house-copies.ts';

const kilobytesOfScript = (kilobytes: number): string => randomBytes(kilobytes * 500).toString('hex');

const manifest = {
  'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_shared.js'] },
  '_shared.js': { file: 'assets/shared.js', imports: ['index.html'] },
  'pages/hall/hall-page.tsx': { file: 'assets/hall.js', imports: ['index.html', '_lists.js'] },
  '_lists.js': { file: 'assets/lists.js' },
  'pages/meeting/meeting-page.tsx': { file: 'assets/meeting.js', imports: ['index.html'] },
};

const root = makeHouseCopy({
  'dist/web/.vite/manifest.json': JSON.stringify(manifest),
  'dist/web/assets/index.js': kilobytesOfScript(200),
  'dist/web/assets/shared.js': kilobytesOfScript(100),
  'dist/web/assets/hall.js': kilobytesOfScript(10),
  'dist/web/assets/lists.js': kilobytesOfScript(10),
  'dist/web/assets/meeting.js': kilobytesOfScript(900),
});

test('the entry, the Hall page and what both import count; pages that are loaded later do not [WEB-BUDGET]', async () => {
  expect(await budgetCheck.find(root)).toEqual([]);
  expect(Number.parseFloat(await budgetCheck.figure!(root))).toBeGreaterThan(170);
});

test('too much script fails, and the largest are named first [WEB-BUDGET]', async () => {
  writeHouseFiles(root, { 'dist/web/assets/lists.js': kilobytesOfScript(300) });
  const [what, first, second] = await budgetCheck.find(root);
  expect(what).toMatch(/at most 300\.0 kB/);
  expect(first).toContain('assets/lists.js');
  expect(second).toContain('assets/index.js');
});

test('without a build the check says what to type', async () => {
  expect(await budgetCheck.find(makeHouseCopy({}))).toEqual([
    expect.stringContaining('not built'),
    'Run: npm run build',
  ]);
});

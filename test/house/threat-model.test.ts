/** docs/threat-model.md names only code, tests and promises that there are. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { houseRoot } from '../help/house-copies.ts';

const page = readFileSync(join(houseRoot, 'docs/threat-model.md'), 'utf8');
const promises = readFileSync(join(houseRoot, 'docs/promises.yaml'), 'utf8');

const filesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|web|scripts|docs)\/[^`\s]*)`/g)].map(([, path]) => path!);
const promisesIn = (text: string): string[] => [...text.matchAll(/\[([A-Z]+(?:-[A-Z0-9.]+)+)\]/g)].map(([, id]) => id!);

/** `[A-1, B-2]` in a test's title cites both. */
const splitMark = (mark: string): string => mark.replaceAll(', ', '][');

test('every file that it names is there', () => {
  expect(filesIn(page).length).toBeGreaterThan(40);
  expect(filesIn(page).filter((path) => !existsSync(join(houseRoot, path)))).toEqual([]);
});

test('every promise that it names is kept, and cited in the file that is named just before it', () => {
  const named = promisesIn(page);
  expect(named.length).toBeGreaterThan(12);
  const unkept = named.filter((id) => !new RegExp(`- id: ${id}\\n(?: {4}.*\\n)*? {4}status: kept`).test(promises));
  expect(unkept).toEqual([]);
  const claims = [...page.matchAll(/`((?:src|test)\/[^`\s]*\.test\.ts)`\s+\[([A-Z0-9.-]+)\]/g)];
  expect(claims.length).toBeGreaterThan(10);
  const wrong = claims.filter(([, path, id]) => {
    const cited = promisesIn(readFileSync(join(houseRoot, path!), 'utf8').replaceAll(/\[[^\]]*, [^\]]*\]/g, splitMark));
    return !cited.includes(id!);
  });
  expect(wrong.map(([text]) => text)).toEqual([]);
});

test('a file or a promise that is not there is seen', () => {
  expect(filesIn('as in `src/a/b.ts`, `test/c.test.ts` and `npm test`')).toEqual(['src/a/b.ts', 'test/c.test.ts']);
  expect(promisesIn('proved [SEC-HOST] and [SYS-GIT-HOOKS], not [this]')).toEqual(['SEC-HOST', 'SYS-GIT-HOOKS']);
});

/** What the app loads when it is first shown must be there also while the hall is away: `web/app/pages.ts` loads it before. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../help/programs.ts';

const web = join(packageRoot, 'web');

/** Where it does not come, something that serves stands in its place: code without colours. */
const dispensable = ['kit/markdown/highlight.ts'];

function loadedLaterBy(file: string): string[] {
  const source = readFileSync(join(web, file), 'utf8');
  return [...source.matchAll(/\bimport\(\s*'(\.[^']+)'\s*\)(?!\.[A-Z])/g)].map(([, path]) =>
    relative(web, join(web, dirname(file), path!)),
  );
}

test('every part of the app that is loaded later is loaded in good time', () => {
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const before = loadedLaterBy('app/pages.ts');
  const later = new Set(files.flatMap(loadedLaterBy));
  expect(before.length).toBeGreaterThan(20);
  expect([...later].filter((part) => !before.includes(part))).toEqual(dispensable);
});

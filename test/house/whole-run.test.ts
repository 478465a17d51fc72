/** `npm test` runs every test that is there: none lies where no project of the configuration looks. */
import { execFileSync } from 'node:child_process';
import { relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { houseRoot } from '../help/house-copies.ts';

const listed = (file: string, args: readonly string[]): string =>
  execFileSync(file, args, { cwd: houseRoot, encoding: 'utf8', maxBuffer: 16_000_000 });

test('every test file belongs to the run that npm test makes, those of gatherings too [GTH-TOOL-11]', () => {
  const tracked = listed('git', ['ls-files', '--', '*.test.ts', '*.test.tsx']).split('\n').filter(Boolean);
  const program = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'];
  const run = (JSON.parse(listed(process.execPath, program)) as { readonly file: string }[]).map(({ file }) =>
    relative(houseRoot, file).split(sep).join('/'),
  );
  const left = tracked.filter((file) => !run.includes(file) && !/^(?:examples|test\/house\/planted)\//.test(file));
  expect(left).toEqual([]);
  expect(run.filter((file) => file.includes('gathering')).length).toBeGreaterThan(10);
}, 60_000);

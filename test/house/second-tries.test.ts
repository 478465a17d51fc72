import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { findSecondTries, printSecondTries } from '../../scripts/second-tries.mjs';
import { houseRoot, makeHouseCopy } from '../help/house-copies.ts';

const planted = `
import { expect, test } from 'vitest';
let tries = 0;
test('is steady', () => expect(1).toBe(1));
test('comes at the second time', () => {
  tries += 1;
  if (tries === 1) throw new Error('The first time it was not there');
});
test('never comes', () => expect(1).toBe(2));
`;

afterEach(() => vi.unstubAllEnvs());

test('a test that passed only at its second try is named with what it failed for; one that never passes has failed', () => {
  const root = makeHouseCopy({ 'planted.test.ts': planted });
  const report = join(root, 'tests.json');
  const words = ['run', '--root', root, '--retry=1', '--reporter=json', `--outputFile=${report}`];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const run = () => execFileSync(join(houseRoot, 'node_modules/.bin/vitest'), words, { cwd: root, env, stdio: 'pipe' });
  expect(run).toThrow('Command failed');
  const { testResults, numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  expect([numPassedTests, numFailedTests]).toEqual([2, 1]);
  const tries = findSecondTries(root, testResults);
  expect(tries).toEqual([expect.stringContaining('planted.test.ts > comes at the second time\n')]);
  expect(tries[0]).toContain('    Error: The first time it was not there');
  expect(printSecondTries(tries)).toContain('1 needed a second try:\nplanted.test.ts');
});

test.each([
  ['true', [1, 1, 1]],
  ['', [0, 0, 0]],
])('with CI=%s unit, e2e and browser get so many further tries: %j', async (ci, tries) => {
  vi.stubEnv('CI', ci);
  vi.resetModules();
  const { default: config } = (await import('../../vitest.config.ts')) as {
    default: { test: { projects: { test: { name: string; retry?: number } }[] } };
  };
  const { projects } = config.test;
  expect(projects.map(({ test: { name } }) => name)).toEqual(['unit', 'e2e', 'browser']);
  expect(projects.map(({ test: { retry } }) => retry ?? 0)).toEqual(tries);
});

import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import type { Check } from '../../scripts/checks/step.ts';
import { disablesCheck, leaksCheck, namesCheck, nounsCheck } from '../../scripts/checks/text.ts';
import { makeHouseCopy } from '../help/house-copies.ts';

/** Check, file, content: each must be found at its first line; pieces are joined so that this file holds none of them. */
const broken: readonly (readonly [Check, string, string])[] = [
  [disablesCheck, 'src/a.ts', '// ox' + 'lint-disable-next-line no-var'],
  [disablesCheck, 'web/a.tsx', '/* es' + 'lint-disable */'],
  [disablesCheck, 'test/a.test.ts', '// @ts-' + 'expect-error'],
  [disablesCheck, 'scripts/a.mjs', '/* v8 ' + 'ignore next */'],
  [nounsCheck, 'src/kernel/git/a.ts', '// closes the Meeting'],
  [nounsCheck, 'src/kernel/git/a.test.ts', "const kind = 'commission';"],
  [leaksCheck, 'docs/a.md', `see ${homedir()}/notes`],
  [leaksCheck, 'a.txt', 'key: sk-ant-' + 'api03-' + 'x'.repeat(60)],
];

test.each(broken)('%o finds %s', async (check, file, content) => {
  expect(await check.find(makeHouseCopy({ [file]: `${content}\n` }))).toEqual([expect.stringContaining(`${file}:1: `)]);
});

test.each([
  'src/kernel/git/utils.ts',
  'src/string-helpers.ts',
  'src/services/a.ts',
  'src/gitRunner.ts',
  'src/git-manager.ts',
])('%s is no name for a file', async (file) => {
  expect(await namesCheck.find(makeHouseCopy({ [file]: '' }))).toEqual([expect.stringContaining(`${file}: `)]);
});

test('an ordinary tree passes all of them', async () => {
  const root = makeHouseCopy({
    'src/kernel/git/run.ts': '// starts git for an activity\n',
    'src/features/meetings/store.ts': '// a meeting\n',
    'docs/paths.md': 'Files lie under ~/.guild-hall and /home/you/project.\n',
  });
  for (const check of [disablesCheck, nounsCheck, namesCheck, leaksCheck]) expect(await check.find(root)).toEqual([]);
});

/** The checks that are tools of others: formatter, linter, compiler, search for what is unused. */
import { type Check, findingsOf, runTool } from './step.ts';

export const formatCheck: Check = {
  name: 'format',
  holds: 'one way to lay out code (oxfmt)',
  find: async (root) => {
    const result = await runTool(root, 'oxfmt', ['--list-different']);
    if (result.exitCode === 0) return [];
    const files = result.stdout.trim().split('\n').filter(Boolean);
    if (files.length === 0) return findingsOf(result, 'oxfmt itself failed.');
    return [...files.map((file) => `${file}: not laid out by the formatter`), `Run: npx oxfmt ${files.join(' ')}`];
  },
};

export const lintCheck: Check = {
  name: 'lint',
  holds: 'sizes, promises, errors, clock, exports, mocks (oxlint with types, scripts/lint/house.js)',
  find: async (root) =>
    findingsOf(
      await runTool(root, 'oxlint', ['--deny-warnings', '--format', 'unix']),
      'Change the code, not the rule: disable comments are refused. A file or function that is too long wants a split.',
    ),
};

const compile = (name: string, holds: string, config: string): Check => ({
  name,
  holds,
  find: async (root) =>
    findingsOf(
      await runTool(root, 'tsc', ['-p', config, '--noEmit', '--pretty', 'false']),
      `Again by hand: npx tsc -p ${config}`,
    ),
});

export const typesCheck = compile('types', 'strict types everywhere', 'tsconfig.json');
export const pureTypesCheck = compile(
  'types-pure',
  'contract, rules, fold and kernel/pure compile without Node and without DOM',
  'tsconfig.pure.json',
);

export const webTypesCheck = compile(
  'types-web',
  'the web app compiles against the browser, and against the hall’s contracts',
  'web/tsconfig.json',
);

export const browserTypesCheck = compile(
  'types-browser',
  'the tests in a browser compile with Node and with DOM: part of each runs in the page',
  'test/browser/tsconfig.json',
);

export const unusedCheck: Check = {
  name: 'unused',
  holds: 'no file, export or package that nothing uses (knip)',
  find: async (root) =>
    findingsOf(
      await runTool(root, 'knip', ['--no-progress', '--no-config-hints']),
      'Delete it, stop exporting it, or, if a person or a test starts it by name, add it to "entry" in knip.json.',
    ),
};

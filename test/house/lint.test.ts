import { describe, expect, test } from 'vitest';
import { runTool } from '../../scripts/checks/step.ts';
import { makeHouseCopy } from '../help/house-copies.ts';

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

/** Where, what, and the rule that must notice. Pieces are joined so that this file holds no such thing itself. */
const broken: readonly (readonly [file: string, source: string, rule: string])[] = [
  ['src/kernel/git/now.ts', 'export const at = Date.now();\n', 'house(no-clock)'],
  ['src/kernel/git/new-date.ts', 'export const at = new Date();\n', 'house(no-clock)'],
  ['src/kernel/git/random.ts', 'export const r = Math.random();\n', 'house(no-clock)'],
  ['src/kernel/git/measured.ts', 'export const t = performance.now();\n', 'house(no-clock)'],
  [
    'src/kernel/git/fresh.ts',
    "import { randomUUID } from 'node:crypto';\nexport const id = randomUUID();\n",
    'house(no-clock)',
  ],
  ['src/kernel/git/bytes.ts', 'export const id = crypto.getRandomValues(new Uint8Array(4));\n', 'house(no-clock)'],
  ['src/features/one/rules.ts', "export const at = Date.parse('2026-01-01');\n", 'house(no-clock)'],
  ['src/features/one/fold.ts', 'export const at = (ms: number): Date => new Date(ms);\n', 'house(no-clock)'],
  ['src/kernel/git/plain.ts', "export function f(): never {\n  throw new Error('x');\n}\n", 'house(no-plain-error)'],
  ['src/kernel/git/all.ts', "export * from './plain.ts';\n", 'house(no-export-all)'],
  ['src/kernel/git/mock.test.ts', "import { vi } from 'vitest';\nvi.mock('./plain.ts');\n", 'house(no-module-mocks)'],
  ['src/kernel/git/wait.test.ts', 'await new Promise((done) => setTimeout(done, 5));\n', 'house(no-timed-wait)'],
  [
    'src/kernel/git/swallow.ts',
    'export const f = (p: Promise<void>) => p.catch(() => undefined);\n',
    'house(no-silent-catch)',
  ],
  [
    'src/kernel/git/raw.ts',
    "import { writeFile } from 'node:fs/promises';\nawait writeFile('a', 'b');\n",
    'house(no-raw-write)',
  ],
  [
    'src/kernel/git/spawn.ts',
    "import { spawn } from 'node:child_process';\nexport const s = spawn;\n",
    'eslint(no-restricted-imports)',
  ],
  [
    'src/kernel/git/execa.ts',
    "import { execa } from 'execa';\nexport const s = execa;\n",
    'eslint(no-restricted-imports)',
  ],
  ['src/kernel/git/empty.ts', 'export function f(): void {\n  try {\n    f();\n  } catch {}\n}\n', 'eslint(no-empty)'],
  ['src/kernel/git/default.ts', 'const one = 1;\nexport default one;\n', 'import(no-default-export)'],
  ['src/kernel/git/any.ts', 'export const f = (x: any): unknown => x;\n', 'typescript(no-explicit-any)'],
  [
    'src/kernel/git/float.ts',
    'const p = async (): Promise<void> => {};\nexport const f = (): void => {\n  p();\n};\n',
    'typescript(no-floating-promises)',
  ],
  [
    'src/kernel/git/void.ts',
    'const p = async (): Promise<void> => {};\nexport const f = (): void => {\n  void p();\n};\n',
    'typescript(no-floating-promises)',
  ],
  ['src/kernel/git/loud.ts', "export const f = (): void => console.log('x');\n", 'eslint(no-console)'],
  ['src/kernel/git/long.ts', lines(301, 'export {};'), 'eslint(max-lines)'],
  ['src/kernel/git/long.test.ts', lines(601, 'export {};'), 'eslint(max-lines)'],
  [
    'src/kernel/git/tall.ts',
    `export function f(x: number): number {\n${lines(51, '  x += 1;')}  return x;\n}\n`,
    'eslint(max-lines-per-function)',
  ],
  [
    'src/kernel/git/closure.ts',
    `export const f = (x: number) => {\n${lines(51, '  x += 1;')}  return { get: () => x };\n};\n`,
    'eslint(max-lines-per-function)',
  ],
];

const allowed: Readonly<Record<string, string>> = {
  'src/kernel/clock/system.ts': 'export const at = (): number => Date.now();\n',
  'src/kernel/git/parsed.ts': "export const at = new Date('2026-01-01').getTime();\n",
  'src/kernel/processes/start.ts': "import { spawn } from 'node:child_process';\nexport const s = spawn;\n",
  'src/kernel/git/told.ts':
    'export const f = (p: Promise<void>) =>\n  // The caller has been told already.\n  p.catch(() => undefined);\n',
  'src/kernel/git/edge.ts': `export function f(x: number): number {\n${lines(47, '  x += 1;')}  return x;\n}\n`,
  'src/kernel/git/tall.test.ts': `export function f(x: number): number {\n${lines(80, '  x += 1;')}  return x;\n}\n`,
};

async function lint(files: Readonly<Record<string, string>>): Promise<{ code: string; filename: string }[]> {
  const root = makeHouseCopy(files, ['.oxlintrc.json', 'tsconfig.json', 'scripts/lint']);
  const { stdout } = await runTool(root, 'oxlint', ['--format', 'json']);
  return (JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }).diagnostics;
}

describe('lint', async () => {
  const found = await lint(Object.fromEntries(broken.map(([file, source]) => [file, source])));

  test.each(broken)('%s is refused', (file, _source, rule) => {
    expect(found.filter(({ filename }) => filename === file).map(({ code }) => code)).toContain(rule);
  });

  test('what is allowed passes', async () => {
    expect(await lint(allowed)).toEqual([]);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsCheck } from '../../scripts/checks/imports.ts';
import { houseRoot, makeHouseCopy, writeHouseFiles } from '../help/house-copies.ts';

const lawful = {
  'src/kernel/pure/one.ts': 'export const one = 1;\n',
  'src/kernel/git/two.ts': "import { one } from '../pure/one.ts';\nexport const two = one + 1;\n",
  'web/kit/three.tsx':
    "import { one } from '../../src/kernel/pure/one.ts';\nexport const Three = () => <p>{one}</p>;\n",
};

const makeCopy = (): string =>
  makeHouseCopy(lawful, ['package.json', '.dependency-cruiser.cjs', 'scripts/checks/cruise.mjs', 'test/house/planted']);

function editLaw(root: string, from: string, to: string): void {
  const law = readFileSync(join(houseRoot, '.dependency-cruiser.cjs'), 'utf8');
  expect(law).toContain(from);
  writeFileSync(join(root, '.dependency-cruiser.cjs'), law.replace(from, to));
}

test('a lawful tree passes', async () => {
  expect(await importsCheck.find(makeCopy())).toEqual([]);
});

test('a violation is told with its rule and what to do', async () => {
  const root = makeCopy();
  writeHouseFiles(root, { 'src/kernel/pure/up.ts': "import { two } from '../git/two.ts';\nexport const up = two;\n" });
  const [first] = await importsCheck.find(root);
  expect(first).toMatch(
    /^(kernel-order-pure|pure-imports-pure): src\/kernel\/pure\/up\.ts → src\/kernel\/git\/two\.ts\n {4}\S/,
  );
});

test('a cruiser that cannot read TypeScript is noticed, though it says that all is well', async () => {
  const root = makeCopy();
  editLaw(root, "parser: 'swc',", '');
  expect((await importsCheck.find(root)).join('\n')).toContain('the rule is blind');
});

test('a cruiser that sees no file is noticed by the floor', async () => {
  const root = makeCopy();
  editLaw(root, "parser: 'swc',", "parser: 'swc', includeOnly: '^nowhere/',");
  expect((await importsCheck.find(root)).join('\n')).toContain('the cruiser saw 0 of 3 files');
});

test('a rule that has gone blind is noticed by its planted violation', async () => {
  const root = makeCopy();
  editLaw(root, "to: { path: '^src/main/' }", "to: { path: '^src/mayn/' }");
  expect(await importsCheck.find(root)).toEqual([
    'rule nobody-imports-main did not catch the violation planted in test/house/planted/src/interfaces/cli/main-by-type.ts: the rule is blind',
  ]);
});

test('a rule without a planted violation is refused', async () => {
  const root = makeCopy();
  editLaw(root, "name: 'no-cycle'", "name: 'no-circle'");
  expect((await importsCheck.find(root)).join('\n')).toContain('no violation is planted for no-circle');
});

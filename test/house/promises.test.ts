import { describe, expect, test } from 'vitest';
import { parseCitations } from '../../scripts/checks/citations.ts';
import {
  type HallPromise,
  judgePromises,
  promisesCheck,
  readPromises,
  withCount,
} from '../../scripts/checks/promises.ts';
import { houseRoot, makeHouseCopy } from '../help/house-copies.ts';

const promise = (id: string, status: 'planned' | 'kept' = 'planned'): HallPromise => ({
  id,
  status,
  promise: 'It does.',
  part: 'one',
});

describe('citations', () => {
  test.each([
    ['a test', "test('opens [MTG-8.3]', run)", ['MTG-8.3']],
    ['several ids', "it('opens [MTG-8.3, SYS-CRASH]', run)", ['MTG-8.3', 'SYS-CRASH']],
    ['a table', "test.each([[1, 2]])('%s [COM-4a]', run)", ['COM-4a']],
    ['a describe with a test inside', "describe('open [MTG-8]', () => { test('a', run) })", ['MTG-8']],
    ['a template', 'test(`opens ${x} [MTG-1.1]`, run)', ['MTG-1.1']],
    ['a describe without a test', "describe('open [MTG-8]', () => {})", []],
    ['a skipped test', "test.skip('opens [MTG-8.3]', run)", []],
    ['a todo', "test.todo('opens [MTG-8.3]')", []],
    ['a test that must fail', "test.fails('opens [MTG-8.3]', run)", []],
    ['a test in a skipped describe', "describe.skip('x', () => { test('opens [MTG-8.3]', run) })", []],
    ['a describe of skipped tests', "describe('open [MTG-8]', () => { test.skip('a', run) })", []],
    ['a test in a loop', 'for (const x of xs) { test(`${x} [MTG-1]`, () => run(x)) }', ['MTG-1']],
    ['a test for Linux', "test.runIf(process.platform === 'linux')('opens [MTG-1]', run)", ['MTG-1']],
    ['harmless options', "test('opens [MTG-1]', { timeout: 9, skip: false }, run)", ['MTG-1']],
    ['a timeout behind', "test('opens [MTG-1]', () => run(), longMs)", ['MTG-1']],
    ['skipIf', "test.skipIf(true)('opens [MTG-1]', run)", []],
    ['skipIf and each', "test.skipIf(x).each([1])('opens [MTG-1]', run)", []],
    ['describe.skipIf', "describe.skipIf(isCi)('x', () => { test('opens [MTG-1]', run) })", []],
    ['runIf', "test.runIf(false)('opens [MTG-1]', run)", []],
    ['runIf elsewhere', "test.runIf(process.platform === 'darwin')('opens [MTG-1]', run)", []],
    ['skip as an option', "test('opens [MTG-1]', { skip: true }, run)", []],
    ['todo as an option', "test('opens [MTG-1]', { timeout: 9, todo: x }, () => run())", []],
    ['skip as the option of a describe', "describe('x', { skip: true }, () => { test('opens [MTG-1]', run) })", []],
    ['options of elsewhere', "test('opens [MTG-1]', { ...options }, () => run())", []],
    ['no function', "test('opens [MTG-1]')", []],
    ['an empty table', "test.each([])('opens [MTG-1]', run)", []],
    ['an empty loop', "for (const x of []) test('opens [MTG-1]', run)", []],
    ['a test in an if', "if (x) test('opens [MTG-1]', run)", []],
    ['a test in an if in a describe', "describe('x', () => { if (x) { test('opens [MTG-1]', run) } })", []],
    ['a test behind a condition', "x && test('opens [MTG-1]', run)", []],
    ['a test in a function', "function later() { test('opens [MTG-1]', run) }", []],
    ['a test in a test', "test('x', () => { test('opens [MTG-1]', run) })", []],
    ['a test behind a return', "describe('x', () => { if (x) return; test('opens [MTG-1]', run) })", []],
    ['a test behind a continue', "for (const x of xs) { if (x) continue; test('opens [MTG-1]', run) }", []],
    ['a test behind a loop that ends early', "for (;;) { break }\ntest('opens [MTG-1]', run)", ['MTG-1']],
    ['a test behind a method that returns', "const x = { m() { return 1 } }\ntest('opens [MTG-1]', run)", ['MTG-1']],
    ['a comment', "// test('opens [MTG-8.3]')\nrun()", []],
    ['other brackets', "test('gives [a, b] and [ERR-] [x]', run)", []],
  ])('%s', (_what, source, ids) => {
    expect(parseCitations(source, 'x.test.ts').map(({ id }) => id)).toEqual(ids);
  });
});

describe('the gate', () => {
  const cites = (...ids: string[]) => ids.map((id) => ({ id, file: 'x.test.ts' }));

  test.each([
    ['planned without a test', [promise('A-1')], [], []],
    ['kept with a test', [promise('A-1', 'kept')], ['A-1'], []],
    ['a bare id covers its dotted parts', [promise('A-1.1', 'kept'), promise('A-1.2', 'kept')], ['A-1'], []],
    ['kept without a test', [promise('A-1', 'kept')], [], ['A-1 is kept, but no live test']],
    ['a bare id is no prefix', [promise('A-12', 'kept'), promise('A-1')], ['A-1'], ['A-12 is kept']],
    ['an unknown id', [promise('A-1')], ['A-2'], ['cites A-2, which is not in']],
    ['a doubled id', [promise('A-1'), promise('A-1')], [], ['A-1 is listed twice']],
  ])('%s', (_what, promises, cited, expected) => {
    const findings = judgePromises(promises, cites(...cited));
    expect(findings).toHaveLength(expected.length);
    for (const [index, part] of expected.entries()) expect(findings[index]).toContain(part);
  });
});

test('the list has the 802 requirements of the five features, in this order', () => {
  const counts: Record<string, number> = {};
  for (const { part } of readPromises(houseRoot)) counts[part] = (counts[part] ?? 0) + 1;
  expect(Object.entries(counts).slice(0, 5)).toEqual([
    ['meetings', 108],
    ['commissions', 139],
    ['councils', 335],
    ['gatherings', 134],
    ['contexts', 86],
  ]);
});

test("the README's count is put right between its markers, and an old one is refused", async () => {
  const list = 'one:\n  - id: A-1\n    promise: It does.\n    status: planned\n';
  const readme = 'Hall\n<!-- promises -->3 of 4<!-- /promises -->\n';
  const right = withCount(readme, [promise('A-1')])!;
  expect(right).toBe('Hall\n<!-- promises -->0 of 1 promises are kept, each proved by a test.<!-- /promises -->\n');
  const files = { 'docs/promises.yaml': list };
  expect(await promisesCheck.find(makeHouseCopy({ ...files, 'README.md': readme }))).toEqual([
    expect.stringContaining('is old'),
  ]);
  expect(await promisesCheck.find(makeHouseCopy({ ...files, 'README.md': right }))).toEqual([]);
});

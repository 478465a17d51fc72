import { describe, expect, test } from 'vitest';
import { parseManifest } from './manifest.ts';

const file = '/home/packages/x/package.json';
const identity = { name: 'Mender', description: 'Mends things.', displayTitle: 'Mender of Things' };

function manifestOf(guildHall: Record<string, unknown>, name: unknown = 'mender') {
  return parseManifest(
    JSON.stringify({ name, version: '1.0.0', guildHall: { type: 'worker', identity, ...guildHall } }),
    file,
  );
}

test('what is left out has its default', () => {
  const { manifest, problems } = manifestOf({}, '@team/mender');
  expect(problems).toEqual([]);
  expect(manifest?.name).toBe('mender');
  expect(manifest?.guildHall).toEqual({
    type: 'worker',
    identity,
    toolboxes: [],
    builtInTools: [],
    checkoutScope: 'sparse',
    byInvitation: false,
    maxTurns: 150,
  });
});

test('a byte order mark at the beginning does no harm', () => {
  const source = `\uFEFF${JSON.stringify({ name: 'mender', guildHall: { type: 'worker', identity } })}`;
  expect(parseManifest(source, file).manifest?.name).toBe('mender');
});

test('an unknown field is told with its place, and the package is used all the same', () => {
  const source = `{\n  "name": "mender",\n  "guildHall": {\n    "type": "worker",\n    "checkoutscope": "full",\n    "identity": ${JSON.stringify(identity)}\n  }\n}\n`;
  const { manifest, problems } = parseManifest(source, file);
  expect(manifest?.guildHall.checkoutScope).toBe('sparse');
  expect(problems).toEqual([
    { file, line: 5, column: 5, message: 'There is no field "guildHall.checkoutscope" here; it is passed over.' },
  ]);
});

describe('what cannot be used is told with file, line and column', () => {
  test.each([
    ['{\n  "name": "mender",\n  "guildHall": {\n}\n', 5, 'not valid JSON'],
    ['{\n  "name": "mender",\n  // a comment\n  "guildHall": {}\n}', 3, 'not valid JSON'],
    ['{"name": "mender",\n"guildHall": {"type": "worker",}\n}', 2, 'not valid JSON'],
    ['', 1, 'not valid JSON'],
    ['[]', 1, 'expected'],
    ['{\n  "name": "mender"\n}', 1, '"guildHall" is missing'],
    ['{\n  "name": "mender",\n  "guildHall": 3\n}', 3, '"guildHall" is missing or no object'],
  ])('%j', (source, row, message) => {
    const { manifest, problems } = parseManifest(source, file);
    expect(manifest).toBeUndefined();
    expect(problems[0]).toMatchObject({ file, line: row });
    expect(problems.map((problem) => problem.message).join('\n')).toContain(message);
  });

  test.each([
    [{ type: 'wroker' }, 'one of "worker", "toolbox", "both", given "wroker"'],
    [{ builtInTools: ['Read', 'Telnet'] }, '"guildHall.builtInTools.1": expected one of "Read"'],
    [{ toolboxes: ['../x'] }, '"guildHall.toolboxes.0"'],
    [{ activation: '../../evil.js' }, 'without ".."'],
    [{ activation: '/etc/evil.js' }, 'a path inside the package'],
    [{ toolbox: 'a\\b.js' }, 'a path inside the package'],
    [{ maxTurns: 0 }, 'at least 1'],
    [{ maxTurns: '150' }, 'expected a number, given "150"'],
    [{ maxBudgetUsd: -1 }, '"guildHall.maxBudgetUsd"'],
    [{ identity: { ...identity, displayTitle: '' } }, '"guildHall.identity.displayTitle"'],
  ])('%j', (guildHall, message) => {
    const { manifest, problems } = manifestOf(guildHall);
    expect(manifest).toBeUndefined();
    expect(problems.map((problem) => problem.message).join('\n')).toContain(message);
  });

  test.each(['Mender Man', '../mender', '', 'a'.repeat(101), 7, null])('the name %j', (name) => {
    const { manifest, problems } = manifestOf({}, name);
    expect(manifest).toBeUndefined();
    expect(problems[0]!.message).toMatch(/^"name": expected/);
  });
});

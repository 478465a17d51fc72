import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../log/log.ts';
import { loadWorkers, requireWorker } from './catalogue.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'packages-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const identity = { name: 'Mender', description: 'Mends things.', displayTitle: 'Mender of Things' };
const load = () =>
  loadWorkers({ log: silentLog }, { shipped: join(root, 'shipped'), packages: join(root, 'packages') });

/** Writes a package; text stands for itself, an object is the key `guildHall`. */
async function put(
  folder: string,
  guildHall: object | string,
  files: Record<string, string> = { 'posture.md': 'Be exact.' },
) {
  const source = join(root, folder);
  await mkdir(source, { recursive: true });
  const name = folder.split('/').at(-1)!;
  const text =
    typeof guildHall === 'string' ? guildHall : JSON.stringify({ name, guildHall: { identity, ...guildHall } });
  await writeFile(join(source, 'package.json'), text);
  for (const [file, content] of Object.entries(files)) await writeFile(join(source, file), content);
  return source;
}

test('without any folder there are no workers and no problems', async () => {
  expect(await load()).toEqual({ workers: new Map(), toolboxes: new Map(), problems: [] });
});

test('workers, toolboxes and packages that are both are read, in the order of their names', async () => {
  await put('shipped/zoe', { type: 'worker' });
  await put(
    'packages/both',
    { type: 'both', toolbox: './toolbox.js' },
    { 'posture.md': 'Hm.', 'toolbox.js': 'throw 1' },
  );
  await put('packages/tools', { type: 'toolbox', toolbox: 'toolbox.js' }, { 'toolbox.js': 'throw 1' });
  const { workers, toolboxes, problems } = await load();
  expect(problems).toEqual([]);
  expect([...workers.keys()]).toEqual(['both', 'zoe']);
  expect([...toolboxes.keys()]).toEqual(['both', 'tools']);
  expect(workers.get('zoe' as never)).toMatchObject({
    origin: 'shipped',
    posture: 'Be exact.',
    checkoutScope: 'sparse',
    maxTurns: 150,
  });
});

test('a broken package is told by file and line, and the others load [SYS-READ-TOLERANT]', async () => {
  await put('shipped/good', { type: 'worker' });
  const broken = await put('packages/broken', '{\n "name": "broken",\n');
  const silent = await put('packages/silent', { type: 'worker' }, {});
  const empty = await put('packages/empty', { type: 'worker' }, { 'posture.md': ' \n' });
  const bare = await put('packages/bare', { type: 'toolbox' });
  const gone = await put('packages/gone', { type: 'worker', activation: './gone.js' });
  await mkdir(join(root, 'packages/nothing'));
  await symlink(join(root, 'nowhere'), join(root, 'packages/astray'));
  await writeFile(join(root, 'packages/README.md'), 'beside the packages');
  const { workers, problems } = await load();
  expect([...workers.keys()]).toEqual(['good']);
  const told = problems.map(({ file, line }) => `${file}:${line}`);
  expect(told).toEqual(
    expect.arrayContaining([
      `${broken}/package.json:3`,
      `${silent}/posture.md:1`,
      `${empty}/posture.md:1`,
      `${bare}/package.json:1`,
      `${gone}/package.json:1`,
      `${join(root, 'packages/nothing')}/package.json:1`,
      `${join(root, 'packages/astray')}/package.json:1`,
    ]),
  );
  expect(problems).toHaveLength(7);
});

test('a package of the home stands in for the shipped one of its name, and says so', async () => {
  const shipped = await put('shipped/mender', { type: 'worker' });
  const home = await put('packages/mender', { type: 'worker' }, { 'posture.md': 'My own way.' });
  const { workers, problems } = await load();
  expect(problems).toEqual([]);
  expect(workers.get('mender' as never)).toMatchObject({
    posture: 'My own way.',
    source: home,
    origin: 'home',
    insteadOf: shipped,
  });
});

test('of two packages with one name the first counts, and the clash is told', async () => {
  const text = JSON.stringify({ name: 'mender', guildHall: { type: 'worker', identity } });
  const first = await put('packages/a', text);
  const second = await put('packages/b', text);
  const { workers, problems } = await load();
  expect(workers.get('mender' as never)?.source).toBe(first);
  expect(problems).toEqual([
    {
      file: join(second, 'package.json'),
      line: 1,
      column: 1,
      message: `The name "mender" is taken by the package in ${first}; this one is left out.`,
    },
  ]);
});

test('who comes by invitation is told apart, and is no candidate where somebody else was misspelled', async () => {
  await put('shipped/mender', { type: 'worker' });
  await put('shipped/derek', { type: 'worker', byInvitation: true });
  const catalogue = await load();
  expect([...catalogue.workers.values()].map(({ name, byInvitation }) => [name, byInvitation])).toEqual([
    ['derek', true],
    ['mender', undefined],
  ]);
  expect(requireWorker(catalogue, 'derek').name).toBe('derek');
  expect(() => requireWorker(catalogue, 'zoe')).toThrow('There is no worker "zoe". There are: mender.');
  expect(() => requireWorker(catalogue, 'derec')).toThrow(
    expect.objectContaining({ hint: 'Did you mean "derek"? See: guild-hall worker list' }),
  );
});

describe('a worker that is asked for', () => {
  test('and is not there is refused with what there is [SYS-WORKER-MISSING]', async () => {
    await put('shipped/mender', { type: 'worker' });
    const catalogue = await load();
    expect(requireWorker(catalogue, 'mender').name).toBe('mender');
    expect(() => requireWorker(catalogue, 'mendor')).toThrow(
      expect.objectContaining({
        code: 'not_found',
        message: 'There is no worker "mendor". There are: mender.',
        hint: 'Did you mean "mender"? See: guild-hall worker list',
      }),
    );
  });

  test('and is broken is refused with the place to mend', async () => {
    const source = await put('packages/mender', { type: 'worker', maxTurns: 'many' });
    const catalogue = await load();
    expect(() => requireWorker(catalogue, 'mender')).toThrow(
      expect.objectContaining({ code: 'conflict', hint: expect.stringContaining(`Mend ${source}/package.json:1:`) }),
    );
  });
});

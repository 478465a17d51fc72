import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../kernel/log/log.ts';
import { defaultConfig, type HallConfig } from '../../kernel/projects/config.ts';
import { homePaths, type HomePaths } from '../../kernel/projects/home.ts';
import { loadWorkers } from '../../kernel/workers/catalogue.ts';
import { checkModels, checkWorkers } from './setup-checks.ts';

let home: HomePaths;
beforeEach(async () => {
  home = homePaths(await mkdtemp(join(tmpdir(), 'gh-setup-')));
});
afterEach(async () => {
  await rm(home.root, { recursive: true, force: true });
});

const withModel = (model: Partial<HallConfig['models'][number]>): HallConfig => ({
  ...defaultConfig,
  models: [{ name: 'big', modelId: 'm', baseUrl: 'http://127.0.0.1:1', auth: { kind: 'none' }, ...model }],
});

describe('a model', () => {
  const keyed = withModel({ auth: { kind: 'api-key', secret: 'big' } });
  const secret = (): string => join(home.state, 'secrets', 'big');
  const write = async (text: string, mode: number): Promise<void> => {
    await mkdir(join(home.state, 'secrets'), { recursive: true });
    await writeFile(secret(), text);
    await chmod(secret(), mode);
  };

  test('with what it needs is not spoken of', async () => {
    await write('sk-1\n', 0o600);
    expect(await checkModels(home, keyed)).toEqual([]);
    expect(await checkModels(home, withModel({ baseUrl: 'https://x.example/v1/' }))).toEqual([]);
  });

  test('without its secret is named, with the file', async () => {
    const [check, ...more] = await checkModels(home, keyed);
    expect(more).toEqual([]);
    expect(check).toMatchObject({ name: 'model big', state: 'bad', found: `Its secret is not there: ${secret()}` });
    expect(check!.hint).toContain(`chmod 600 '${secret()}'`);
  });

  test.each([
    ['sk-1', 0o644, 'can be read by others (mode 644)'],
    [' \n', 0o600, 'is empty'],
    ['sk 1', 0o600, 'is more than one word'],
  ])('with the secret %j of mode %o is named', async (text, mode, said) => {
    await write(text, mode);
    const [check] = await checkModels(home, keyed);
    expect(check?.found).toContain(`Its secret ${said}`);
    expect(JSON.stringify(check)).not.toContain('sk');
  });

  test.each(['https://x.example/v1/messages', 'https://x.example/?key=1', 'https://x.example/#a'])(
    'at %s is named',
    async (baseUrl) => {
      expect((await checkModels(home, withModel({ baseUrl })))[0]?.found).toContain(`Its baseUrl is ${baseUrl};`);
    },
  );
});

describe('workers', () => {
  const add = async (name: string, guildHall: object): Promise<void> => {
    const folder = join(home.packages, name);
    await mkdir(folder, { recursive: true });
    const identity = { name, description: 'Does it.', displayTitle: 'Doer' };
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name, guildHall: { type: 'worker', identity, ...guildHall } }),
    );
    await writeFile(join(folder, 'posture.md'), 'Work.');
  };
  const checked = async (config = defaultConfig) =>
    checkWorkers(
      await loadWorkers({ log: silentLog }, { shipped: join(home.root, 'none'), packages: home.packages }),
      config,
    );

  test('that have all they name are counted', async () => {
    await add('doer', { model: 'big' });
    expect(await checked(withModel({}))).toEqual([
      { name: 'workers', state: 'good', found: '1 can be met.', hint: '' },
    ]);
  });

  test('are named when their package is broken, a toolbox is missing, or their model is not known', async () => {
    await add('broken', { maxTurns: 'many' });
    await add('lacking', { toolboxes: ['hammers'] });
    // The hall itself has that one.
    await add('manager', { toolboxes: ['manager'] });
    await add('wishing', { model: 'bigger' });
    const checks = await checked(withModel({}));
    expect(checks.map(({ state }) => state)).toEqual(['bad', 'bad', 'note']);
    expect(checks[0]!.found).toContain(join(home.packages, 'broken/package.json'));
    expect(checks[1]!.found).toBe('The worker "lacking" needs the toolbox "hammers", which is not there.');
    expect(checks[2]!.found).toContain('The worker "wishing" names the model "bigger", which is none of `models`');
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock/clock.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { callOperation, createRegistry, personCaller } from '../../kernel/operations/operations.ts';
import { defaultConfig, readConfig } from '../../kernel/projects/config.ts';
import { ensureHome, homePaths, type HomePaths } from '../../kernel/projects/home.ts';
import type { ConfigShown, DoctorReport } from './contract.ts';
import { bindDoctor, type DoctorContext } from './operations.ts';

let home: HomePaths;
beforeEach(async () => {
  home = homePaths(await mkdtemp(join(tmpdir(), 'gh-doctor-')));
  await ensureHome(home);
});
afterEach(async () => {
  await rm(home.root, { recursive: true, force: true });
});

async function call<T>(name: string, other: Partial<DoctorContext> = {}): Promise<T> {
  const ctx: DoctorContext = {
    clock: systemClock,
    log: silentLog,
    home,
    readSettings: async () => ({
      ...(await readConfig({ log: silentLog }, home)),
      file: 'read',
      instead: 'the defaults',
    }),
    catalogue: async () => ({ workers: new Map(), toolboxes: new Map(), problems: [] }),
    describeModel: async () => ({ label: 'a model', isRehearsal: false }),
    agentProgram: () => process.execPath,
    sandbox: async () => ({ kind: 'bubblewrap', reason: '', hint: '' }),
    hallUrl: async () => 'http://127.0.0.1:1',
    projectProblems: async () => [{ name: 'shop', problems: [] }],
    ...other,
  };
  return (await callOperation(createRegistry(bindDoctor(ctx)).find(name)!, personCaller, {})) as T;
}

const config = `# mine
port: 4000
models:
  - name: local
    modelId: some-model
    baseUrl: http://127.0.0.1:11434
    auth: { kind: api-key, key: sk-very-secret }
colour: red
`;

test('all is well', async () => {
  const { healthy, checks } = await call<DoctorReport>('doctor');
  expect(healthy).toBe(true);
  expect(checks.map(({ name }) => name)).toEqual([
    'node',
    'git',
    'git identity',
    'agent',
    'home',
    'token',
    'disk',
    'tmux',
    'sandbox',
    'config',
    'model',
    'workers',
    'project shop',
    'hall',
  ]);
});

test('what is wrong is named, each with the next thing to do', async () => {
  await writeFile(home.config, config);
  const { healthy, checks } = await call<DoctorReport>('doctor', {
    agentProgram: () => undefined,
    hallUrl: async () => undefined,
    describeModel: async () => ({ label: 'rehearsal', isRehearsal: true }),
    projectProblems: async () => [{ name: 'shop', problems: ['The folder /x is not there.'] }],
  });
  expect(healthy).toBe(false);
  const bad = checks.filter(({ state }) => state === 'bad');
  expect(bad.map(({ name }) => name)).toEqual(['agent', 'config', 'project shop']);
  expect(bad[1]!.found).toContain(`${home.config}:8:1:`);
  for (const check of checks) expect(check.hint === '').toBe(check.state === 'good');
});

test('without a sandbox that is said with the command that helps; it is bad only where one is required [SEC-SANDBOX-STATE]', async () => {
  const sandbox = async () => ({ kind: 'none', reason: 'It is not there.', hint: 'sudo make-one' }) as const;
  const found = async () => {
    const { healthy, checks } = await call<DoctorReport>('doctor', { sandbox });
    return { healthy, ...checks.find(({ name }) => name === 'sandbox')! };
  };
  expect(await found()).toMatchObject({ healthy: true, state: 'note', hint: 'sudo make-one' });
  await writeFile(home.config, 'sandbox: { mode: required }\n');
  expect(await found()).toMatchObject({
    healthy: false,
    state: 'bad',
    found: 'No agent can be started: a sandbox is required, and there is none. It is not there.',
  });
});

test('of a file that cannot be read at all it is said what counts instead', async () => {
  const problems = [{ file: home.config, line: 1, column: 1, message: 'The file cannot be read from here on: x' }];
  const hintFor = async (file: 'read' | 'broken', instead: 'the defaults' | 'the last good settings') => {
    const readSettings = async () => ({ config: defaultConfig, problems, file, instead });
    const { checks } = await call<DoctorReport>('doctor', { readSettings });
    return checks.find(({ name }) => name === 'config')!.hint;
  };
  expect(await hintFor('read', 'the defaults')).toMatch(/the rest is in force\.$/);
  expect(await hintFor('broken', 'the defaults')).toMatch(/until then the defaults are in force\.$/);
  expect(await hintFor('broken', 'the last good settings')).toMatch(/the last good settings are in force\.$/);
});

test('settings are shown without secrets, and checked by line', async () => {
  await writeFile(home.config, config);
  const shown = await call<ConfigShown>('config.show');
  expect(JSON.stringify(shown)).not.toContain('very-secret');
  expect(shown.config).toMatchObject({
    port: 4000,
    models: [{ name: 'local', auth: { kind: 'api-key', key: '[kept back]' } }],
  });
  expect(await call('config.check')).toMatchObject({
    file: home.config,
    exists: true,
    problems: [{ line: 8, column: 1 }],
  });
});

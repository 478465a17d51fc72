import { chmod, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Document } from 'yaml';
import { createBackground } from '../background/background.ts';
import { systemClock, systemIds } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import { deferred } from '../pure/deferred.ts';
import { projectNameSchema } from '../pure/ids.ts';
import {
  capOf,
  type ConfigRead,
  defaultConfig,
  editConfig,
  type OpenConfig,
  openConfig,
  readConfig,
} from './config.ts';
import { ensureHome, homePaths, type HomePaths } from './home.ts';
import { parseConfig } from './parse-config.ts';
import { findProjectAt, listProjects, requireProject } from './projects.ts';

const background = createBackground(silentLog);
const ctx = { clock: systemClock, ids: systemIds, log: silentLog, spawn: background.spawn };
let home: HomePaths;
const open: OpenConfig[] = [];
beforeEach(async () => {
  home = homePaths(await realpath(await mkdtemp(join(tmpdir(), 'gh-config-'))));
  await ensureHome(home);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((config) => config.close()));
  await background.idle();
  await rm(home.root, { recursive: true, force: true });
});
const place = async (text: string) => writeFile(home.config, text);
const text = async () => readFile(home.config, 'utf8');
const problemsOf = (source: string) =>
  parseConfig(source, '/h/config.yaml').problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('parseConfig', () => {
  test('nothing said: the defaults', () => {
    for (const source of ['', '\n', '# only comments\n', '\ufeff', 'projects:\nmodels:\nagents:\ncaps:\n']) {
      expect(parseConfig(source, '/h/config.yaml')).toEqual({ config: defaultConfig, problems: [] });
    }
  });

  test('everything said, in several styles', () => {
    const source = `
# mine
integrationBranch: 'work/hall'
model: big          # the usual one
models:
  - { name: big, modelId: claude-x, baseUrl: "https://api.example.test", auth: {kind: api-key, secret: big} }
  - name: local
    modelId: llama
    baseUrl: http://127.0.0.1:11434
    auth:
      kind: none
    contextWindow: 32000
port: 0
keepTranscripts: true
rehearsal: {scenario: scenes/a.yaml}
agents: {silenceSeconds: 30}
sandbox: {network: model-only, readable: [~/.cargo/]}
caps: {talk: 3}
projects:
- name: shop
  path: ~/code/shop/
  caps:
    talk: 1
- {"name": "lib", "path": /srv/lib, "memoryBudgetTokens": 100, "sparseWasSet": true}
`;
    const { config, problems } = parseConfig(source, '/h/config.yaml');
    expect(problems).toEqual([]);
    expect(config).toEqual({
      ...defaultConfig,
      integrationBranch: 'work/hall',
      model: 'big',
      models: [
        {
          name: 'big',
          modelId: 'claude-x',
          baseUrl: 'https://api.example.test',
          auth: { kind: 'api-key', secret: 'big' },
        },
        {
          name: 'local',
          modelId: 'llama',
          baseUrl: 'http://127.0.0.1:11434',
          auth: { kind: 'none' },
          contextWindow: 32_000,
        },
      ],
      port: 0,
      keepTranscripts: true,
      rehearsal: { scenario: '/h/scenes/a.yaml' },
      agents: { ...defaultConfig.agents, silenceSeconds: 30 },
      sandbox: { mode: 'auto', network: 'model-only', readable: [join(homedir(), '.cargo')] },
      caps: { talk: 3 },
      projects: [
        { name: 'shop', path: join(homedir(), 'code/shop'), caps: { talk: 1 } },
        { name: 'lib', path: '/srv/lib', memoryBudgetTokens: 100, sparseWasSet: true },
      ],
    });
    const crlf = parseConfig(source.replaceAll('\n', '\r\n'), '/h/config.yaml');
    expect(crlf).toEqual({ config, problems: [] });
  });

  test.each([
    ['port: 70000', '1:7 `port` is 70000; expected a whole number from 0 to 65535.'],
    ['port: "4747"', '1:7 `port` is "4747"; expected a whole number from 0 to 65535.'],
    ['port:', '1:6 `port` is empty; expected a whole number from 0 to 65535.'],
    [
      'agents:\n  silenceSeconds: 0',
      '2:19 `agents.silenceSeconds` is 0; expected a whole number of seconds from 5 to 86400.',
    ],
    [
      'agents:\n  silenceSeconds: -1',
      '2:19 `agents.silenceSeconds` is -1; expected a whole number of seconds from 5 to 86400.',
    ],
    [
      'agents:\n  silenceSeconds: soon',
      '2:19 `agents.silenceSeconds` is "soon"; expected a whole number of seconds from 5 to 86400.',
    ],
    ['agents:\n  maxRetries: 1.5', '2:15 `agents.maxRetries` is 1.5; expected a whole number from 0 to 20.'],
    ['agents: 3', '1:9 `agents` cannot be used; expected fields, as `name: value`.'],
    ['agents:\n  silenceSecond: 9', '2:3 There is no setting `agents.silenceSecond`. Did you mean `silenceSeconds`?'],
    ['keepTranscript: true', '1:1 There is no setting `keepTranscript`. Did you mean `keepTranscripts`?'],
    ['zzzzzz: 1', /^1:1 There is no setting `zzzzzz`\. Known here: integrationBranch, model, /],
    ['keepTranscripts: yes', '1:18 `keepTranscripts` is "yes"; expected true or false.'],
    ['sandbox: {mode: yes}', '1:17 `sandbox.mode` is "yes"; expected auto, required or off.'],
    ['sandbox: {readable: [/]}', /^1:22 `sandbox.readable\[1\]` is "\/"; expected the whole path of a folder/],
    ['sandbox: {network: none}', '1:20 `sandbox.network` is "none"; expected full or model-only.'],
    ['caps: {talk: 0}', '1:14 `caps.talk` is 0; expected a whole number from 1 to 100.'],
    [
      'caps: {Talk Show: 1}',
      '1:8 `caps.Talk Show` is left out: expected a kind of activity in lower-case letters as its name.',
    ],
    ['integrationBranch: claude', /^1:20 `integrationBranch` is "claude"; expected a name of a git branch/],
    ['integrationBranch: a..b', /^1:20 /],
    ['integrationBranch: -x', /^1:20 /],
    ['model: big', '1:8 `model` names "big", which is none of `models`; expected one of: rehearsal.'],
    ['port: 1\nport: 2', '2:1 `port` stands here a second time; the first counts.'],
    ['projects: {a: b}', '1:11 `projects` cannot be used; expected a list, each entry after a `-`.'],
    ['projects:\n  - name: shop', '2:5 `projects[1]` is left out: the field `path` is missing.'],
    ['projects:\n  - just text', '2:5 `projects[1]` cannot be used; expected fields, as `name: value`.'],
  ])('%j', (source, problem) => {
    const { config } = parseConfig(source, '/h/config.yaml');
    expect(problemsOf(source)).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
    expect({ ...config, port: defaultConfig.port }).toEqual(defaultConfig);
  });

  test('a bad entry costs only itself [SYS-CONFIG]', () => {
    const source = `projects:
  - {name: one, path: /a}
  - {name: Two!, path: /b}
  - {name: three, path: relative}
  - {name: one, path: /d}
  - {name: five, path: /a}
  - {name: six, path: /f, memoryBudgetTokens: lots, colour: red}
`;
    expect(parseConfig(source, '/h/c').config?.projects).toEqual([
      { name: 'one', path: '/a' },
      { name: 'six', path: '/f' },
    ]);
    expect(problemsOf(source)).toEqual([
      '3:5 `projects[2]` is left out: its `name` cannot be used.',
      '3:12 `projects[2].name` is "Two!"; expected lower-case letters, digits and hyphens.',
      '4:5 `projects[3]` is left out: its `path` cannot be used.',
      '4:25 `projects[3].path` is "relative"; expected the whole path of a repository, from / or ~/ on.',
      '5:5 This entry of `projects` is left out: the name "one" is taken by one before it.',
      '6:5 This entry of `projects` is left out: the path "/a" is taken by one before it.',
      '7:47 `projects[6].memoryBudgetTokens` is "lots"; expected a whole number of tokens from 0 to 1000000.',
      expect.stringMatching(/^7:53 There is no setting `projects\[6\]\.colour`/),
    ]);
  });

  test('a credential is never shown in a problem', () => {
    const bad = [
      '{kind: api-key, key: "sk-secret\\nmore"}',
      '{kind: api_key, key: sk-secret}',
      'sk-secret',
      '{kind: api-key, key: sk-secret, secret: x}',
    ];
    for (const auth of bad) {
      const source = `models: [{name: a, modelId: b, baseUrl: "http://x", auth: ${auth}}]`;
      expect(parseConfig(source, '/h/c').config?.models).toEqual([]);
      expect(problemsOf(source).join('\n')).toContain('`models[1].auth` cannot be used; expected `kind: none`');
      expect(problemsOf(source).join('\n')).not.toContain('sk-secret');
    }
  });

  test.each([
    'port: [',
    '\tport: 1',
    'just words',
    '- a',
    '"',
    'port: 1\n  x: 2',
    `a: ${'['.repeat(20_000)}`,
    'x'.repeat(1_100_000),
  ])('a file that is no YAML map: %.20j', (source) => {
    const { config, problems } = parseConfig(source, '/h/config.yaml');
    expect(config).toBeUndefined();
    expect(problems).toMatchObject([
      { file: '/h/config.yaml', message: expect.stringContaining('cannot be read from here on') },
    ]);
  });

  test('never throws, whatever the text, and what it gives is always usable', () => {
    const piece = fc.constantFrom(
      'projects',
      'models',
      'agents',
      'caps',
      'port',
      'name',
      'path',
      'auth',
      'kind',
      ': ',
      ':\n',
      '\n',
      '\n  ',
      '\n  - ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      '&a ',
      '*a',
      '1',
      'x',
      '/x',
      '~',
      '#',
      '\t',
      '? ',
      '|',
      '__proto__: ',
      '<<: ',
    );
    const source = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(source, (given) => {
        const { config, problems } = parseConfig(given, '/h/config.yaml');
        expect(config !== undefined || problems.length > 0).toBe(true);
        for (const project of config?.projects ?? []) expect(project.path.startsWith('/')).toBe(true);
        for (const { line, column } of problems) expect(Math.min(line, column)).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('readConfig', () => {
  test('a broken file gives the last good settings, and says why', async () => {
    await place('port: [');
    expect((await readConfig(ctx, home)).config).toEqual(defaultConfig);
    const lastGood = { ...defaultConfig, port: 1 };
    const { config, problems } = await readConfig(ctx, home, lastGood);
    expect(config).toBe(lastGood);
    expect(problems).toMatchObject([{ file: home.config, line: 1 }]);
    await rm(home.config);
    await mkdir(home.config);
    expect(await readConfig(ctx, home, lastGood)).toMatchObject({
      config: lastGood,
      problems: [{ message: expect.stringContaining('EISDIR') }],
    });
  });
});

const addProject =
  (name: string, path = `/srv/${name}`) =>
  (document: Document) => {
    if (!document.hasIn(['projects'])) document.setIn(['projects'], document.createNode([]));
    document.addIn(['projects'], document.createNode({ name, path }));
  };

describe('editConfig', () => {
  test('makes the file, for the person alone', async () => {
    await editConfig(ctx, home, addProject('shop'));
    expect(await text()).toMatch(/^# .*\nprojects:\n  - name: shop\n    path: \/srv\/shop\n$/);
    expect((await stat(home.config)).mode & 0o777).toBe(0o600);
  });

  test('keeps everything that is not meant: comments, order, odd spacing, unknown settings [SYS-READ-HANDS]', async () => {
    const before =
      "# top\nfuture:   {keep:   me}\nprojects: # mine\n# one\n- name: 'one'\n  path: /one   # first\n\n# end\nport:  4\n";
    await place(before);
    await editConfig(ctx, home, addProject('two'));
    expect(await text()).toBe(before.replace('# first\n', '# first\n- name: two\n  path: /srv/two\n'));
    await editConfig(ctx, home, (document) => document.setIn(['port'], 5));
    expect(await text()).toContain('\nport: 5\n');
    await editConfig(ctx, home, (document) => document.setIn(['port'], 5));
    await editConfig(ctx, home, (document) => document.deleteIn(['projects', 1]));
    expect(await text()).toBe(before.replace('port:  4', 'port: 5'));
    await editConfig(ctx, home, (document) => {
      document.setIn(['projects', 0, 'path'], '/other');
      document.commentBefore = ' new top';
    });
    const after = await text();
    for (const comment of ['# new top', '# mine', '# one', '# first', '# end']) expect(after).toContain(comment);
    expect(after).toMatch(/^ {2}path: \/other/m);
    expect(after).toContain('keep:');
  });

  test.each([
    'projects:\n',
    'projects: []\n',
    'projects: ~ # none yet\n',
    'projects: [{name: one, path: /one}]\n',
    'port: 4\r\nprojects:\r\n  - name: one\r\n    path: /one\r\n',
  ])('a list in any form: %j', async (before) => {
    await place(before);
    await editConfig(ctx, home, addProject('two'));
    const { config, problems } = await readConfig(ctx, home);
    expect(problems).toEqual([]);
    expect(config.projects.map(({ name }) => name)).toEqual(before.includes('name: one') ? ['one', 'two'] : ['two']);
    expect((await text()).replaceAll('\r\n', '')).not.toMatch(before.includes('\r') ? /[\r\n]/ : /\r/);
  });

  test.each(['port: [', 'port: 1\nport: 2\n', '- a\n', 'projects: text\n'])(
    'refuses %j and leaves it',
    async (before) => {
      await place(before);
      await expect(editConfig(ctx, home, addProject('two'))).rejects.toMatchObject({
        code: 'conflict',
        details: { file: home.config },
      });
      expect(await text()).toBe(before);
    },
  );

  test('edits at the same time are all kept [SYS-WRITE-ATOMIC]', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => editConfig(ctx, home, addProject(`p${index}`))));
    expect((await readConfig(ctx, home)).config.projects).toHaveLength(8);
  });

  test('a change by the person in the same moment is not overwritten', async () => {
    await place('port: 1\n');
    const { writeFileSync } = await import('node:fs');
    const edit = editConfig(ctx, home, (document) => {
      document.setIn(['port'], 2);
      writeFileSync(home.config, 'port: 3\n');
    });
    await expect(edit).rejects.toMatchObject({ code: 'conflict' });
    expect(await text()).toBe('port: 3\n');
  });

  test('a linked file is changed where it is', async () => {
    const elsewhere = join(home.root, 'dotfiles.yaml');
    await writeFile(elsewhere, 'port: 1\n');
    await symlink(elsewhere, home.config);
    await editConfig(ctx, home, (document) => document.setIn(['port'], 2));
    expect(await readFile(elsewhere, 'utf8')).toBe('port: 2\n');
    expect(await realpath(home.config)).toBe(elsewhere);
  });
});

describe('openConfig', () => {
  const follow = async () => {
    const reads: ConfigRead[] = [];
    let changed = deferred();
    const config = await openConfig(ctx, home, (read) => {
      reads.push(read);
      changed.resolve();
      changed = deferred();
    });
    open.push(config);
    const until = async (wanted: (read: ConfigRead) => boolean): Promise<void> => {
      while (!reads.some(wanted)) await changed.promise;
    };
    return { config, until };
  };
  /** As many editors save: a new file takes the place of the old one. */
  const save = async (content: string) => {
    await writeFile(`${home.config}~`, content);
    await rename(`${home.config}~`, home.config);
  };

  test('follows the person’s changes; a broken file changes nothing but the problems [SYS-CONFIG]', async () => {
    const { config, until } = await follow();
    expect(config.config()).toEqual(defaultConfig);
    await save('port: 1\nprojects: [{name: one, path: /one}]\n');
    await until((read) => read.config.port === 1);
    await save('port: 2\nprojects: [{name: one');
    await until((read) => read.problems.length > 0);
    expect(config.config()).toMatchObject({ port: 1, projects: [{ name: 'one' }] });
    expect(config.problems()).toMatchObject([{ file: home.config, line: 2 }]);
    await expect(config.changeConfig(addProject('two'))).rejects.toMatchObject({ code: 'conflict' });
    await save('port: 3\nprojects: [{name: one, path: /one}]\n');
    await until((read) => read.config.port === 3);
    expect(config.problems()).toEqual([]);
  });

  test('follows a linked file where it is, and the link when it is changed', async () => {
    const kept = join(home.root, 'kept');
    for (const name of ['one', 'two']) await mkdir(join(kept, name), { recursive: true });
    await writeFile(join(kept, 'one/hall.yaml'), 'port: 1\n');
    await symlink(join(kept, 'one/hall.yaml'), join(kept, 'link.yaml'));
    await symlink('kept/link.yaml', home.config);
    const { config, until } = await follow();
    await writeFile(join(kept, 'one/hall.yaml'), 'port: 2\n');
    await until((read) => read.config.port === 2);
    await writeFile(join(kept, 'one/hall.yaml~'), 'port: 3\n');
    await rename(join(kept, 'one/hall.yaml~'), join(kept, 'one/hall.yaml'));
    await until((read) => read.config.port === 3);

    await writeFile(join(kept, 'two/hall.yaml'), 'port: 4\n');
    await symlink(join(kept, 'two/hall.yaml'), join(kept, 'next.yaml'));
    await rename(join(kept, 'next.yaml'), join(kept, 'link.yaml'));
    await until((read) => read.config.port === 4);
    await writeFile(join(kept, 'two/hall.yaml'), 'port: 5\n');
    await until((read) => read.config.port === 5);
    await save('port: 6\n');
    await until((read) => read.config.port === 6);
    expect(config.problems()).toEqual([]);
  });

  test('a change by the hall is in force when it resolves', async () => {
    const { config } = await follow();
    await config.changeConfig(addProject('shop'));
    expect(config.config().projects).toMatchObject([{ name: 'shop' }]);
  });

  test('closes a file that others could read', async () => {
    await place('port: 1\n');
    await chmod(home.config, 0o644);
    await follow();
    expect((await stat(home.config)).mode & 0o777).toBe(0o600);
  });
});

describe('projects', () => {
  const config = parseConfig(
    'caps: {talk: 3}\nprojects:\n- {name: shop, path: /srv/shop, caps: {talk: 1}}\n- {name: inner, path: /srv/shop/inner, integrationBranch: x/y}\n',
    '/h/config.yaml',
  ).config!;
  const at = { config: () => config, home: homePaths('/h') };

  test('requireProject', () => {
    expect(requireProject(at, 'inner')).toEqual({
      name: 'inner',
      path: '/srv/shop/inner',
      integrationBranch: 'x/y',
      integrationWorktree: '/h/projects/inner',
    });
    expect(requireProject(at, 'shop').integrationBranch).toBe('claude/main');
    expect(() => requireProject(at, 'shpo')).toThrow(
      expect.objectContaining({ code: 'not_found', hint: expect.stringContaining('Did you mean "shop"?') }),
    );
    const empty = { ...at, config: () => defaultConfig };
    expect(() => requireProject(empty, 'shop')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('project add') }),
    );
  });

  test('listProjects and findProjectAt', () => {
    expect(listProjects(at).map(({ name }) => name)).toEqual(['shop', 'inner']);
    expect(findProjectAt(at, '/srv/shop/src')?.name).toBe('shop');
    expect(findProjectAt(at, '/srv/shop/inner/src')?.name).toBe('inner');
    expect(findProjectAt(at, dirname('/srv/shop'))).toBeUndefined();
  });

  test('capOf: the project’s own, the hall’s, the usual one', () => {
    const name = (text: string) => ({ name: projectNameSchema.parse(text) });
    expect(capOf(at, name('shop'), 'talk')).toBe(1);
    expect(capOf(at, name('inner'), 'talk')).toBe(3);
    expect(capOf(at, name('inner'), 'other')).toBe(5);
  });
});

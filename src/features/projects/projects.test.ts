import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  makeRepository,
  repositoryAt,
  tempFolder,
  type TestRepository,
  writeFiles,
} from '../../../test/help/repositories.ts';
import { createBackground } from '../../kernel/background/background.ts';
import { systemClock, systemIds } from '../../kernel/clock/clock.ts';
import { openEventStream, type EventStream } from '../../kernel/events/events.ts';
import { addWorktree } from '../../kernel/git/worktrees.ts';
import { createLocks } from '../../kernel/locks/locks.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { callOperation, createRegistry, personCaller } from '../../kernel/operations/operations.ts';
import { openConfig } from '../../kernel/projects/config.ts';
import { ensureHome, homePaths, type HomePaths } from '../../kernel/projects/home.ts';
import { errorFactsOf, type ErrorFacts } from '../../kernel/pure/errors.ts';
import type { ProjectAdded, ProjectList, ProjectRemoved, ProjectSynced } from './contract.ts';
import { bindProjects, recoverProjects, type ProjectsContext } from './operations.ts';

interface Bench {
  readonly home: HomePaths;
  readonly ctx: ProjectsContext;
  readonly events: EventStream;
  readonly running: string[];
  readonly call: <T>(name: string, input: unknown) => Promise<T>;
  readonly refusal: (name: string, input: unknown) => Promise<ErrorFacts>;
}

async function makeBench(config = ''): Promise<Bench> {
  const home = homePaths(join(await tempFolder(), 'home'));
  await ensureHome(home);
  if (config !== '') writeFileSync(home.config, config);
  const background = createBackground(silentLog);
  const base = { clock: systemClock, ids: systemIds, log: silentLog, spawn: background.spawn };
  const events = await openEventStream(base, home.events);
  const settings = await openConfig(base, home);
  const running: string[] = [];
  const ctx: ProjectsContext = {
    ...base,
    ...settings,
    configProblems: settings.problems,
    locks: createLocks(),
    events,
    runningIn: async () => running,
    sampleSource: join(import.meta.dirname, '../../../examples/sample-project'),
  };
  onTestFinished(async () => {
    await settings.close();
    await background.stop(1000);
    await events.close();
  });
  const registry = createRegistry(bindProjects(ctx));
  const call = async <T>(name: string, input: unknown): Promise<T> =>
    (await callOperation(registry.find(name)!, personCaller, input)) as T;
  const refusal = async (name: string, input: unknown): Promise<ErrorFacts> =>
    errorFactsOf(await call(name, input).catch((error: unknown) => error));
  return { home, ctx, events, running, call, refusal };
}

/** Everything of a repository that `project add` could have changed. */
function traceOf(repository: TestRepository): unknown {
  return {
    refs: repository.git('for-each-ref', '--format=%(refname) %(objectname)'),
    worktrees: repository.git('worktree', 'list', '--porcelain'),
    config: readFileSync(join(repository.path, '.git/config'), 'utf8'),
    status: repository.git('status', '--porcelain'),
    head: repository.git('rev-parse', 'HEAD'),
  };
}

describe('project.add', () => {
  test('makes the integration branch and its checkout, registers it, and says so', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    const added = await bench.call<ProjectAdded>('project.add', { path: repository.path, name: 'shop' });
    expect(added).toMatchObject({ name: 'shop', added: true, integrationBranch: 'claude/main', problems: [] });
    expect(added.path).toBe(realpathSync(repository.path));
    expect(readFileSync(join(added.worktree, 'README.md'), 'utf8')).toContain('small project');
    expect(repository.git('rev-parse', 'claude/main')).toBe(repository.git('rev-parse', 'main'));
    expect(added.notes.join('\n')).toMatch(
      /claude\/main, made from main[^]*extensions\.worktreeConfig[^]*no \.lore\/ folder/,
    );
    expect(readFileSync(bench.home.config, 'utf8')).toContain(`- name: shop\n    path: ${added.path}\n`);
    expect(bench.ctx.config().projects).toMatchObject([{ name: 'shop' }]);
    expect(bench.events.cursor().seq).toBe(1);
  });

  test('is safe to repeat, from any folder of the repository, and mends a missing checkout', async () => {
    const bench = await makeBench();
    const repository = await makeRepository({ files: { 'src/deep/x.ts': '' } });
    const first = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    rmSync(first.worktree, { recursive: true });
    const again = await bench.call<ProjectAdded>('project.add', { path: join(repository.path, 'src/deep') });
    expect(again).toMatchObject({ name: first.name, added: false });
    expect(existsSync(join(first.worktree, 'src/deep/x.ts'))).toBe(true);
    expect(bench.ctx.config().projects).toHaveLength(1);
    expect(await bench.refusal('project.add', { path: repository.path, name: 'other' })).toMatchObject({
      code: 'conflict',
    });
  });

  test('two repositories of one folder name get two names; a wanted name that is taken is refused', async () => {
    const bench = await makeBench();
    const [one, two] = [await makeRepository(), await makeRepository()];
    expect((await bench.call<ProjectAdded>('project.add', { path: one.path })).name).toBe('repository');
    expect(await bench.refusal('project.add', { path: two.path, name: 'repository' })).toMatchObject({
      code: 'conflict',
    });
    expect((await bench.call<ProjectAdded>('project.add', { path: two.path })).name).toBe('repository-2');
  });

  test('two at once: both are registered', async () => {
    const bench = await makeBench();
    const repositories = [await makeRepository(), await makeRepository()];
    const added = await Promise.all(repositories.map(({ path }) => bench.call<ProjectAdded>('project.add', { path })));
    expect(new Set(added.map(({ name }) => name)).size).toBe(2);
    expect(bench.ctx.config().projects).toHaveLength(2);
  });

  test('says what is special: dirty, .lore there, submodules, LFS', async () => {
    const bench = await makeBench();
    const files = {
      '.lore/a.md': '',
      '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = ./x\n',
      '.gitattributes': '*.bin filter=lfs\n',
    };
    const repository = await makeRepository({ files });
    repository.write({ '.lore/a.md': 'changed' });
    const { notes } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    const text = notes.join('\n');
    expect(text).toMatch(/uncommitted changes/);
    expect(text).toMatch(/submodules/);
    expect(text).toMatch(/LFS/);
    expect(text).not.toMatch(/no \.lore/);
  });

  test('hooks and forced signing do not stand in the way, and do not run', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    const mark = join(repository.path, 'hook-ran');
    const script = { executable: `#!/bin/sh\ntouch '${mark}'\nexit 1\n` };
    repository.write({ '.git/hooks/post-checkout': script, '.git/hooks/reference-transaction': script });
    repository.git('config', 'commit.gpgsign', 'true');
    await bench.call('project.add', { path: repository.path });
    expect(existsSync(mark)).toBe(false);
  });
});

describe('project.add refuses, and changes nothing [SYS-GIT-REPOSITORY]', () => {
  test.each([
    ['a folder that is not there', async () => join(await tempFolder(), 'none'), 'not_found'],
    ['a folder that is no repository', tempFolder, 'invalid'],
    ['a relative path', async () => 'some/where', 'invalid'],
    ['an empty repository', async () => (await makeRepository({ files: {} })).path, 'conflict'],
    ['a repository without user.name', async () => (await makeRepository({ identity: null })).path, 'conflict'],
    [
      'a bare repository',
      async () => {
        const repository = await makeRepository();
        const bare = join(await tempFolder(), 'bare.git');
        repository.git('clone', '--quiet', '--bare', repository.path, bare);
        return bare;
      },
      'conflict',
    ],
  ])('%s', async (_name, pathOf, code) => {
    const bench = await makeBench();
    const facts = await bench.refusal('project.add', { path: await pathOf() });
    expect(facts).toMatchObject({ code });
    expect(facts.hint).toMatch(/\S/);
    expect(existsSync(bench.home.config)).toBe(false);
  });

  test('an old branch `claude` [SYS-GIT-OLD-BRANCH]', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    repository.git('branch', 'claude');
    const before = traceOf(repository);
    const facts = await bench.refusal('project.add', { path: repository.path });
    expect(facts.hint).toContain('branch -m claude claude-old');
    expect(traceOf(repository)).toEqual(before);
  });

  test('a checkout of the hall’s own', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    const { worktree } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    expect(await bench.refusal('project.add', { path: worktree })).toMatchObject({ code: 'invalid' });
  });

  test('names that are not safe', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    const before = traceOf(repository);
    for (const name of ['../x', 'a/b', 'a b', '', 'A', 'x'.repeat(10_000)]) {
      expect(await bench.refusal('project.add', { path: repository.path, name })).toMatchObject({ code: 'invalid' });
    }
    expect(traceOf(repository)).toEqual(before);
  });

  test('a config.yaml that cannot be read: the repository is as it was found', async () => {
    const bench = await makeBench('projects: [\n');
    const repository = await makeRepository();
    const before = traceOf(repository);
    expect(await bench.refusal('project.add', { path: repository.path })).toMatchObject({ code: 'conflict' });
    expect(traceOf(repository)).toEqual(before);
    expect(readFileSync(bench.home.config, 'utf8')).toBe('projects: [\n');
  });
});

describe('project.add leaves nothing of a failure', () => {
  test('an integration branch that is checked out elsewhere', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    repository.git('worktree', 'add', '--quiet', '-b', 'claude/main', join(await tempFolder(), 'mine'));
    const before = traceOf(repository);
    expect(await bench.refusal('project.add', { path: repository.path, name: 'shop' })).toMatchObject({
      hint: expect.any(String),
    });
    expect(traceOf(repository)).toEqual(before);
    expect(readdirSync(bench.home.projects)).toEqual([]);
  });

  test('a folder that stands where the checkout would', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    mkdirSync(join(bench.home.projects, 'shop'));
    writeFileSync(join(bench.home.projects, 'shop/mine.txt'), 'mine');
    const before = traceOf(repository);
    await bench.refusal('project.add', { path: repository.path, name: 'shop' });
    expect(traceOf(repository)).toEqual(before);
    expect(readFileSync(join(bench.home.projects, 'shop/mine.txt'), 'utf8')).toBe('mine');
  });

  test('a checkout of before stays, with what was edited in it, when config.yaml cannot be written', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    const { worktree } = await bench.call<ProjectAdded>('project.add', { path: repository.path, name: 'shop' });
    writeFileSync(join(worktree, 'README.md'), 'edited');
    writeFileSync(bench.home.config, 'port: 4000\n');
    await expect.poll(() => bench.ctx.config().projects).toEqual([]);
    writeFileSync(bench.home.config, 'projects: [\n');
    expect(await bench.refusal('project.add', { path: repository.path, name: 'shop' })).toMatchObject({
      code: 'conflict',
    });
    expect(readFileSync(join(worktree, 'README.md'), 'utf8')).toBe('edited');
    expect(repository.git('branch', '--list', 'claude/main')).toContain('claude/main');
  });

  test('another checkout of a registered repository is refused by the name of its project', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    await bench.call('project.add', { path: repository.path, name: 'shop' });
    const second = join(await tempFolder(), 'second');
    repository.git('worktree', 'add', '--quiet', '-b', 'other', second);
    const before = traceOf(repository);
    const facts = await bench.refusal('project.add', { path: second, name: 'other' });
    expect(facts).toMatchObject({ code: 'conflict', hint: 'Use that project: --project shop' });
    expect(traceOf(repository)).toEqual(before);
    expect(bench.ctx.config().projects).toHaveLength(1);
  });
});

describe('project.remove', () => {
  test('commits artifacts that were edited by hand, ignored ones too, before the checkout goes', async () => {
    const bench = await makeBench();
    const files = { '.lore/a.md': 'one\n', '.lore/b.md': 'b\n', '.gitignore': '.lore/hidden*\n' };
    const repository = await makeRepository({ files });
    const { name, worktree } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    writeFiles(worktree, { '.lore/a.md': 'by hand\n', '.lore/new/c.md': 'new\n', '.lore/hidden.md': 'hidden\n' });
    rmSync(join(worktree, '.lore/b.md'));
    const { notes } = await bench.call<ProjectRemoved>('project.remove', { name });
    expect(existsSync(worktree)).toBe(false);
    expect(notes.join(' ')).toContain('.lore/a.md, .lore/b.md, .lore/hidden.md, .lore/new/c.md');
    const changed = repository.git('diff', '--name-status', 'main', 'claude/main');
    expect(changed).toBe('M\t.lore/a.md\nD\t.lore/b.md\nA\t.lore/hidden.md\nA\t.lore/new/c.md');
    expect(repository.git('show', 'claude/main:.lore/a.md')).toBe('by hand');
  });

  test('is refused while other files of the checkout are changed, and names them', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    const { name, worktree } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    writeFiles(worktree, { 'README.md': 'by hand', 'notes/x.txt': 'x', '.lore/a.md': 'a' });
    const facts = await bench.refusal('project.remove', { name });
    expect(facts).toMatchObject({ code: 'conflict', details: { files: ['README.md', 'notes/x.txt'] } });
    expect(readFileSync(join(worktree, 'README.md'), 'utf8')).toBe('by hand');
    expect(bench.ctx.config().projects).toHaveLength(1);
    repositoryAt(worktree).commit('Mine');
    await bench.call('project.remove', { name });
    expect(repository.git('show', 'claude/main:notes/x.txt')).toBe('x');
  });

  test('leaves the repository as it was found, but for the branches, which are listed', async () => {
    const bench = await makeBench('# mine\nport: 4000 # keep\n');
    const repository = await makeRepository();
    const before = traceOf(repository);
    const { name, worktree } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    const place = {
      repo: repository.path,
      path: join(bench.home.worktrees, name, 'job-1'),
      owner: 'job',
    };
    await addWorktree(bench.ctx, { ...place, branch: 'claude/job/1', startPoint: 'claude/main', scope: 'sparse' });
    expect(repository.git('config', 'extensions.worktreeConfig')).toBe('true');
    repository.git('worktree', 'remove', '--force', place.path);

    const removed = await bench.call<ProjectRemoved>('project.remove', { name });
    expect(removed.branches).toEqual(['claude/job/1', 'claude/main']);
    expect(removed.notes.join(' ')).toContain('extensions.worktreeConfig was taken out');
    expect(existsSync(worktree)).toBe(false);
    repository.git('branch', '-D', 'claude/job/1', 'claude/main');
    expect(traceOf(repository)).toEqual(before);
    expect(readFileSync(bench.home.config, 'utf8')).toMatch(/^# mine\nport: 4000 # keep\n/);
    expect(bench.ctx.config().projects).toEqual([]);
  });

  test('a setting that was there before the hall stays', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    repository.git('config', 'extensions.worktreeConfig', 'true');
    const { name } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    await bench.call('project.remove', { name });
    expect(repository.git('config', 'extensions.worktreeConfig')).toBe('true');
  });

  test('is refused while something runs, and names it', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    const { name } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    bench.running.push('job job-1');
    const facts = await bench.refusal('project.remove', { name });
    expect(facts).toMatchObject({ code: 'conflict', hint: 'Close them first: guild-hall job close job-1' });
    expect(bench.ctx.config().projects).toHaveLength(1);
  });

  test('of a repository that is gone only forgets it; an unknown name is offered the near one', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    await bench.call('project.add', { path: repository.path, name: 'shop' });
    rmSync(repository.path, { recursive: true });
    expect((await bench.refusal('project.remove', { name: 'shpo' })).hint).toContain('Did you mean "shop"?');
    const removed = await bench.call<ProjectRemoved>('project.remove', { name: 'shop' });
    const notes = [expect.stringContaining('not there any more'), expect.stringContaining('was left as it is')];
    expect(removed).toMatchObject({ branches: [], notes });
    expect(bench.ctx.config().projects).toEqual([]);
  });
});

describe('project.list and the start', () => {
  test('names what stands in the way of each', async () => {
    const bench = await makeBench();
    const [fine, moved] = [await makeRepository(), await makeRepository()];
    await bench.call('project.add', { path: fine.path, name: 'fine' });
    await bench.call('project.add', { path: moved.path, name: 'moved' });
    renameSync(moved.path, `${moved.path}-elsewhere`);
    const { projects } = await bench.call<ProjectList>('project.list', {});
    expect(projects.map(({ name, problems }) => [name, problems.length])).toEqual([
      ['fine', 0],
      ['moved', 1],
    ]);
    await recoverProjects(bench.ctx);
    expect((await bench.call<ProjectList>('project.list', {})).projects[0]!.problems).toEqual([]);
  });

  test('the start makes a deleted checkout again, also of a project that was written into config.yaml by hand', async () => {
    const repository = await makeRepository();
    const bench = await makeBench(`projects:\n  - { name: shop, path: "${repository.path}" }\n`);
    const before = await bench.call<ProjectList>('project.list', {});
    expect(before.projects[0]!.problems[0]).toContain('is missing');
    await recoverProjects(bench.ctx);
    expect(existsSync(join(before.projects[0]!.worktree, 'README.md'))).toBe(true);
  });

  test('another integrationBranch for the hall is for projects to come; a checkout on another branch is named', async () => {
    const bench = await makeBench();
    const [first, second] = [await makeRepository(), await makeRepository()];
    const { worktree } = await bench.call<ProjectAdded>('project.add', { path: first.path, name: 'first' });
    await bench.ctx.changeConfig((document) => document.set('integrationBranch', 'claude/trunk'));
    await bench.call('project.add', { path: second.path, name: 'second' });
    await recoverProjects(bench.ctx);
    const { projects } = await bench.call<ProjectList>('project.list', {});
    expect(projects).toMatchObject([
      { name: 'first', integrationBranch: 'claude/main', problems: [] },
      { name: 'second', integrationBranch: 'claude/trunk', problems: [] },
    ]);
    repositoryAt(worktree).git('switch', '--quiet', '-c', 'elsewhere');
    const after = await bench.call<ProjectList>('project.list', {});
    expect(after.projects[0]!.problems[0]).toMatch(/is on elsewhere, and should be on claude\/main/);
  });

  test('the checkout of an entry whose integrationBranch is changed follows it at the next start', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    const { name, worktree } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    await bench.ctx.changeConfig((document) => document.setIn(['projects', 0, 'integrationBranch'], 'claude/trunk'));
    await recoverProjects(bench.ctx);
    expect(repositoryAt(worktree).git('symbolic-ref', '--short', 'HEAD')).toBe('claude/trunk');
    expect((await bench.call<ProjectList>('project.list', {})).projects[0]!.problems).toEqual([]);
    await bench.call('project.remove', { name });
    expect(existsSync(worktree)).toBe(false);
  });

  test('an entry that was written by hand gets its branches when the project is added again', async () => {
    const repository = await makeRepository();
    const bench = await makeBench(`projects:\n  - name: shop\n    path: ${repository.path} # mine\n`);
    await bench.call('project.add', { path: repository.path });
    expect(bench.ctx.config().projects).toMatchObject([{ integrationBranch: 'claude/main', personBranch: 'main' }]);
    expect(readFileSync(bench.home.config, 'utf8')).toContain('# mine');
  });

  test('problems of config.yaml are told with their place', async () => {
    const bench = await makeBench('port: many\n');
    const { problems } = await bench.call<ProjectList>('project.list', {});
    expect(problems).toMatchObject([{ file: bench.home.config, line: 1 }]);
  });
});

describe('project.sync', () => {
  test('brings new commits in once, by the only project', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    const { worktree } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    expect(await bench.call<ProjectSynced>('project.sync', {})).toMatchObject({ outcome: 'up_to_date', commit: null });
    repository.commit('More', { 'more.txt': 'more\n' });
    const synced = await bench.call<ProjectSynced>('project.sync', {});
    expect(synced).toMatchObject({ outcome: 'synced', files: [] });
    expect(readFileSync(join(worktree, 'more.txt'), 'utf8')).toBe('more\n');
    expect(await bench.call<ProjectSynced>('project.sync', {})).toMatchObject({ outcome: 'up_to_date' });
  });

  test('names the files of a conflict and changes nothing', async () => {
    const bench = await makeBench();
    const repository = await makeRepository({ files: { 'a.txt': 'one\n' } });
    const { worktree } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    repositoryAt(worktree).commit('Theirs', { 'a.txt': 'theirs\n' });
    repository.commit('Mine', { 'a.txt': 'mine\n' });
    const tip = repository.git('rev-parse', 'claude/main');
    expect(await bench.call<ProjectSynced>('project.sync', {})).toMatchObject({
      outcome: 'conflict',
      files: ['a.txt'],
    });
    expect(repository.git('rev-parse', 'claude/main')).toBe(tip);
  });

  test('from another branch never takes back what was brought in of the person’s own', async () => {
    const bench = await makeBench();
    const repository = await makeRepository({ files: { 'a.txt': 'one\n' } });
    repository.git('branch', 'side');
    const { worktree } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    const read = (file: string) => readFileSync(join(worktree, file), 'utf8');
    repositoryAt(worktree).commit('Of the hall', { 'hall.txt': 'hall\n' });
    repository.commit('More', { 'a.txt': 'two\n', 'more.txt': 'more\n' });
    await bench.call('project.sync', {});

    repository.git('switch', '--quiet', 'side');
    repository.commit('Aside', { 'side.txt': 'side\n' });
    expect(await bench.call<ProjectSynced>('project.sync', {})).toMatchObject({ outcome: 'up_to_date' });
    expect(existsSync(join(worktree, 'side.txt'))).toBe(false);

    const aside = await bench.call<ProjectSynced>('project.sync', { branch: 'side' });
    expect(aside).toMatchObject({ outcome: 'synced', notes: ['side was brought into claude/main.'] });
    expect([read('a.txt'), read('more.txt'), read('side.txt')]).toEqual(['two\n', 'more\n', 'side\n']);

    repository.git('switch', '--quiet', 'main');
    repository.commit('Again', { 'a.txt': 'three\n' });
    expect(await bench.call<ProjectSynced>('project.sync', {})).toMatchObject({ outcome: 'synced' });
    expect([read('a.txt'), read('side.txt'), read('hall.txt')]).toEqual(['three\n', 'side\n', 'hall\n']);
  });

  test('brings in no branch of the hall, and none that is not there', async () => {
    const bench = await makeBench();
    const repository = await makeRepository();
    await bench.call('project.add', { path: repository.path });
    repository.git('branch', 'claude/job/1');
    for (const branch of ['claude/main', 'claude/job/1']) {
      expect(await bench.refusal('project.sync', { branch })).toMatchObject({ code: 'invalid' });
    }
    expect(await bench.refusal('project.sync', { branch: 'none' })).toMatchObject({ code: 'not_found' });
    repository.git('branch', '-m', 'main', 'trunk');
    const facts = await bench.refusal('project.sync', {});
    expect(facts).toMatchObject({ code: 'not_found', hint: expect.stringContaining('--branch') });
    expect(await bench.call<ProjectSynced>('project.sync', { branch: 'trunk' })).toMatchObject({
      outcome: 'up_to_date',
    });
  });

  test('what an older hall remembered without the branch does not count', async () => {
    const bench = await makeBench();
    const repository = await makeRepository({ files: { 'a.txt': 'one\n' } });
    const { name, worktree } = await bench.call<ProjectAdded>('project.add', { path: repository.path });
    repositoryAt(worktree).commit('Of the hall', { 'hall.txt': 'hall\n' });
    const commit = repositoryAt(worktree).git('rev-parse', 'HEAD');
    const tree = repositoryAt(worktree).git('rev-parse', 'HEAD^{tree}');
    writeFiles(bench.home.state, { [`sync/${name}.json`]: JSON.stringify({ version: 1, commit, tree }) });
    repository.commit('More', { 'a.txt': 'two\n' });
    expect(await bench.call<ProjectSynced>('project.sync', {})).toMatchObject({ outcome: 'synced' });
    expect(existsSync(join(worktree, 'hall.txt'))).toBe(true);
  });

  test('needs a project, and says how to get one', async () => {
    const bench = await makeBench();
    expect(await bench.refusal('project.sync', {})).toMatchObject({ code: 'not_found' });
    for (const name of ['one', 'two']) await bench.call('project.add', { path: (await makeRepository()).path, name });
    expect(await bench.refusal('project.sync', {})).toMatchObject({
      code: 'invalid',
      hint: 'Name one: --project <name>',
    });
  });
});

describe('project.sample', () => {
  test('makes a real repository in the home, once, also for somebody git does not know', async () => {
    const bench = await makeBench();
    const sample = await bench.call<ProjectAdded>('project.sample', {});
    const repository = repositoryAt(sample.path);
    expect(sample.path).toBe(join(realpathSync(bench.home.root), 'sample'));
    expect(repository.git('log', '--format=%s')).toBe('A small library that keeps working time in plain text');
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(sample.worktree, '.lore/specs/daybook-report.md'))).toBe(true);
    expect(await bench.call<ProjectAdded>('project.sample', {})).toMatchObject({ name: sample.name, added: false });
  });

  test('in a folder of one’s choice, but never over something', async () => {
    const bench = await makeBench();
    const folder = await tempFolder();
    const path = join(folder, 'deep/daybook');
    expect(await bench.call<ProjectAdded>('project.sample', { path })).toMatchObject({ name: 'daybook', added: true });
    const full = join(folder, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'mine.txt'), 'mine');
    expect(await bench.refusal('project.sample', { path: full })).toMatchObject({ code: 'conflict' });
    expect(await bench.refusal('project.sample', { path: join(full, 'mine.txt') })).toMatchObject({ code: 'conflict' });
    expect(readFileSync(join(full, 'mine.txt'), 'utf8')).toBe('mine');
  });

  test('leaves nothing behind when it cannot be made', async () => {
    const bench = await makeBench();
    const source = join(await tempFolder(), 'source');
    cpSync(bench.ctx.sampleSource, source, { recursive: true });
    writeFileSync(join(source, '.git'), 'this is no repository');
    const folder = await tempFolder();
    const registry = createRegistry(bindProjects({ ...bench.ctx, sampleSource: source }));
    const call = callOperation(registry.find('project.sample')!, personCaller, { path: join(folder, 'x') });
    await expect(call).rejects.toMatchObject({ hint: expect.any(String) });
    expect(existsSync(join(folder, 'x'))).toBe(false);
    expect(bench.ctx.config().projects).toEqual([]);
  });
});

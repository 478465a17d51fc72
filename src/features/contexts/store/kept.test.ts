/** The registry's file: filled from, written through, kept aside, merged; changed by hands while the hall runs. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  click,
  type ContextsHall,
  listTold,
  nextBlock,
  openContexts,
  registryOnDisk,
  registryText,
  sessionSaying,
  tally,
} from '../../../../test/help/open-contexts.ts';
import { makeRepository, tempFolder, type TestRepository } from '../../../../test/help/repositories.ts';
import type { MetaContextList } from '../contract.ts';
import { registryProblems } from '../operations/problems.ts';

const next = { label: 'Requirements', command: '/req auth', metaContext: 'auth' };
const state = '.conclave/state';

interface Place {
  readonly home: string;
  readonly repo: TestRepository;
}

async function place(): Promise<Place> {
  return { repo: await makeRepository(), home: join(await tempFolder(), 'home') };
}

const open = async ({ home, repo }: Place): Promise<ContextsHall> =>
  await openContexts(home, repo.path, onTestFinished);

async function clicked(hall: ContextsHall, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const metaContext of names) ids.push((await click(hall, { ...next, metaContext })).sessionId);
  await hall.idle();
  return ids;
}

async function contextsOf(hall: ContextsHall): Promise<Record<string, number>> {
  const { contexts } = (await hall.call('context.list', {})) as MetaContextList;
  return Object.fromEntries(contexts.map(({ name, sessions }) => [name, sessions]));
}

const asides = ({ repo }: Place): string[] =>
  readdirSync(join(repo.path, state)).filter((name) => name.includes('.corrupt-'));

describe('a restart', () => {
  test('has every context again, with its id, name and order, and git sees no file [UC-8.2, UC-8.3, CTX-DEC-7, CTX-EVT-11, CTX-EVT-20]', async () => {
    const at = await place();
    const hall = await open(at);
    await clicked(hall, 'b', 'a', 'b');
    const before = registryText(at.repo.path);
    expect(at.repo.git('status', '--porcelain')).toBe('');
    const again = await open(at);
    expect(again.joined.metaContextsOf('tally')).toEqual(registryOnDisk(at.repo.path).contexts);
    expect(registryText(at.repo.path)).toBe(before);
    await clicked(again, 'b');
    const { contexts } = registryOnDisk(at.repo.path);
    expect(contexts.map(({ name, sessionIds }) => [name, sessionIds.length])).toEqual([
      ['b', 3],
      ['a', 1],
    ]);
    expect(contexts.slice(0, 1).map(({ id }) => id)).toEqual([hall.joined.metaContextsOf('tally')[0]!.id]);
    expect(at.repo.git('status', '--porcelain')).toBe('');
  });

  test('without the file, or with an older one, makes it again from the logs [CTX-DEC-7, CTX-EVT-19]', async () => {
    const at = await place();
    const hall = await open(at);
    await clicked(hall, 'a');
    const older = registryText(at.repo.path);
    await clicked(hall, 'a', 'b');
    const whole = registryOnDisk(at.repo.path);
    rmSync(join(at.repo.path, '.conclave'), { recursive: true });
    await open(at);
    expect(registryOnDisk(at.repo.path)).toEqual(whole);
    writeFileSync(join(at.repo.path, state, 'meta-contexts.json'), older);
    await open(at);
    expect(registryOnDisk(at.repo.path)).toEqual(whole);
  });

  test('in a project without contexts leaves no file', async () => {
    const at = await place();
    await open(at);
    expect(existsSync(join(at.repo.path, '.conclave'))).toBe(false);
  });

  test('finds a registry of another machine: its contexts are there, their sessions are not', async () => {
    const at = await place();
    const foreign = { contexts: [{ id: 'far', name: 'auth', sessionIds: ['claude-1', 'claude-2'] }], tool: 'other' };
    at.repo.write({ [`${state}/meta-contexts.json`]: JSON.stringify(foreign) });
    const hall = await open(at);
    const list = (await hall.call('context.list', {})) as MetaContextList;
    expect(list.contexts).toMatchObject([{ id: 'far', name: 'auth', sessions: 2, newest: null }]);
    const [id] = await clicked(hall, 'auth');
    expect(registryOnDisk(at.repo.path)).toEqual({
      contexts: [{ id: 'far', name: 'auth', sessionIds: ['claude-1', 'claude-2', id] }],
      tool: 'other',
    });
    expect(await hall.call('context.show', { name: 'auth' })).toMatchObject({ gone: ['claude-1', 'claude-2'] });
  });
});

test('a project whose folder is not there gets none in its place; what was in it is there when it is back', async () => {
  const at = await place();
  await clicked(await open(at), 'a');
  const away = `${at.repo.path}-away`;
  renameSync(at.repo.path, away);
  const hall = await open(at);
  expect(hall.joined.metaContextsOf('tally')).toHaveLength(1);
  await expect(click(hall, next)).rejects.toThrow('is not there');
  expect(existsSync(at.repo.path)).toBe(false);
  renameSync(away, at.repo.path);
  await clicked(hall, 'a');
  expect(registryOnDisk(at.repo.path).contexts).toMatchObject([
    { name: 'a', sessionIds: [expect.any(String), expect.any(String)] },
  ]);
});

test('a project whose folder cannot be looked into is trouble of its own: the hall starts, and tells', async () => {
  const at = await place();
  const loop = join(await tempFolder(), 'loop');
  symlinkSync(loop, loop);
  const hall = await openContexts(at.home, loop, onTestFinished);
  expect(await hall.call('context.list', {})).toEqual({ contexts: [], problems: [expect.stringContaining('ELOOP')] });
  await expect(click(hall, next)).rejects.toThrow(/^The registry of contexts .* cannot be read: ELOOP/);
});

describe('a file that cannot be read', () => {
  const broken = ['', '{ "contexts": [', '[]', '{"contexts":[{"id":"a","name":"","sessionIds":[]}]}', '\u0000\u0001'];

  test.each(broken)(
    '(%j) is kept aside and told, and is never written over by an empty one [CTX-EVT-19]',
    async (text) => {
      const at = await place();
      at.repo.write({ [`${state}/meta-contexts.json`]: text });
      await open(at);
      expect(existsSync(join(at.repo.path, state, 'meta-contexts.json'))).toBe(false);
      const [aside, ...more] = asides(at);
      expect(more).toEqual([]);
      expect(readFileSync(join(at.repo.path, state, aside!), 'utf8')).toBe(text);
      expect(await registryProblems(at.repo)).toMatchObject([{ found: expect.stringContaining(aside!) }]);
    },
  );

  // Each may stand anywhere in what is carried along: at the top, or in a context.
  test.each([
    ['is too deep for the stack', 5000],
    ['would be 18 MB by its indents', 3000],
  ])('(one that %s) is kept aside like those, and all is as without it [CTX-EVT-19]', async (_, depth) => {
    const at = await place();
    const deep = '['.repeat(depth) + ']'.repeat(depth);
    const text = `{"contexts":[],"x":${deep}}`;
    at.repo.write({ [`${state}/meta-contexts.json`]: text });
    const hall = await open(at);
    expect(asides(at)).toHaveLength(1);
    await clicked(hall, 'a');
    const whole = registryOnDisk(at.repo.path);
    expect(whole.contexts).toMatchObject([{ name: 'a', sessionIds: [expect.any(String)] }]);
    const file = join(at.repo.path, state, 'meta-contexts.json');
    writeFileSync(file, JSON.stringify(whole).replace('"name"', `"x":${deep},"name"`));
    expect(await contextsOf(hall)).toEqual({ a: 1 });
    expect(asides(at)).toHaveLength(2);
    expect(registryOnDisk(at.repo.path)).toEqual(whole);
  });

  test('also while the hall runs; what it knows from the logs is there again [CTX-EVT-19]', async () => {
    const at = await place();
    const hall = await open(at);
    await clicked(hall, 'a', 'b');
    const whole = registryOnDisk(at.repo.path);
    for (const [index, text] of ['<<<<<<< HEAD\n', '{}'].entries()) {
      writeFileSync(join(at.repo.path, state, 'meta-contexts.json'), text);
      expect(await contextsOf(hall)).toEqual({ a: 1, b: 1 });
      expect(registryOnDisk(at.repo.path)).toEqual(whole);
      expect(asides(at)).toHaveLength(index + 1);
    }
    await clicked(hall, 'a');
    expect(registryOnDisk(at.repo.path).contexts.map(({ sessionIds }) => sessionIds.length)).toEqual([2, 1]);
    expect(at.repo.git('status', '--porcelain')).toBe('');
    expect((await hall.call('context.list', {})) as MetaContextList).toMatchObject({
      problems: [expect.stringContaining('kept aside'), expect.stringContaining('kept aside')],
    });
  });

  test.each(['the file', 'its folder', 'a folder above', 'no file but a folder'])(
    'is no plain file (%s): it is neither followed nor written, clicks are refused and leave nothing [CTX-EVT-19, UC-1.6]',
    async (what) => {
      const at = await place();
      const elsewhere = await tempFolder();
      writeFileSync(join(elsewhere, 'meta-contexts.json'), '{"contexts":[]}');
      mkdirSync(join(elsewhere, 'state'));
      const file = join(at.repo.path, state, 'meta-contexts.json');
      if (what === 'a folder above') symlinkSync(elsewhere, join(at.repo.path, '.conclave'));
      else mkdirSync(join(at.repo.path, '.conclave'));
      if (what === 'its folder') symlinkSync(elsewhere, join(at.repo.path, state));
      if (what === 'the file' || what === 'no file but a folder') mkdirSync(join(at.repo.path, state));
      if (what === 'the file') symlinkSync(join(elsewhere, 'meta-contexts.json'), file);
      if (what === 'no file but a folder') mkdirSync(file);
      const hall = await open(at);
      await expect(click(hall, next)).rejects.toThrow('is no plain file');
      expect(await registryProblems(at.repo)).toMatchObject([{ found: expect.stringContaining('is no plain file') }]);
      expect(readFileSync(join(elsewhere, 'meta-contexts.json'), 'utf8')).toBe('{"contexts":[]}');
      expect(readdirSync(join(elsewhere, 'state'))).toEqual([]);
      expect(readdirSync(join(at.home, 'state/sessions')).filter((name) => name.endsWith('.jsonl'))).toEqual([]);
      rmSync(join(at.repo.path, '.conclave'), { recursive: true });
      await clicked(hall, 'auth');
      expect(registryOnDisk(at.repo.path).contexts).toHaveLength(1);
    },
  );
});

describe('a file that a hand changes while the hall runs', () => {
  test('is seen before the next write and merged; what the hall does not know stays [CTX-EVT-20]', async () => {
    const at = await place();
    const hall = await open(at);
    const [one] = await clicked(hall, 'a');
    const { contexts } = registryOnDisk(at.repo.path);
    const edited = { team: 'x', contexts: [{ ...contexts[0], name: 'renamed', pinned: true }] };
    const file = join(at.repo.path, state, 'meta-contexts.json');
    // As an editor does it: another file under the same name.
    writeFileSync(`${file}.new`, JSON.stringify(edited));
    renameSync(`${file}.new`, file);
    const [two] = await clicked(hall, 'renamed');
    expect(registryOnDisk(at.repo.path)).toEqual({
      team: 'x',
      contexts: [{ id: contexts[0]!.id, name: 'renamed', pinned: true, sessionIds: [one, two] }],
    });
    const again = await open(at);
    expect(again.joined.metaContextsOf('tally')).toMatchObject([{ name: 'renamed', sessionIds: [one, two] }]);
  });

  test('keeps a context that it renamed apart from the next one of its old name, also after a restart [CTX-DEC-7, CTX-EVT-20]', async () => {
    const at = await place();
    const hall = await open(at);
    const [one] = await clicked(hall, 'a');
    const { contexts } = registryOnDisk(at.repo.path);
    const edited = { contexts: [{ ...contexts[0], name: 'renamed' }] };
    at.repo.write({ [`${state}/meta-contexts.json`]: JSON.stringify(edited) });
    const [two] = await clicked(hall, 'a');
    const whole = registryOnDisk(at.repo.path);
    expect(whole.contexts).toMatchObject([
      { id: contexts[0]!.id, name: 'renamed', sessionIds: [one] },
      { name: 'a', sessionIds: [two] },
    ]);
    const again = await open(at);
    expect(again.joined.metaContextsOf('tally')).toEqual(whole.contexts);
    expect(registryOnDisk(at.repo.path)).toEqual(whole);
    // A start at which the file cannot be used does not count: its names are taken when it can.
    const [there, away] = [join(at.repo.path, state), join(at.repo.path, '.conclave/away')];
    renameSync(there, away);
    symlinkSync(away, there);
    const later = await open(at);
    rmSync(there);
    renameSync(away, there);
    expect(await contextsOf(later)).toEqual({ renamed: 1, a: 1 });
    expect(registryOnDisk(at.repo.path)).toEqual(whole);
  });

  test('is seen when the list is looked at: everybody is told the list that follows [UC-8.4, CTX-EVT-20]', async () => {
    const at = await place();
    const hall = await open(at);
    await clicked(hall, 'a');
    const { contexts } = registryOnDisk(at.repo.path);
    at.repo.write({
      [`${state}/meta-contexts.json`]: JSON.stringify({ contexts: [{ ...contexts[0], name: 'other' }] }),
    });
    hall.joined.metaContextsOf('tally');
    await hall.idle();
    expect(listTold(hall).metaContexts).toMatchObject([{ name: 'other' }]);
  });

  test('is put back by git to how another branch has it: no session and no context is lost', async () => {
    const at = await place();
    const hall = await open(at);
    await clicked(hall, 'a');
    at.repo.git('add', '--force', '.conclave');
    at.repo.git('commit', '--quiet', '-m', 'With the registry');
    at.repo.git('branch', 'older');
    await clicked(hall, 'a', 'b');
    at.repo.git('commit', '--quiet', '-a', '-m', 'Later');
    at.repo.git('checkout', '--quiet', 'older');
    expect(registryOnDisk(at.repo.path).contexts).toHaveLength(1);
    await clicked(hall, 'b');
    expect(registryOnDisk(at.repo.path).contexts.map(({ name, sessionIds }) => [name, sessionIds.length])).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
    at.repo.git('checkout', '--quiet', '--force', 'main');
    rmSync(join(at.repo.path, state, 'meta-contexts.json'));
    expect(await contextsOf(hall)).toEqual({ a: 2, b: 2 });
    expect(registryOnDisk(at.repo.path).contexts).toHaveLength(2);
  });

  test('cannot be written once the log has the session: the click counts, the file follows later [UC-8.3]', async () => {
    const at = await place();
    const hall = await open(at);
    await clicked(hall, 'a');
    const [there, away] = [join(at.repo.path, state), join(at.repo.path, '.conclave/away')];
    hall.onBegin = async () => {
      renameSync(there, away);
      symlinkSync(away, there);
    };
    await clicked(hall, 'b');
    hall.onBegin = async () => undefined;
    expect(registryOnDisk(at.repo.path).contexts).toHaveLength(1);
    expect(readdirSync(join(at.home, 'state/clicks'))).toHaveLength(1);
    expect(listTold(hall).metaContexts).toHaveLength(2);
    rmSync(there);
    renameSync(away, there);
    expect(await contextsOf(hall)).toEqual({ a: 1, b: 1 });
    expect(registryOnDisk(at.repo.path).contexts).toHaveLength(2);
    await open(at);
    expect(readdirSync(join(at.home, 'state/clicks'))).toEqual([]);
  });

  test('of a session that said more afterwards: only its click is in it', async () => {
    const at = await place();
    const hall = await open(at);
    await sessionSaying(hall, nextBlock(next));
    expect(hall.joined.metaContextsOf(tally)).toEqual([]);
    expect(hall.joined.metaContextsOf('nobody')).toEqual([]);
  });
});

/** Edits by the person, on a real repository. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type HallRepository, makeHallRepository } from '../../../test/help/hall-repository.ts';
import type { EventStream } from '../../kernel/events/events.ts';
import { createLocks } from '../../kernel/locks/locks.ts';
import {
  callOperation,
  createRegistry,
  type OperationRegistry,
  personCaller,
} from '../../kernel/operations/operations.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import { deferred } from '../../kernel/pure/deferred.ts';
import type { NewEvent } from '../../kernel/pure/events.ts';
import { integrationLock } from '../../kernel/projects/projects.ts';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import {
  type ArtifactEdited,
  type ArtifactShown,
  editConflictSchema,
  editSecretsSchema,
  maxArtifactBytes,
  type RecordKeeper,
} from './contract.ts';
import { finishEdits, underwayFile } from './committing.ts';
import type { ArtifactsContext } from './context.ts';
import { bindArtifacts } from './operations.ts';
import { revisionOf } from './paths.ts';

const path = '.lore/a.md';
const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`);
const first = `---\ntitle: A\n---\n${lines.join('\n')}\n`;
/** Put together here, so that no scanner takes this file for a leak. */
const secret = ['password: ', 'hunter2'].join('');

let bench: HallRepository;
let registry: OperationRegistry;
let events: NewEvent[];
let keepers: RecordKeeper[];
let ctx: ArtifactsContext;

beforeEach(async () => {
  bench = await makeHallRepository({ files: { [path]: first, '.lore/crlf.md': first.replaceAll('\n', '\r\n') } });
  events = [];
  keepers = [];
  ctx = {
    ...bench.ctx,
    home: { state: join(bench.ctx.home.root, 'state') },
    locks: createLocks(),
    events: { publish: (event: NewEvent) => void events.push(event) } as unknown as EventStream,
    recordKeepers: () => keepers,
    activityKinds: () => [],
    elsewhere: async () => [],
    library: new Map(),
    knownCommits: new Map(),
    producersOf: async () => [],
    chooseProject: () => ({
      name: projectNameSchema.parse('shop'),
      path: bench.repo.path,
      integrationBranch: bench.branch,
      integrationWorktree: bench.hall.path,
    }),
  };
  registry = createRegistry(bindArtifacts(ctx));
});

const call = async <T>(name: string, input: unknown): Promise<T> =>
  (await callOperation(registry.find(name)!, personCaller, input)) as T;
const show = (wanted = path): Promise<ArtifactShown> => call('artifact.show', { path: wanted });
const edit = (raw: string, baseRevision: string, more: object = {}): Promise<ArtifactEdited> =>
  call('artifact.edit', { path, raw, baseRevision, ...more });
const refusal = async (work: Promise<unknown>) =>
  errorFactsOf(await work.then(() => new Error('it was not refused')).catch((error: unknown) => error));
const onDisk = (wanted = path): string => readFileSync(join(bench.hall.path, wanted), 'utf8');
const tip = (): string => bench.repo.git('rev-parse', bench.branch);

test('an edit is committed on the integration branch as the person, told, and part of the history [WEB-PROVENANCE]', async () => {
  const before = await show();
  const text = first.replace('line 3', 'line three');
  const edited = await edit(text, before.revision);
  expect(edited).toMatchObject({ project: 'shop', path, problems: [], commit: tip() });
  expect(edited.revision).toBe(bench.repo.git('rev-parse', `${bench.branch}:${path}`));
  expect(onDisk()).toBe(text);
  expect(bench.hall.git('status', '--porcelain')).toBe('');
  expect(bench.repo.git('log', '-1', '--format=%an <%ae>|%s|%(trailers:key=Guild-Hall,valueonly)', bench.branch)).toBe(
    'Test Person <person@example.invalid>|Edit .lore/a.md|artifact edit\n',
  );
  expect(bench.repo.git('rev-parse', 'main')).not.toBe(tip());
  expect(events).toEqual([
    {
      type: 'artifact.edited',
      project: 'shop',
      subject: `artifact:${path}`,
      data: { path, revision: edited.revision, commit: edited.commit },
    },
  ]);
  const after = await show();
  expect(after).toMatchObject({ raw: text, revision: edited.revision, locked: null });
  expect(after.history.map(({ subject, by }) => [subject, by])).toEqual([
    ['Edit .lore/a.md', 'artifact edit'],
    ['First', null],
  ]);
});

test('the same edit sent twice is done once, also when its answer was lost', async () => {
  const { revision } = await show();
  const text = `${first}more\n`;
  const once = await edit(text, revision);
  const at = tip();
  expect(await edit(text, revision)).toEqual({ ...once, commit: null });
  expect(tip()).toBe(at);
  expect(events).toHaveLength(1);
});

describe('an edit that a killed hall had written but not committed [SYS-CRASH]', () => {
  const text = `${first}my words\n`;
  const committed = (): string => bench.repo.git('show', `${bench.branch}:${path}`);
  const cutOff = async (standing: string): Promise<string> => {
    const { revision } = await show();
    const project = ctx.chooseProject(undefined);
    await underwayFile(ctx, project).write({ path, stored: path, revision: revisionOf(Buffer.from(text)) });
    writeFileSync(join(bench.hall.path, path), standing);
    return revision;
  };
  const start = (): Promise<void> => finishEdits(ctx, [ctx.chooseProject(undefined)]);
  const noted = (): boolean => existsSync(join(ctx.home.state, 'edits/shop.json'));

  test('is committed when it is sent again, and told; asked for once more nothing is done', async () => {
    const revision = await cutOff(text);
    const edited = await edit(text, revision);
    expect(edited.commit).toBe(tip());
    expect(committed()).toBe(text.trimEnd());
    expect(events).toMatchObject([{ type: 'artifact.edited', data: { path, commit: tip() } }]);
    expect(await edit(text, revision)).toEqual({ ...edited, commit: null });
    expect(events).toHaveLength(1);
  });

  test('is committed at the next start', async () => {
    await cutOff(text);
    await start();
    expect(committed()).toBe(text.trimEnd());
    expect(bench.repo.git('log', '-1', '--format=%s|%(trailers:key=Guild-Hall,valueonly)', bench.branch)).toBe(
      `Edit ${path}|artifact edit\n`,
    );
    expect(events).toMatchObject([{ type: 'artifact.edited', data: { path, commit: tip() } }]);
    expect(noted()).toBe(false);
    await start();
    expect(events).toHaveLength(1);
  });

  test.each([
    ['nothing was written yet', first],
    ['somebody wrote another text since', 'another\n'],
  ])('is forgotten where %s', async (_what, standing) => {
    const before = tip();
    await cutOff(standing);
    await start();
    expect([tip(), onDisk(), noted()]).toEqual([before, standing, false]);
  });

  test('is kept in mind while it cannot be committed', async () => {
    await cutOff(text);
    bench.repo.git('config', 'user.name', '');
    bench.repo.git('config', '--unset', 'user.email');
    await start();
    expect(noted()).toBe(true);
  });

  test('is committed before another one is written', async () => {
    await cutOff(text);
    const { revision } = await show('.lore/crlf.md');
    await call('artifact.edit', { path: '.lore/crlf.md', raw: 'x\r\n', baseRevision: revision });
    expect(committed()).toBe(text.trimEnd());
    expect(bench.hall.git('status', '--porcelain')).toBe('');
  });

  test('is in mind as long as it is written, and not after it, also when git refuses it', async () => {
    const { revision } = await show();
    bench.repo.git('config', 'user.name', '');
    bench.repo.git('config', '--unset', 'user.email');
    await refusal(edit('mine\n', revision));
    expect([noted(), existsSync(join(ctx.home.state, 'edits'))]).toEqual([false, true]);
  });

  test('is asked about when it holds a secret and nobody said that it may', async () => {
    const withSecret = `${first}${secret}\n`;
    writeFileSync(join(bench.hall.path, path), withSecret);
    expect(editSecretsSchema.parse((await refusal(edit(withSecret, 'x'))).details).secrets).toHaveLength(1);
    expect((await edit(withSecret, 'x', { allowSecrets: true })).commit).toBe(tip());
  });
});

test('a link that is put in the place of a folder while an edit waits leads it nowhere [SEC-PATHS]', async () => {
  for (const folder of ['.lore/n', '.lore/o', '../outside']) {
    mkdirSync(join(bench.hall.path, folder));
    writeFileSync(join(bench.hall.path, folder, 'a.md'), '# A\n');
  }
  for (const [to, code] of [
    ['../../outside', 'forbidden'],
    ['o', 'conflict'],
  ] as const) {
    const wanted = '.lore/n/a.md';
    const { revision } = await show(wanted);
    const { promise, resolve } = deferred();
    const held = ctx.locks.with(integrationLock('shop'), () => promise);
    keepers = [
      // It is asked for last before the edit waits.
      { lockOf: () => swap(), judge: async () => undefined, isRecord: () => false, isUnfinished: () => false },
    ];
    const swap = (): undefined => {
      keepers = [];
      renameSync(join(bench.hall.path, '.lore/n'), join(bench.hall.path, '.lore/away'));
      symlinkSync(to, join(bench.hall.path, '.lore/n'));
      resolve();
    };
    const facts = await refusal(call('artifact.edit', { path: wanted, raw: '# B\n', baseRevision: revision }));
    await held;
    expect(facts.code).toBe(code);
    for (const folder of ['.lore/away', '.lore/o', '../outside']) expect(onDisk(`${folder}/a.md`)).toBe('# A\n');
    rmSync(join(bench.hall.path, '.lore/n'));
    renameSync(join(bench.hall.path, '.lore/away'), join(bench.hall.path, '.lore/n'));
  }
});

test('what cannot be read in the new frontmatter is told, and written all the same', async () => {
  const edited = await edit('---\ntitle: [\n---\nx\n', (await show()).revision);
  expect(edited.problems[0]).toMatchObject({ file: path, line: 3 });
  expect(onDisk()).toContain('title: [');
});

describe('an edit of a text that was changed meanwhile [WEB-EDIT-CONFLICT]', () => {
  const begun = async (theirs: string): Promise<string> => {
    const { revision } = await show();
    await edit(theirs, revision);
    return revision;
  };
  const conflictOf = async (work: Promise<unknown>) => {
    const { code, details } = await refusal(work);
    expect(code).toBe('conflict');
    return editConflictSchema.parse(details);
  };

  test('is refused with both versions, and with both changes in one text where they fit together', async () => {
    const theirs = first.replace('line 1\n', 'theirs\n');
    const yours = first.replace('line 9\n', 'yours\n');
    const old = await begun(theirs);
    const at = tip();
    const conflict = await conflictOf(edit(yours, old));
    expect(conflict).toMatchObject({ path, yours, theirs: { raw: theirs }, conflicts: 0 });
    expect(conflict.merged).toBe(theirs.replace('line 9\n', 'yours\n'));
    expect([onDisk(), tip()]).toEqual([theirs, at]);
    await edit(conflict.merged!, conflict.theirs!.revision);
    expect(onDisk()).toBe(conflict.merged);
  });

  test('names how many places both changed, and merges nothing then', async () => {
    const theirs = first.replace('line 1\n', 'theirs\n');
    const yours = first.replace('line 1\n', 'yours\n');
    const conflict = await conflictOf(edit(yours, await begun(theirs)));
    expect(conflict).toMatchObject({ yours, theirs: { raw: theirs }, merged: null, conflicts: 1 });
  });

  test('has both versions too when the text that it began with was never committed', async () => {
    writeFileSync(join(bench.hall.path, path), 'by hand\n');
    const { revision } = await show();
    writeFileSync(join(bench.hall.path, path), 'by hand again\n');
    const conflict = await conflictOf(edit('mine\n', revision));
    expect(conflict).toMatchObject({
      yours: 'mine\n',
      theirs: { raw: 'by hand again\n' },
      merged: null,
      conflicts: null,
    });
    expect(onDisk()).toBe('by hand again\n');
    expect((await conflictOf(edit('mine\n', 'nonsense'))).conflicts).toBeNull();
  });

  test('of two at once one is written, and the other gets both versions', async () => {
    const { revision } = await show();
    const texts = [`${first}one\n`, `${first}two\n`];
    const outcomes = await Promise.allSettled(texts.map((text) => edit(text, revision)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const lost = outcomes.findIndex(({ status }) => status === 'rejected');
    const conflict = await conflictOf(Promise.reject((outcomes[lost] as PromiseRejectedResult).reason));
    expect(conflict).toMatchObject({ yours: texts[lost], theirs: { raw: texts[1 - lost] } });
    expect(onDisk()).toBe(texts[1 - lost]);
  });

  test('whose file is gone keeps the text in the answer', async () => {
    const { revision } = await show();
    rmSync(join(bench.hall.path, path));
    expect(await conflictOf(edit('mine\n', revision))).toMatchObject({ yours: 'mine\n', theirs: null });
  });
});

describe('bytes stay as they are', () => {
  const editOf = async (file: string, raw: string): Promise<void> => {
    await call('artifact.edit', { path: file, raw, baseRevision: (await show(file)).revision });
  };

  test('line ends, from a page that knows line feeds only', async () => {
    await editOf('.lore/crlf.md', first.replace('line 3', 'line three'));
    expect(onDisk('.lore/crlf.md')).toBe(first.replace('line 3', 'line three').replaceAll('\n', '\r\n'));
    expect(bench.repo.git('show', '--stat', '--format=', bench.branch)).toContain('2 +-');
  });

  test('whatever the person’s settings and attributes would do to them', async () => {
    bench.repo.git('config', 'core.autocrlf', 'true');
    await editOf(path, 'a\r\nb\n');
    expect(bench.repo.git('cat-file', '-p', `${bench.branch}:${path}`)).toBe('a\r\nb');
    expect(bench.hall.git('cat-file', '-s', `${bench.branch}:${path}`)).toBe('5');
  });

  test('a byte order mark, a missing last line end, any characters', async () => {
    const text = '\ufeff---\ntitle: A\n---\n🦉 \u0000 $& no end';
    await editOf(path, text);
    expect((await show()).raw).toBe(text);
  });

  test('what is no UTF-8 is shown, locked, and not touched', async () => {
    writeFileSync(join(bench.hall.path, path), Buffer.from([0x41, 0xff, 0x0a]));
    const shown = await show();
    expect(shown.locked?.message).toContain('not UTF-8');
    expect((await refusal(edit('x\n', shown.revision))).message).toContain('not UTF-8');
    expect(readFileSync(join(bench.hall.path, path))).toEqual(Buffer.from([0x41, 0xff, 0x0a]));
  });
});

describe('what is refused', () => {
  test('a text that is too large, before anything is looked at', async () => {
    const facts = await refusal(edit('x'.repeat(maxArtifactBytes + 1), 'none'));
    expect(facts).toMatchObject({ code: 'too_large', details: { max: maxArtifactBytes } });
  });

  test.each(['README.md', '.lore/x.txt', '.lore/../README.md', '.lore', '/etc/passwd.md'])('%j', async (wanted) => {
    expect((await refusal(call('artifact.edit', { path: wanted, raw: 'x', baseRevision: 'x' }))).code).toBe('invalid');
  });

  test('a link that leads out of the artifacts, or out of the project [SEC-PATHS]', async () => {
    writeFileSync(join(bench.hall.path, 'README.md'), 'readme\n');
    symlinkSync('../README.md', join(bench.hall.path, '.lore/inside.md'));
    symlinkSync('/etc/hostname', join(bench.hall.path, '.lore/outside.md'));
    for (const name of ['inside', 'outside']) {
      const given = { path: `.lore/${name}.md`, raw: 'x', baseRevision: 'x' };
      expect((await refusal(call('artifact.edit', given))).code).toBe('forbidden');
    }
    expect(onDisk('README.md')).toBe('readme\n');
  });

  test('a commit that git refuses leaves the file as it was', async () => {
    const { revision } = await show();
    bench.repo.git('config', 'user.name', '');
    bench.repo.git('config', '--unset', 'user.email');
    expect((await refusal(edit('mine\n', revision))).message).toMatch(/name|identity|email/i);
    expect(onDisk()).toBe(first);
    expect(events).toEqual([]);
  });

  test('what the feature says whose record it is, with its lock held', async () => {
    const held: string[] = [];
    const others: Promise<void>[] = [];
    keepers = [
      {
        lockOf: (_project, wanted) => (wanted === path ? 'record:a' : undefined),
        judge: async (_project, _path, text) => {
          others.push(ctx.locks.with('record:a', async () => void held.push('free')));
          // As long as it takes to get a lock that is free.
          await ctx.locks.with('another', async () => {});
          held.push('judged');
          return text.includes('forbidden')
            ? { code: 'conflict', message: 'It is open.', hint: 'Close it.' }
            : undefined;
        },
        isRecord: () => true,
        isUnfinished: () => false,
      },
    ];
    const { revision } = await show();
    held.length = 0;
    expect(await refusal(edit('forbidden\n', revision))).toMatchObject({ message: 'It is open.', hint: 'Close it.' });
    await Promise.all(others);
    expect(held[0]).toBe('judged');
    expect(onDisk()).toBe(first);
    await edit('allowed\n', revision);
    expect(onDisk()).toBe('allowed\n');
  });
});

describe('secrets in the person’s own words are asked about [SEC-SECRETS]', () => {
  test('with their lines and never themselves; and written when it is meant', async () => {
    const { revision } = await show();
    const text = `${first}${secret}\n`;
    const facts = await refusal(edit(text, revision));
    expect(facts.code).toBe('conflict');
    expect(editSecretsSchema.parse(facts.details)).toEqual({
      kind: 'secrets',
      path,
      secrets: [{ line: text.split('\n').length - 1, kind: 'password' }],
    });
    expect(JSON.stringify(facts)).not.toContain('hunter2');
    expect(onDisk()).toBe(first);
    await edit(text, revision, { allowSecrets: true });
    expect(onDisk()).toBe(text);
  });

  test('but not about those that stood there before', async () => {
    await edit(`${first}${secret}\n`, (await show()).revision, { allowSecrets: true });
    const { raw, revision } = await show();
    await edit(`new line\n${raw}`, revision);
    expect(onDisk()).toContain('new line\n---');
  });

  test('a key that is put behind the line that stood there as a place for it', async () => {
    const line = (word: string): string => `-----${word} ${['PRIVATE', 'KEY'].join(' ')}-----`;
    const old = `${first}${line('BEGIN')}\n...\n${line('END')}\n`;
    await edit(old, (await show()).revision, { allowSecrets: true });
    const { revision } = await show();
    const key = Array.from({ length: 6 }, (_, at) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw${at}`).join('\n');
    const facts = await refusal(edit(old.replace('...', key), revision));
    expect(editSecretsSchema.parse(facts.details).secrets).toMatchObject([{ kind: 'private key' }]);
    await edit(`${old}more\n`, revision);
  });
});

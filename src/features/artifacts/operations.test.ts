import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  callOperation,
  createRegistry,
  personCaller,
  type OperationRegistry,
} from '../../kernel/operations/operations.ts';
import { systemClock } from '../../kernel/clock/clock.ts';
import type { EventStream } from '../../kernel/events/events.ts';
import { createLocks } from '../../kernel/locks/locks.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import type { ArtifactList, ArtifactShown } from './contract.ts';
import { bindArtifacts } from './operations.ts';

let root: string;
let registry: OperationRegistry;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gh-artifacts-'));
  const files = {
    '.lore/specs/a.md':
      '---\ntitle: "First"\ndate: 2026-01-02\nstatus: approved\ntags: [one, two]\n---\n\nBody of A.\n',
    '.lore/notes/b.md': '---\ntitle: Second\ndate: 2026-03-01\nstatus: Draft\ntags: []\n---\n# B\n',
    '.lore/notes/broken.md': '---\ntitle: [\n---\nstill here\n',
    'README.md': '# Not an artifact\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const project = {
    name: projectNameSchema.parse('shop'),
    path: '/nowhere',
    integrationBranch: 'claude/main',
    integrationWorktree: root,
  };
  registry = createRegistry(
    bindArtifacts({
      clock: systemClock,
      log: silentLog,
      locks: createLocks(),
      home: { state: join(root, 'state') },
      events: { publish: () => {} } as unknown as EventStream,
      recordKeepers: () => [],
      activityKinds: () => ['job'],
      elsewhere: async () => [],
      library: new Map(),
      knownCommits: new Map(),
      chooseProject: () => project,
      producersOf: async (name, path) =>
        path.endsWith('a.md') ? [{ kind: 'job', id: 'job-1', title: `in ${name}` }] : [],
    }),
  );
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const call = async <T>(name: string, input: unknown): Promise<T> =>
  (await callOperation(registry.find(name)!, personCaller, input)) as T;
const refusal = async (name: string, input: unknown) =>
  errorFactsOf(await call(name, input).catch((error: unknown) => error));

test('lists all, the newest first, broken ones with their problem', async () => {
  const { artifacts } = await call<ArtifactList>('artifact.list', {});
  expect(artifacts.map(({ path }) => path)).toEqual(['.lore/notes/b.md', '.lore/specs/a.md', '.lore/notes/broken.md']);
  expect(artifacts[1]).toMatchObject({
    title: 'First',
    date: '2026-01-02',
    status: 'approved',
    tags: ['one', 'two'],
    problems: [],
  });
  expect(artifacts[2]!.problems[0]).toMatchObject({ file: '.lore/notes/broken.md' });
});

test('lists by folder, status and tag', async () => {
  const paths = async (input: unknown) =>
    (await call<ArtifactList>('artifact.list', input)).artifacts.map(({ path }) => path);
  expect(await paths({ under: '.lore/specs/' })).toEqual(['.lore/specs/a.md']);
  expect(await paths({ status: 'draft' })).toEqual(['.lore/notes/b.md']);
  expect(await paths({ tag: 'two' })).toEqual(['.lore/specs/a.md']);
  expect(await paths({ under: '.lore/none' })).toEqual([]);
});

test.each([
  [
    { status: 'drfat' },
    'No artifact below .lore has the status "drfat"; there are: Draft, approved. Did you mean "Draft"?',
  ],
  [
    { status: 'open', under: '.lore/specs' },
    'No artifact below .lore/specs has the status "open"; there are: approved.',
  ],
  [{ tag: 'three' }, 'No artifact below .lore has the tag "three"; there are: one, two.'],
  [{ tag: 'one', status: 'draft' }, 'No artifact below .lore has both that status and that tag.'],
  [{ under: '.lore/none' }, 'There is no artifact below .lore/none.'],
  [{ status: 'draft' }, undefined],
])('says why %j finds nothing', async (input, note) => {
  expect((await call<ArtifactList>('artifact.list', input)).note).toBe(note);
});

test('shows one with its fields, body, problems and makers', async () => {
  const shown = await call<ArtifactShown>('artifact.show', { path: '.lore/specs/a.md' });
  expect(shown).toMatchObject({ frontmatter: { title: 'First' }, body: '\nBody of A.\n', problems: [] });
  expect(shown.produced_by).toEqual([{ kind: 'job', id: 'job-1', title: 'in shop' }]);
  const broken = await call<ArtifactShown>('artifact.show', { path: '.lore/notes/broken.md' });
  expect(broken.problems.length).toBeGreaterThan(0);
  expect(broken.body).toContain('still here');
});

test.each(['README.md', '/etc/passwd', '.lore/../README.md', '.lore/\0', 'x', '.lorex/a.md'])(
  '%j is refused',
  async (path) => {
    expect(['invalid', 'forbidden']).toContain((await refusal('artifact.show', { path })).code);
  },
);

test('what is not there is not found', async () => {
  expect((await refusal('artifact.show', { path: '.lore/none.md' })).code).toBe('not_found');
});

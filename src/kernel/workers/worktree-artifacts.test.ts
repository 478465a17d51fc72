import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createArtifactTools } from './artifact-tools.ts';
import type { ArtifactAccess, Decision } from './contract.ts';
import { createWorktreeArtifacts } from './worktree-artifacts.ts';

let root: string;
let outside: string;
let artifacts: ArtifactAccess;
let decisions: Decision[];
beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'outside-'));
  root = await mkdtemp(join(tmpdir(), 'worktree-'));
  artifacts = createWorktreeArtifacts(root);
  decisions = [];
});
afterEach(async () => {
  for (const folder of [root, outside]) await rm(folder, { recursive: true, force: true });
});

async function call(name: string, input: Record<string, unknown>): Promise<string> {
  const record = async (decision: Decision) => void decisions.push(decision);
  const tools = createArtifactTools({ artifacts, decisions: { record } });
  return (await tools.find((tool) => tool.name === name)!.run(input)).text;
}

const plan = '---\ntitle: The plan\nstatus: draft\ndate: 2026-02-14\n---\n\n# Plan\n\n$& 🙂\n';

test('an artifact is written, listed and read, also where there was no .lore yet', async () => {
  expect(await call('list_artifacts', {})).toBe('There are no artifacts yet.');
  expect(await call('write_artifact', { path: './.lore//specs/plan.md', content: plan })).toContain(
    'Wrote .lore/specs/plan.md',
  );
  expect(await readFile(join(root, '.lore/specs/plan.md'), 'utf8')).toBe(plan);
  expect(await call('list_artifacts', { under: '.lore/specs' })).toBe(
    '- .lore/specs/plan.md: The plan (draft, 2026-02-14)',
  );
  expect(await call('list_artifacts', { under: '.lore/notes' })).toBe('There are no artifacts under .lore/notes yet.');
  expect(await call('read_artifact', { path: '.lore/specs/plan.md' })).toBe(plan);
});

describe('everything outside .lore is refused, and nothing is made [SEC-PATHS]', () => {
  test.each([
    ['src/main.md', /not among the artifacts/],
    ['../.lore/x.md', /not among the artifacts/],
    ['/etc/x.md', /not among the artifacts/],
    ['.lore/../src/x.md', /has ".." in it/],
    ['.lore/a\u0000b.md', /control character/],
    ['.lore/a\\b.md', /backslash/],
    ['.lore/link/x.md', /symbolic link/],
    ['.lore/inner/x.md', /symbolic link/],
  ])('%j', async (path, message) => {
    await mkdir(join(root, '.lore'));
    await mkdir(join(root, 'src'));
    await symlink(outside, join(root, '.lore/link'));
    await symlink(join(root, 'src'), join(root, '.lore/inner'));
    await expect(call('write_artifact', { path, content: 'x' })).rejects.toThrow(message);
    await expect(call('read_artifact', { path })).rejects.toThrow(message);
    expect(await readdir(outside)).toEqual([]);
    expect(await readdir(join(root, 'src'))).toEqual([]);
    expect((await readdir(join(root, '.lore'))).toSorted()).toEqual(['inner', 'link']);
  });

  test('and so is what is no Markdown, a folder, or below a file', async () => {
    await mkdir(join(root, '.lore/specs.md'), { recursive: true });
    await writeFile(join(root, '.lore/plan.md'), plan);
    await expect(call('write_artifact', { path: '.lore/run.sh', content: 'x' })).rejects.toThrow(
      expect.objectContaining({ code: 'invalid', hint: expect.stringContaining('.lore/run.md') }),
    );
    await expect(call('read_artifact', { path: '.lore/specs.md' })).rejects.toThrow(/is a folder/);
    await expect(call('write_artifact', { path: '.lore/specs.md', content: 'x' })).rejects.toThrow(/cannot be written/);
    await expect(call('write_artifact', { path: '.lore/plan.md/x.md', content: 'x' })).rejects.toThrow(
      /cannot be written/,
    );
    await expect(call('read_artifact', { path: '.lore/none.md' })).rejects.toThrow(
      /There is no artifact .lore\/none.md/,
    );
    await expect(call('read_artifact', { path: 'specs/plan.md' })).rejects.toThrow(
      expect.objectContaining({ hint: 'Did you mean .lore/specs/plan.md?' }),
    );
  });
});

test('secrets are taken out of artifacts and decisions [SEC-SECRETS]', async () => {
  const secret = ['ghp_', 'a1B2'.repeat(9)].join('');
  const answer = await call('write_artifact', { path: '.lore/x.md', content: `key ${secret}` });
  expect(answer).toContain('looked like a secret');
  expect(await readFile(join(root, '.lore/x.md'), 'utf8')).toBe('key [secret removed: GitHub token]');
  await call('record_decision', { question: 'Which key?', decision: `use ${secret}`, reasoning: 'none' });
  expect(decisions).toEqual([
    { question: 'Which key?', decision: 'use [secret removed: GitHub token]', reasoning: 'none' },
  ]);
});

test('a worker is told that its frontmatter is broken', async () => {
  const answer = await call('write_artifact', { path: '.lore/x.md', content: '---\ntitle: [a\n---\n' });
  expect(answer).toMatch(/frontmatter has a problem in line \d/);
});

test('a long artifact comes in pages', async () => {
  await call('write_artifact', { path: '.lore/x.md', content: '🙂'.repeat(20_000) });
  const first = await call('read_artifact', { path: '.lore/x.md' });
  const second = await call('read_artifact', { path: '.lore/x.md', offset: 30_000 });
  expect(first).toContain('Read on with offset 30000.');
  expect(second).toBe(`[From offset 30000.]\n${'🙂'.repeat(5000)}`);
});

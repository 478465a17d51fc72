import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isInside, resolveInside } from './paths.ts';

let outer: string;
let root: string;
beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'gh-paths-')));
  root = join(outer, 'root');
  await mkdir(join(root, '.lore/notes'), { recursive: true });
  await writeFile(join(outer, 'secret'), 'secret');
});
afterEach(async () => {
  await rm(outer, { recursive: true, force: true });
});

describe('resolveInside', () => {
  test('existing and missing paths', async () => {
    expect(await resolveInside(root, '.lore/notes')).toBe(join(root, '.lore/notes'));
    expect(await resolveInside(root, './.lore//notes/new/deep.md')).toBe(join(root, '.lore/notes/new/deep.md'));
    expect(await resolveInside(root, '.lore/notes/…/a b.md')).toBe(join(root, '.lore/notes/…/a b.md'));
    expect(await resolveInside(root, '...')).toBe(join(root, '...'));
  });

  test.each([
    '',
    '.',
    './',
    '/',
    '/etc/passwd',
    '..',
    '../secret',
    'a/../../secret',
    '.lore/..',
    'a\0b',
    'a\\b',
    '..\\secret',
    'a\nb',
    'a\u007f',
    'x/'.repeat(3000),
  ])('%j is refused', async (path) => {
    await expect(resolveInside(root, path)).rejects.toMatchObject({ code: 'invalid' });
  });

  test('a name that no file system takes is refused', async () => {
    await expect(resolveInside(root, 'x'.repeat(300))).rejects.toMatchObject({ code: 'invalid' });
  });

  test.each([
    ['a link to a file outside', () => join(outer, 'secret'), 'link'],
    ['a link to a folder outside', () => outer, 'link/secret'],
    ['a link to a folder outside, the file being new', () => outer, 'link/new.md'],
    ['a dangling link', () => join(outer, 'not-there'), 'link'],
    ['a dangling link as a folder', () => join(outer, 'not-there'), 'link/x'],
    ['a link to the root folder of the machine', () => '/', 'link/etc/hostname'],
    ['a relative link', () => '../..', 'link/secret'],
    ['a link to itself', () => 'link', 'link'],
    ['a neighbour whose name begins like the root', () => `${root}-evil`, 'link/x'],
  ])('%s is forbidden', async (_name, target, path) => {
    await mkdir(`${root}-evil`);
    await symlink(target(), join(root, '.lore/link'));
    await expect(resolveInside(root, `.lore/${path}`)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('a chain of links that ends outside is forbidden [SEC-PATHS]', async () => {
    await symlink(outer, join(root, 'a'));
    await symlink('a', join(root, 'b'));
    await expect(resolveInside(root, 'b/secret')).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('a link that stays inside is resolved', async () => {
    await symlink('notes', join(root, '.lore/alias'));
    expect(await resolveInside(root, '.lore/alias/x.md')).toBe(join(root, '.lore/notes/x.md'));
  });

  test('a root that is itself reached through a link keeps the name it was given', async () => {
    await symlink(root, join(outer, 'door'));
    expect(await resolveInside(join(outer, 'door'), '.lore/notes')).toBe(join(outer, 'door/.lore/notes'));
  });

  test('whatever the text: inside, or refused [SEC-PATHS]', async () => {
    await symlink(outer, join(root, 'out'));
    const part = fc.constantFrom('..', '.', '', 'a', '.lore', 'out', 'secret', '/', '\\', '\0', '~', 'é');
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('/')),
        ),
        async (path) => {
          const answer = await resolveInside(root, path).catch((error: { code: string }) => error.code);
          expect(['invalid', 'forbidden'].includes(answer) || isInside(root, answer)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('isInside compares whole parts', () => {
  expect(isInside('/a/b', '/a/b')).toBe(true);
  expect(isInside('/a/b', '/a/b/c')).toBe(true);
  expect(isInside('/a/b', '/a/bc')).toBe(false);
  expect(isInside('/a/b', '/a')).toBe(false);
  expect(isInside('/a/b', '/a/b/..c')).toBe(true);
});

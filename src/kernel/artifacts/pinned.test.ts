import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withPinnedFile, withPinnedFolder } from './pinned.ts';
import { readTextIfExists, writeAtomically } from './write.ts';

let root: string;
let outside: string;
beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pinned-')));
  root = join(folder, 'root');
  outside = join(folder, 'outside');
  mkdirSync(join(root, 'a/b'), { recursive: true });
  mkdirSync(join(outside, 'b'), { recursive: true });
  writeFileSync(join(root, 'a/b/x.md'), 'inside');
  writeFileSync(join(outside, 'b/x.md'), 'outside');
});
afterEach(() => rmSync(join(root, '..'), { recursive: true }));

const file = (): string => join(root, 'a/b/x.md');
const read = async (): Promise<string | undefined> => withPinnedFile(root, file(), readTextIfExists);
const write = async (): Promise<void> => withPinnedFolder(root, file(), async (path) => writeAtomically(path, 'new'));

test('what nobody changes is read and written; missing folders are made by a write alone', async () => {
  expect(await read()).toBe('inside');
  await write();
  expect(readFileSync(file(), 'utf8')).toBe('new');
  expect(await withPinnedFile(root, join(root, 'no/such/x.md'), readTextIfExists)).toBeUndefined();
  await withPinnedFolder(root, join(root, 'no/such/x.md'), async (path) => writeAtomically(path, 'made'));
  expect(readFileSync(join(root, 'no/such/x.md'), 'utf8')).toBe('made');
});

describe.runIf(process.platform === 'linux')('after the check, and before the use [SEC-PATHS]', () => {
  test('a folder on the way that became a link is not followed', async () => {
    renameSync(join(root, 'a'), join(root, 'kept'));
    symlinkSync(outside, join(root, 'a'));
    expect(await read()).toBeUndefined();
    await expect(write()).rejects.toMatchObject({ code: expect.stringMatching(/ENOTDIR|forbidden/) });
    expect(readFileSync(join(outside, 'b/x.md'), 'utf8')).toBe('outside');
  });

  test('a file that became a link is not read, and is replaced by a write', async () => {
    rmSync(file());
    symlinkSync(join(outside, 'b/x.md'), file());
    await expect(read()).rejects.toMatchObject({ code: 'forbidden' });
    await write();
    expect(readFileSync(join(outside, 'b/x.md'), 'utf8')).toBe('outside');
    expect(readFileSync(file(), 'utf8')).toBe('new');
  });

  test('what changes while it is used does not matter', async () => {
    await withPinnedFolder(root, file(), async (path) => {
      renameSync(join(root, 'a'), join(root, 'kept'));
      symlinkSync(outside, join(root, 'a'));
      await writeAtomically(path, 'new');
    });
    expect(readFileSync(join(outside, 'b/x.md'), 'utf8')).toBe('outside');
    expect(readFileSync(join(root, 'kept/b/x.md'), 'utf8')).toBe('new');
    const text = await withPinnedFile(root, join(root, 'kept/b/x.md'), async (path) => {
      rmSync(join(root, 'kept/b/x.md'));
      symlinkSync(join(outside, 'b/x.md'), join(root, 'kept/b/x.md'));
      return readTextIfExists(path);
    });
    expect(text).toBe('new');
  });
});

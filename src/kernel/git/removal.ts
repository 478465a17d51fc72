/** Deleting a folder with everything in it, also where an agent made folders read-only. Links are never followed. */
import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { faultPoint } from '../clock/fault.ts';
import { fail } from '../pure/errors.ts';

/** @throws forbidden when something in it cannot be deleted even so */
export async function removeTree(path: string): Promise<void> {
  faultPoint('git:before:remove-tree');
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(path, options);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(code)) throw error;
    if (code === 'ENAMETOOLONG') await flatten(path);
    else await makeWritable(path);
    try {
      await rm(path, options);
    } catch (again) {
      throw fail(
        'forbidden',
        `Something in ${path} cannot be deleted: ${(again as Error).message}`,
        `Look who owns it: ls -lR '${path}'; then delete it and repeat.`,
        { path },
        again,
      );
    }
  }
  faultPoint('git:after:remove-tree');
}

async function makeWritable(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}

/** Well below what the system takes for a path. Bytes. */
const longestPath = 3_000;

/** Brings folders that lie deeper than a path can name up to `root`, so that they can be reached. */
async function flatten(root: string): Promise<void> {
  const folders = [root];
  for (let folder = folders.pop(), count = 0; folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const path = join(folder, entry.name);
      if (Buffer.byteLength(path) <= longestPath) {
        folders.push(path);
        continue;
      }
      const above = join(root, `.guild-hall-deep-${count}`);
      count += 1;
      await rename(path, above);
      folders.push(above);
    }
  }
}

/**
 * Removes what is neither file nor folder nor link, and opens folders that are closed to their owner: git would wait for
 * ever at a pipe that has the name of one of its files, and would pass over the folders. Links are never followed.
 */
export async function removeOdd(folder: string): Promise<void> {
  for (const entry of await readOpened(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeOdd(path);
    else if (!entry.isFile() && !entry.isSymbolicLink()) await rm(path, { force: true });
  }
}

/** Lets the owner read every file. */
export async function openFiles(folder: string): Promise<void> {
  for (const entry of await readOpened(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openFiles(path);
    if (!entry.isFile()) continue;
    const { mode } = await lstat(path);
    if ((mode & 0o400) === 0) await chmod(path, (mode & 0o777) | 0o600);
  }
}

async function readOpened(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Too deep for git as well, or gone.
    if (['ENAMETOOLONG', 'ENOENT', 'ENOTDIR'].includes(code)) return [];
    if (!['EACCES', 'EPERM'].includes(code)) throw error;
    await chmod(folder, 0o700);
    return await readdir(folder, { withFileTypes: true });
  }
}

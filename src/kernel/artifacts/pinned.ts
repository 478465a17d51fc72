/**
 * Files of a worktree while a program that may change it runs: between the check of a path and its use a folder on the
 * way, or the file itself, can become a link to somewhere else. So the folders are opened one after the other, none of
 * them a link, and the file is reached through the last of them, whatever becomes of its name meanwhile.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import { fail } from '../pure/errors.ts';
import { hasErrorCode } from './write.ts';

/** Only Linux gives paths to what is open; elsewhere paths are used as they were checked. */
const canPin = process.platform === 'linux';

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
// Without waiting for the other end, should it have become a pipe.
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Calls `work` with a path that leads to `file` as it was checked. Missing folders are made where `makes` says so.
 * @param root absolute, real; not changeable by whoever the file is kept safe from
 * @param file absolute, below `root`, as `resolveInside` answers: no part of it was a link
 * @throws `forbidden` where a part has become a link; ENOTDIR where one is a file
 */
export async function withPinnedFolder<T>(
  root: string,
  file: string,
  work: (path: string) => Promise<T>,
  makes: 'folders' | 'nothing' = 'folders',
): Promise<T> {
  if (!canPin) return await work(file);
  const parts = relative(root, dirname(file))
    .split(sep)
    .filter((part) => part !== '');
  let folder = await open(root, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    for (const part of parts) {
      const next = await openWithin(folder, part, file, makes === 'folders');
      await folder.close();
      folder = next;
    }
    return await work(`${pathOf(folder)}/${basename(file)}`);
  } finally {
    await folder.close();
  }
}

/** Calls `work` with a path to the very file that is there now; undefined where there is none. @throws as above */
export async function withPinnedFile<T>(
  root: string,
  file: string,
  work: (path: string) => Promise<T>,
): Promise<T | undefined> {
  if (!canPin) return await work(file);
  try {
    return await withPinnedFolder(root, file, async (path) => withOpenFile(path, work), 'nothing');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw hasErrorCode(error, 'ELOOP') ? becameLink(file) : error;
  }
}

async function withOpenFile<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
  const handle = await open(path, fileFlags);
  try {
    return await work(pathOf(handle));
  } finally {
    await handle.close();
  }
}

async function openWithin(folder: FileHandle, part: string, file: string, makes: boolean): Promise<FileHandle> {
  const path = `${pathOf(folder)}/${part}`;
  try {
    return await open(path, folderFlags);
  } catch (error) {
    if (hasErrorCode(error, 'ELOOP')) throw becameLink(file);
    if (!makes || !hasErrorCode(error, 'ENOENT')) throw error;
    await mkdir(path).catch((problem: unknown) => {
      if (!hasErrorCode(problem, 'EEXIST')) throw problem;
    });
    return await open(path, folderFlags);
  }
}

function pathOf(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

function becameLink(file: string): Error {
  return fail(
    'forbidden',
    `A part of ${file} became a link while it was used.`,
    'Put a plain file in its place, then try again.',
    { file },
  );
}

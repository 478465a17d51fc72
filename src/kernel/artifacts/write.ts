/**
 * Every write of a file goes through here (the event log alone has an append of its own). A reader sees the old file
 * or the new one, never a part; after the promise resolves the content survives a power cut.
 *
 * Own code and not `write-file-atomic`, because that follows a symbolic link to wherever it leads, does not sync the
 * folder, and leaves temporary files under names that an artifact could have.
 */
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { faultPoint } from '../clock/fault.ts';
import { createLocks } from '../locks/locks.ts';

export interface WriteOptions {
  /** Permission bits of the file. Left out: those of the file that is there, else 0o666 less the umask. */
  readonly mode?: number;
}

const writesByPath = createLocks();
const tempFilePattern = /^\.guild-hall-(\d+)-\d+\.tmp$/;
const ownTempFiles = new Set<string>();
let tempFilesMade = 0;

/**
 * Replaces the file as a whole. Missing folders are made. A symbolic link at `path` is replaced, not followed.
 * Calls for one path run in the order in which they were made.
 */
export async function writeAtomically(
  path: string,
  content: string | Buffer,
  options: WriteOptions = {},
): Promise<void> {
  const target = resolve(path);
  await writesByPath.with(target, async () => {
    await ensureFolder(dirname(target), options.mode);
    faultPoint(`write:before:${basename(target)}`);
    const temp = await writeTempFile(target, content, options.mode ?? (await modeOfFile(target)));
    try {
      await rename(temp, target);
      await syncFolder(dirname(target));
    } finally {
      await discardTempFile(temp);
    }
    faultPoint(`write:after:${basename(target)}`);
  });
}

/**
 * Adds to the end of the file, making it where it is missing. One write call, so that another process's append
 * cannot come to stand inside it; on disk when the promise resolves.
 */
export async function appendDurably(path: string, text: string, options: WriteOptions = {}): Promise<void> {
  const target = resolve(path);
  await writesByPath.with(target, async () => {
    await ensureFolder(dirname(target), options.mode);
    faultPoint(`write:before:${basename(target)}`);
    const isNew = (await modeOfFile(target)) === undefined;
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
    const handle = await open(target, flags, options.mode ?? 0o666);
    try {
      if (options.mode !== undefined && isNew) await handle.chmod(options.mode);
      await writeAll(handle, Buffer.from(text));
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isNew) await syncFolder(dirname(target));
    faultPoint(`write:after:${basename(target)}`);
  });
}

/** Makes the file with its whole content, or answers false and changes nothing when something is there already. */
export async function createExclusively(
  path: string,
  content: string | Buffer,
  options: WriteOptions = {},
): Promise<boolean> {
  const target = resolve(path);
  return await writesByPath.with(target, async () => {
    await ensureFolder(dirname(target), options.mode);
    faultPoint(`write:before:${basename(target)}`);
    const temp = await writeTempFile(target, content, options.mode);
    try {
      // A hard link fails where the name is taken, which a rename does not.
      await link(temp, target);
      await syncFolder(dirname(target));
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST')) return false;
      throw error;
    } finally {
      await discardTempFile(temp);
    }
    faultPoint(`write:after:${basename(target)}`);
    return true;
  });
}

/** The file as UTF-8, or undefined where there is none. Other failures (a folder, no permission) are thrown. */
export async function readTextIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** True for the names of this module's temporary files; listings and watchers leave them out. */
export function isTempFileName(name: string): boolean {
  return tempFilePattern.test(name);
}

/**
 * Removes what killed processes left half-written below `root`, and answers how many files that were. Files of a
 * process that still runs stay. Folders named `.git` and `node_modules` are not entered.
 * @param enters whether a folder, by its path, is looked into: large ones that hold nothing of the hall can be left out
 */
export async function removeStaleTempFiles(
  root: string,
  enters: (folder: string) => boolean = () => true,
): Promise<number> {
  let removed = 0;
  const entries = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  });
  for (const entry of entries) {
    const path = join(root, entry.name);
    if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') {
      if (enters(path)) removed += await removeStaleTempFiles(path, enters);
    } else if (entry.isFile() && isStaleTempFile(path, entry.name)) {
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
}

/** True when `error` is a system error with one of these codes. */
export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

function isStaleTempFile(path: string, name: string): boolean {
  const pid = Number(tempFilePattern.exec(name)?.[1] ?? 0);
  if (pid === 0 || ownTempFiles.has(path)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasErrorCode(error, 'ESRCH');
  }
}

/** Writes and syncs a new file beside `target`; its path. */
async function writeTempFile(target: string, content: string | Buffer, mode: number | undefined): Promise<string> {
  const { temp, handle } = await openTempFile(dirname(target), mode);
  try {
    // `open` takes the umask off the mode; what was asked for is set exactly.
    if (mode !== undefined) await handle.chmod(mode);
    await writeAll(handle, typeof content === 'string' ? Buffer.from(content) : content);
    await handle.sync();
    await handle.close();
    return temp;
  } catch (error) {
    await handle.close();
    await discardTempFile(temp);
    throw error;
  }
}

async function openTempFile(folder: string, mode = 0o666): Promise<{ temp: string; handle: FileHandle }> {
  for (;;) {
    tempFilesMade += 1;
    const temp = join(folder, `.guild-hall-${process.pid}-${tempFilesMade}.tmp`);
    ownTempFiles.add(temp);
    try {
      return { temp, handle: await open(temp, 'wx', mode) };
    } catch (error) {
      ownTempFiles.delete(temp);
      // A dead process had the same pid, or another thread of this one counts too: the next number is free.
      if (!hasErrorCode(error, 'EEXIST')) throw error;
    }
  }
}

async function discardTempFile(temp: string): Promise<void> {
  await rm(temp, { force: true });
  ownTempFiles.delete(temp);
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    written += (await handle.write(bytes, written)).bytesWritten;
  }
}

async function modeOfFile(path: string): Promise<number | undefined> {
  try {
    const facts = await lstat(path);
    return facts.isFile() ? facts.mode & 0o7777 : undefined;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** @param mode of the file that is to lie there: for one that others may not read, folders are made that they may not enter */
async function ensureFolder(folder: string, mode = 0o666): Promise<void> {
  const isPrivate = (mode & 0o077) === 0;
  const firstMade = await mkdir(folder, { recursive: true, ...(isPrivate && { mode: 0o700 }) });
  if (firstMade === undefined) return;
  for (let made = folder; made.length >= firstMade.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** What was made, renamed or removed in the folder survives a power cut from now on. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Tells of changes below a folder, whoever makes them.
 *
 * Own code on the system's watches, one a folder, and not `chokidar`: that leaves out a change that follows another
 * within some milliseconds, the last one too, and reads a new folder before it watches it. Here a folder is watched
 * first and read then, and every sign leads to a look at the file itself, so what is told is what changed.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { BackgroundContext } from '../background/background.ts';
import type { LogContext } from '../log/log.ts';
import { isInside } from './paths.ts';
import { hasErrorCode, isTempFileName } from './write.ts';

export interface FolderWatch {
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Only this file or folder below the watched one, relative to it. */
  readonly only?: string;
  /**
   * An ancestor that stays while the watch lives: what lies between may go and come as a whole. Left out: the folder
   * above. Where the topmost watched folder goes all the same, the nearest one above it takes its place.
   */
  readonly above?: string;
}

interface Watching {
  readonly ctx: BackgroundContext & LogContext;
  readonly folder: string;
  readonly wanted: string;
  /** Undefined until what is there at the start has been read: that is not told. */
  onChange: ((relativePath: string) => void) | undefined;
  readonly watchers: Map<string, FSWatcher>;
  /** Every file below, as it was seen last. */
  readonly seen: Map<string, string>;
  /** Paths to look at; `true` for one that came, went or was replaced. */
  readonly due: Map<string, boolean>;
  isLooking: boolean;
  isClosed: boolean;
}

/**
 * Calls `onChange` with the path, relative to `folder`, of each file that appears, changes or goes, until the watch
 * is closed. What is there at the start is not told. The folder may come later, go, and come again. Symbolic links
 * are not followed. Resolves when the watch is in force.
 */
export async function watchFolder(
  ctx: BackgroundContext & LogContext,
  folder: string,
  onChange: (relativePath: string) => void,
  options: WatchOptions = {},
): Promise<FolderWatch> {
  const target = resolve(folder);
  const watching: Watching = {
    ctx,
    folder: target,
    wanted: options.only === undefined ? target : resolve(target, options.only),
    onChange: undefined,
    watchers: new Map(),
    seen: new Map(),
    due: new Map(),
    isLooking: true,
    isClosed: false,
  };
  await enterNearest(watching, resolve(options.above ?? dirname(watching.wanted)));
  watching.onChange = onChange;
  watching.isLooking = false;
  lookLater(watching);
  return { close: async () => close(watching) };
}

/** Enters `folder`, or the nearest above it that is there and can be watched. */
async function enterNearest(watching: Watching, folder: string): Promise<void> {
  for (let next = nearestFolder(folder); ; next = nearestFolder(dirname(next))) {
    await enterFolder(watching, next);
    if (watching.isClosed || watching.watchers.has(next) || dirname(next) === next) return;
  }
}

/** Watches first and reads then, so that nothing can come between the two. */
async function enterFolder(watching: Watching, folder: string): Promise<void> {
  watching.watchers.get(folder)?.close();
  watching.watchers.delete(folder);
  if (watching.isClosed) return;
  try {
    const watcher = watch(folder, (event, name) => {
      if (name === null) notice(watching, folder, true);
      else notice(watching, join(folder, name), event === 'rename');
      // That the folder itself went is told by its own name, like something in it.
      if (event === 'rename' && name === basename(folder)) notice(watching, folder, true);
    });
    watching.watchers.set(folder, watcher);
    watcher.on('error', (error) => watching.ctx.log.warn({ err: error, folder }, 'watching a folder met an error'));
    for (const name of await readdir(folder)) await lookAt(watching, join(folder, name), true);
  } catch (error) {
    // Gone again: the folder above tells of it.
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR'))
      watching.ctx.log.warn({ err: error, folder }, 'a folder cannot be watched');
  }
}

function notice(watching: Watching, path: string, isReplaced: boolean): void {
  if (!isOnTheWay(watching, path)) return;
  watching.due.set(path, isReplaced || watching.due.get(path) === true);
  lookLater(watching);
}

function lookLater(watching: Watching): void {
  if (watching.isLooking || watching.isClosed || watching.due.size === 0) return;
  watching.isLooking = true;
  watching.ctx.spawn(`changes in ${watching.folder}`, async () => {
    try {
      for (const [path, isReplaced] of watching.due) {
        // Taken out before the look, so that a sign that comes during the look makes for another one.
        watching.due.delete(path);
        await lookAt(watching, path, isReplaced);
      }
    } finally {
      watching.isLooking = false;
    }
  });
}

async function lookAt(watching: Watching, path: string, isReplaced: boolean): Promise<void> {
  if (!isOnTheWay(watching, path)) return;
  const facts = await factsOf(path);
  if (facts !== 'folder') {
    if (watching.watchers.has(path)) leaveFolder(watching, path);
    if (watching.watchers.size === 0) await enterNearest(watching, dirname(path));
    compare(watching, path, facts);
  } else if (isReplaced || !watching.watchers.has(path)) {
    await enterFolder(watching, path);
    // It may have taken the place of another one: what that one had, and this one has not, is gone.
    for (const known of filesBelow(watching, path)) compare(watching, known, await factsOf(known));
  }
}

function leaveFolder(watching: Watching, folder: string): void {
  for (const [path, watcher] of watching.watchers) {
    if (!isInside(folder, path)) continue;
    watcher.close();
    watching.watchers.delete(path);
  }
  for (const path of filesBelow(watching, folder)) compare(watching, path, undefined);
}

function filesBelow(watching: Watching, folder: string): string[] {
  return [...watching.seen.keys()].filter((path) => path !== folder && isInside(folder, path));
}

function compare(watching: Watching, path: string, facts: string | undefined): void {
  if (!isInside(watching.wanted, path) || watching.seen.get(path) === facts) return;
  if (facts === undefined) watching.seen.delete(path);
  else watching.seen.set(path, facts);
  try {
    if (!watching.isClosed) watching.onChange?.(relative(watching.folder, path).split(sep).join('/'));
  } catch (error) {
    watching.ctx.log.error({ err: error, path }, 'handling a changed file failed');
  }
}

/** What tells one state of a file from another; undefined where nothing is. */
async function factsOf(path: string): Promise<string | undefined> {
  try {
    const facts = await lstat(path, { bigint: true });
    return facts.isDirectory() ? 'folder' : `${facts.ino} ${facts.mtimeNs} ${facts.size}`;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    return 'unreadable';
  }
}

function isOnTheWay({ wanted }: Watching, path: string): boolean {
  if (isTempFileName(basename(path)) || basename(path) === '.git') return false;
  return isInside(wanted, path) || isInside(path, wanted);
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

async function close(watching: Watching): Promise<void> {
  watching.isClosed = true;
  for (const watcher of watching.watchers.values()) watcher.close();
  watching.watchers.clear();
}

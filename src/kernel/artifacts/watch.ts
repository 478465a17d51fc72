/** Tells of changes below a folder, whoever makes them. */
import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
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
}

interface Watching {
  readonly folder: string;
  readonly wanted: string;
  readonly onChange: (relativePath: string) => void;
  /** What each path was when it was last told: two signs of one change are told once. */
  readonly told: Map<string, string>;
  readonly due: Set<string>;
  isTelling: boolean;
}

/**
 * Calls `onChange` with the path, relative to `folder`, of each file that appears, changes or goes, until the watch
 * is closed. What is there at the start is not told; a folder that goes is told as well. The folder may come later,
 * go, and come again. Resolves when the watch is in force.
 */
export async function watchFolder(
  ctx: BackgroundContext & LogContext,
  folder: string,
  onChange: (relativePath: string) => void,
  options: WatchOptions = {},
): Promise<FolderWatch> {
  const target = resolve(folder);
  const wanted = options.only === undefined ? target : resolve(target, options.only);
  const watching: Watching = { folder: target, wanted, onChange, told: new Map(), due: new Set(), isTelling: false };
  const watcher = watch(nearestFolder(dirname(wanted)), {
    ignored: (path) => isIgnored(path, wanted),
    ignoreInitial: true,
    followSymlinks: false,
  });
  watcher.on('all', (event, path) => {
    if (event === 'add' || event === 'change' || event === 'unlink') notice(ctx, watching, path);
  });
  // The library leaves out changes that follow another within some milliseconds, the last one too; the system's own
  // signs, which it passes on as they are, do not.
  watcher.on('raw', (_event, name, details) => {
    const from = watchedPathOf(details);
    if (from !== undefined && typeof name === 'string')
      notice(ctx, watching, basename(from) === name ? from : join(from, name));
  });
  watcher.on('error', (error) => ctx.log.warn({ err: error, folder: target }, 'watching a folder met an error'));
  await new Promise<void>((ready) => watcher.once('ready', ready));
  return { close: async () => watcher.close() };
}

function watchedPathOf(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('watchedPath' in details)) return undefined;
  return typeof details.watchedPath === 'string' ? details.watchedPath : undefined;
}

function notice(ctx: BackgroundContext & LogContext, watching: Watching, path: string): void {
  if (!isInside(watching.wanted, path) || isIgnored(path, watching.wanted)) return;
  watching.due.add(path);
  if (watching.isTelling) return;
  watching.isTelling = true;
  ctx.spawn(`changes in ${watching.folder}`, async () => {
    try {
      await tellDue(ctx, watching);
    } finally {
      watching.isTelling = false;
    }
  });
}

async function tellDue(ctx: LogContext, watching: Watching): Promise<void> {
  for (const path of watching.due) {
    // Taken out before the look, so that a sign that comes during the look makes for another one.
    watching.due.delete(path);
    const facts = await factsOf(path);
    if (facts === 'folder' || watching.told.get(path) === facts) continue;
    watching.told.set(path, facts);
    try {
      watching.onChange(relative(watching.folder, path).split(sep).join('/'));
    } catch (error) {
      ctx.log.error({ err: error, path }, 'handling a changed file failed');
    }
  }
}

async function factsOf(path: string): Promise<string> {
  try {
    const facts = await lstat(path, { bigint: true });
    return facts.isDirectory() ? 'folder' : `${facts.ino} ${facts.mtimeNs} ${facts.ctimeNs} ${facts.size}`;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return 'gone';
    return 'unreadable';
  }
}

function isIgnored(path: string, wanted: string): boolean {
  if (!isInside(wanted, path) && !isInside(path, wanted)) return true;
  return isTempFileName(basename(path)) || basename(path) === '.git';
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

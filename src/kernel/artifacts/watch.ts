/** Tells of changes below a folder, whoever makes them. */
import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import type { LogContext } from '../log/log.ts';
import { isInside } from './paths.ts';
import { isTempFileName } from './write.ts';

export interface FolderWatch {
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Only this file or folder below the watched one, relative to it. */
  readonly only?: string;
}

/**
 * Calls `onChange` with the path, relative to `folder`, of each file that appears, changes or goes, as long as
 * the watch is open. What is there at the start is not told. The folder may come later, go, and come again.
 * Resolves when the watch is in force.
 */
export async function watchFolder(
  ctx: LogContext,
  folder: string,
  onChange: (relativePath: string) => void,
  options: WatchOptions = {},
): Promise<FolderWatch> {
  const target = resolve(folder);
  const wanted = options.only === undefined ? target : resolve(target, options.only);
  const watcher = watch(nearestFolder(dirname(wanted)), {
    ignored: (path) => !isOnTheWay(path, wanted) || isTempFileName(basename(path)) || basename(path) === '.git',
    ignoreInitial: true,
    followSymlinks: false,
  });
  watcher.on('all', (event, path) => {
    if (event === 'add' || event === 'change' || event === 'unlink') tell(ctx, target, wanted, path, onChange);
  });
  watcher.on('error', (error) => ctx.log.warn({ err: error, folder: target }, 'watching a folder met an error'));
  await new Promise<void>((ready) => watcher.once('ready', ready));
  return { close: async () => watcher.close() };
}

function tell(ctx: LogContext, target: string, wanted: string, path: string, onChange: (path: string) => void): void {
  if (!isInside(wanted, path)) return;
  try {
    onChange(relative(target, path).split(sep).join('/'));
  } catch (error) {
    ctx.log.error({ err: error, path }, 'handling a changed file failed');
  }
}

function isOnTheWay(path: string, wanted: string): boolean {
  return isInside(wanted, path) || isInside(path, wanted);
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

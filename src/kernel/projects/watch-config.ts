/** Watching `config.yaml`, also where it is a link to a file that a person keeps elsewhere. */
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type FolderWatch, watchFolder } from '../artifacts/watch.ts';
import { hasErrorCode } from '../artifacts/write.ts';
import type { BackgroundContext } from '../background/background.ts';
import { createLocks } from '../locks/locks.ts';
import type { LogContext } from '../log/log.ts';
import type { HomePaths } from './home.ts';

type WatchContext = BackgroundContext & LogContext;

/** Links on links: more than this is a circle. */
const maxLinks = 20;

interface Following {
  readonly ctx: WatchContext;
  readonly file: string;
  readonly onChange: () => void;
  /** What the links name, one after the other, and the watch of each. */
  targets: readonly string[];
  watches: FolderWatch[];
  isClosed: boolean;
}

/** Calls `onChange` when the file, or the one that it is a link to, appears, changes or goes. */
export async function watchConfig(ctx: WatchContext, home: HomePaths, onChange: () => void): Promise<FolderWatch> {
  const following: Following = { ctx, file: home.config, onChange, targets: [], watches: [], isClosed: false };
  const turns = createLocks();
  const follow = async (): Promise<boolean> => turns.with('follow', () => followLinks(following, notice));
  const notice = (): void => {
    onChange();
    ctx.spawn('follow the link config.yaml', async () => {
      // What was changed before the new watch was in force.
      if (await follow()) onChange();
    });
  };
  const own = await watchFolder(ctx, home.root, notice, { only: basename(home.config) });
  await follow();
  return {
    close: async () => {
      following.isClosed = true;
      await own.close();
      await turns.with('follow', () => closeAll(following));
    },
  };
}

/** @returns whether the links lead elsewhere than before */
async function followLinks(following: Following, notice: () => void): Promise<boolean> {
  const targets = await targetsOf(following.file);
  if (following.isClosed || isDeepStrictEqual(targets, following.targets)) return false;
  await closeAll(following);
  following.targets = targets;
  for (const target of targets) {
    const options = { only: basename(target) };
    following.watches.push(await watchFolder(following.ctx, dirname(target), notice, options));
  }
  return true;
}

async function closeAll(following: Following): Promise<void> {
  await Promise.all(following.watches.splice(0).map((watch) => watch.close()));
  following.targets = [];
}

async function targetsOf(file: string): Promise<string[]> {
  const targets: string[] = [];
  for (let at = file; targets.length < maxLinks;) {
    const named = await readlink(at).catch((error: unknown) => {
      // No link, or nothing there: here it ends.
      if (hasErrorCode(error, 'EINVAL', 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    });
    if (named === undefined) return targets;
    at = await withRealFolder(resolve(dirname(at), named));
    targets.push(at);
  }
  return targets;
}

/** Signs of a change come for real folders. */
async function withRealFolder(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return dirname(path);
    throw error;
  });
  return join(folder, basename(path));
}

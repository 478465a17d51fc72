/** The words for `bwrap` (bubblewrap): pure, so that a table can hold what an agent sees. */
import type { Command, Mount } from './contract.ts';

export interface BubblewrapView {
  /** In any order: a folder comes before what lies in it; of two for one path the later counts. */
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  readonly ownNetwork: boolean;
  /** Older versions cannot switch off user namespaces inside. */
  readonly canDisableUserNamespaces: boolean;
}

/**
 * No `--new-session`: the hall starts every program as the leader of a session of its own, without a terminal, and what
 * runs inside stays in the group of `bwrap`, so that waiting for the end of the group waits for the end of everything.
 */
export function namespaceArguments(ownNetwork: boolean, canDisableUserNamespaces: boolean): string[] {
  return [
    // Said also to root, who would otherwise keep the rights to mount what was mounted here anew.
    '--unshare-user',
    ...(canDisableUserNamespaces ? ['--disable-userns'] : []),
    '--cap-drop',
    'ALL',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(ownNetwork ? ['--unshare-net'] : []),
    '--die-with-parent',
  ];
}

export function bubblewrapArguments(view: BubblewrapView, command: Command): string[] {
  const mounts = inOrder(view.mounts);
  const hidden = mounts.filter(({ how }) => how === 'hide');
  return [
    ...namespaceArguments(view.ownNetwork, view.canDisableUserNamespaces),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--symlink',
    '../tmp',
    '/var/tmp',
    ...mounts.flatMap(wordsOf),
    // What is left of the root is empty folders on the way to the mounts; nothing is to be put into them.
    ...[...hidden.map(({ path }) => path), '/'].flatMap((path) => ['--remount-ro', path]),
    '--chdir',
    view.cwd,
    '--',
    command.file,
    ...command.args,
  ];
}

function wordsOf(mount: Mount): string[] {
  if (mount.how === 'link') return ['--symlink', mount.leadsTo, mount.path];
  if (mount.how === 'hide') return ['--tmpfs', mount.path];
  const verb = `${mount.how === 'read' ? '--ro-bind' : '--bind'}${mount.optional === true ? '-try' : ''}`;
  return [verb, mount.source ?? mount.path, mount.path];
}

/** Folders before what lies in them; one mount a path. What hides nothing is left out. */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const last = new Map(mounts.map((mount) => [mount.path, mount]));
  const shown = [...last.values()].filter(({ how }) => how === 'read' || how === 'write').map(({ path }) => path);
  return [...last.values()]
    .filter((mount) => mount.how !== 'hide' || ['/tmp', ...shown].some((path) => isBelow(path, mount.path)))
    .toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
}

export function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder === '/' ? '/' : `${folder}/`) && path !== folder;
}

function depthOf(path: string): number {
  return path.split('/').filter((part) => part !== '').length;
}

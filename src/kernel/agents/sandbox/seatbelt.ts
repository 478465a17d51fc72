/**
 * The profile for macOS' own `sandbox-exec`: pure, held by a table. It has not been run on a Mac by those who wrote it;
 * `docs/guide.md` says so too.
 */
import type { Command, Mount } from './contract.ts';
import { inOrder } from './bubblewrap.ts';

export interface SeatbeltView {
  readonly mounts: readonly Mount[];
  /** The ports of loopback that can be reached; undefined for the whole network. */
  readonly onlyPorts: readonly number[] | undefined;
}

/** Programs and libraries; nothing of them is the person's. */
const system = ['/usr', '/bin', '/sbin', '/System', '/Library', '/opt', '/Applications/Xcode.app', '/private/var/db'];
const devices = [
  '/dev',
  '/private/etc/ssl',
  '/private/etc/hosts',
  '/private/etc/resolv.conf',
  '/private/etc/localtime',
];

/** Rules later in the profile win over earlier ones, so that folders come before what lies in them. */
export function seatbeltProfile(view: SeatbeltView): string {
  return [
    '(version 1)',
    '(deny default)',
    '(allow process* signal sysctl-read mach-lookup ipc-posix-shm pseudo-tty)',
    // Names and sizes of folders on the way to what may be read.
    '(allow file-read-metadata)',
    '(allow file-read* (literal "/"))',
    ...[...system, ...devices].map((path) => `(allow file-read* (subpath ${quoted(path)}))`),
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    ...inOrder(view.mounts).flatMap(ruleOf),
    ...(view.onlyPorts === undefined
      ? ['(allow network*)', ...inOrder(view.mounts).flatMap(socketRuleOf)]
      : view.onlyPorts.map((port) => `(allow network-outbound (remote ip "localhost:${port}"))`)),
    '',
  ].join('\n');
}

/** What is shown in another's place cannot be had here; the file itself is then shown, and cannot be written. */
function ruleOf(mount: Mount): string[] {
  const where = `(subpath ${quoted(mount.path)})`;
  if (mount.how === 'link') return [];
  if (mount.how === 'hide') return [`(deny file-read* file-write* ${where})`];
  return mount.how === 'write'
    ? [`(allow file-read* file-write* ${where})`]
    : [`(allow file-read* ${where})`, `(deny file-write* ${where})`];
}

/** Whether a socket may be reached is no question of reading its file: who sits behind one that is hidden works outside. */
function socketRuleOf({ how, path }: Mount): string[] {
  return how === 'hide' ? [`(deny network* (subpath ${quoted(path)}))`] : [];
}

export function seatbeltCommand(view: SeatbeltView, command: Command): Command {
  return { file: '/usr/bin/sandbox-exec', args: ['-p', seatbeltProfile(view), command.file, ...command.args] };
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;
}

/** Whether this machine has a sandbox: found by making one, not guessed. */
import { existsSync } from 'node:fs';
import { readTextIfExists } from '../../artifacts/write.ts';
import type { LogContext } from '../../log/log.ts';
import { type CommandResult, runCommand } from '../../processes/command.ts';
import { namespaceArguments } from './bubblewrap.ts';
import type { SandboxKind, SandboxMode, SandboxState } from './contract.ts';

/** What was found; `canDisableUserNamespaces` counts for bubblewrap alone. */
export interface Probe extends SandboxState {
  readonly canDisableUserNamespaces: boolean;
}

/** What of the machine may refuse a sandbox: the text of files under `/proc/sys`, or undefined where they are not there. */
export interface MachineFacts {
  readonly apparmorRestricts: string | undefined;
  readonly userNamespacesAllowed: string | undefined;
  readonly mostUserNamespaces: string | undefined;
  /** The programs that install others, of which one may be there. */
  readonly installer: 'apt-get' | 'dnf' | 'pacman' | 'apk' | 'zypper' | undefined;
}

const probeTimeoutMs = 10_000;

/** @param path `PATH` of the programs that are tried; given only by tests */
export async function probeMachine(ctx: LogContext, path?: string): Promise<Probe> {
  if (process.platform === 'darwin') return probeSeatbelt(ctx);
  if (process.platform !== 'linux') {
    return noSandbox(`There is no sandbox for ${process.platform}.`, 'Run the hall on Linux, macOS, or in WSL 2.');
  }
  const newest = await tryBubblewrap(ctx, true, path);
  if (newest.exitCode === 0) return found('bubblewrap', true);
  const older = /unknown option/i.test(newest.stderr) ? await tryBubblewrap(ctx, false, path) : newest;
  if (older.exitCode === 0) return found('bubblewrap', false);
  return explainBubblewrap(older, await readMachineFacts());
}

async function tryBubblewrap(ctx: LogContext, disable: boolean, path: string | undefined): Promise<CommandResult> {
  const mounts = ['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--remount-ro', '/'];
  return runCommand(ctx, {
    file: 'bwrap',
    // With a network of its own, which a machine may refuse too.
    args: [...namespaceArguments(true, disable), ...mounts, '--', 'true'],
    cwd: '/',
    ...(path === undefined ? {} : { env: { PATH: path } }),
    timeoutMs: probeTimeoutMs,
  });
}

async function probeSeatbelt(ctx: LogContext): Promise<Probe> {
  const args = ['-p', '(version 1)(allow default)', '/usr/bin/true'];
  const said = await runCommand(ctx, {
    file: '/usr/bin/sandbox-exec',
    args,
    cwd: '/',
    timeoutMs: probeTimeoutMs,
  });
  if (said.exitCode === 0) return found('seatbelt', false);
  return noSandbox(
    `sandbox-exec does not work here: ${wordsOf(said)}`,
    'See: sandbox-exec -p "(version 1)(allow default)" true',
  );
}

async function readMachineFacts(): Promise<MachineFacts> {
  const read = async (name: string): Promise<string | undefined> =>
    // A file that cannot be read says nothing, as one that is not there.
    (await readTextIfExists(`/proc/sys/${name}`).catch(() => undefined))?.trim();
  const installers = ['apt-get', 'dnf', 'pacman', 'apk', 'zypper'] as const;
  return {
    apparmorRestricts: await read('kernel/apparmor_restrict_unprivileged_userns'),
    userNamespacesAllowed: await read('kernel/unprivileged_userns_clone'),
    mostUserNamespaces: await read('user/max_user_namespaces'),
    installer: installers.find((name) => existsSync(`/usr/bin/${name}`) || existsSync(`/sbin/${name}`)),
  };
}

const installCommands = {
  'apt-get': 'sudo apt-get install bubblewrap',
  dnf: 'sudo dnf install bubblewrap',
  pacman: 'sudo pacman -S bubblewrap',
  apk: 'sudo apk add bubblewrap',
  zypper: 'sudo zypper install bubblewrap',
};

/** Why `bwrap` did not run, and the command that helps. */
export function explainBubblewrap(
  said: Pick<CommandResult, 'failedToStart' | 'stderr' | 'exitCode'>,
  facts: MachineFacts,
): Probe {
  if (said.failedToStart !== undefined) {
    const hint = facts.installer === undefined ? 'Install the package bubblewrap.' : installCommands[facts.installer];
    return noSandbox('bubblewrap (bwrap) is not installed.', hint);
  }
  if (facts.userNamespacesAllowed === '0') {
    return noSandbox('This machine refuses user namespaces.', 'sudo sysctl -w kernel.unprivileged_userns_clone=1');
  }
  if (facts.mostUserNamespaces === '0') {
    return noSandbox('This machine refuses user namespaces.', 'sudo sysctl -w user.max_user_namespaces=15000');
  }
  if (facts.apparmorRestricts === '1') {
    return noSandbox(
      'AppArmor refuses user namespaces to bubblewrap on this machine.',
      'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    );
  }
  return noSandbox(
    `bubblewrap does not work here: ${wordsOf(said)}`,
    'See: bwrap --unshare-user --unshare-pid --unshare-net --ro-bind / / --proc /proc true',
  );
}

function wordsOf({ stderr, exitCode }: Pick<CommandResult, 'stderr' | 'exitCode'>): string {
  const first = stderr.trim().split('\n')[0]!.slice(0, 300);
  return first === '' ? `it ended with ${exitCode ?? 'a signal'}` : first;
}

export function noSandbox(reason: string, hint: string): Probe {
  return { kind: 'none', reason, hint, canDisableUserNamespaces: false };
}

function found(kind: SandboxKind, canDisableUserNamespaces: boolean): Probe {
  return { kind, reason: '', hint: '', canDisableUserNamespaces };
}

/** What the next program gets, by what the person wants and what there is. */
export function decideState(mode: SandboxMode, { kind, reason, hint }: SandboxState): SandboxState {
  if (mode !== 'off') return { kind, reason, hint };
  return {
    kind: 'none',
    reason: 'config.yaml switches the sandbox off.',
    hint: 'Set `sandbox: { mode: auto }` in config.yaml to have one.',
  };
}

/** Ending a process together with everything that it started. */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ClockContext } from '../clock/clock.ts';
import type { LogContext } from '../log/log.ts';
import { signalGroup } from './command.ts';
import { type ProcessIdentity, readProcessFacts } from './identity.ts';

/** `gone`: there was nothing to stop; `asked`: it ended when asked; `killed`: it had to be forced. */
export type StopOutcome = 'gone' | 'asked' | 'killed';

const pollMs = 20;
/** How long a killed process may take to leave the process table. Milliseconds. */
const afterKillMs = 5_000;

/**
 * Asks the group of `identity` to end (TERM), waits up to `graceMs`, then forces it (KILL) and waits until it is gone.
 * When the process of that identity is gone, or its pid now belongs to another process, nothing is signalled.
 * A process that leads no group is stopped alone, so that the hall never signals its own group.
 */
export async function stopProcessGroup(
  ctx: ClockContext & LogContext,
  identity: ProcessIdentity,
  options: { readonly graceMs: number },
): Promise<StopOutcome> {
  const facts = await readProcessFacts(identity.pid);
  if (facts === undefined || facts.startTime !== identity.startTime) return 'gone';
  const target: Target = { identity, wholeGroup: facts.group === identity.pid };
  // A leader that has ended, but is still in the table, keeps its group's number from being given to others.
  if (facts.isZombie && !(target.wholeGroup && (await isAlive(target)))) return 'gone';
  signal(target, 'SIGTERM');
  if (await hasEnded(ctx, target, options.graceMs)) return 'asked';
  signal(target, 'SIGKILL');
  if (!(await hasEnded(ctx, target, afterKillMs)))
    ctx.log.error({ pid: identity.pid }, 'a killed process does not end');
  return 'killed';
}

interface Target {
  readonly identity: ProcessIdentity;
  readonly wholeGroup: boolean;
}

function signal({ identity, wholeGroup }: Target, name: NodeJS.Signals): void {
  if (wholeGroup) {
    signalGroup(identity.pid, name);
    return;
  }
  try {
    process.kill(identity.pid, name);
  } catch {
    // It ended between the look and the signal, which is what was wanted.
  }
}

async function hasEnded(ctx: ClockContext, target: Target, withinMs: number): Promise<boolean> {
  const deadline = ctx.clock.monotonicMs() + withinMs;
  while (await isAlive(target)) {
    if (ctx.clock.monotonicMs() >= deadline) return false;
    await ctx.clock.sleep(pollMs);
  }
  return true;
}

async function isAlive({ identity, wholeGroup }: Target): Promise<boolean> {
  const facts = await readProcessFacts(identity.pid);
  if (facts !== undefined && facts.startTime === identity.startTime && !facts.isZombie) return true;
  if (!wholeGroup || !signalGroup(identity.pid, 0)) return false;
  return hasLiveMember(identity.pid);
}

/** Zombies answer to signal 0, so the table itself is asked. */
async function hasLiveMember(group: number): Promise<boolean> {
  if (process.platform !== 'linux') return hasLiveMemberByPs(group);
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const facts = await readProcessFacts(Number(name)).catch(undefinedIfForeign);
    if (facts !== undefined && facts.group === group && !facts.isZombie) return true;
  }
  return false;
}

/** Where `/proc` hides the processes of others, those that cannot be looked at are none of ours. */
function undefinedIfForeign(error: unknown): undefined {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  if (cause?.code !== 'EPERM' && cause?.code !== 'EACCES') throw error;
}

/** The same where there is no `/proc`. */
export async function hasLiveMemberByPs(group: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=', '-o', 'state=']);
  return stdout.split('\n').some((line) => {
    const [number, state] = line.trim().split(/\s+/);
    return Number(number) === group && state !== undefined && !state.startsWith('Z');
  });
}

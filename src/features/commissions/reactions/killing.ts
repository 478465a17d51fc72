/** Makes sure that nothing of an attempt runs: its process, the group of that, and whatever left the group. */
import { signalGroup } from '../../../kernel/processes/command.ts';
import { stopProcessGroup } from '../../../kernel/processes/group.ts';
import {
  isSameProcess,
  type ProcessIdentity,
  readProcessFacts,
  readProcessIdentity,
} from '../../../kernel/processes/identity.ts';
import { findProcessesByMark, hasMark } from '../../../kernel/processes/marks.ts';
import type { CommissionsContext } from '../context.ts';

/** In the environment of every process of an attempt: its token. */
export const attemptMark = 'GUILD_HALL_ATTEMPT';

const pollMs = 25;
const rounds = 100;

/**
 * Whether exactly this process lives and is of this attempt. One whose environment cannot be read is known by its pid
 * and its start time alone.
 * @throws unavailable when it cannot be told
 */
export async function isOfAttempt(identity: ProcessIdentity, token: string): Promise<boolean> {
  if (!(await isSameProcess(identity))) return false;
  return (await hasMark(identity.pid, attemptMark, token)) !== false;
}

/** Asks the group of the process to end. Nothing is signalled where it is another process by now. */
export async function askToEnd(identity: ProcessIdentity, token: string): Promise<void> {
  if (await isOfAttempt(identity, token)) signalGroup(identity.pid, 'SIGTERM');
}

/** Waits until the process has ended, at most until then. @throws the signal's reason when the hall stops */
export async function waitForEnd(
  ctx: CommissionsContext,
  identity: ProcessIdentity,
  untilMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (ctx.clock.nowMs() < untilMs && (await isSameProcess(identity))) {
    await ctx.clock.sleep(pollMs, signal);
  }
}

/**
 * Kills what is left of an attempt. Those that carry its mark are stopped first, so that none can start another one
 * while they are looked for.
 * @param endedHere its end was seen by this hall: a group without its leader is still the attempt's own
 */
export async function killAttempt(
  ctx: CommissionsContext,
  identity: ProcessIdentity | null,
  token: string,
  endedHere: boolean,
): Promise<void> {
  if (identity !== null) {
    if (await isOfAttempt(identity, token)) await stopProcessGroup(ctx, identity, { graceMs: 0 });
    else if (endedHere && (await readProcessFacts(identity.pid)) === undefined) signalGroup(identity.pid, 'SIGKILL');
  }
  for (let round = 0; round < rounds; round += 1) {
    const found = await findProcessesByMark(attemptMark, token);
    if (found.length === 0) return;
    for (const one of found) await signalOne(one, 'SIGSTOP');
    for (const one of await findProcessesByMark(attemptMark, token)) await signalOne(one, 'SIGKILL');
    await ctx.clock.sleep(Math.min(pollMs, round * 5));
  }
  ctx.log.error({ left: await findProcessesByMark(attemptMark, token) }, 'processes of an attempt do not end');
}

async function signalOne({ pid, startTime }: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  if ((await readProcessIdentity(pid))?.startTime !== startTime) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the look and the signal, which is what was wanted.
  }
}

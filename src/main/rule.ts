/** `guild-hall rule`: the helpers of councils with this process around them. */
import { leaveWithReader } from '../interfaces/cli/pipes.ts';
import { systemClock } from '../kernel/clock/clock.ts';
import { runRule } from '../features/councils/rule/index.ts';

/** @returns the exit code */
export async function runRuleHere(words: readonly string[]): Promise<number> {
  leaveWithReader([process.stdout, process.stderr], () => process.exit());
  return await runRule(words, {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    stdin: async () => {
      const parts: Buffer[] = [];
      for await (const part of process.stdin) parts.push(part as Buffer);
      return Buffer.concat(parts).toString('utf8');
    },
    isPiped: process.stdin.isTTY !== true,
    env: process.env,
    cwd: process.cwd(),
    now: () => systemClock.nowIso(),
    // Of all helpers this one alone needs a model, and everything that stands before it.
    dispatch: async (order) => await (await import('./dispatch-turn.ts')).dispatchTurn(order),
  });
}

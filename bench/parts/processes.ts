import { spawnSync } from 'node:child_process';
import { systemClock } from '../../src/kernel/clock/clock.ts';

/** Milliseconds of a whole process of this Node. */
export function timeOf(args: readonly string[]): number {
  const from = systemClock.monotonicMs();
  spawnSync(process.execPath, args, { stdio: 'ignore' });
  return systemClock.monotonicMs() - from;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

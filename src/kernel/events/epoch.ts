/**
 * Which start of the machine an epoch belongs to. The log is written without waiting for the disk, so a power cut may
 * take its last events, whose numbers readers have seen: after a start of the machine the numbering begins anew.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { ClockContext, IdContext } from '../clock/clock.ts';
import type { Segment } from './segments.ts';

const bootLetters = 8;
const ownLetters = 8;

/** A word for this start of the machine, the same in every process until it is started again. */
export function readBoot(ctx: ClockContext): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Not Linux. The moment of the start, roughly: a clock that is put right gives a new epoch, which harms nobody.
    return String(Math.round((ctx.clock.nowMs() / 1000 - uptime()) / 60));
  }
}

/** The epoch that goes on: that of the newest segment of this start of the machine, else a new one. */
export function chooseEpoch(ctx: IdContext, segments: readonly Segment[], boot: string): string {
  const mark = createHash('sha256').update(boot).digest('hex').slice(0, bootLetters);
  const isOfBoot = ({ epoch }: Segment): boolean => epoch.startsWith(mark) && epoch.length === bootLetters + ownLetters;
  return segments.findLast(isOfBoot)?.epoch ?? mark + ctx.ids.random(ownLetters);
}

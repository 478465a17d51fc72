/** What the programs of a turn leave behind. */
import { rm } from 'node:fs/promises';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import type { ClockContext } from '../../../kernel/clock/clock.ts';

/** A program that was told to end, or whose hall was killed, may write a little longer. Milliseconds between two tries. */
const pauses = [20, 50, 100, 200, 400, 800, 1600];

/** @throws what the system says where something still writes there after some seconds */
export async function removeLeftovers(ctx: ClockContext, folder: string): Promise<void> {
  for (const pause of pauses) {
    try {
      await rm(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (!hasErrorCode(error, 'ENOTEMPTY', 'EBUSY')) throw error;
      await ctx.clock.sleep(pause);
    }
  }
  await rm(folder, { recursive: true, force: true });
}

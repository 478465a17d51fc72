/**
 * The first act of a worker's process: it reads its order and says who it is. Loads nothing heavy, so that the hall sees
 * it soon.
 */
import { systemClock } from '../../../kernel/clock/clock.ts';
import { ownIdentity } from '../../../kernel/processes/identity.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { AttemptOrder } from '../contract/journal.ts';
import { createIdentity, readOrder } from '../store/attempt.ts';

/** Stands in the environment of every process of an attempt, so that none of them can hide. */
export const attemptVariable = 'GUILD_HALL_ATTEMPT';

/**
 * @param folder of the attempt, absolute
 * @throws `not_found` and `conflict` for an order that is not there, is another one's, or is worked on already
 */
export async function beginAttempt(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AttemptOrder> {
  const order = await readOrder(folder);
  if (env[attemptVariable] !== order.token) {
    throw fail(
      'conflict',
      `This process was not started for the attempt in ${folder}: ${attemptVariable} is not its token.`,
      'Commissions are started by the hall: guild-hall commission dispatch <id>',
    );
  }
  const process = ownIdentity();
  const identity = { version: 1 as const, token: order.token, process, startedAt: systemClock.nowIso() };
  if (await createIdentity(folder, identity)) return order;
  throw fail(
    'conflict',
    `The attempt in ${folder} has a process already, or had one.`,
    'To try it once more: guild-hall commission redispatch <id>',
  );
}

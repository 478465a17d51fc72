/** The hall stops: nothing of a commission is ended with it. */
import type { CommissionsContext } from '../context.ts';

/** Lets go of every worker; the processes live on, and the next start of the hall finds them. */
export async function leaveWorkers(ctx: CommissionsContext): Promise<void> {
  for (const live of ctx.engine.live.values()) live.leaving.abort();
  ctx.engine.live.clear();
}

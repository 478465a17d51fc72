/** A hall that goes away while it is followed may come back: it is waited for, a while. */
import type { HallClient } from './client.ts';
import { type FollowParts, isGone } from './follow.ts';
import { createProgress } from './progress.ts';

/** Seconds for which a hall that went away may come back. */
const patience = 60;

/** The hall when it is there again; undefined where it does not come back in time. */
export async function awaitHall(
  { terminal, sleep, connect }: Pick<FollowParts, 'terminal' | 'sleep' | 'connect'>,
  isQuiet: boolean,
  signal: AbortSignal,
): Promise<HallClient | undefined> {
  if (connect === undefined) return undefined;
  const progress = createProgress(terminal, sleep, isQuiet);
  progress.waitFor('the hall, which went away', 0);
  try {
    for (let waited = 0; waited < patience; waited += 0.5) {
      await sleep(500, signal);
      const client = await connectedAgain(connect);
      if (client !== undefined) return client;
    }
    return undefined;
  } finally {
    progress.clear();
  }
}

async function connectedAgain(connect: () => Promise<HallClient>): Promise<HallClient | undefined> {
  try {
    return await connect();
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

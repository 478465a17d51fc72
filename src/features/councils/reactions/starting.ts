/** A new council comes to disk: first the hall's own part, then the session file with all that is known. */
import type { CouncilsContext } from '../context.ts';
import type { CouncilSession } from '../contract.ts';
import type { CouncilRef } from '../store/place.ts';
import { councilLock } from '../store/place.ts';
import { keepOutOfCommits } from '../store/excluding.ts';
import { makeOwner, removeOwner } from '../store/secret.ts';
import { createSession } from '../store/session-file.ts';
import { announceChange, liveOf } from './live.ts';

/**
 * The caller holds the lock of ids, and wakes the council afterwards.
 * @returns false where another hall took the id in this checkout a moment ago
 */
export async function beginCouncil(ctx: CouncilsContext, ref: CouncilRef, session: CouncilSession): Promise<boolean> {
  await keepOutOfCommits(ctx, ref);
  return await ctx.locks.with(councilLock(ref), async () => {
    await makeOwner(ctx, ref, session.setup);
    let isBegun = false;
    try {
      isBegun = await createSession(ctx, ref.root, session);
    } finally {
      if (!isBegun) await removeOwner(ctx, ref);
    }
    if (!isBegun) return false;
    announceChange(ctx, ref, undefined, session, 'started');
    // Its settings were read a moment ago.
    liveOf(ctx, ref).isLoaded = true;
    return true;
  });
}

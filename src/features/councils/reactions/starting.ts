/** A new council comes to disk: first the hall's own part, then the session file with all that is known. */
import type { CouncilsContext } from '../context.ts';
import type { CouncilSession } from '../contract.ts';
import type { CouncilRef } from '../store/place.ts';
import { councilLock } from '../store/place.ts';
import { keepOutOfCommits } from '../store/excluding.ts';
import { makeOwner } from '../store/secret.ts';
import { storeCouncil } from './changing.ts';
import { liveOf } from './live.ts';

/** The caller holds the lock of ids, and wakes the council afterwards. */
export async function beginCouncil(ctx: CouncilsContext, ref: CouncilRef, session: CouncilSession): Promise<void> {
  await keepOutOfCommits(ctx, ref);
  await ctx.locks.with(councilLock(ref), async () => {
    await makeOwner(ctx, ref, session.setup);
    await storeCouncil(ctx, ref, undefined, session, 'started');
    // Its settings were read a moment ago.
    liveOf(ctx, ref).isLoaded = true;
  });
}

/** What is to be reviewed: drafted by the facilitator, or by the engine from the transcript alone. */
import type { CouncilDrafts, CouncilSession } from '../contract.ts';
import type { CouncilRef } from '../store/place.ts';
import type { TurnsContext } from './context.ts';
import { draftFromTranscript } from './engine-drafts.ts';

/** @throws `unavailable` where no agent can be had */
export async function draftWithFacilitator(
  _ctx: TurnsContext,
  _ref: CouncilRef,
  session: CouncilSession,
  _signal: AbortSignal,
): Promise<CouncilDrafts> {
  return draftFromTranscript(session);
}

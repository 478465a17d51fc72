/** How agents are made to speak: what main joins to the engine. */
import type { CouncilTurns } from '../context.ts';
import { draftWithFacilitator } from './drafting.ts';
import { speak } from './speaking.ts';

export const councilTurns: CouncilTurns = { speak, draft: draftWithFacilitator };

/** Binds the descriptions of conversations to what does them. */
import { type BoundOperation, bindOperation } from '../../kernel/operations/operations.ts';
import type { GatheringsContext } from './context.ts';
import * as verbs from './descriptions.ts';
import * as ceremony from './descriptions/gatherings.ts';
import { endGathering } from './operations/ceremony/end.ts';
import { passPiece } from './operations/ceremony/pass.ts';
import { listGatherings, showGathering, statusGathering, statusOf } from './operations/ceremony/reading.ts';
import { noteTyping, sayInGathering } from './operations/ceremony/say.ts';
import { startGathering } from './operations/ceremony/start.ts';
import { closeConversation, extendConversation } from './operations/changing.ts';
import { listConversations, showConversation } from './operations/reading.ts';
import { startForPerson } from './operations/starting.ts';
import { listRhythms } from './rhythms/rhythms.ts';

export { startConversation } from './operations/starting.ts';

export function bindConversations(ctx: GatheringsContext): readonly BoundOperation[] {
  return [
    bindOperation(verbs.conversationStart, async (_, input) => startForPerson(ctx, input)),
    bindOperation(verbs.conversationList, async (_, input) => listConversations(ctx, input)),
    bindOperation(verbs.conversationShow, async (caller, { id }) => showConversation(ctx, caller, id)),
    bindOperation(verbs.conversationEnd, async (caller, { id }) => closeConversation(ctx, caller, id)),
    bindOperation(verbs.conversationExtend, async (caller, input) => extendConversation(ctx, caller, input)),
  ];
}

export function bindGatherings(ctx: GatheringsContext): readonly BoundOperation[] {
  return [
    bindOperation(ceremony.gatheringStart, async (caller, input) => {
      const participants = namesIn(input.participants);
      return statusOf(await startGathering(ctx, caller, { ...input, participants }), caller);
    }),
    bindOperation(ceremony.gatheringList, async (_, input) => listGatherings(ctx, input)),
    bindOperation(ceremony.gatheringShow, async (caller, { id }) => showGathering(ctx, caller, id)),
    bindOperation(ceremony.gatheringStatus, async (caller, { id }) => statusGathering(ctx, caller, id)),
    bindOperation(ceremony.gatheringJoin, async (caller, { id }) => showGathering(ctx, caller, id)),
    bindOperation(ceremony.gatheringSay, async (caller, input) => sayInGathering(ctx, caller, input)),
    bindOperation(ceremony.gatheringPass, async (caller, input) =>
      statusOf(await passPiece(ctx, caller, input), caller),
    ),
    bindOperation(ceremony.gatheringTyping, async (caller, { id }) => noteTyping(ctx, caller, id)),
    bindOperation(ceremony.gatheringEnd, async (caller, input) =>
      statusOf(await endGathering(ctx, caller, input), caller),
    ),
    bindOperation(ceremony.gatheringRhythms, async () => listRhythms(ctx)),
  ];
}

/** `Ada,Ben` is two; what stands between two commas is left out when it is nothing. */
function namesIn(given: readonly string[]): string[] {
  return given.flatMap((names) => names.split(',')).flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}

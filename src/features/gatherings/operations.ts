/** Binds the descriptions of conversations to what does them. */
import { type BoundOperation, bindOperation } from '../../kernel/operations/operations.ts';
import type { GatheringsContext } from './context.ts';
import * as verbs from './descriptions.ts';
import { closeConversation, extendConversation } from './operations/changing.ts';
import { listConversations, showConversation } from './operations/reading.ts';
import { startForPerson } from './operations/starting.ts';

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

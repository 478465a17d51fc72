/** What the rest of the program may know of conversations: words, shapes, events. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import {
  conversationIdSchema,
  memberSchema,
  messageKindSchema,
  type EndReason,
  endReasonSchema,
  type PauseReason,
  pauseReasonSchema,
  type Receipt,
  receiptSchema,
} from './contract/words.ts';

export {
  conversationIdSchema,
  type ConversationId,
  type EndReason,
  type Member,
  type PauseReason,
} from './contract/words.ts';

/** The word for them: of their activities, and of events, whose subject is `conversation:<id>`. */
export const conversationKind = 'conversation';

/** Longest words in one message of a relay; the rest is put into a file. Characters. */
export const maxWords = 12_000;

/** Messages that a view holds. */
export const mostMessages = 200;

/** A conversation as the hall keeps it. */
export const conversationSchema = z.object({
  id: conversationIdSchema,
  /** Of the first member; null outside of every project. */
  project: projectNameSchema.nullable(),
  /** By number: the one who began it, or was named first, is 1. */
  members: z.array(memberSchema).min(2),
  state: z.enum(['open', 'paused', 'ended']),
  /** `person`, or the number of the member that began it. */
  startedBy: z.union([z.literal('person'), z.number()]),
  startedAt: z.string(),
  /** Turns of each member, counted from `countedFrom`, before the person is asked. */
  turns: z.number(),
  /** Number of the first message that counts. */
  countedFrom: z.number(),
  /** How often it was paused. */
  pauses: z.number(),
  pause: z.object({ why: pauseReasonSchema, at: z.string() }).nullable(),
  end: z.object({ reason: endReasonSchema, at: z.string() }).nullable(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** Something that goes to members, with what came of it at each. */
export const messageSchema = z.object({
  /** Given twice it is kept and delivered once. */
  id: z.string(),
  /** 1, 2, 3 …: the order in which they were taken, and reach each member. */
  number: z.number(),
  /** `opening`: the first words; `words`: a finished turn. The others are lines of the hall. */
  kind: messageKindSchema,
  /** Number of the member that said it. */
  from: z.union([z.literal('hall'), z.literal('person'), z.number()]),
  /** As it was said, secrets masked. */
  text: z.string(),
  at: z.string(),
  /** Numbers of the members that it is for. */
  to: z.array(z.number()),
  /** `held`: said while paused, goes on when the person extends. `aside`: an answer to the hall's own line, for nobody. */
  fate: z.enum(['sent', 'held', 'aside']),
  receipts: z.array(z.object({ to: z.number(), receipt: receiptSchema })),
});
export type Message = z.infer<typeof messageSchema>;

/** One row of a list. */
export const conversationRowSchema = conversationSchema.extend({
  messages: z.number(),
  /** When anything was said last, or its state changed. */
  lastAt: z.string(),
});
export type ConversationRow = z.infer<typeof conversationRowSchema>;

export const conversationListSchema = z.object({
  /** Open and paused ones first, then the newest first. */
  conversations: z.array(conversationRowSchema),
});
export type ConversationList = z.infer<typeof conversationListSchema>;

/** With what its page shows. What happens after `cursor` follows as events. */
export const conversationViewSchema = z.object({
  conversation: conversationSchema,
  /** The newest, at most `mostMessages`; each text at most `maxWords` long. */
  messages: z.array(messageSchema),
  /** How many came before. */
  earlier: z.number(),
  /** Turns that each member has had since they are counted, in the order of `members`. */
  used: z.array(z.number()),
  allowed: z.array(z.enum(['extend', 'end'])),
  cursor: z.string(),
});
export type ConversationView = z.infer<typeof conversationViewSchema>;

/** What starting gives back: the conversation, and what became of the first words. */
export const conversationStartedSchema = z.object({
  conversation: conversationSchema,
  /** Null where there were no first words. */
  opening: z.object({ message: z.string(), receipt: receiptSchema }).nullable(),
});
export type ConversationStarted = z.infer<typeof conversationStartedSchema>;

/** Events of the hall's stream whose subject is `conversation:<id>`; each is told when it is on disk. */
export interface ConversationEvents {
  'conversation.started': { id: string; conversation: Conversation };
  /** The text at most `maxWords` long. */
  'conversation.message': { id: string; message: Message };
  /** Words that were held go on. */
  'conversation.released': { id: string; messages: readonly string[] };
  'conversation.receipt': { id: string; message: string; to: number; receipt: Receipt };
  'conversation.paused': { id: string; why: PauseReason; conversation: Conversation };
  'conversation.extended': { id: string; turns: number; conversation: Conversation };
  'conversation.ended': { id: string; reason: EndReason; conversation: Conversation };
}
export type ConversationEventType = keyof ConversationEvents;

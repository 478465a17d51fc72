/** The words of conversations, and who takes part. */
import { z } from 'zod';
import { idSchema } from '../../../kernel/pure/ids.ts';
import { terminalIdSchema } from '../../../kernel/terminals/contract.ts';

export const conversationIdSchema = idSchema('conversation');
export type ConversationId = z.infer<typeof conversationIdSchema>;

/** A terminal that takes part. Its name and number stay the same to the end. */
export const memberSchema = z.object({ terminal: terminalIdSchema, name: z.string(), number: z.number() });
export type Member = z.infer<typeof memberSchema>;

/** `budget`: each had its turns; `idle`: nobody said anything, nor worked; `loop`: the same words went round. */
export const pauseReasonSchema = z.enum(['budget', 'idle', 'loop']);
export type PauseReason = z.infer<typeof pauseReasonSchema>;

/** `member`: the terminal of the member with that number ended, and why where that is known; `closed`: by whom; `hall`: the hall could not go on, and why. */
export const endReasonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('member'), number: z.number(), why: z.string().optional() }),
  z.object({ kind: z.literal('closed'), by: z.union([z.literal('person'), z.number()]) }),
  z.object({ kind: z.literal('hall'), why: z.string() }),
]);
export type EndReason = z.infer<typeof endReasonSchema>;

export const receiptSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('queued') }),
  z.object({ state: z.literal('delivered'), at: z.string() }),
  z.object({ state: z.literal('failed'), why: z.string() }),
]);
export type Receipt = z.infer<typeof receiptSchema>;

/** From `seed` on: of gatherings. */
export const messageKindSchema = z.enum([
  'opening',
  'words',
  'paused',
  'extended',
  'undelivered',
  'ended',
  'seed',
  'banner',
  'piece',
  'beat',
  'note',
  'announcement',
  'harvest',
  'closed',
]);

/** Fields that several operations take. */
import { z } from 'zod';
import { messageIdSchema } from '../contract.ts';

export const projectField = z.string().optional().describe('Project; may be left out where only one fits');
export const idField = z.string().min(1).max(200).describe('Meeting id, its beginning or its last part');
export const messageField = z
  .string()
  .max(400_000)
  .refine((text) => text.trim() !== '', 'must say something');
export const messageIdField = messageIdSchema
  .optional()
  .describe("The sender's own id of the message, like m-k3f9x2ab: sent again under it, it is taken once");
export const allowSecretsField = z
  .boolean()
  .default(false)
  .describe('Go on although it looks as if a key or password is in your words');
/** Which meeting is meant. */
export const ref = { project: projectField, id: idField };

/** Fields that several operations take. */
import { z } from 'zod';

export const projectField = z.string().optional().describe('Project; may be left out where only one fits');
export const idField = z.string().min(1).max(200).describe('Council id, its beginning or its last part');
/** Which council is meant. */
export const ref = { project: projectField, id: idField };

/** More than any draft, pin or charter. Characters. */
export const maxWords = 400_000;

export const continueField = z.boolean().default(false).describe('With --resume: go on without asking again');
export const interjectField = z
  .string()
  .max(maxWords)
  .optional()
  .describe('With --resume: say this as your own turn, then the same question comes again');
export const wrapUpField = z.boolean().default(false).describe('With --resume: end the discussion and draft the notes');

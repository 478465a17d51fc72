/** Fields that several operations take. */
import { z } from 'zod';
import { maxImages, maxImagesBytes, maxPrompt } from '../contract.ts';

export const projectField = z.string().optional().describe('Project; may be left out where only one fits');
const idField = z.string().min(1).max(200).describe('Session id, its beginning or its last part');
/** Which session is meant. */
export const ref = { project: projectField, id: idField };

export const textField = z
  .string()
  .max(maxPrompt, `at most ${maxPrompt} characters`)
  .refine((text) => text.trim() !== '', 'must say something');

export const promptIdField = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]{7,59}$/, 'letters, digits and hyphens, 8 to 60 of them')
  .optional()
  .describe("The sender's own id of these words: sent again under it, they are taken once");

/** Base64 is a third more than the bytes; how many those are in all is told with a refusal of its own. */
export const imagesField = z
  .array(z.strictObject({ data: z.base64().max(maxImagesBytes * 2) }))
  .max(maxImages)
  .default([])
  .describe(`PNG, JPEG, GIF or WebP images that go with the words, base64; ${maxImagesBytes} bytes in all`);

export const allowSecretsField = z
  .boolean()
  .default(false)
  .describe('Go on although it looks as if a key or password is in your words');

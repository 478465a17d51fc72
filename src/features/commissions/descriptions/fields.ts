/** Fields that several operations take. */
import { z } from 'zod';
import { maxPromptLength, maxTitleLength, requestIdSchema } from '../contract.ts';

export const projectField = z.string().optional().describe('Project; may be left out where only one fits');
export const idField = z.string().min(1).max(200).describe('Commission id, its beginning or its last part');
/** Which commission is meant. */
export const ref = { project: projectField, id: idField };

const saysSomething = (text: string): boolean => text.trim() !== '';

export const workerField = z.string().min(1).max(200);
export const titleField = z
  .string()
  .max(maxTitleLength, `at most ${maxTitleLength} characters; the rest belongs in the prompt`)
  .refine(saysSomething, 'must say something, like "Tests for the parser"');
export const promptField = z
  .string()
  .max(
    maxPromptLength,
    `at most ${maxPromptLength} characters; put long material into a file of the project and name its path`,
  )
  .refine(saysSomething, 'must say what is to be there in the end, and how the worker can check it');
export const dependsField = z.array(z.string().min(1).max(1000)).max(200, 'at most 200 dependencies');
export const maxTurnsField = z.int().min(1, 'at least 1').max(10_000, 'at most 10000');
export const maxBudgetField = z.number().positive('more than 0').max(10_000, 'at most 10000 dollars');
export const wordsField = z
  .string()
  .max(8000, 'at most 8000 characters; put long material into a file of the project and name its path')
  .refine(saysSomething, 'must say something');
export const reasonField = z.string().max(2000).optional();
export const requestIdField = requestIdSchema
  .optional()
  .describe("The sender's own id of the request, like r-k3f9x2ab: sent again under it, it is done once");
export const allowSecretsField = z
  .boolean()
  .default(false)
  .describe('Go on although it looks as if a key or password is in your words');
export const attemptField = z.int().min(1).optional().describe('Number of an earlier attempt; the last when left out');

/** The operations in which the person has the word: about questions, and about what came back. */
import { z } from 'zod';
import { describeOperation } from '../../../kernel/pure/operations.ts';
import { answerTakenSchema, commentTakenSchema, commissionAnswerSchema, commissionMergedSchema } from '../contract.ts';
import { allowSecretsField, ref, wordsField } from './fields.ts';

export const commissionAnswer = describeOperation({
  name: 'commission.answer',
  access: 'write',
  audience: 'person',
  summary: "Answer a worker's question: it hears it while it runs, else the next attempt does",
  input: z.strictObject({
    ...ref,
    text: wordsField.describe('The answer, or words to the running worker'),
    question: z
      .string()
      .max(40)
      .regex(/^q\d+(\.\d+)?$/, 'a question is named like q1.1')
      .optional()
      .describe('Which question, like q1.1; may be left out where only one is open'),
    allowSecrets: allowSecretsField,
  }),
  output: answerTakenSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'text', rest: true }],
    examples: [
      { line: 'guild-hall commission answer k3f9 "Only the public ones"', does: 'answers the one open question' },
      { line: 'guild-hall commission answer k3f9 --question q1.2 "Yes"', does: 'answers the second question' },
    ],
  },
});

export const commissionReview = describeOperation({
  name: 'commission.review',
  access: 'write',
  audience: 'person',
  summary: 'Say that you have looked at finished work; it no longer waits for you',
  input: z.strictObject({
    ...ref,
    text: wordsField.optional().describe('What you think of it; kept in the timeline'),
    allowSecrets: allowSecretsField,
  }),
  output: commissionAnswerSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'text', rest: true }],
    examples: [{ line: 'guild-hall commission review k3f9', does: 'marks it as looked at' }],
  },
});

export const commissionComment = describeOperation({
  name: 'commission.comment',
  access: 'write',
  audience: 'person',
  summary: 'Remark on the work of a commission, or on one line of it; the next attempt reads it',
  input: z.strictObject({
    ...ref,
    text: wordsField.describe('The remark'),
    path: z.string().min(1).max(1000).optional().describe('File that it is about, relative to the project'),
    line: z.int().min(1).max(10_000_000).optional().describe('Line of that file'),
    allowSecrets: allowSecretsField,
  }),
  output: commentTakenSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'text', rest: true }],
    examples: [
      {
        line: 'guild-hall commission comment k3f9 --path src/parser.ts --line 12 "This case is missing"',
        does: 'remarks on one line',
      },
    ],
  },
});

export const commissionMerge = describeOperation({
  name: 'commission.merge',
  access: 'write',
  audience: 'person',
  summary: 'Try again to merge completed work that did not merge: after a conflict, a red check, or a secret found',
  input: z.strictObject({
    ...ref,
    allowSecrets: z
      .boolean()
      .default(false)
      .describe("Merge although it looks as if a key or password is in the worker's files"),
  }),
  output: commissionMergedSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall commission merge k3f9', does: 'tries the merge again' }],
  },
});

export const commissionDismiss = describeOperation({
  name: 'commission.dismiss',
  access: 'write',
  destroys: true,
  audience: 'person',
  summary: 'Give up merging completed work; its branch is kept, and the hall does not ask again',
  input: z.strictObject(ref),
  output: commissionAnswerSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall commission dismiss k3f9', does: 'stops asking about the merge' }],
  },
});

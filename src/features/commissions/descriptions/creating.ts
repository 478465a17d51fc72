/** The operations that write commissions down. */
import { z } from 'zod';
import { describeOperation } from '../../../kernel/pure/operations.ts';
import { stewardOnly } from '../../steward/contract.ts';
import { commissionAnswerSchema, commissionEditedSchema } from '../contract.ts';
import {
  allowSecretsField,
  dependsField,
  maxBudgetField,
  maxTurnsField,
  projectField,
  promptField,
  ref,
  requestIdField,
  titleField,
  workerField,
} from './fields.ts';

const promptHelp =
  'What is to be there in the end, not the steps to it, and how the worker can check that it is; - reads it from standard input';
const dependsHelp = 'What has to be there first: a path of the project, or the id of a commission; repeatable';

export const commissionCreate = describeOperation({
  name: 'commission.create',
  access: 'write',
  audience: 'agents',
  workers: stewardOnly,
  summary: 'Describe an outcome for a worker to bring about, and how it can check it',
  input: z.strictObject({
    project: projectField,
    worker: workerField.describe('Who is to do it; see: guild-hall worker list'),
    title: titleField.describe('What it is called in lists'),
    prompt: promptField.describe(promptHelp),
    depends: dependsField.default([]).describe(dependsHelp),
    maxTurns: maxTurnsField.optional().describe("Most turns of the worker, in place of its package's"),
    maxBudgetUsd: maxBudgetField.optional().describe("Most it may cost, US dollars, in place of its package's"),
    dispatch: z.boolean().default(false).describe('Let it start as soon as there is room; else it waits for you'),
    requestId: requestIdField,
    allowSecrets: allowSecretsField,
  }),
  output: commissionAnswerSchema,
  commandLine: {
    examples: [
      {
        line: 'guild-hall commission create --worker researcher --title "Errors of the parser" --prompt ".lore/research/parser.md names each error that the parser can report, with the line that reports it. Check: each line named is there." --dispatch',
        does: 'creates a commission and lets it start',
      },
      {
        line: 'guild-hall commission create --worker writer --title "Guide to the parser" --depends .lore/research/parser.md --prompt -',
        does: 'reads the prompt from standard input; waits until that file is there',
      },
    ],
  },
});

export const commissionEdit = describeOperation({
  name: 'commission.edit',
  access: 'write',
  audience: 'person',
  summary: 'Change a commission that has not started: what is left out stays as it is',
  input: z.strictObject({
    ...ref,
    worker: workerField.optional().describe('Who is to do it'),
    title: titleField.optional().describe('The new title; the id stays'),
    prompt: promptField.optional().describe(promptHelp),
    depends: dependsField.optional().describe(`All that it depends on from now on. ${dependsHelp}`),
    maxTurns: maxTurnsField.optional().describe('Most turns of the worker'),
    maxBudgetUsd: maxBudgetField.optional().describe('Most it may cost, US dollars'),
    clear: z
      .array(z.enum(['depends', 'max-turns', 'max-budget-usd']))
      .max(3)
      .default([])
      .describe("Take away: all dependencies, or a limit of its own, so that the package's holds; repeatable"),
    allowSecrets: allowSecretsField,
  }),
  output: commissionEditedSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      { line: 'guild-hall commission edit k3f9 --title "Errors of the lexer"', does: 'gives it another title' },
      { line: 'guild-hall commission edit k3f9 --clear depends', does: 'lets it start without waiting for others' },
    ],
  },
});

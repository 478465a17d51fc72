/** The operations that start and stop commissions. */
import { z } from 'zod';
import { describeOperation } from '../../../kernel/pure/operations.ts';
import { stewardOnly } from '../../steward/contract.ts';
import { commissionAnswerSchema, commissionDispatchedSchema } from '../contract.ts';
import { allowSecretsField, reasonField, ref } from './fields.ts';

export const commissionDispatch = describeOperation({
  name: 'commission.dispatch',
  access: 'write',
  audience: 'agents',
  workers: stewardOnly,
  summary: 'Let a commission start: at once, or as soon as there is room and what it depends on is there',
  input: z.strictObject({
    ...ref,
    withDependencies: z
      .boolean()
      .default(false)
      .describe('Let the commissions start, too, that it waits for, over all levels: a whole chain at once'),
  }),
  output: commissionDispatchedSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      { line: 'guild-hall commission dispatch k3f9', does: 'starts it, or puts it in the queue' },
      {
        line: 'guild-hall commission dispatch k3f9 --with-dependencies',
        does: 'starts the chain that it is the end of: each when the one before it is merged',
      },
    ],
  },
});

export const commissionHold = describeOperation({
  name: 'commission.hold',
  access: 'write',
  audience: 'person',
  summary: 'Take a commission out of the queue; it stays pending until it is dispatched again',
  input: z.strictObject(ref),
  output: commissionAnswerSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall commission hold k3f9', does: 'keeps it from starting by itself' }],
  },
});

export const commissionCancel = describeOperation({
  name: 'commission.cancel',
  access: 'write',
  destroys: true,
  audience: 'agents',
  workers: stewardOnly,
  summary: 'Stop a commission; what its worker wrote is kept on its branch, not merged',
  input: z.strictObject({
    ...ref,
    reason: reasonField.describe('Why; kept in the timeline'),
    allowSecrets: allowSecretsField,
  }),
  output: commissionAnswerSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      {
        line: 'guild-hall commission cancel k3f9 --reason "No longer needed"',
        does: 'stops its worker and keeps the work',
      },
    ],
  },
});

export const commissionRedispatch = describeOperation({
  name: 'commission.redispatch',
  access: 'write',
  audience: 'person',
  summary: 'Try a failed or cancelled commission again, on a new branch; the earlier one stays',
  input: z.strictObject({
    ...ref,
    reason: reasonField.describe('Why; the next attempt reads it, and it is kept in the timeline'),
    allowSecrets: allowSecretsField,
  }),
  output: commissionAnswerSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall commission redispatch k3f9', does: 'starts it afresh, or puts it in the queue' }],
  },
});

/** The operations that show commissions and what came of them. */
import { z } from 'zod';
import { describeOperation } from '../../../kernel/pure/operations.ts';
import { stewardOnly } from '../../steward/contract.ts';
import {
  commissionDiffSchema,
  commissionGraphSchema,
  commissionListSchema,
  commissionLogsSchema,
  commissionsAwaitedSchema,
  commissionStatusSchema,
  commissionViewSchema,
} from '../contract.ts';
import { attemptField, idField, projectField, ref } from './fields.ts';

export const commissionList = describeOperation({
  name: 'commission.list',
  access: 'read',
  audience: 'agents',
  workers: stewardOnly,
  summary: 'List commissions: what runs, then the queue in its order, then the newest first',
  input: z.strictObject({
    project: projectField,
    status: commissionStatusSchema.optional().describe('Only those in this state'),
  }),
  output: commissionListSchema,
  commandLine: {
    narrowsByFolder: true,
    examples: [
      { line: 'guild-hall commission list', does: 'shows what runs, what waits and why, and what is done' },
      { line: 'guild-hall commission list --status failed', does: 'shows only what failed' },
    ],
  },
});

export const commissionShow = describeOperation({
  name: 'commission.show',
  access: 'read',
  audience: 'agents',
  workers: stewardOnly,
  summary: 'Show a commission: its state, its worker, its questions, what happened, and what can be done now',
  input: z.strictObject(ref),
  output: commissionViewSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall commission show k3f9', does: 'shows how it stands' }],
  },
});

export const commissionGraph = describeOperation({
  name: 'commission.graph',
  access: 'read',
  audience: 'agents',
  workers: stewardOnly,
  summary: 'Show which commission waits for which other, or for which file',
  input: z.strictObject({ project: projectField }),
  output: commissionGraphSchema,
  commandLine: { examples: [{ line: 'guild-hall commission graph', does: 'draws the commissions of this project' }] },
});

export const commissionLogs = describeOperation({
  name: 'commission.logs',
  access: 'read',
  audience: 'person',
  summary: 'Show what a worker said and did, as it was written down',
  input: z.strictObject({
    ...ref,
    attempt: attemptField,
    from: z.int().min(1).optional().describe('Number of the first entry; the last ones when left out'),
    limit: z.int().min(1).max(1000).default(500).describe('How many entries at most'),
  }),
  output: commissionLogsSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    followsWhenAsked: true,
    examples: [
      { line: 'guild-hall commission logs k3f9', does: 'prints the last words and tools of its worker' },
      { line: 'guild-hall commission logs k3f9 --follow', does: 'goes on as they come, until it has ended' },
    ],
  },
});

export const commissionDiff = describeOperation({
  name: 'commission.diff',
  access: 'read',
  audience: 'person',
  summary: 'Show what the work of a commission would change in the project',
  input: z.strictObject({ ...ref, attempt: attemptField }),
  output: commissionDiffSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall commission diff k3f9', does: 'prints the changes, uncommitted ones included' }],
  },
});

export const commissionWait = describeOperation({
  name: 'commission.wait',
  access: 'read',
  audience: 'person',
  summary: 'Wait until commissions have ended, and say how; over HTTP it answers at once, and events tell the rest',
  input: z.strictObject({
    project: projectField,
    id: z.array(idField).min(1, 'name at least one').max(100).describe('Commission id, its beginning or its last part'),
  }),
  output: commissionsAwaitedSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      { line: 'guild-hall commission wait k3f9', does: 'waits for its end; the exit code tells how it ended' },
      { line: 'guild-hall commission wait k3f9 m2x7 --json', does: 'waits for both and prints how they stand' },
    ],
  },
});

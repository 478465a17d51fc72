/** Workers, as a person and other workers see them: shapes and operations. */
import { z } from 'zod';
import { workerNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';

const listedWorkerSchema = z.object({
  name: workerNameSchema,
  displayName: z.string(),
  displayTitle: z.string(),
  description: z.string(),
  checkoutScope: z.enum(['sparse', 'full']),
  toolboxes: z.array(z.string()),
  builtInTools: z.array(z.string()),
  /** `shipped` with the program, or in the home's `packages/`. */
  origin: z.enum(['shipped', 'home']),
  /** Folder of the shipped package that this one of the home stands in for; null where there is none. */
  insteadOf: z.string().nullable(),
  /** Made to speak in councils. */
  councillor: z.boolean(),
});
export type ListedWorker = z.infer<typeof listedWorkerSchema>;

const problemSchema = z.object({ file: z.string(), line: z.number(), column: z.number(), message: z.string() });

const toolboxSchema = z.object({ name: z.string(), description: z.string(), source: z.string() });

const workerListSchema = z.object({
  /** Without `councillors`: whom to meet or to commission. With it: those that are made to speak in councils. */
  workers: z.array(listedWorkerSchema),
  /** How many councillors there are, listed or not. */
  councillors: z.number(),
  toolboxes: z.array(toolboxSchema),
  /** Packages that cannot be used, or not as they say. */
  problems: z.array(problemSchema),
});
export type WorkerList = z.infer<typeof workerListSchema>;

export const workerList = describeOperation({
  name: 'worker.list',
  access: 'read',
  audience: 'agents',
  summary: 'List the workers and toolboxes, and what is wrong with their packages',
  input: z.strictObject({
    councillors: z.boolean().default(false).describe('List those that speak in councils instead'),
  }),
  output: workerListSchema,
  commandLine: {
    examples: [
      { line: 'guild-hall worker list', does: 'lists the workers to meet or to commission' },
      { line: 'guild-hall worker list --councillors', does: 'lists those that speak in councils' },
    ],
  },
});

const workerShownSchema = listedWorkerSchema.extend({
  /** The package's folder. */
  source: z.string(),
  /** Null: the hall's default model. */
  model: z.string().nullable(),
  maxTurns: z.number(),
  maxBudgetUsd: z.number().nullable(),
  hasOwnActivation: z.boolean(),
  posture: z.string(),
});
export type WorkerShown = z.infer<typeof workerShownSchema>;

export const workerShow = describeOperation({
  name: 'worker.show',
  access: 'read',
  audience: 'agents',
  summary: 'Show one worker: what it may use, its limits, its posture',
  input: z.strictObject({ name: z.string().min(1).max(100).describe('Name of the worker') }),
  output: workerShownSchema,
  commandLine: {
    positionals: [{ field: 'name' }],
    examples: [{ line: 'guild-hall worker show researcher', does: 'shows the researcher' }],
  },
});

const workerMadeSchema = z.object({
  name: workerNameSchema,
  from: workerNameSchema,
  /** Folder of the new package. */
  source: z.string(),
  /** The files that are meant to be changed by hand, absolute. */
  edit: z.array(z.string()),
});
export type WorkerMade = z.infer<typeof workerMadeSchema>;

/** Events of the hall's stream whose subject is `worker:<name>`. */
export interface WorkerEvents {
  'worker.made': { name: string; from: string };
}

export const workerNew = describeOperation({
  name: 'worker.new',
  access: 'write',
  audience: 'person',
  summary: 'Make a worker of your own: a copy of another one in the packages folder, to be changed by hand',
  input: z.strictObject({
    name: workerNameSchema.describe('Name of the new worker; the name of a shipped one replaces that one'),
    from: z.string().min(1).max(100).default('researcher').describe('Worker to copy'),
  }),
  output: workerMadeSchema,
  commandLine: {
    positionals: [{ field: 'name' }],
    examples: [
      { line: 'guild-hall worker new chronicler --from writer', does: 'makes a worker out of the writer' },
      { line: 'guild-hall worker new developer --from developer', does: 'gives you your own developer to change' },
    ],
  },
});

/** Deliveries: what the hall's workers made, on its way to the person's branch or to a pull request. */
import { z } from 'zod';
import { activityIdSchema, projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';
import { stewardOnly } from '../steward/contract.ts';

/** Where their records are, relative to the project. */
export const deliveriesFolder = '.lore/deliveries';
export const deliveryKind = 'delivery';

export const deliveryStatusSchema = z.enum(['proposed', 'opened', 'dismissed']);

/** As its record tells it. */
export const deliverySchema = z.object({
  id: activityIdSchema,
  project: projectNameSchema,
  /** Artifact path relative to the project. */
  path: z.string(),
  title: z.string(),
  /** Markdown. */
  text: z.string(),
  status: deliveryStatusSchema,
  branch: z.string(),
  /** The one commit on that branch. */
  commit: z.string(),
  /** The person's branch that it is meant for. */
  target: z.string(),
  /** `person`, or the activity that proposed it. */
  proposedBy: z.string(),
  proposedAt: z.string(),
  /** Address of the pull request; null before there is one. */
  pullRequest: z.string().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;

const projectField = z.string().optional().describe('Project; may be left out where only one fits');
const ref = { project: projectField, id: z.string().min(1).max(200).describe('Id of the delivery, or its last part') };
const allowSecretsField = z
  .boolean()
  .default(false)
  .describe('Go on although it looks as if a key or password is in your words');

export const deliveryPropose = describeOperation({
  name: 'delivery.propose',
  access: 'write',
  audience: 'agents',
  workers: stewardOnly,
  summary: 'Put all that your branch has not yet on a branch of its own, as one commit, to be opened as a pull request',
  input: z.strictObject({
    project: projectField,
    title: z
      .string()
      .max(200)
      .refine((text) => text.trim() !== '', 'must say something')
      .describe('Title of the pull request'),
    text: z.string().max(60_000).default('').describe('What it brings, Markdown; - reads it from standard input'),
    allowSecrets: allowSecretsField,
  }),
  output: deliverySchema,
  commandLine: {
    positionals: [{ field: 'title', rest: true }],
    examples: [
      {
        line: 'guild-hall delivery propose "Errors of the parser" --text "Names each error, with its line."',
        does: 'makes the branch; nothing is pushed',
      },
    ],
  },
});

const openedSchema = deliverySchema.extend({
  /** What to type, where the hall could not do it. */
  commands: z.array(z.string()),
  /** Why it could not; null where it could. */
  reason: z.string().nullable(),
});
export type DeliveryOpened = z.infer<typeof openedSchema>;

export const deliveryOpen = describeOperation({
  name: 'delivery.open',
  access: 'write',
  audience: 'person',
  summary: 'Push the branch of a delivery and open the pull request with gh, or say what to type',
  input: z.strictObject(ref),
  output: openedSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall delivery open k3f9', does: 'pushes the branch and opens the pull request' }],
  },
});

export const deliveryDismiss = describeOperation({
  name: 'delivery.dismiss',
  access: 'write',
  destroys: true,
  audience: 'person',
  summary: 'Give a proposed delivery up; its branch is taken away, the work stays on the integration branch',
  input: z.strictObject(ref),
  output: deliverySchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall delivery dismiss k3f9', does: 'takes it out of the inbox' }],
  },
});

export const deliveryList = describeOperation({
  name: 'delivery.list',
  access: 'read',
  audience: 'person',
  summary: 'List deliveries, the newest first',
  input: z.strictObject({ project: projectField }),
  output: z.object({ deliveries: z.array(deliverySchema) }),
  commandLine: { isDefault: true, examples: [{ line: 'guild-hall delivery', does: 'lists them' }] },
});

export const deliveryShow = describeOperation({
  name: 'delivery.show',
  access: 'read',
  audience: 'person',
  summary: 'Show a delivery: its words, its branch, its pull request',
  input: z.strictObject(ref),
  output: deliverySchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall delivery show k3f9', does: 'shows it' }],
  },
});

const deliveredSchema = z.object({
  project: projectNameSchema,
  integrationBranch: z.string(),
  /** The person's. */
  branch: z.string(),
  /** Commits of the integration branch that the person's has not, and the other way round. */
  ahead: z.number(),
  behind: z.number(),
  /** What would change on the person's branch. */
  files: z.array(z.object({ path: z.string(), status: z.string(), added: z.number(), removed: z.number() })),
  more: z.number(),
  /** Where both changed the same lines: then nothing can be merged. */
  conflicts: z.array(z.string()),
  /** The commit that was made on the person's branch; null where nothing was merged. */
  commit: z.string().nullable(),
  /** The next things to type. */
  commands: z.array(z.string()),
});
export type Delivered = z.infer<typeof deliveredSchema>;

export const deliver = describeOperation({
  name: 'deliver',
  access: 'write',
  audience: 'person',
  summary: 'Show what your branch has not yet of what the workers made, and with --merge take it, as one commit',
  input: z.strictObject({
    project: projectField,
    branch: z.string().min(1).max(200).optional().describe('Your branch; the one that the project was added with'),
    merge: z.boolean().default(false).describe('Merge into that branch, which has to be checked out and clean'),
  }),
  output: deliveredSchema,
  commandLine: {
    examples: [
      { line: 'guild-hall deliver', does: 'shows how far apart the branches are, and the files; changes nothing' },
      { line: 'guild-hall deliver --merge', does: 'takes all of it into your branch as one commit' },
    ],
  },
});

/** Events of the hall's stream whose subject is `delivery:<id>`. */
export interface DeliveryEvents {
  'delivery.proposed': { id: string; title: string; branch: string };
  'delivery.opened': { id: string; pullRequest: string };
  'delivery.dismissed': { id: string };
}
